"""Where one stream's facts wait for the next frame.

The network thread appends, the screen drains; a deque needs no lock for that. Each run has a mailbox of its own, so what
a stopped or retried run still sends goes nowhere.
"""

from array import array
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Sequence

from anoman_tui.core.events import Stamped
from anoman_tui.core.request import HttpRequest

MAX_KEPT = 8 * 1024 * 1024
"""Bytes of a body that are kept to be taken out as they came."""
MAX_READS = 1024 * 1024
"""Reads of a body that are kept; a body that comes byte by byte needs more memory for its times than for its bytes."""


class Mailbox:
    """The sink of one stream."""

    __slots__ = ("_batches", "_body", "_ends", "_news", "_request", "_times", "lost")

    def __init__(self, news: Callable[[], None] = lambda: None) -> None:
        self._news = news  # to be told of every batch
        self._batches: deque[Sequence[Stamped]] = deque()
        self._request: HttpRequest | None = None
        self._body = bytearray()
        self._ends = array("q")  # of each read that is kept, where it ends in the body
        self._times = array("q")
        self.lost = 0
        """Bytes of the body that came when no more were kept."""

    def on_request(self, t_ns: int, request: HttpRequest) -> None:  # noqa: ARG002  the protocol names it
        """Keep the request, to be taken out without its key."""
        self._request = request

    def on_read(self, t_ns: int, data: bytes) -> None:
        """Keep the bytes and their time, as long as they are not too many. Called on the network thread."""
        room = MAX_KEPT - len(self._body) if not self.lost and len(self._ends) < MAX_READS else 0
        if len(data) > room:
            self.lost += len(data) - room
            data = data[:room]
        if data:
            self._body += data
            self._ends.append(len(self._body))
            self._times.append(t_ns)  # the last of the three, by which the other thread counts

    def on_events(self, batch: Sequence[Stamped]) -> None:
        """Keep a batch for the next frame. Called on the network thread."""
        self._batches.append(batch)
        self._news()

    def drain(self) -> list[Stamped]:
        """All events since the last call, in order. Batches that arrive meanwhile wait for the next call."""
        events: list[Stamped] = []
        for _ in range(len(self._batches)):
            events.extend(self._batches.popleft())
        return events

    def kept(self) -> tuple[HttpRequest | None, bytes, bool]:
        """The request, the body's bytes so far, and whether there were more."""
        return self._request, bytes(self._body), self.lost > 0

    def reads(self, first: int, size: int) -> list[tuple[int, bytes]]:
        """The reads that are kept from number `first` (from 0) on with their times: about `size` bytes, at least one read."""
        count = len(self._times)
        if first >= count:
            return []
        start = self._ends[first - 1] if first else 0
        last = min(count, bisect_left(self._ends, start + size, first, count) + 1)
        bounds = [start, *self._ends[first:last]]
        return [(self._times[first + at], bytes(self._body[bounds[at] : bounds[at + 1]])) for at in range(last - first)]

    def all_reads(self) -> list[tuple[int, bytes]]:
        """All reads that are kept, with their times."""
        return self.reads(0, len(self._body) + 1)

    @property
    def request(self) -> HttpRequest | None:
        """The request, with its key."""
        return self._request
