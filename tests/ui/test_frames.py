"""The clock that draws: how it adapts to a terminal that does not keep up."""

from collections.abc import Callable

from anoman_tui.ui.frames import SLOWEST, FrameClock


class StillTimer:
    """A timer that only the test makes tick."""

    def resume(self) -> None:
        """Nothing to resume."""

    def pause(self) -> None:
        """Nothing to pause."""

    def stop(self) -> None:
        """Nothing to stop."""


class StillOwner:
    """What sets intervals."""

    def set_interval(self, interval: float, callback: Callable[[], None], *, pause: bool) -> StillTimer:
        """A timer that stands still."""
        return StillTimer()


def a_clock(frame: Callable[[], bool] = lambda: True) -> FrameClock:
    """A clock of sixty ticks a second."""
    return FrameClock(StillOwner(), 60, frame)  # type: ignore[arg-type] # no message pump is needed


def test_frames_become_rarer_where_ticks_come_late_and_frequent_again() -> None:
    """From every tick to every fourth, and back."""
    clock, now = a_clock(), 0.0
    for _ in range(200):
        now += 3 / 60
        clock.pace(now)
    slow = clock.ticks_per_frame
    for _ in range(400):
        now += 1 / 60
        clock.pace(now)
    assert (slow, clock.ticks_per_frame) == (SLOWEST, 1)


def test_one_late_tick_changes_nothing() -> None:
    """A single pause of the machine is no reason to draw less often."""
    clock = a_clock()
    for now in (0.0, 1 / 60, 4 / 60, 5 / 60, 6 / 60):
        clock.pace(now)
    assert clock.ticks_per_frame == 1


def test_the_clock_sleeps_once_there_is_nothing_more_to_draw() -> None:
    """And is woken again."""
    answers = iter([True, False])
    clock = a_clock(lambda: next(answers))
    clock.wake()
    clock.tick()
    awake = clock.awake
    clock.tick()
    assert (awake, clock.awake) == (True, False)
