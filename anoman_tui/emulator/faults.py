"""Faults on the wire: frames changed, held back, moved or left out on their way, each by a model that anyone can ask for.

The models' names begin with `fault-`. What was generated and settled stays right; only what is sent is wrong.
"""

import json
from typing import Any

from anoman_tui.emulator.encoders import DONE, dumps, frame
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

    def send(self, frames: list[bytes]) -> list[bytes]:
        """The frames to write now."""
        changed = [new for body in frames for new in self._frame(body)]
        if self._fault == "buffered":
            self._held += changed
            return []
        return changed

    def last(self, frames: list[bytes]) -> list[bytes]:
        """The frames that end the body."""
        if self._fault == "truncated":
            return []
        if self._fault == "late-metadata" and len(frames) > 1 and frames[-1] == DONE:
            frames = [*frames[:-2], frames[-1], frames[-2]]
        if self._fault == "buffered":
            held, self._held = self._held, []
            # One write: that is how a proxy that buffers lets it go.
            return [b"".join([*held, *frames])]
        return [new for body in frames for new in self._frame(body)]

    def failed(self, frames: list[bytes]) -> list[bytes]:
        """The frames of a stream that broke half-way."""
        if self._fault == "done-after-error":
            error = {"error": {"type": "provider_error", "code": "upstream_error", "message": "upstream stream interrupted"}}
            return [*(body for body in frames if body != DONE), *([] if frames else [frame(error)]), DONE]
        return frames

    def _frame(self, body: bytes) -> list[bytes]:
        """What becomes of one frame."""
        if self._fault in ("none", "buffered", "truncated", "late-metadata", "done-after-error"):
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
            case _:
                return value


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
