"""The frames of a body as they stood on the wire, for showing and exporting; what they mean is for the shapes.

Rules: the WHATWG event-stream format. Frames with data are numbered from 1, as everywhere in this program; comments and
blocks without data have no number. A body that is no event stream is one frame.
"""

import re
from typing import Literal

from anoman_tui.core.records import dataclass

_LINE_END = re.compile(rb"\r\n|\n|\r(?!\Z)")
_BLANKS = b" \t\r\n\xef\xbb\xbf"
_FIELD_LINE = re.compile(rb"[\r\n](?:data|event):")
"""By this a body that began as JSON turns out to be an event stream after all."""

Kind = Literal["data", "comment", "empty", "body", "open"]


@dataclass(frozen=True, slots=True)
class WireFrame:
    """One frame with the time of the read that completed it. `kind` `open` is a block that has no blank line yet."""

    t_ns: int
    kind: Kind
    event: str
    data: str
    size: int
    """Bytes on the wire, line ends included."""
    number: int | None
    """Its number among the frames with data; None for the others."""
    rest: str = ""
    """The block's lines that are neither data nor its name, as they stood: `id`, `retry`, and what is no field at all."""


class FrameLog:
    """Splits the reads of one body into frames. Feed it every read; `finish` gives what is left at the end.

    The cost is in proportion to the bytes, however the reads cut them.
    """

    __slots__ = ("_block", "_json", "_last", "_number", "_parts", "_size", "_t_ns")

    def __init__(self) -> None:
        self._parts: list[bytes] = []  # a line that has not ended; all of a body that is no event stream
        self._block: list[bytes] = []
        self._size = 0
        self._number = 0
        self._json: bool | None = None
        self._last = b""  # the end of what came of a body that is JSON so far
        self._t_ns = 0

    @property
    def open(self) -> bool:
        """Whether a part of a frame is held that has not ended."""
        return bool(self._parts or self._block)

    def feed(self, t_ns: int, data: bytes) -> list[WireFrame]:
        """Take one read; the frames that it completes."""
        self._t_ns = t_ns
        if self._json is None:
            data = self._begin(data)
        if self._json and self._stays_json(data):
            self._parts.append(data)
            return []
        if not data or (b"\n" not in data and b"\r" not in data and not (self._parts and self._parts[-1].endswith(b"\r"))):
            self._parts += [data] if data else []
            return []
        return self._split(b"".join([*self._parts, data]))

    def _begin(self, data: bytes) -> bytes:
        """Learn from the first character what the body is; what of it is to be read now."""
        start = data.lstrip(_BLANKS)[:1]
        if not start:
            self._parts.append(data)
            return b""
        data, self._parts = b"".join([*self._parts, data]).removeprefix(b"\xef\xbb\xbf"), []
        self._json = start in (b"{", b"[", b"<")
        return data

    def _stays_json(self, data: bytes) -> bool:
        """Whether no field of an event stream comes after what was taken for JSON."""
        self._last += data
        self._json = _FIELD_LINE.search(self._last) is None
        self._last = self._last[-8:]
        return self._json

    def _split(self, held: bytes) -> list[WireFrame]:
        frames = []
        at = 0
        for found in _LINE_END.finditer(held):
            frame = self._line(held[at : found.start()], found.end() - at)
            at = found.end()
            if frame is not None:
                frames.append(frame)
        self._parts = [held[at:]] if at < len(held) else []
        return frames

    def finish(self) -> list[WireFrame]:
        """What is left at the body's end: a block without its blank line, or a body that is no event stream."""
        held = b"".join(self._parts)
        if self._json:
            self._parts = []
            return [WireFrame(self._t_ns, "body", "", held.decode("utf-8", "replace"), len(held), 1)]
        frames = self._split(held)
        held = b"".join(self._parts)
        self._parts = []
        if held and (frame := self._line(held.removesuffix(b"\r"), len(held))) is not None:
            frames.append(frame)
        if self._block:
            event, data, rest = self._fields()
            number = None if data is None else self._number + 1
            frames.append(WireFrame(self._t_ns, "open", event, data or "", self._size, number, rest))
        self._block = []
        return frames

    def _line(self, line: bytes, size: int) -> WireFrame | None:
        self._size += size
        if line:
            if line.startswith(b":") and not self._block:
                frame = WireFrame(self._t_ns, "comment", "", line[1:].strip().decode("utf-8", "replace"), self._size, None)
                self._size = 0
                return frame
            self._block.append(line)
            return None
        if not self._block:
            self._size = 0  # a blank line more than it takes
            return None
        event, data, rest = self._fields()
        size, self._size, self._block = self._size, 0, []
        if data is None:
            return WireFrame(self._t_ns, "empty", event, "", size, None, rest)
        self._number += 1
        return WireFrame(self._t_ns, "data", event, data, size, self._number, rest)

    def _fields(self) -> tuple[str, str | None, str]:
        """The event's name, its data (None where the block has none), and its other lines."""
        event, data, rest = "", [], []
        for line in self._block:
            name, _, value = line.partition(b":")
            if name == b"data":
                data.append(value.removeprefix(b" ").decode("utf-8", "replace"))
            elif name == b"event":
                event = value.removeprefix(b" ").decode("utf-8", "replace")
            else:
                rest.append(line.decode("utf-8", "replace"))
        return event, "\n".join(data) if data else None, "\n".join(rest)


def frames_of(reads: tuple[tuple[int, bytes], ...]) -> list[WireFrame]:
    """All frames of a whole body."""
    log = FrameLog()
    return [frame for t_ns, data in reads for frame in log.feed(t_ns, data)] + log.finish()
