"""Faults on the wire: frames changed, held back, moved or left out on their way, each by a model that anyone can ask for.

The models' names begin with `fault-`. What was generated and settled stays right; only what is sent is wrong.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from anoman_tui.emulator.ask import Shape
from anoman_tui.emulator.encoders import DONE, dumps, frame, named
from anoman_tui.emulator.models import WireFault

SUBSTITUTE = "tiny-substitute-1"
"""The model that a swapped answer names."""
JUMP_AT, JUMP = 6, 7
"""The event whose sequence number is wrong, and by how much."""


class Tamper:
    """Carries out one fault on the frames of one stream. `send` takes frames as they are made, `last` those of the ending."""

    def __init__(self, fault: WireFault) -> None:
        self._fault = fault
        self._held: list[bytes] = []
        self._sent = 0

    def send(self, frames: list[bytes]) -> list[bytes]:
        """The frames to write now."""
        changed = [new for body in frames for new in self._frame(body)]
        self._sent += len(changed)
        if self._fault == "buffered":
            self._held += changed
            return []
        return changed

    def last(self, frames: list[bytes], whole: Callable[[], Mapping[str, Any]]) -> list[bytes]:
        """The frames that end the body. `whole` gives the JSON answer that would have come without a stream."""
        if self._fault == "truncated":
            return []
        if self._fault == "json-beside":
            return [f"{dumps(whole())}\n\n".encode(), *frames]
        if self._fault == "late-metadata" and len(frames) > 1 and frames[-1] == DONE:
            frames = [*frames[:-2], frames[-1], frames[-2]]
        if self._fault == "buffered":
            held, self._held = self._held, []
            # One write: that is how a proxy that buffers lets it go.
            return [b"".join([*held, *frames])]
        return [new for body in frames for new in self._frame(body)]

    def failed(self, frames: list[bytes], shape: Shape) -> list[bytes]:
        """The frames of a stream that broke half-way: after its error it goes on as if all were well."""
        if self._fault != "done-after-error":
            return frames
        if not frames:  # AnyPath's way is to cut the stream, without an error and without an end
            return _ended_after_error(shape, self._sent)
        if frames[0].startswith(b"event: "):
            return [*frames[:-1], named("message_stop", {"type": "message_stop"}), frames[-1]]
        finish = {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
        return [*frames[:-1], frame(finish), frames[-1]]

    def _frame(self, body: bytes) -> list[bytes]:
        """What becomes of one frame."""
        if self._fault in ("none", "buffered", "truncated", "late-metadata", "done-after-error", "json-beside"):
            return [body]
        head, mark, rest = body.partition(b"data: ")
        data = rest.rstrip(b"\r\n")
        if not mark or data == b"[DONE]":
            return [body]
        value = json.loads(data)
        changed = self._value(value)
        if changed is None:
            return []
        return [head + mark + dumps(changed).encode() + rest[len(data) :]]

    def _value(self, value: dict[str, Any]) -> dict[str, Any] | None:
        """The changed JSON of a frame; None leaves the frame out."""
        kind = value.get("type")
        match self._fault:
            case "swapped-model":
                return _swapped(value)
            case "no-usage":
                return _without_usage(value)
            case "sequence" if value.get("sequence_number") == JUMP_AT:
                return {**value, "sequence_number": JUMP_AT + JUMP}
            case "no-role" if any("role" in choice.get("delta", {}) for choice in value.get("choices", [])):
                return None
            case "no-metadata" if "_anoman" in value:
                return None
            case "open-block" if kind in ("content_block_stop", "response.output_item.done"):
                return None
            case "no-finish":
                return _without_finish(value)
            case "zero-usage" | "total-usage" | "cached-usage" | "shrunk-usage":
                return _miscounted(value, self._fault)
            case "denied-limit":
                return _denied(value)
            case _:
                return value


def _ended_after_error(shape: Shape, sent: int) -> list[bytes]:
    """An error and then the end of a whole answer, in the shape's own form; `sent` frames went before."""
    error = {"type": "provider_error", "code": "upstream_error", "message": "upstream stream interrupted"}
    match shape:
        case "responses":
            usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
            whole = {"id": "resp_after_error", "object": "response", "status": "completed", "output": [], "usage": usage}
            told = {**error, "type": "error", "param": None, "sequence_number": sent}
            return [
                named("error", told),
                named("response.completed", {"type": "response.completed", "response": whole, "sequence_number": sent + 1}),
            ]
        case "messages":
            return [named("error", {"type": "error", "error": error}), named("message_stop", {"type": "message_stop"})]
        case "gemini":
            last = {"candidates": [{"content": {"parts": [], "role": "model"}, "finishReason": "STOP", "index": 0}]}
            return [frame({"error": {**error, "code": 503, "status": "UNAVAILABLE"}}), frame(last)]
        case "chat" | "playground":
            return [frame({"error": error}), DONE]


def _swapped(value: dict[str, Any]) -> dict[str, Any]:
    for holder in (value, value.get("response"), value.get("message")):
        for name in ("model", "modelVersion"):
            if isinstance(holder, dict) and name in holder:
                holder[name] = SUBSTITUTE
    return value


def _without_usage(value: dict[str, Any]) -> dict[str, Any] | None:
    if value.get("choices") == []:
        return None
    for holder in (value, value.get("response")):
        if isinstance(holder, dict):
            holder.pop("usage", None)
            holder.pop("usageMetadata", None)
    return value


def _without_finish(value: dict[str, Any]) -> dict[str, Any]:
    for candidate in value.get("candidates", []):
        candidate.pop("finishReason", None)
    return value


_INPUT = ("prompt_tokens", "input_tokens", "promptTokenCount")
_OUTPUT = ("completion_tokens", "output_tokens", "candidatesTokenCount")
_TOTAL = ("total_tokens", "totalTokenCount")
_DETAILS = {"prompt_tokens": "prompt_tokens_details", "input_tokens": "input_tokens_details"}
OFF = 1_000
"""By how much a count is wrong."""


def _miscounted(value: dict[str, Any], fault: WireFault) -> dict[str, Any]:
    """The frame with a usage that contradicts the rest: only that of the end, where there are several."""
    if value.get("type") == "message_start":
        return value
    for holder in (value, value.get("response")):
        usage = (holder.get("usage") or holder.get("usageMetadata")) if isinstance(holder, dict) else None
        if isinstance(usage, dict):
            _miscount(usage, fault, ended="usageMetadata" not in value or "finishReason" in value["candidates"][0])
    return value


def _miscount(usage: dict[str, Any], fault: WireFault, *, ended: bool) -> None:
    spent = next((name for name in _INPUT if name in usage), "")
    match fault:
        case "zero-usage":
            usage |= {name: 0 for name in _OUTPUT if name in usage}
        case "total-usage":
            usage |= {name: usage[name] + OFF for name in _TOTAL if name in usage}
        case "cached-usage" if spent == "promptTokenCount":
            usage["cachedContentTokenCount"] = usage[spent] + OFF
        case "cached-usage" if spent:
            usage[_DETAILS[spent]] = {"cached_tokens": usage[spent] + OFF}
        case "shrunk-usage" if spent and ended:
            usage |= {spent: 1, **{name: usage[name] - usage[spent] + 1 for name in _TOTAL if name in usage}}
        case _:
            pass


_NATURAL = {"length": "stop", "max_tokens": "end_turn", "MAX_TOKENS": "STOP"}


def _denied(value: dict[str, Any]) -> dict[str, Any]:
    """The frame with a natural end in place of a limit."""
    for holder, name in (
        *((choice, "finish_reason") for choice in value.get("choices", [])),
        *((candidate, "finishReason") for candidate in value.get("candidates", [])),
        (value.get("delta"), "stop_reason"),
    ):
        if isinstance(holder, dict) and holder.get(name) in _NATURAL:
            holder[name] = _NATURAL[holder[name]]
    response = value.get("response")
    if value.get("type") == "response.incomplete" and isinstance(response, dict):
        return {**value, "type": "response.completed", "response": {**response, "status": "completed", "incomplete_details": None}}
    return value
