"""Where one stream's facts wait for the next frame.

The network thread appends, the screen drains; a deque needs no lock for that. Each run has a mailbox of its own, so what
a stopped or retried run still sends goes nowhere.
"""

from collections import deque
from collections.abc import Sequence

from anoman_tui.core.events import Stamped
from anoman_tui.core.request import HttpRequest


class Mailbox:
    """The sink of one stream."""

    __slots__ = ("_batches",)

    def __init__(self) -> None:
        self._batches: deque[Sequence[Stamped]] = deque()

    def on_request(self, t_ns: int, request: HttpRequest) -> None:
        """The request itself is not shown here."""

    def on_read(self, t_ns: int, data: bytes) -> None:
        """The raw bytes are not shown here."""

    def on_events(self, batch: Sequence[Stamped]) -> None:
        """Keep a batch for the next frame. Called on the network thread."""
        self._batches.append(batch)

    def drain(self) -> list[Stamped]:
        """All events since the last call, in order. Batches that arrive meanwhile wait for the next call."""
        events: list[Stamped] = []
        for _ in range(len(self._batches)):
            events.extend(self._batches.popleft())
        return events
