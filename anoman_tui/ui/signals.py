"""Ending on a signal: the terminal is given back, and the exit code says which signal it was."""

import asyncio
import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator

GRACE_S = 3.0
"""How long the orderly way out may take. The terminal may be gone, and then writing to it can block for ever."""

_NAMES = ("SIGTERM", "SIGHUP", "SIGINT")


_held = False


@contextlib.contextmanager
def interrupts_held() -> Iterator[None]:
    """Take no notice of SIGINT: Ctrl+C in another program of this terminal is for that program, though all of them get the signal."""
    global _held
    _held = True
    try:
        yield
    finally:
        _held = False


def install(leave: Callable[[int], None]) -> None:
    """Call `leave(128 + n)` on the running loop when signal n arrives; does nothing where the platform has no such signals."""
    loop = asyncio.get_running_loop()
    for name in _NAMES:
        number = getattr(signal, name, None)
        if number is None:
            continue
        with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
            loop.add_signal_handler(number, _leave, leave, 128 + number)


def _leave(leave: Callable[[int], None], code: int) -> None:
    if _held and code == 128 + signal.SIGINT:
        return
    watchdog = threading.Timer(GRACE_S, os._exit, (code,))
    watchdog.daemon = True
    watchdog.start()
    leave(code)
