"""The client's side of the transport tests: a sink that records all it is told, and a network that sends what it is given."""

import threading
from collections.abc import Callable, Sequence

from anoman_tui.core.events import Closed, Stamped, StreamEvent
from anoman_tui.core.pane import PaneState, fold
from anoman_tui.core.request import HttpRequest, Prompt, Request, Secret
from anoman_tui.core.shapes import http_request
from anoman_tui.core.target import Target
from anoman_tui.transport.limits import Limits
from anoman_tui.transport.network import Network
from tests.transport.server import WAIT_S

KEY = "sk-test-0123456789abcdef"


class Recorder:
    """A sink that keeps everything, and lets a test wait for it."""

    def __init__(self) -> None:
        self.requests: list[HttpRequest] = []
        self.reads: list[tuple[int, bytes]] = []
        self.batches: list[Sequence[Stamped]] = []
        self.threads: set[str] = set()
        self._changed = threading.Condition()

    def on_request(self, t_ns: int, request: HttpRequest) -> None:
        """Keep the request."""
        self.requests.append(request)
        self.threads.add(threading.current_thread().name)

    def on_read(self, t_ns: int, data: bytes) -> None:
        """Keep the read."""
        self.reads.append((t_ns, data))

    def on_events(self, batch: Sequence[Stamped]) -> None:
        """Keep the batch."""
        with self._changed:
            self.threads.add(threading.current_thread().name)
            self.batches.append(tuple(batch))
            self._changed.notify_all()

    @property
    def events(self) -> list[Stamped]:
        """All events so far."""
        return [stamped for batch in self.batches for stamped in batch]

    def until(self, want: Callable[[StreamEvent], bool] | type[StreamEvent] = Closed) -> Stamped:
        """Wait for an event; the last one of a stream unless told otherwise."""
        test = (lambda event: isinstance(event, want)) if isinstance(want, type) else want

        def there() -> bool:
            return any(test(stamped.event) for stamped in self.events)

        with self._changed:
            assert self._changed.wait_for(there, WAIT_S), f"did not come; there were {self.events}"
        return next(stamped for stamped in self.events if test(stamped.event))

    def state(self, target: Target) -> PaneState:
        """The state after all that came."""
        self.until()
        return fold(PaneState(target), self.events)


async def prepare(request: Request) -> HttpRequest:
    """The request with the test key where the target may send one."""
    return http_request(request, Secret(KEY))


def a_network(**limits: float | int | None) -> Network:
    """A network with the given limits."""
    return Network(prepare, Limits(**limits))  # type: ignore[arg-type] # the fields are of different types


def stream(network: Network, target: Target, text: str = "Say something.") -> PaneState:
    """Carry one stream to its end."""
    recorder = Recorder()
    network.open(Request(target, Prompt(text)), recorder)
    return recorder.state(target)
