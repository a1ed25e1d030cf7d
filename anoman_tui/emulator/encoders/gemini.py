"""Gemini `generateContent`: SSE with CRLF line ends as Google sends it, or a JSON array without `alt=sse`."""

from typing import Any

from anoman_tui.emulator.answer import Answer, FinishReason, Piece, PieceKind, Usage
from anoman_tui.emulator.encoders import Ident, dumps

_REASONS: dict[FinishReason, str] = {"stop": "STOP", "length": "MAX_TOKENS"}


class Gemini:
    """A chunk a piece, each with the usage so far; the last has the finish reason. There is no terminal event."""

    def __init__(self, ident: Ident, *, sse: bool) -> None:
        self._ident = ident
        self._sse = sse
        self._first = True
        self._input = self._text = self._thoughts = 0

    def start(self, input_tokens: int) -> list[bytes]:
        """Nothing on SSE; the array begins with its first item."""
        self._input = input_tokens
        return []

    def piece(self, piece: Piece) -> list[bytes]:
        """One chunk; reasoning is a part marked `thought`."""
        if piece.kind == "text":
            self._text += piece.tokens
        else:
            self._thoughts += piece.tokens
        usage = Usage(self._input, self._text + self._thoughts, self._thoughts)
        return [self._chunk(_body(self._ident, [_part(piece.kind, piece.text)], None, usage))]

    def finish(self, answer: Answer) -> list[bytes]:
        """The last chunk: an empty text, the finish reason and the whole usage."""
        last = self._chunk(_body(self._ident, [_part("text", "")], answer.finish, answer.usage))
        return [last] if self._sse else [last, b"]"]

    def _chunk(self, body: dict[str, Any]) -> bytes:
        if self._sse:
            return f"data: {dumps(body)}\r\n\r\n".encode()
        lead, self._first = ("[" if self._first else ",\r\n"), False
        return f"{lead}{dumps(body)}\r\n".encode()


def whole(ident: Ident, answer: Answer) -> dict[str, Any]:
    """The `GenerateContentResponse` of a whole answer."""
    parts = [_part("reasoning", answer.reasoning)] if answer.reasoning else []
    return _body(ident, [*parts, _part("text", answer.text)], answer.finish, answer.usage)


def _part(kind: PieceKind, text: str) -> dict[str, Any]:
    return {"text": text} if kind == "text" else {"text": text, "thought": True}


def _body(ident: Ident, parts: list[dict[str, Any]], finish: FinishReason | None, usage: Usage) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"parts": parts, "role": "model"}}
    if finish is not None:
        candidate["finishReason"] = _REASONS[finish]
    candidate["index"] = 0
    # Google counts thoughts apart from the candidates' tokens.
    counts = {"promptTokenCount": usage.input_tokens, "candidatesTokenCount": usage.output_tokens - usage.reasoning_tokens}
    if usage.reasoning_tokens:
        counts["thoughtsTokenCount"] = usage.reasoning_tokens
    counts["totalTokenCount"] = usage.total_tokens
    return {"candidates": [candidate], "usageMetadata": counts, "modelVersion": ident.model, "responseId": ident.hex}
