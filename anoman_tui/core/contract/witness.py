"""What the rules need of frames beyond their events, told while a body is read.

A plain delta tells nothing: it costs a look at its number or index where the shape has one, and no second parse. All
other frames are few.
"""

import re
from collections.abc import Callable, Iterable

from anoman_tui.core.events import Frame, FrameFacts
from anoman_tui.core.jsonish import Json, UnreadableError, count, items, loads, obj, text_of
from anoman_tui.core.target import Shape

ROLE, NO_ROLE = "role", "no role"
"""The first frame of a chat stream: the role with empty content, or something else."""
NAMED, SEVERAL_LINES = "named", "several lines"
"""A chat frame that is more than one `data` line."""
JUMP, UNNUMBERED = "jump", "unnumbered"
"""A sequence number that does not follow the one before (`part` is the one that was due), or none at all."""
STRAY = "stray delta"
"""A delta of a block that is not open."""

_SEQUENCE = re.compile(r'"sequence_number"\s*:\s*(\d{1,15})')
_INDEX = re.compile(r'"index"\s*:\s*(\d{1,9})')

Witness = Callable[[Frame], Iterable[FrameFacts]]
"""Sees each frame of one body, in order."""


def witness(shape: Shape) -> Witness | None:
    """A new witness for one body; None for a shape whose events say all."""
    match shape:
        case Shape.CHAT | Shape.PLAYGROUND:
            return _Chat()
        case Shape.MESSAGES:
            return _Messages()
        case Shape.RESPONSES:
            return _Responses()
        case Shape.GEMINI:
            return None


class _Chat:
    """Looks at the first frame, and for frames that are more than a line."""

    __slots__ = ("_begun", "_told")

    def __init__(self) -> None:
        self._begun = self._told = False

    def __call__(self, frame: Frame) -> Iterable[FrameFacts]:
        """The facts of one frame."""
        if not self._begun and frame.data.strip():
            self._begun = True
            return (FrameFacts(_first(frame)), *self._form(frame))
        return self._form(frame) if frame.event or "\n" in frame.data else ()

    def _form(self, frame: Frame) -> Iterable[FrameFacts]:
        if self._told or not (frame.event or "\n" in frame.data):
            return ()
        self._told = True
        return (FrameFacts(NAMED if frame.event else SEVERAL_LINES, marks=frame.event[:80]),)


def _first(frame: Frame) -> str:
    value = obj(_json(frame))
    choices = items(value.get("choices"))
    delta = obj(obj(choices[0]).get("delta")) if choices else {}
    if value.get("error"):
        return ""
    return ROLE if delta.get("role") == "assistant" and not delta.get("content") else NO_ROLE


class _Messages:
    """Keeps which block is open."""

    __slots__ = ("_open",)

    def __init__(self) -> None:
        self._open: int | None = None

    def __call__(self, frame: Frame) -> Iterable[FrameFacts]:
        """The facts of one frame."""
        if frame.event == "content_block_delta" or (not frame.event and '"content_block_delta"' in frame.data):
            found = _INDEX.search(frame.data)
            index = int(found[1]) if found else None
            return () if index == self._open else (FrameFacts(STRAY, index),)
        value = obj(_json(frame))
        kind = text_of(value.get("type")) or frame.event
        if not kind or kind == "ping":
            return ()
        index = count(value.get("index"))
        if kind == "content_block_start":
            self._open = index
        elif kind == "content_block_stop":
            self._open = None
        reason, used = obj(value.get("delta")).get("stop_reason"), obj(value.get("usage"))
        marks = " ".join(word for word, there in (("stop", reason), ("usage", used)) if there)
        return (FrameFacts(kind[:80], index, marks=marks),)


class _Responses:
    """Keeps which sequence number is due."""

    __slots__ = ("_due", "_unnumbered")

    def __init__(self) -> None:
        self._due = 0
        self._unnumbered = False

    def __call__(self, frame: Frame) -> Iterable[FrameFacts]:
        """The facts of one frame."""
        if frame.event.endswith(".delta") or (not frame.event and '.delta"' in frame.data):
            found = _SEQUENCE.search(frame.data)
            sequence = int(found[1]) if found else None
            if sequence == self._due:
                self._due += 1
                return ()
            return self._numbered(sequence)
        value = obj(_json(frame))
        kind = text_of(value.get("type")) or frame.event
        if not kind.startswith("response.") and kind != "error":
            return ()
        sequence = count(value.get("sequence_number"))
        marks = "usage" if obj(value.get("response")).get("usage") else ""
        part = count(value.get("content_index"))
        part = count(value.get("summary_index")) if part is None else part
        return (FrameFacts(kind[:80], count(value.get("output_index")), part, sequence, marks), *self._numbered(sequence))

    def _numbered(self, sequence: int | None) -> Iterable[FrameFacts]:
        due = self._due
        if sequence is None:
            told, self._unnumbered = self._unnumbered, True
            return () if told else (FrameFacts(UNNUMBERED),)
        self._due = sequence + 1
        return () if sequence == due else (FrameFacts(JUMP, part=due, sequence=sequence),)


def _json(frame: Frame) -> Json:
    try:
        return loads(frame.data)
    except UnreadableError:
        return None
