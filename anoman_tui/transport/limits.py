"""Limits of one stream, and the watch that enforces them."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from anoman_tui.core.events import Ending


@dataclass(frozen=True, slots=True)
class Limits:
    """How long and how large a stream may be. Seconds and bytes; None is no limit."""

    connect_s: float = 10.0
    idle_s: float = 120.0
    """Silence: counted from the last headers or frame; keep-alives are not progress."""
    total_s: float | None = None
    max_body: int | None = 256 * 1024 * 1024
    grace_s: float = 0.3
    """How long late frames are taken after the protocol's end."""


class Watch:
    """Ends a stream that is silent or runs too long. One timer, looked at when it is due, however many frames come."""

    def __init__(self, limits: Limits, end: Callable[[Ending, str], None]) -> None:
        self._limits = limits
        self._end = end
        self._loop = asyncio.get_running_loop()
        self._started = self._progress = self._loop.time()
        self._deadline: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._schedule()

    def progress(self) -> None:
        """Something came that is no keep-alive."""
        self._progress = self._loop.time()

    def ended(self) -> None:
        """The protocol's end came: only the grace is left."""
        if self._deadline is None:
            self._deadline = self._loop.time() + self._limits.grace_s
            self._schedule()

    def stop(self) -> None:
        """No more limits."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _due(self) -> tuple[float, Ending, str]:
        idle, total = self._limits.idle_s, self._limits.total_s
        due = (self._progress + idle, Ending.IDLE, f"nothing came for {idle:g} s but keep-alives at most; --idle-timeout moves this limit")
        if total is not None:
            due = min(due, (self._started + total, Ending.TOTAL, f"the stream ran longer than {total:g} s"))
        if self._deadline is not None:
            due = min(due, (self._deadline, Ending.DRAINED, ""))
        return due

    def _schedule(self) -> None:
        self.stop()
        self._timer = self._loop.call_at(self._due()[0], self._look)

    def _look(self) -> None:
        when, ending, sentence = self._due()
        if self._loop.time() >= when:
            self._timer = None
            self._end(ending, sentence)
        else:
            self._schedule()
