"""What the front ends are given, so that none of them imports the network."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from anoman_tui.core.events import Stamped
from anoman_tui.core.pane import PaneState
from anoman_tui.core.records import dataclass
from anoman_tui.core.request import HttpRequest, Request
from anoman_tui.core.run import RunHead
from anoman_tui.core.target import Shape, Target

if TYPE_CHECKING:
    from anoman_tui.core.stats import Vote


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

    def add(self, vote: "Vote") -> None:
        """Keep a vote. Raises OSError."""

    def all(self) -> "list[Vote]":
        """The votes kept so far, oldest first. Raises OSError."""


class Playback(Protocol):
    """A recorded run while it is played. Its times are those of the recording, in nanoseconds."""

    @property
    def requests(self) -> tuple[Request, ...]:
        """The requests of its panes; each is played by asking `open_stream` for it."""

    @property
    def states(self) -> tuple[PaneState, ...]:
        """The states that its panes began with."""

    @property
    def head(self) -> RunHead:
        """What was known of the run before its first stream."""

    @property
    def start_ns(self) -> int:
        """When the first thing happened."""

    @property
    def end_ns(self) -> int:
        """When the last thing happened."""

    @property
    def cut(self) -> bool:
        """Whether the file ends before its run does."""

    @property
    def paused(self) -> bool:
        """Whether it stands still."""

    speed: float | None
    """How many times as fast as it happened; None is as fast as it goes."""

    def open_stream(self, request: Request, sink: Sink) -> Handle:
        """Play one of the requests."""

    def now_ns(self) -> int:
        """Where it stands."""

    def before(self, t_ns: int) -> int:
        """The time of what happened last before a time."""

    def pause(self) -> None:
        """Stand still."""

    def resume(self) -> None:
        """Go on."""

    def step(self) -> None:
        """While it stands still: go on to the next thing that happened."""

    def skip(self, t_ns: int) -> None:
        """Go forth to a time."""

    def again(self) -> "Playback":
        """The same recording from its beginning, at the same speed, standing still if this one does."""

    def close(self) -> None:
        """Stop playing; nothing is told after this."""


@dataclass(frozen=True, slots=True)
class Recording:
    """One recorded run, as a list shows it."""

    file: str
    """Its path."""
    started_at: str
    """RFC 3339 in UTC."""
    prompt: str
    panes: tuple[str, ...]
    """The pane arguments."""
    size: int
    """Bytes of the file."""


class Recordings(Protocol):
    """The recorded runs."""

    def list(self) -> Sequence[Recording]:
        """All that can be read, newest first. Reads files."""

    def open(self, file: str) -> Playback:
        """Play one, at the speed at which it happened. Raises ValueError with one sentence, and OSError."""

    def remove(self, file: str) -> None:
        """Remove one for good. Raises OSError."""


class ListModels(Protocol):
    """The models that a target's server lists."""

    def __call__(self, target: Target) -> Sequence[str]:
        """Their names, sorted; may wait for the network. Raises NoModelsError with one sentence."""


class SavedSet(Protocol):
    """Panes under a name, as files have them."""

    @property
    def name(self) -> str:
        """As it was saved."""

    @property
    def panes(self) -> Sequence[str | Mapping[str, Any]]:
        """Each as PaneSpec.saved gives it."""

    @property
    def params(self) -> Mapping[str, Any]:
        """The parameters for all panes."""

    @property
    def system(self) -> str | None:
        """The system prompt for all panes."""

    @property
    def configured(self) -> bool:
        """Whether it stands in config.toml and is changed there."""


class SavedSets(Protocol):
    """The pane sets that were saved. All of it reads or writes small files."""

    def names(self) -> Sequence[str]:
        """All names, sorted."""

    def load(self, name: str) -> SavedSet:
        """The set of this name, whatever its case. Raises ValueError with one sentence."""

    def save(
        self,
        name: str,
        panes: Sequence[str | Mapping[str, Any]],
        *,
        params: Mapping[str, Any] | None = None,
        system: str | None = None,
        replace: bool = False,
    ) -> None:
        """Save a set; one that is there is replaced only where that is said. Raises ValueError with one sentence."""

    def remove(self, name: str) -> None:
        """Remove a saved set for good. Raises ValueError with one sentence."""


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
