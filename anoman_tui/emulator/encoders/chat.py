"""OpenAI Chat Completions, as each gateway's page shows it; the playground uses the same frames."""

from typing import Any

from anoman_tui.emulator.answer import Answer, Piece, Usage
from anoman_tui.emulator.encoders import DONE, Ident, frame


class AnomanChat:
    """Anoman's chunks: the first alone carries `created` and `model`, and the usage rides on the finish chunk.

    The `_anoman` frame and `[DONE]` are added by the gateway ("Anoman streaming page, wire format").
    """

    def __init__(self, ident: Ident) -> None:
        self._ident = ident

    def start(self, input_tokens: int) -> list[bytes]:  # noqa: ARG002 - one interface for all shapes
        """The role chunk with empty content."""
        head = {"created": self._ident.created, "model": self._ident.model}
        return [self._chunk({"role": "assistant", "content": ""}, None, head)]

    def piece(self, piece: Piece) -> list[bytes]:
        """One content chunk; reasoning goes to `reasoning_content`."""
        return [self._chunk(_delta(piece), None, {})]

    def finish(self, answer: Answer) -> list[bytes]:
        """The finish chunk: an empty delta, the reason and the usage."""
        return [self._chunk({}, answer.finish, {}, {"usage": usage(answer.usage)})]

    def _chunk(self, delta: dict[str, Any], finish: str | None, head: dict[str, Any], tail: dict[str, Any] | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        ident = {"id": f"chatcmpl-{self._ident.hex}", "object": "chat.completion.chunk"}
        return frame({**ident, **head, "choices": [choice], **(tail or {})})


class OpenAIChat:
    """OpenAI's own chunks with `stream_options.include_usage`: a usage chunk without choices, then `[DONE]` (AnyPath)."""

    def __init__(self, ident: Ident) -> None:
        self._head = {
            "id": f"chatcmpl-{ident.hex}",
            "object": "chat.completion.chunk",
            "created": ident.created,
            "model": ident.model,
            "system_fingerprint": None,
        }

    def start(self, input_tokens: int) -> list[bytes]:  # noqa: ARG002 - one interface for all shapes
        """The role chunk with empty content."""
        return [self._chunk({"role": "assistant", "content": ""})]

    def piece(self, piece: Piece) -> list[bytes]:
        """One content chunk; reasoning goes to `reasoning_content`."""
        return [self._chunk(_delta(piece))]

    def finish(self, answer: Answer) -> list[bytes]:
        """The finish chunk, the usage chunk and `[DONE]`."""
        last = frame({**self._head, "choices": [], "usage": usage(answer.usage)})
        return [self._chunk({}, answer.finish), last, DONE]

    def _chunk(self, delta: dict[str, Any], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return frame({**self._head, "choices": [choice], "usage": None})


def usage(counts: Usage) -> dict[str, Any]:
    """OpenAI's usage object; the details stand only where there was reasoning."""
    body: dict[str, Any] = {
        "prompt_tokens": counts.input_tokens,
        "completion_tokens": counts.output_tokens,
        "total_tokens": counts.total_tokens,
    }
    if counts.reasoning_tokens:
        body["completion_tokens_details"] = {"reasoning_tokens": counts.reasoning_tokens}
    return body


def whole(ident: Ident, answer: Answer) -> dict[str, Any]:
    """The `chat.completion` object of a whole answer."""
    message: dict[str, Any] = {"role": "assistant", "content": answer.text, "refusal": None}
    if answer.reasoning:
        message["reasoning_content"] = answer.reasoning
    return {
        "id": f"chatcmpl-{ident.hex}",
        "object": "chat.completion",
        "created": ident.created,
        "model": ident.model,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": answer.finish}],
        "usage": usage(answer.usage),
    }


def _delta(piece: Piece) -> dict[str, Any]:
    return {"content": piece.text} if piece.kind == "text" else {"reasoning_content": piece.text}
