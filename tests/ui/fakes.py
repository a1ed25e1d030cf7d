"""A network that does what a test tells it, and a clock that stands still until it is moved."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from textual.pilot import Pilot

from anoman_tui.core.events import (
    CancelRequested,
    Closed,
    Connected,
    ConnectStarted,
    Ending,
    EndReported,
    ErrorInfo,
    ErrorReported,
    FinishReported,
    HeadersReceived,
    HeadersSent,
    MetadataReported,
    ReasoningDelta,
    Stamped,
    StreamEvent,
    TextDelta,
    Usage,
    UsageReported,
)
from anoman_tui.core.ports import Sink
from anoman_tui.core.request import Request

MS = 1_000_000


@dataclass
class FakeClock:
    """Nanoseconds that only a test moves."""

    now: int = 1_000_000_000

    def __call__(self) -> int:
        """The present moment."""
        return self.now

    def pass_ms(self, ms: float) -> None:
        """Let time go by."""
        self.now += round(ms * MS)


@dataclass
class FakeStream:
    """One opened stream; the test pushes what arrives."""

    request: Request
    sink: Sink
    clock: FakeClock
    cancelled: int = 0
    closed: bool = False
    frames: int = 0
    obey: bool = True
    """Whether a cancel ends the stream, as a network does."""

    def push(self, *events: StreamEvent) -> None:
        """Let events of one read arrive now."""
        self.frames += 1
        self.sink.on_events([Stamped(self.clock(), event, self.frames) for event in events])
        self.closed = self.closed or any(isinstance(event, Closed) for event in events)

    def open(self, status: int = 200, **headers: str) -> None:
        """Connect, send the request and receive the response head 120 ms later."""
        now = self.clock()
        sent = [Stamped(now, ConnectStarted()), Stamped(now, Connected()), Stamped(now, HeadersSent())]
        head = tuple((name.replace("_", "-"), value) for name, value in ({"x_request_id": "req_1"} | headers).items())
        self.sink.on_events([*sent, Stamped(now + 120 * MS, HeadersReceived(status, head))])

    def connect(self) -> None:
        """Connect and send the request."""
        now = self.clock()
        self.sink.on_events([Stamped(now, ConnectStarted()), Stamped(now, Connected()), Stamped(now, HeadersSent())])

    def text(self, text: str) -> None:
        """A piece of the answer arrives."""
        self.push(TextDelta(text))

    def reason(self, text: str) -> None:
        """A piece of reasoning arrives."""
        self.push(ReasoningDelta(text))

    def finish(self, output: int = 12, metadata: Mapping[str, Any] | None = None, reason: str = "stop") -> None:
        """The answer ends as its protocol wants it."""
        events: list[StreamEvent] = [FinishReported(reason), UsageReported(Usage(input_tokens=7, output_tokens=output))]
        if metadata is not None:
            events.append(MetadataReported(metadata))
        self.push(*events, EndReported("[DONE]"), Closed(Ending.CLEAN))

    def fail(self, error: ErrorInfo) -> None:
        """An error arrives and the body ends."""
        self.push(ErrorReported(error), Closed(Ending.CLEAN))

    def cut(self) -> None:
        """The connection breaks inside the body."""
        self.push(Closed(Ending.CUT))

    def cancel(self) -> None:
        """What the screen calls to stop it."""
        self.cancelled += 1
        if self.obey and not self.closed:
            self.push(CancelRequested(), Closed(Ending.CANCELLED))


@dataclass
class FakeNetwork:
    """Opens streams that do nothing by themselves."""

    clock: FakeClock = field(default_factory=FakeClock)
    streams: list[FakeStream] = field(default_factory=list)
    refuse: Exception | None = None

    def __call__(self, request: Request, sink: Sink) -> FakeStream:
        """Open a stream."""
        if self.refuse is not None:
            raise self.refuse
        stream = FakeStream(request, sink, self.clock)
        self.streams.append(stream)
        return stream

    def last(self, count: int) -> Sequence[FakeStream]:
        """The newest streams, in the order of their panes."""
        return self.streams[-count:]


async def wait_until(pilot: Pilot[None], true: Callable[[], bool], rounds: int = 200) -> None:
    """Let the app work until a condition holds."""
    for _ in range(rounds):
        if true():
            return
        await pilot.pause(0.01)
    raise AssertionError("the condition never held")


RunBefore = Callable[[Pilot[None]], Awaitable[None]]
