"""Playing a run file as if its streams were live: the OpenStream of a replay.

All panes keep to one clock, the recording's own; every event carries the time at which it happened then, at any speed.
"""

import contextlib
import heapq
import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator
from decimal import Decimal

from anoman_tui.core.events import CancelRequested, Closed, Ending, Stamped
from anoman_tui.core.pane import PaneState
from anoman_tui.core.ports import Handle, OpenBody, Sink
from anoman_tui.core.request import Request
from anoman_tui.core.run import RunHead
from anoman_tui.recording.pace import Pace
from anoman_tui.recording.runfile import RecordedRun
from anoman_tui.recording.steps import Step, steps


class Replay:
    """Plays one run. `open_stream` is its OpenStream; ask it for each of `requests`, in their order."""

    def __init__(
        self, run: RecordedRun, open_body: OpenBody, speed: float | None = 1.0, *, clock: Callable[[], int] = time.perf_counter_ns
    ) -> None:
        self.run = run
        self._requests = run.requests
        self._open_body = open_body
        self._clock = clock
        self._moments: tuple[int, ...] | None = None
        self._changed = threading.Condition()
        self._due: list[tuple[int, int, Step, _Playing]] = []
        self._order = 0
        self._opened: set[int] = set()
        self._pace = Pace(run.start_ns, run.end_ns, speed, clock)
        self._closed = self._cancelled = False
        self._thread: threading.Thread | None = None

    # For the front ends.

    @property
    def requests(self) -> tuple[Request, ...]:
        """Ask for these: a pane is known by its very request."""
        return self._requests

    @property
    def head(self) -> RunHead:
        """What was known of the run before its first stream."""
        return self.run.head

    @property
    def states(self) -> tuple[PaneState, ...]:
        """The states that the panes began with."""
        return tuple(pane.state for pane in self.run.panes)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers that the panes had."""
        return tuple(pane.number for pane in self.run.panes)

    @property
    def prices(self) -> tuple[Decimal | None, ...]:
        """The list prices of the panes, as they were estimated then."""
        return tuple(pane.list_usd for pane in self.run.panes)

    def open_stream(self, request: Request, sink: Sink) -> Handle:
        """Play the pane of this request into `sink`; the sink is called on the replay's own thread."""
        with self._changed:
            pane = self._pane(request)
            self._opened.add(pane)
            playing = _Playing(self, sink, steps(self.run, self.run.panes[pane], self._open_body))
            self._push(playing)
            if self._thread is None:
                self._pace.start()
                self._thread = threading.Thread(target=self._main, name="replay", daemon=True)
                self._thread.start()
            self._changed.notify_all()
        return playing

    @property
    def speed(self) -> float | None:
        """How many times as fast as it happened; None is as fast as it goes. May be set at any time."""
        return self._pace.speed

    @speed.setter
    def speed(self, speed: float | None) -> None:
        with self._changed:
            self._pace.speed = speed
            self._changed.notify_all()

    @property
    def paused(self) -> bool:
        """Whether the replay stands still."""
        return self._pace.paused

    def pause(self) -> None:
        """Stand still."""
        with self._changed:
            self._pace.pause()

    def resume(self) -> None:
        """Go on from where it stands."""
        with self._changed:
            self._pace.resume()
            self._changed.notify_all()

    def step(self) -> None:
        """While it stands still: go on to the next read or event of any pane."""
        with self._changed:
            self._pace.permit()
            self._changed.notify_all()

    def skip(self, t_ns: int) -> None:
        """Go forth to a time of the recording; what happened until then is told at once."""
        with self._changed:
            self._pace.skip(t_ns)
            self._changed.notify_all()

    def again(self) -> "Replay":
        """The same recording from its beginning, at the same speed, standing still if this one does."""
        other = Replay(self.run, self._open_body, self.speed, clock=self._clock)
        other._moments = self._moments
        if self.paused:
            other.pause()
        return other

    @property
    def start_ns(self) -> int:
        """The recording's time of the first thing that happened."""
        return self.run.start_ns

    @property
    def end_ns(self) -> int:
        """The recording's time of the last thing that happened."""
        return self.run.end_ns

    @property
    def cut(self) -> bool:
        """Whether the file ends before its run does."""
        return self.run.cut

    def before(self, t_ns: int) -> int:
        """The time of what happened last before a time; the beginning where nothing did."""
        if self._moments is None:
            self._moments = tuple(sorted({fact.t_ns for pane in self.run.panes for fact in pane.facts}))
        at = bisect_left(self._moments, t_ns)
        return self._moments[at - 1] if at else self.start_ns

    def now_ns(self) -> int:
        """The recording's time at which the replay stands, for views that compare stamps with the present."""
        with self._changed:
            return self._pace.now()

    def close(self) -> None:
        """Stop playing; nothing is told after this."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(2)

    def __enter__(self) -> "Replay":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def cancel(self, playing: "_Playing") -> None:
        """Stop one pane."""
        with self._changed:
            playing.cancelled = self._cancelled = True
            self._changed.notify_all()

    # All under the lock.

    def _pane(self, request: Request) -> int:
        free = [at for at in range(len(self.requests)) if at not in self._opened]
        same = next((at for at in range(len(self.requests)) if self.requests[at] is request), None)
        if same is not None:
            return same
        found = next((at for at in free if self.requests[at].target == request.target), None)
        if found is None:
            raise ValueError("the recording has no such pane")
        return found

    def _push(self, playing: "_Playing") -> None:
        step = next(playing.steps, None)
        if step is not None:
            self._order += 1
            heapq.heappush(self._due, (step.t_ns, self._order, step, playing))

    # The thread.

    def _main(self) -> None:
        while (due := self._next()) is not None:
            step, playing = due
            _tell(playing.sink, step)
            with self._changed:
                self._push(playing)
        self._due.clear()

    def _next(self) -> "tuple[Step, _Playing] | None":
        """Wait for the next step's time; None at the end."""
        with self._changed:
            while True:
                if self._closed:
                    return None
                for t_ns, order, step, playing in self._due if self._cancelled else ():
                    if playing.cancelled:
                        self._due.remove((t_ns, order, step, playing))
                        heapq.heapify(self._due)
                        return _stop(self._pace.now(), step), playing.ended()
                self._cancelled = False
                if not self._due:
                    if len(self._opened) == len(self.requests):
                        return None
                    self._changed.wait()
                    continue
                wait_s = self._pace.wait_s(self._due[0][0])
                if wait_s is not None and wait_s <= 0:
                    t_ns, _, step, playing = heapq.heappop(self._due)
                    self._pace.passed(t_ns)
                    return step, playing
                self._changed.wait(wait_s)


class _Playing:
    """One pane while it plays: its Handle."""

    def __init__(self, replay: Replay, sink: Sink, pane_steps: Iterator[Step]) -> None:
        self.sink, self.steps = sink, pane_steps
        self.cancelled = False
        self._replay = replay

    def cancel(self) -> None:
        """Stop this pane; safe from any thread and more than once."""
        self._replay.cancel(self)

    def ended(self) -> "_Playing":
        """The pane with no steps left."""
        self.cancelled = False
        with contextlib.suppress(ValueError):  # the generator is running: it ends by itself
            getattr(self.steps, "close", lambda: None)()
        self.steps = iter(())
        return self


def _stop(now_ns: int, step: Step) -> Step:
    """What a stopped pane is told in place of its next step."""
    t_ns = min(now_ns, step.t_ns)
    return Step(t_ns, batches=((Stamped(t_ns, CancelRequested()),), (Stamped(t_ns, Closed(Ending.CANCELLED)),)))


def _tell(sink: Sink, step: Step) -> None:
    if step.request is not None:
        sink.on_request(step.t_ns, step.request)
    if step.read is not None:
        sink.on_read(step.t_ns, step.read)
    for batch in step.batches:
        sink.on_events(batch)
