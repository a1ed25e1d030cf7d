"""The clock that draws: when it draws, how often it wakes the loop, and how it adapts to what does not keep up."""

from collections.abc import Callable
from typing import Any

import pytest

from anoman_tui.ui.frames import HEARTBEAT_S, LEAPING_S, SHARE, SLOWEST_S, FrameClock

FRAME = 1 / 60


class Timer:
    """A call at a time."""

    def __init__(self, when: float, call: Callable[[], None]) -> None:
        self.when = when
        self.call = call
        self.cancelled = False

    def cancel(self) -> None:
        """Do not call."""
        self.cancelled = True


class StillLoop:
    """An event loop whose time only the test moves."""

    def __init__(self) -> None:
        self.now = 100.0
        self.timers: list[Timer] = []
        self.wakes = 0

    def time(self) -> float:
        """The test's time."""
        return self.now

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Keep the call until its time."""
        self.timers.append(Timer(when, callback))
        return self.timers[-1]

    def call_soon(self, callback: Callable[[], None]) -> None:
        """Call at the next move."""
        self.timers.append(Timer(self.now, callback))

    def call_soon_threadsafe(self, callback: Callable[[], None]) -> None:
        """The same from another thread."""
        self.wakes += 1
        self.call_soon(callback)

    def run(self, seconds: float) -> None:
        """Let time go by, with every call at its time."""
        end = self.now + seconds
        while due := [one for one in self.timers if one.when <= end]:
            first = min(due, key=lambda one: one.when)
            self.timers.remove(first)
            self.now = max(self.now, first.when)
            if not first.cancelled:
                first.call()
        self.now = max(self.now, end)


class Screen:
    """What a clock draws on: notes when, and takes some time for it."""

    def __init__(self, fps: int = 60, *, cost: float = 0.0) -> None:
        self.loop = StillLoop()
        self.cost = cost
        self.times: list[float] = []
        self.goes_on = True
        self.lags = False
        self.asked = 0
        self.parts: list[float] = []
        loop: Any = self.loop
        self.clock = FrameClock(loop, fps, self.draw, busy=self.is_busy, spent=loop.time, parts=lambda: [self.part] * 3)

    def part(self) -> None:
        """One of three parts of a frame."""
        self.parts.append(self.loop.now)
        self.loop.now += self.cost / 4

    def is_busy(self) -> bool:
        """Whether the terminal lags."""
        self.asked += 1
        return self.lags

    def draw(self) -> bool:
        """One frame."""
        self.times.append(self.loop.now)
        self.loop.now += self.cost / 4 if self.parts else self.cost
        return self.goes_on

    def stream(self, seconds: float, rate: int = 1000) -> None:
        """News at a rate."""
        for _ in range(round(seconds * rate)):
            self.clock.news()
            self.loop.run(1 / rate)

    @property
    def gaps(self) -> list[float]:
        """Seconds between frames."""
        return [later - earlier for earlier, later in zip(self.times, self.times[1:], strict=False)]


def test_news_after_a_pause_is_drawn_at_once_and_the_next_after_a_frames_length() -> None:
    """One wait at most stands between what comes and its frame."""
    screen = Screen()
    screen.clock.wake()
    screen.loop.run(1.05)
    before, now = len(screen.times), screen.loop.now
    screen.clock.news()
    screen.loop.run(0)
    assert screen.times[before:] == [now]
    screen.loop.run(0.001)
    screen.clock.news()
    screen.loop.run(0.05)
    assert screen.times[before:] == [now, pytest.approx(now + FRAME)]


def test_a_flood_of_news_wakes_the_loop_once_a_frame() -> None:
    """Three thousand events a second cost no more wake-ups than sixty frames need."""
    screen = Screen()
    screen.clock.wake()
    screen.stream(1.0, rate=3000)
    assert 55 <= len(screen.times) <= 61
    assert screen.loop.wakes <= len(screen.times) + 1
    assert min(screen.gaps) == pytest.approx(FRAME)


def test_without_news_the_numbers_are_drawn_at_the_heartbeat_until_nothing_is_to_come() -> None:
    """And then the clock sleeps, without a timer."""
    screen = Screen()
    screen.clock.wake()
    screen.loop.run(1.0)
    assert screen.gaps == pytest.approx([HEARTBEAT_S] * len(screen.gaps))
    screen.goes_on = False
    screen.loop.run(1.0)
    assert (screen.clock.awake, screen.loop.timers) == (False, [])
    screen.clock.news()
    screen.loop.run(0)
    assert screen.times[-1] == screen.loop.now


def test_a_frame_waits_for_the_terminal_but_no_longer() -> None:
    """Nothing piles up before a terminal that lags; a short wait changes nothing."""
    screen = Screen()
    screen.clock.wake()
    screen.lags = True
    screen.stream(0.03)
    assert screen.times == []
    screen.lags = False
    screen.stream(1.0)
    assert 55 <= len(screen.times) <= 61
    assert screen.clock.period == pytest.approx(FRAME)


def test_frames_become_rarer_where_the_terminal_lags_long_and_frequent_again() -> None:
    """Down to five a second, and back; what came is drawn all the same."""
    screen = Screen()
    screen.clock.wake()
    screen.lags = True
    screen.stream(1.0)
    screen.lags = False
    screen.loop.run(0.25)
    assert len(screen.times) == 1
    assert screen.clock.period == pytest.approx(SLOWEST_S)
    screen.stream(5.0)
    assert screen.clock.period == pytest.approx(FRAME)


def test_a_terminal_that_stands_still_is_asked_seldom() -> None:
    """As after Ctrl+S: five times a second in the end."""
    screen = Screen()
    screen.clock.wake()
    screen.lags = True
    screen.stream(10.0, rate=100)
    asked = screen.asked
    screen.stream(1.0, rate=100)
    assert screen.asked - asked <= 6


def test_drawing_leaves_time_for_the_rest() -> None:
    """Where a frame costs more than its share, there are fewer."""
    screen = Screen(cost=0.03)
    screen.clock.wake()
    screen.stream(3.0)
    assert screen.gaps[-1] == pytest.approx(0.03 / SHARE, rel=0.1)


def test_pages_that_nobody_can_read_come_seldom() -> None:
    """While the text moves by whole pages there are twenty frames a second, and the full rate again afterwards."""
    screen = Screen()
    screen.clock.wake()
    screen.clock.leaping = True
    screen.stream(2.0)
    assert screen.gaps[-1] == pytest.approx(LEAPING_S)
    screen.clock.leaping = False
    screen.stream(0.5)
    assert screen.gaps[-1] == pytest.approx(FRAME)


def test_a_frame_that_costs_much_is_made_in_parts() -> None:
    """Each part is a turn of its own, the drawing comes last, and news meanwhile makes no second frame at the same time."""
    screen = Screen(cost=0.012)
    screen.clock.wake()
    screen.stream(2.0)
    frames = len(screen.times)
    assert len(screen.parts) >= 3 * (frames - 3)
    assert all(sum(start < at <= end for at in screen.parts) in (0, 3) for start, end in zip(screen.times, screen.times[1:], strict=False))
    assert screen.gaps[-1] == pytest.approx(FRAME)


def test_news_between_the_parts_of_the_last_frame_is_drawn() -> None:
    """News that comes while a frame is made gets one of its own, though that frame says that nothing more is to come."""
    screen = Screen(cost=0.012)
    screen.clock.wake()
    screen.stream(2.0)
    screen.goes_on = False
    screen.loop.run(1.0)
    frames, parts = len(screen.times), len(screen.parts)
    screen.clock.news()
    screen.loop.run(0)
    assert len(screen.parts) == parts + 1
    screen.clock.news()
    screen.loop.run(1.0)
    assert len(screen.times) == frames + 2
    screen.clock.news()
    screen.loop.run(1.0)
    assert len(screen.times) == frames + 3


def test_a_cap_holds() -> None:
    """Whatever comes, there are no more frames a second than were asked for."""
    screen = Screen(fps=5)
    screen.clock.wake()
    screen.stream(2.0)
    assert min(screen.gaps) == pytest.approx(0.2)


def test_after_the_stop_nothing_is_drawn() -> None:
    """Also when news that is on its way comes after it."""
    screen = Screen()
    screen.clock.wake()
    screen.clock.news()
    screen.clock.stop()
    screen.loop.run(1.0)
    screen.clock.news()
    screen.clock.wake()
    screen.loop.run(1.0)
    assert (screen.times, screen.clock.awake) == ([], False)
