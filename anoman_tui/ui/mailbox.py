"""Where one stream's facts wait for the next frame.

The network thread appends, the screen drains; a deque needs no lock for that. Each run has a mailbox of its own, so what
a stopped or retried run still sends goes nowhere.
"""

from collections import deque
from collections.abc import Sequence

from anoman_tui.core.events import Stamped
from anoman_tui.core.request import HttpRequest

MAX_KEPT = 8 * 1024 * 1024
"""Bytes of a body that are kept to be taken out as they came."""


class Mailbox:
    """The sink of one stream."""

    __slots__ = ("_batches", "_kept", "_reads", "_request")

    def __init__(self) -> None:
        self._batches: deque[Sequence[Stamped]] = deque()
        self._request: HttpRequest | None = None
        self._reads: list[bytes] = []
        self._kept = 0

    def on_request(self, t_ns: int, request: HttpRequest) -> None:  # noqa: ARG002  the protocol names it
        """Keep the request, to be taken out without its key."""
        self._request = request

    def on_read(self, t_ns: int, data: bytes) -> None:  # noqa: ARG002  the protocol names it
        """Keep the bytes, as long as they are not too many. Called on the network thread."""
        if self._kept < MAX_KEPT:
            self._reads.append(data[: MAX_KEPT - self._kept])
        self._kept += len(data)

    def on_events(self, batch: Sequence[Stamped]) -> None:
        """Keep a batch for the next frame. Called on the network thread."""
        self._batches.append(batch)

    def drain(self) -> list[Stamped]:
        """All events since the last call, in order. Batches that arrive meanwhile wait for the next call."""
        events: list[Stamped] = []
        for _ in range(len(self._batches)):
            events.extend(self._batches.popleft())
        return events

    def kept(self) -> tuple[HttpRequest | None, bytes, bool]:
        """The request, the body's bytes so far, and whether there were more."""
        return self._request, b"".join(list(self._reads)), self._kept > MAX_KEPT
