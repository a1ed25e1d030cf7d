"""Anthropic Messages: `message_start` … `content_block_delta` … `message_delta`, `message_stop`."""

from typing import Any

from anoman_tui.emulator.answer import Answer, Piece, PieceKind
from anoman_tui.emulator.encoders import Ident, named

_SIGNATURE = "c2NyaXB0ZWQ="


class Messages:
    """One content block for the reasoning, one for the text; usage is cumulative in `message_delta`."""

    def __init__(self, ident: Ident) -> None:
        self._ident = ident
        self._index = -1
        self._open: PieceKind | None = None

    def start(self, input_tokens: int) -> list[bytes]:
        """`message_start` and a `ping`."""
        message = {**_head(self._ident), "content": [], "stop_reason": None, "stop_sequence": None}
        message["usage"] = {"input_tokens": input_tokens, "output_tokens": 1}
        return [_event("message_start", message=message), _event("ping")]

    def piece(self, piece: Piece) -> list[bytes]:
        """A delta, after the change of block where the kind changes."""
        frames = []
        if piece.kind != self._open:
            frames += self._close()
            self._index += 1
            self._open = piece.kind
            block = {"type": "text", "text": ""} if piece.kind == "text" else {"type": "thinking", "thinking": "", "signature": ""}
            frames.append(_event("content_block_start", index=self._index, content_block=block))
        kind, field = ("text_delta", "text") if piece.kind == "text" else ("thinking_delta", "thinking")
        delta = {"type": kind, field: piece.text}
        frames.append(_event("content_block_delta", index=self._index, delta=delta))
        return frames

    def finish(self, answer: Answer) -> list[bytes]:
        """Close the block, then `message_delta` with the whole usage and `message_stop`."""
        delta = {"stop_reason": stop_reason(answer), "stop_sequence": answer.stop_sequence}
        return [*self._close(), _event("message_delta", delta=delta, usage=_usage(answer)), _event("message_stop")]

    def _close(self) -> list[bytes]:
        if self._open is None:
            return []
        frames = []
        if self._open == "reasoning":
            delta = {"type": "signature_delta", "signature": _SIGNATURE}
            frames.append(_event("content_block_delta", index=self._index, delta=delta))
        self._open = None
        return [*frames, _event("content_block_stop", index=self._index)]


def stop_reason(answer: Answer) -> str:
    """Anthropic's word for how the answer ended."""
    if answer.finish == "length":
        return "max_tokens"
    return "stop_sequence" if answer.stop_sequence else "end_turn"


def whole(ident: Ident, answer: Answer) -> dict[str, Any]:
    """The `message` object of a whole answer."""
    content: list[dict[str, Any]] = []
    if answer.reasoning:
        content.append({"type": "thinking", "thinking": answer.reasoning, "signature": _SIGNATURE})
    content.append({"type": "text", "text": answer.text})
    ends = {"stop_reason": stop_reason(answer), "stop_sequence": answer.stop_sequence}
    return {**_head(ident), "content": content, **ends, "usage": _usage(answer)}


def _head(ident: Ident) -> dict[str, Any]:
    return {"id": f"msg_{ident.hex}", "type": "message", "role": "assistant", "model": ident.model}


def _usage(answer: Answer) -> dict[str, Any]:
    usage: dict[str, Any] = {"input_tokens": answer.usage.input_tokens, "output_tokens": answer.usage.output_tokens}
    if answer.usage.reasoning_tokens:
        usage["output_tokens_details"] = {"thinking_tokens": answer.usage.reasoning_tokens}
    return usage


def _event(kind: str, **fields: Any) -> bytes:
    return named(kind, {"type": kind, **fields})
