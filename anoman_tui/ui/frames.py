"""The one timer that draws: it runs while something streams and sleeps otherwise."""

from collections.abc import Callable
from time import perf_counter

from textual.message_pump import MessagePump
from textual.timer import Timer

SLOWEST = 4
"""At most this many ticks go to one frame: ten frames a second out of forty ticks."""
BEHIND, ON_TIME = 1.6, 1.3
"""How many ticks long a tick may be, on average, before frames become rarer, and may be for them to become more frequent."""
WEIGHT = 0.15
"""Of the newest tick in that average."""


class FrameClock:
    """Calls `frame` at a steady rate until it answers False, and again after `wake`.

    Where ticks come late, because the terminal or the processor does not keep up, a frame is drawn only every second
    tick, then every third, and so on; it becomes quicker again once they come on time.
    """

    def __init__(self, owner: MessagePump, frames_per_second: int, frame: Callable[[], bool]) -> None:
        self._frame = frame
        self._awake = False
        self._period = 1 / max(1, frames_per_second)
        self._timer: Timer = owner.set_interval(self._period, self.tick, pause=True)
        self._last: float | None = None
        self._length = 1.0
        self._count = 0
        self.ticks_per_frame = 1
        """How many ticks go to one frame at present."""

    @property
    def awake(self) -> bool:
        """Whether the timer runs."""
        return self._awake

    def wake(self) -> None:
        """Draw from now on."""
        if not self._awake:
            self._awake, self._last, self._length, self._count = True, None, 1.0, 0
            self._timer.resume()

    def tick(self) -> None:
        """One tick of the timer; every so many of them draw."""
        self.pace(perf_counter())
        self._count += 1
        if self._count >= self.ticks_per_frame:
            self._count = 0
            self.step()

    def pace(self, now: float) -> None:
        """Learn from the time of a tick, in seconds, how often to draw."""
        if self._last is not None:
            self._length += WEIGHT * ((now - self._last) / self._period - self._length)
        self._last = now
        if self._length > BEHIND and self.ticks_per_frame < SLOWEST:
            self.ticks_per_frame += 1
            self._length = 1.0
        elif self._length < ON_TIME and self.ticks_per_frame > 1 and self._count == 0:
            self.ticks_per_frame -= 1
            self._length = (BEHIND + ON_TIME) / 2

    def step(self) -> None:
        """One frame."""
        if not self._frame():
            self._awake = False
            self._timer.pause()

    def stop(self) -> None:
        """Draw no more; for the way out, when widgets go."""
        self._awake = False
        self._timer.stop()
