"""The frames of a body as they stood on the wire, for showing and exporting; what they mean is for the shapes.

Rules: the WHATWG event-stream format. Frames with data are numbered from 1, as everywhere in this program; comments and
blocks without data have no number. A body that is no event stream is one frame.
"""

import re
from dataclasses import dataclass
from typing import Literal

MAX_HELD = 16 * 1024 * 1024
_LINE_END = re.compile(rb"\r\n|\n|\r(?!\Z)")
_BLANKS = b" \t\r\n\xef\xbb\xbf"

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


class FrameLog:
    """Splits the reads of one body into frames. Feed it every read; `finish` gives what is left at the end."""

    __slots__ = ("_block", "_held", "_json", "_number", "_parts", "_size", "_t_ns")

    def __init__(self) -> None:
        self._held = b""
        self._block: list[bytes] = []
        self._parts: list[bytes] = []
        self._size = 0
        self._number = 0
        self._json: bool | None = None
        self._t_ns = 0

    def feed(self, t_ns: int, data: bytes) -> list[WireFrame]:
        """Take one read; the frames that it completes."""
        self._t_ns = t_ns
        if self._json:
            self._parts.append(data)
            return []
        self._held += data
        if self._json is None and (start := self._held.lstrip(_BLANKS)[:1]):
            self._json = start in (b"{", b"[", b"<")
            self._held = self._held.removeprefix(b"\xef\xbb\xbf")
        if self._json or len(self._held) > MAX_HELD:
            return []
        frames = []
        at = 0
        for found in _LINE_END.finditer(self._held):
            frame = self._line(self._held[at : found.start()], found.end() - at)
            at = found.end()
            if frame is not None:
                frames.append(frame)
        self._held = self._held[at:]
        return frames

    def finish(self) -> list[WireFrame]:
        """What is left at the body's end: a block without its blank line, or a body that is no event stream."""
        if self._json:
            body = b"".join([self._held, *self._parts])
            return [WireFrame(self._t_ns, "body", "", body.decode("utf-8", "replace"), len(body), 1)]
        frames = []
        if self._held and (frame := self._line(self._held.removesuffix(b"\r"), len(self._held))) is not None:
            frames.append(frame)
        if self._block:
            event, data = self._fields()
            frames.append(WireFrame(self._t_ns, "open", event, data or "", self._size, None if data is None else self._number + 1))
        self._held, self._block = b"", []
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
        event, data = self._fields()
        size, self._size, self._block = self._size, 0, []
        if data is None:
            return WireFrame(self._t_ns, "empty", event, "", size, None)
        self._number += 1
        return WireFrame(self._t_ns, "data", event, data, size, self._number)

    def _fields(self) -> tuple[str, str | None]:
        """The event's name and its data; None where the block has none."""
        event, data = "", []
        for line in self._block:
            name, _, value = line.partition(b":")
            text = value.removeprefix(b" ").decode("utf-8", "replace")
            if name == b"data":
                data.append(text)
            elif name == b"event":
                event = text
        return event, "\n".join(data) if data else None


def frames_of(reads: tuple[tuple[int, bytes], ...]) -> list[WireFrame]:
    """All frames of a whole body."""
    log = FrameLog()
    return [frame for t_ns, data in reads for frame in log.feed(t_ns, data)] + log.finish()
