"""Where the streams of the screen come from: the network, or a recording."""

from collections.abc import Callable

from anoman_tui.core.ports import ListPrice, OpenStream, StartTape
from anoman_tui.core.records import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """What a run is started with, and the clock that stamps its events."""

    open_stream: OpenStream
    clock: Callable[[], int]
    """Nanoseconds."""
    start_tape: StartTape | None = None
    """Records each run; None records nothing."""
    list_price: ListPrice | None = None
    """Estimates what a finished stream cost by list prices, where its server said nothing; None leaves it unknown."""
    live: bool = True
    """False for a recording: nothing new can be sent to it."""
