"""Work that may wait for the network or a disk, on a thread that nobody waits for at the end."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

Made = TypeVar("Made")


def in_background(work: Callable[[], Made], then: Callable[[Made | Exception], None]) -> None:
    """Call `work` on a daemon thread, and `then` with its result or its error on the present loop, if that still runs."""
    loop = asyncio.get_running_loop()

    def run() -> None:
        made: Made | Exception
        try:
            made = work()
        except Exception as wrong:  # handed on, whatever it is
            made = wrong
        with suppress(RuntimeError):  # the screen is gone
            loop.call_soon_threadsafe(then, made)

    threading.Thread(target=run, name="background", daemon=True).start()
