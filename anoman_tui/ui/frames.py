"""The one timer that draws: it runs while something streams and sleeps otherwise."""

from collections.abc import Callable

from textual.message_pump import MessagePump
from textual.timer import Timer


class FrameClock:
    """Calls `frame` at a steady rate until it answers False, and again after `wake`."""

    def __init__(self, owner: MessagePump, frames_per_second: int, frame: Callable[[], bool]) -> None:
        self._frame = frame
        self._awake = False
        self._timer: Timer = owner.set_interval(1 / max(1, frames_per_second), self.step, pause=True)

    @property
    def awake(self) -> bool:
        """Whether the timer runs."""
        return self._awake

    def wake(self) -> None:
        """Draw from now on."""
        if not self._awake:
            self._awake = True
            self._timer.resume()

    def step(self) -> None:
        """One frame."""
        if not self._frame():
            self._awake = False
            self._timer.pause()

    def stop(self) -> None:
        """Draw no more; for the way out, when widgets go."""
        self._awake = False
        self._timer.stop()
