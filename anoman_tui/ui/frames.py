"""The clock that draws: when something has come, but never more often than a frame's length allows; it sleeps otherwise."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from contextvars import copy_context
from time import thread_time
from typing import Protocol

MOST_FRAMES = 120
SPARING_FRAMES = 5
"""Frames a second at most where few bytes are to go to the terminal."""
HEARTBEAT_S = 0.1
"""While nothing comes a frame is drawn this often all the same, for the numbers that count by themselves."""
SLOWEST_S = 0.2
"""The longest time between two frames: five a second."""
LEAPING_S = 1 / 20
"""Time between two frames at least where each shows another page than the one before: nobody reads that, and it costs most."""
SHARE = 0.8
"""Of one processor's time, drawing takes no more than this part. Most of it is for each token, and is due however few the frames."""
WEIGHT = 0.2
"""Of the newest frame in the average of what a frame costs."""
SPLIT_S = 0.002
"""A frame that costs more than this is made in parts, between which keys have their turn."""
RETRY_S = 0.004
"""How soon a frame is tried again for which the terminal has not taken the last one yet."""
TOLERATED_S = 0.05
"""A terminal that takes longer than this gets fewer frames; a shorter wait is the scheduler's."""
SLOWER, QUICKER = 1.5, 0.9
"""How much longer than the terminal took a frame lasts then, and by what frames become shorter again."""


class Loop(Protocol):
    """What the clock needs of an event loop."""

    def time(self) -> float:
        """Seconds of a steady clock."""

    def call_at(self, when: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        """Call once at that time."""

    def call_soon(self, callback: Callable[[], None]) -> object:
        """Call when what is due has had its turn."""

    def call_soon_threadsafe(self, callback: Callable[[], None]) -> object:
        """Call from the loop's own thread."""


class FrameClock:
    """Calls `frame` when news has come and a frame's time has gone by, else at the heartbeat, until it answers False.

    The first news after a pause is drawn at once; what comes within a frame's length of the last frame waits for its end,
    so that news wakes the loop at most once a frame. A frame waits while the terminal has not taken the last one yet (`busy`).
    Frames become rarer where that takes long, or where drawing takes more than its share of the time, and as frequent
    again once that is over.
    """

    def __init__(
        self,
        loop: Loop,
        frames_per_second: int,
        frame: Callable[[], bool],
        *,
        busy: Callable[[], bool] = lambda: False,
        failed: Callable[[Exception], None] | None = None,
        spent: Callable[[], float] = thread_time,
        parts: Callable[[], Iterable[Callable[[], None]]] = tuple,
        heartbeat_s: float = HEARTBEAT_S,
    ) -> None:
        self._loop = loop
        self._frame = frame
        self._busy = busy
        self._failed = failed
        self._spent = spent  # seconds of the processor's time
        self._parts = parts
        self._steps: deque[Callable[[], None]] | None = None  # what is still to do before the frame is drawn
        self._spent_s = 0.0  # for the present frame
        self._heartbeat_s = heartbeat_s
        self._context = copy_context()
        self._shortest = 1 / max(1, frames_per_second)
        self._longest = max(SLOWEST_S, self._shortest)
        self._cost = 0.0
        self._back_off = self._shortest
        self._last = float("-inf")
        self._waiting: float | None = None  # since when a frame waits for the terminal
        self._timer: asyncio.TimerHandle | None = None
        self._told = False  # news waits for a frame that is on its way
        self._stopped = False
        self.leaping = False
        """Whether the text moves by whole pages from frame to frame."""
        self.awake = False
        """Whether frames are drawn."""
        self.frames = 0
        """How many were."""

    @property
    def period(self) -> float:
        """Seconds from one frame to the next at present, at least."""
        return min(self._longest, max(self._shortest, self._back_off, self._cost / SHARE, LEAPING_S if self.leaping else 0))

    def wake(self) -> None:
        """Draw from now on."""
        if not self.awake and not self._stopped:
            self.awake = True
            self._draw_at(self._loop.time() + self.period)

    def news(self) -> None:
        """Something has come. From any thread; only the first call after a frame costs more than a look at a flag."""
        if not self._told and not self._stopped:
            self._told = True
            try:
                self._loop.call_soon_threadsafe(self._in_context(self._heard))
            except RuntimeError:  # the loop is closed, and the screen with it
                self._stopped = True

    def stop(self) -> None:
        """Draw no more; for the way out, when widgets go."""
        self._stopped, self.awake = True, False
        self._forget()

    def _heard(self) -> None:
        if self._stopped:
            return
        self.awake = True
        if self._steps is not None:
            return  # the frame that is being made sees to it
        due = self._last + self.period
        if due > self._loop.time():
            self._draw_at(due)
        else:
            self._forget()
            self._draw()

    def _draw_at(self, when: float) -> None:
        self._forget()
        self._timer = self._loop.call_at(when, self._in_context(self._draw))

    def _forget(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _draw(self) -> None:
        self._timer = None
        start = self._loop.time()
        if self._busy():
            self._waiting = start if self._waiting is None else self._waiting
            self._draw_at(start + min(self._longest, max(RETRY_S, (start - self._waiting) / 2)))
            return
        waited = 0.0 if self._waiting is None else start - self._waiting
        lag = min(self._longest, waited * SLOWER) if waited > TOLERATED_S else 0.0
        self._back_off = max(self._shortest, self._back_off * QUICKER, lag)
        self._waiting, self._told, self._spent_s, self._last = None, False, 0.0, start
        self._steps = deque(self._parts() if self._cost > SPLIT_S else ())
        self._step()

    def _step(self) -> None:
        """Do one part of the frame, and the others after whatever else is due; draw at the end."""
        steps = self._steps
        if self._stopped or steps is None:
            return
        before = self._spent()
        try:
            if steps:
                steps.popleft()()
            else:
                self._steps = None
                self.frames += 1
                # News that came between the parts was left to this frame, which may have drawn its pane before.
                self.awake = self._frame() or self._told
        except Exception as error:
            self.stop()
            if self._failed is None:
                raise
            self._failed(error)
            return
        self._spent_s += self._spent() - before
        if self._steps is not None:
            self._loop.call_at(self._loop.time(), self._in_context(self._yield))
            return
        self._cost += WEIGHT * (min(self._spent_s, SLOWEST_S * SHARE) - self._cost)  # one long frame is no habit
        if self.awake:
            self._draw_at(self._last + (self.period if self._told else max(self._heartbeat_s, self.period)))

    def _yield(self) -> None:
        """Timers that were due before have woken whom they wake by now; the next part comes after those."""
        self._loop.call_soon(self._in_context(self._step))

    def _in_context(self, call: Callable[[], None]) -> Callable[[], None]:
        """Textual finds the application in the context in which the clock was made."""
        return lambda: self._context.run(call)
