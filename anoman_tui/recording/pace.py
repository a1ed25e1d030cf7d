"""The clock of a replay: the recording's own time, at a speed, and standing still where it is told to."""

from collections.abc import Callable

MAX_WAIT_S = 3_600.0


class Pace:
    """Where a replay stands in the recording, in nanoseconds. Not safe for threads: its owner holds a lock."""

    def __init__(self, start_ns: int, end_ns: int, speed: float | None, clock: Callable[[], int]) -> None:
        self._position, self._end = start_ns, end_ns
        self._speed, self._clock = speed, clock
        self._anchor: int | None = None
        self.paused = False
        self._permits = 0
        self._skipped = start_ns - 1

    @property
    def speed(self) -> float | None:
        """How many times as fast as it happened; None is as fast as it goes."""
        return self._speed

    @speed.setter
    def speed(self, speed: float | None) -> None:
        self._rebase()
        self._speed = speed

    def start(self) -> None:
        """Time begins to pass."""
        self._anchor = self._clock()

    def now(self) -> int:
        """The recording's time now."""
        if self.paused or self._speed is None or self._anchor is None:
            return self._position
        return min(self._position + round((self._clock() - self._anchor) * self._speed), self._end)

    def pause(self) -> None:
        """Stand still."""
        self._rebase()
        self.paused = True

    def resume(self) -> None:
        """Go on."""
        self._rebase()
        self.paused, self._permits = False, 0

    def permit(self) -> None:
        """While it stands still: let one more step pass."""
        if self.paused:
            self._permits += 1

    def skip(self, t_ns: int) -> None:
        """Go forth to a time: what happened until then is due at once, even while it stands still."""
        self._rebase()
        self._skipped = max(self._skipped, t_ns)
        self._position = max(self._position, min(t_ns, self._end))

    def wait_s(self, t_ns: int) -> float | None:
        """Seconds until a recorded time; None is until something changes. 0 lets one step pass."""
        if t_ns <= self._skipped:
            return 0.0
        if self.paused:
            if self._permits:
                self._permits -= 1
                return 0.0
            return None
        if self._speed is None:
            return 0.0
        return min(max(0.0, (t_ns - self.now()) / self._speed / 1e9), MAX_WAIT_S)

    def passed(self, t_ns: int) -> None:
        """A step of this time was taken; where time does not pass by itself, the replay now stands there."""
        if self.paused or self._speed is None:
            self._position = max(self._position, t_ns)

    def _rebase(self) -> None:
        self._position = self.now()
        if self._anchor is not None:
            self._anchor = self._clock()
