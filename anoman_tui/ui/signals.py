"""Ending on a signal: the terminal is given back, and the exit code says which signal it was."""

import asyncio
import contextlib
import os
import signal
import threading
from collections.abc import Callable

GRACE_S = 3.0
"""How long the orderly way out may take. The terminal may be gone, and then writing to it can block for ever."""

_NAMES = ("SIGTERM", "SIGHUP", "SIGINT")


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
    watchdog = threading.Timer(GRACE_S, os._exit, (code,))
    watchdog.daemon = True
    watchdog.start()
    leave(code)
