"""OpenAI Responses: the full lifecycle of events, with every index the SDK's stream helper needs."""

from typing import Any

from anoman_tui.emulator.answer import Answer, Piece, PieceKind
from anoman_tui.emulator.encoders import Ident, named


class Responses:
    """One output item for the reasoning (as a summary), one for the message; `sequence_number` counts the events."""

    def __init__(self, ident: Ident, max_output_tokens: int | None = None) -> None:
        self._ident = ident
        self._limit = max_output_tokens
        self._sequence = 0
        self._output: list[dict[str, Any]] = []
        self._open: PieceKind | None = None
        self._text: list[str] = []

    def start(self, input_tokens: int) -> list[bytes]:  # noqa: ARG002 - one interface for all shapes
        """`response.created` and `response.in_progress`."""
        body = response(self._ident, "in_progress", [], None, self._limit)
        return [self._event("created", response=body), self._event("in_progress", response=body)]

    def piece(self, piece: Piece) -> list[bytes]:
        """A delta, after the change of item where the kind changes."""
        frames = []
        if piece.kind != self._open:
            frames += self._close("completed")
            frames += self._begin(piece.kind)
        self._text.append(piece.text)
        if piece.kind == "text":
            frames.append(self._event("output_text.delta", **self._place(), delta=piece.text, logprobs=[]))
        else:
            frames.append(self._event("reasoning_summary_text.delta", **self._place(), delta=piece.text))
        return frames

    def finish(self, answer: Answer) -> list[bytes]:
        """Close the item, then `response.completed`, or `response.incomplete` where the limit cut the answer."""
        status = "completed" if answer.finish == "stop" else "incomplete"
        frames = self._close(status)
        body = response(self._ident, status, self._output, answer, self._limit)
        return [*frames, self._event(status, response=body)]

    def _begin(self, kind: PieceKind) -> list[bytes]:
        self._open, self._text = kind, []
        frames = [self._event("output_item.added", output_index=len(self._output), item=item(self._ident, kind, None, "in_progress"))]
        if kind == "text":
            frames.append(self._event("content_part.added", **self._place(), part=_text_part("")))
        else:
            frames.append(self._event("reasoning_summary_part.added", **self._place(), part=_summary_part("")))
        return frames

    def _close(self, status: str) -> list[bytes]:
        if self._open is None:
            return []
        kind, text, place = self._open, "".join(self._text), self._place()
        done = item(self._ident, kind, text, status)
        if kind == "text":
            frames = [
                self._event("output_text.done", **place, text=text, logprobs=[]),
                self._event("content_part.done", **place, part=_text_part(text)),
            ]
        else:
            frames = [
                self._event("reasoning_summary_text.done", **place, text=text),
                self._event("reasoning_summary_part.done", **place, part=_summary_part(text)),
            ]
        frames.append(self._event("output_item.done", output_index=len(self._output), item=done))
        self._output.append(done)
        self._open = None
        return frames

    def _place(self) -> dict[str, Any]:
        part = "content_index" if self._open == "text" else "summary_index"
        return {"item_id": _item_id(self._ident, self._open or "text"), "output_index": len(self._output), part: 0}

    def _event(self, kind: str, **fields: Any) -> bytes:
        name = f"response.{kind}"
        event = named(name, {"type": name, "sequence_number": self._sequence, **fields})
        self._sequence += 1
        return event


def response(ident: Ident, status: str, output: list[dict[str, Any]], answer: Answer | None, limit: int | None) -> dict[str, Any]:
    """The `response` object; `answer` brings the usage once it is known."""
    return {
        "id": f"resp_{ident.hex}",
        "object": "response",
        "created_at": ident.created,
        "status": status,
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if status == "incomplete" else None,
        "instructions": None,
        "max_output_tokens": limit,
        "metadata": {},
        "model": ident.model,
        "output": output,
        "parallel_tool_calls": True,
        "previous_response_id": None,
        "reasoning": {"effort": None, "summary": None},
        "store": False,
        "temperature": 1.0,
        "text": {"format": {"type": "text"}},
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "truncation": "disabled",
        "usage": _usage(answer) if answer else None,
    }


def whole(ident: Ident, answer: Answer, limit: int | None) -> dict[str, Any]:
    """The `response` object of a whole answer."""
    status = "completed" if answer.finish == "stop" else "incomplete"
    output = [item(ident, "reasoning", answer.reasoning, "completed")] if answer.reasoning else []
    return response(ident, status, [*output, item(ident, "text", answer.text, status)], answer, limit)


def item(ident: Ident, kind: PieceKind, text: str | None, status: str) -> dict[str, Any]:
    """An output item: a message or a reasoning summary; `text` None is an item that has just begun."""
    if kind == "text":
        content = [] if text is None else [_text_part(text)]
        return {"id": _item_id(ident, kind), "type": "message", "status": status, "role": "assistant", "content": content}
    return {"id": _item_id(ident, kind), "type": "reasoning", "summary": [] if text is None else [_summary_part(text)]}


def _item_id(ident: Ident, kind: PieceKind) -> str:
    return f"{'msg' if kind == 'text' else 'rs'}_{ident.hex}"


def _text_part(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _summary_part(text: str) -> dict[str, Any]:
    return {"type": "summary_text", "text": text}


def _usage(answer: Answer) -> dict[str, Any]:
    usage = answer.usage
    return {
        "input_tokens": usage.input_tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": usage.output_tokens,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
        "total_tokens": usage.total_tokens,
    }
