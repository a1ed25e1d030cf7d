"""The frames of one pane in the order of their arrival, with the head, the silences and the end between them."""

from collections import deque
from typing import Final, Literal, NamedTuple

from anoman_tui.core.events import Ending
from anoman_tui.core.frames import FrameLog, WireFrame
from anoman_tui.core.headers import header
from anoman_tui.core.pane import PaneState
from anoman_tui.core.target import Target
from anoman_tui.ui.mailbox import MAX_KEPT, Mailbox
from anoman_tui.ui.timeline import GAP_NS

MAX_ENTRIES: Final = 200_000
"""Frames of a pane that are listed; of very small ones the bytes that are kept would make millions."""
PIECE: Final = 64 * 1024
"""Bytes that are split into frames at a time, so that a whole body in one read does not hold up a redraw."""
MIN_KEY: Final = 6
"""A shorter key, such as the embedded gateway's, is no secret."""
_ENDINGS: Final = {
    Ending.CLEAN: "the body ended",
    Ending.CUT: "the connection broke",
    Ending.CANCELLED: "you stopped it",
    Ending.DRAINED: "closed here after the protocol's end",
    Ending.IDLE: "closed here: the idle limit",
    Ending.TOTAL: "closed here: the total limit",
    Ending.SIZE: "closed here: the size limit",
    Ending.REFUSED: "no response",
}

EntryKind = Literal["head", "data", "comment", "empty", "body", "open", "gap", "lost", "end"]
FRAMES: Final[frozenset[str]] = frozenset({"data", "comment", "empty", "body", "open"})


class Entry(NamedTuple):
    """One thing in a pane's column."""

    t_ns: int
    kind: EntryKind
    frame: WireFrame | None = None
    read: int = -1
    """The number, from 0, of the read that completed the frame."""
    first: int = -1
    """The number of the read in which the frame's first byte came."""
    said: str = ""
    """Foreign or own words of an entry that is no frame."""
    ns: int = 0
    """How long a gap lasted."""


class PaneLog:
    """Follows one run of one pane. The cost of `feed` is in proportion to what is new."""

    def __init__(self, target: Target, mailbox: Mailbox) -> None:
        self.target = target
        self.mailbox = mailbox
        self.entries: list[Entry] = []
        self.reads = 0
        """Reads that were taken."""
        self.bytes = 0
        self.frames = 0
        self.joined = 0
        """Frames that came in one read with others."""
        self.last_ns: int | None = None
        """When the last byte came, or the head where none did."""
        self.ended = False
        self.full = False
        """Whether there are more frames than are listed."""
        self._split = FrameLog()
        self._begun = 0  # the read in which the frame that is open began
        self._pieces: deque[tuple[int, bytes]] = deque()  # what is left of the last read

    def feed(self, state: PaneState | None, most: int) -> int:
        """Take what is new, up to about `most` frames and reads; how many that were. Less than `most`: all is taken."""
        if state is None or self.ended or not self._take_head(state):
            return 0
        done = 0
        while done < most and not self.full:
            if self._pieces:
                done += self._take(*self._pieces.popleft())
                continue
            reads = self.mailbox.reads(self.reads, PIECE)
            if not reads:
                break
            for t_ns, data in reads:
                done += self._begin_read(t_ns, data)
        if state.closed is not None and done < most and not self._pieces:
            self._finish(state)
        return done

    def _take_head(self, state: PaneState) -> bool:
        """Put the response head first; whether it came, or none will."""
        if self.last_ns is not None or state.stamps.headers is None:
            return self.last_ns is not None or state.closed is not None
        self.last_ns = state.stamps.headers
        kind = header(state.headers, "content-type") or "without a content type"
        self.entries.append(Entry(self.last_ns, "head", said=f"HTTP {state.status} {kind}"))
        return True

    def _begin_read(self, t_ns: int, data: bytes) -> int:
        self._silence(t_ns)
        self.last_ns = t_ns
        self.reads += 1
        self.bytes += len(data)
        if len(data) <= PIECE and not self._pieces:
            return self._take(t_ns, data)
        self._pieces += [(t_ns, data[at : at + PIECE]) for at in range(0, len(data), PIECE)]
        return 1

    def _silence(self, t_ns: int) -> None:
        if self.last_ns is not None and t_ns - self.last_ns >= GAP_NS:
            self.entries.append(Entry(t_ns, "gap", ns=t_ns - self.last_ns))

    def _take(self, t_ns: int, data: bytes) -> int:
        """Take a read or a piece of one."""
        found = self._split.feed(t_ns, data)
        self._add(found)
        return 1 + len(found)

    def _add(self, found: list[WireFrame]) -> None:
        read = self.reads - 1
        for frame in found:
            if len(self.entries) >= MAX_ENTRIES:
                self._stop()
                return
            entries = self.entries
            if entries[-1:] and entries[-1].read == read:
                self.joined += 2 if len(entries) < 2 or entries[-2].read != read else 1
            entries.append(Entry(frame.t_ns, frame.kind, self._hidden(frame), read, min(read, self._begun)))
            self.frames += 1
            self._begun = read
        if not self._split.open:
            self._begun = read + 1

    def _stop(self) -> None:
        self.full = True
        self._pieces.clear()
        said = f"only the first {MAX_ENTRIES:,} frames are listed"
        self.entries.append(Entry(self.entries[-1].t_ns, "lost", said=said))

    def _hidden(self, frame: WireFrame) -> WireFrame:
        """The frame without the request's key, which two reads may have cut apart."""
        request = self.mailbox.request
        key = request.key.reveal() if request is not None and request.key is not None else ""
        if len(key) < MIN_KEY or not (key in frame.data or key in frame.event or key in frame.rest):
            return frame
        event, data, rest = (part.replace(key, "*" * len(key)) for part in (frame.event, frame.data, frame.rest))
        return WireFrame(frame.t_ns, frame.kind, event, data, frame.size, frame.number, rest)

    def _finish(self, state: PaneState) -> None:
        self.ended = True
        if not self.full:
            self._add(self._split.finish())
        at = state.stamps.closed if state.stamps.closed is not None else (self.last_ns or 0)
        if self.mailbox.lost:
            said = f"{self.mailbox.lost:,} more bytes were not kept: {MAX_KEPT >> 20} MiB are the bound"
            self.entries.append(Entry(at, "lost", said=said))
        elif not self.full:
            self._silence(at)
        self.entries.append(Entry(at, "end", said=_end(state)))

    def join(self, at: int) -> str:
        """The sign of an entry that came in one read with those beside it: the first, one between, the last; else a blank."""
        read = self.entries[at].read
        if read < 0:
            return " "
        before = at > 0 and self.entries[at - 1].read == read
        after = at + 1 < len(self.entries) and self.entries[at + 1].read == read
        return (" ", "╰", "╭", "│")[before + 2 * after]

    def together(self, at: int) -> tuple[int, int]:
        """The first entry that came in the same read, and the one behind the last."""
        first, last, read = at, at + 1, self.entries[at].read
        while read >= 0 and first > 0 and self.entries[first - 1].read == read:
            first -= 1
        while read >= 0 and last < len(self.entries) and self.entries[last].read == read:
            last += 1
        return first, last


def _end(state: PaneState) -> str:
    closed = state.closed
    if closed is None:
        return ""
    why = closed.detail or (state.error.message if state.error is not None and closed.ending is Ending.REFUSED else "")
    return f"{_ENDINGS[closed.ending]}: {why}" if why else _ENDINGS[closed.ending]
