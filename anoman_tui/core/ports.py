"""What the front ends are given, so that none of them imports the network."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any, Protocol

from anoman_tui.core.events import Stamped
from anoman_tui.core.pane import PaneState
from anoman_tui.core.request import HttpRequest, Request
from anoman_tui.core.run import RunHead
from anoman_tui.core.stats import Vote
from anoman_tui.core.target import Shape, Target


class Sink(Protocol):
    """Where a stream's facts go. Called on the network thread: keep it short and do not block."""

    def on_request(self, t_ns: int, request: HttpRequest) -> None:
        """The HTTP request as it is about to be sent."""

    def on_read(self, t_ns: int, data: bytes) -> None:
        """The bytes of one read of the body, before any decoding of lines."""

    def on_events(self, batch: Sequence[Stamped]) -> None:
        """The events of one read, in order. The last batch of a stream ends with Closed."""


class Handle(Protocol):
    """A running stream."""

    def cancel(self) -> None:
        """Close the connection at once; safe from any thread and more than once."""


class OpenStream(Protocol):
    """Start one stream."""

    def __call__(self, request: Request, sink: Sink) -> Handle:
        """Start streaming `request` into `sink` and return at once."""


class FetchJson(Protocol):
    """Get one JSON document of a target's server, such as its model list."""

    def __call__(self, target: Target, path: str) -> tuple[int, Mapping[str, Any]]:
        """Return the status and the object; raises OSError with one sentence when the server cannot be reached."""


class ListPrice(Protocol):
    """Estimate the cost of a finished stream by list prices."""

    def __call__(self, state: PaneState, sink: Sink) -> None:
        """Hand one ListPriced to `sink` later, from another thread; nothing where there is no usage to price."""


class Tape(Protocol):
    """The recording of one run."""

    @property
    def problem(self) -> str:
        """Why nothing more is recorded, in one sentence; empty while all is well or recording is off."""

    def sink(self, pane: int, inner: Sink) -> Sink:
        """A sink that keeps what pane `pane` (from 1) is told and passes it on to `inner`."""

    def close(self) -> None:
        """Write what is left and end the file; safe more than once. Takes milliseconds."""


class StartTape(Protocol):
    """Begin the recording of a run."""

    def __call__(self, head: RunHead, states: Sequence[PaneState]) -> Tape:
        """Record a run whose panes begin in these states. Never raises: a run that cannot be recorded goes on without."""


class KeepVotes(Protocol):
    """Where votes are kept."""

    def add(self, vote: Vote) -> None:
        """Keep a vote. Raises OSError."""

    def all(self) -> list[Vote]:
        """The votes kept so far, oldest first. Raises OSError."""


class Body(Protocol):
    """Reads one response body into events, live or recorded."""

    async def run(self, reads: AsyncIterator[tuple[int, bytes]]) -> None:
        """Read the body to its end. Raises what the reads raise, after having taken all that came; and TooLargeError."""

    def close_open_block(self) -> None:
        """Take the body's end where the reads stopped by a limit or a broken connection."""


class OpenBody(Protocol):
    """Begin to read one response body."""

    def __call__(
        self, shape: Shape, emit: Callable[[Sequence[Stamped]], None], *, content_type: str = "", max_body: int | None = None
    ) -> Body:
        """A reader that hands `emit` the events of one read at a time."""
