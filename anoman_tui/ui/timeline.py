"""What came when, in a fixed number of buckets, so that a stream of any length costs the same memory."""

import re
from collections.abc import Iterable
from typing import Final

from anoman_tui.core.events import (
    BodyRead,
    Closed,
    Connected,
    ConnectStarted,
    EndReported,
    HeadersSent,
    ListPriced,
    ReasoningDelta,
    RefusalDelta,
    Requested,
    Stamped,
    TextDelta,
    ToolDelta,
)

NOTHING, BYTES, REASONING, TEXT = range(4)
"""Kinds of what a bucket saw; of several the highest is kept."""
WAITING: Final = 4
"""Before the first byte; only in `shown`."""
BUCKETS: Final = 1024
FIRST_WIDTH_NS: Final = 4_000_000
GAP_NS: Final = 250_000_000
"""A silence shorter than this is the pace of the stream, and not shown as a gap."""
_SILENCE: Final = re.compile(rb"\x00+")


class Timeline:
    """The kinds of what arrived, by time since the request began to be written.

    When the buckets are full each pair becomes one, so the resolution follows the length.
    """

    __slots__ = ("_buckets", "_from", "_shown", "_shown_for", "_until", "_used", "_width", "end_ns", "zero_ns")

    def __init__(self) -> None:
        self._buckets = bytearray(BUCKETS)
        self._used = 0
        self._width = FIRST_WIDTH_NS
        self._from = self._until = 0  # the bucket that saw text last
        self._shown_for: tuple[int, int, int] | None = None
        self._shown = b""  # the cells whose time has gone by, for that scale
        self.zero_ns: int | None = None
        self.end_ns: int | None = None
        """When the stream was over, once it is."""

    @property
    def width_ns(self) -> int:
        """How long a bucket lasts."""
        return self._width

    def take(self, events: Iterable[Stamped]) -> None:
        """Note what arrived."""
        for stamped in events:
            event, t_ns = stamped.event, stamped.t_ns
            if self._from <= t_ns < self._until:  # a bucket that saw text has nothing to learn from more of it, or from reads
                if type(event) is TextDelta or type(event) is BodyRead:
                    continue
            elif type(event) is TextDelta:
                self._mark(t_ns, TEXT)
                continue
            match event:
                case ConnectStarted() | HeadersSent():
                    if self._used == 0:
                        self.zero_ns = t_ns
                case RefusalDelta() | ToolDelta():
                    self._mark(t_ns, TEXT)
                case ReasoningDelta():
                    self._mark(t_ns, REASONING)
                case Closed():
                    self.end_ns = self.end_ns or t_ns
                case EndReported():
                    self._mark(t_ns, BYTES)
                    self.end_ns = self.end_ns or t_ns
                case Requested() | Connected() | ListPriced():
                    pass
                case _:
                    self._mark(t_ns, BYTES)

    def _mark(self, t_ns: int, kind: int) -> None:
        if self.zero_ns is None:
            self.zero_ns = t_ns
        if self.end_ns is not None:
            return
        at = max(0, t_ns - self.zero_ns) // self._width
        while at >= BUCKETS:
            self._halve()
            at //= 2
        if kind > self._buckets[at]:
            self._buckets[at] = kind
            if at < self._used - 1:
                self._shown_for = None
        if at >= self._used:
            self._used = at + 1
        if kind == TEXT:
            self._from = self.zero_ns + at * self._width
            self._until = self._from + self._width

    def _halve(self) -> None:
        old = self._buckets
        self._buckets = bytearray(map(max, old[::2], old[1::2])) + bytearray(BUCKETS // 2)
        self._used = -(-self._used // 2)
        self._width *= 2

    def shown(self, scale_ns: int, cells: int) -> bytes:
        """A kind for each of `cells` equal parts of `scale_ns`, short silences filled with what was before them.

        Cells whose time has gone by stay as they are, and are not made again.
        """
        key = (scale_ns, cells, self._width)
        if key != self._shown_for:
            self._shown_for, self._shown = key, b""
        first = len(self._shown)
        self._shown += self._cells(scale_ns, cells, first)
        out = self._shown
        over = max(0, (self._used - 1) * self._width * cells // scale_ns - 1)  # cells that end before the last bucket
        self._shown = out[: min(over, len(out))]
        return out

    def _cells(self, scale_ns: int, cells: int, begin: int) -> bytes:
        start = begin * scale_ns // cells // self._width
        if start < self._used:  # a silence is told by its length and by what was before it
            start = max(0, len(bytes(self._buckets[:start]).rstrip(b"\x00")) - 1)
        known = bytes(self._buckets[start : self._used])
        least = max(1, GAP_NS // self._width)

        def filled(silence: re.Match[bytes]) -> bytes:
            at, length = silence.start(), silence.end() - silence.start()
            if at + start == 0:
                return bytes([WAITING]) * length
            return known[at - 1 : at] * length if length < least else silence[0]

        known = _SILENCE.sub(filled, known)
        out = bytearray(cells - begin)
        for cell in range(begin, cells):
            first = cell * scale_ns // cells // self._width
            if first >= self._used:
                break
            last = max(first + 1, (cell + 1) * scale_ns // cells // self._width)
            first, last = max(0, first - start), max(0, last - start)
            part = known[first:last]
            out[cell - begin] = (
                WAITING if part and part.count(WAITING) == len(part) else max(part.replace(b"\x04", b"\x00"), default=NOTHING)
            )
        return bytes(out)
