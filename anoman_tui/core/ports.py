"""What the front ends are given, so that none of them imports the network."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from anoman_tui.core.events import Stamped
from anoman_tui.core.pane import PaneState
from anoman_tui.core.request import HttpRequest, Request
from anoman_tui.core.target import Target


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
