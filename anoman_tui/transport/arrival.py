"""When bytes reached this machine, by the system's own account.

A read that returns late, since the screen held the interpreter, would be stamped late. Linux notes for every TCP segment
when it came in (SO_TIMESTAMPNS, socket(7)) and hands the time over with the bytes; elsewhere the time of the read stands.
"""

import socket
import struct
import sys
import time
from collections.abc import Callable, Sequence
from typing import Final

SO_TIMESTAMPNS: Final = 35
"""Linux; Python does not name it. It is also the kind of the control message."""
TIMESPEC: Final = struct.Struct("@ll")
CONTROL_SIZE: Final = socket.CMSG_SPACE(TIMESPEC.size) if hasattr(socket, "CMSG_SPACE") else 0
PLAUSIBLE_NS: Final = 1_000_000_000
"""Bytes do not wait longer than this to be read, unless the machine stood still or its wall clock was set."""
JITTER_NS: Final = 1_000_000
"""By so much the wall clock may be moved back, as time servers do all day."""
BETWEEN_NS: Final = 50_000
"""Two clocks are read one after the other in less, unless another thread had its turn."""
TRIES: Final = 3

Control = Sequence[tuple[int, int, bytes]]


def request_arrivals(connection: socket.socket) -> bool:
    """Ask the system for arrival times on a socket; whether it will tell them."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        connection.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    except OSError:
        return False
    return True


def keep_arrivals() -> socket.socket:
    """A socket that is never used. The system begins to note arrivals a moment after the first socket asks, and ends with the last."""
    keeper = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    request_arrivals(keeper)
    return keeper


class Arrivals:
    """Turns the system's arrival times, which are wall time, into times of the streams' clock. Both in nanoseconds."""

    __slots__ = ("_clock", "_last_ns", "_wall", "told", "unsure_ns")

    def __init__(self, clock: Callable[[], int], wall: Callable[[], int] = time.time_ns) -> None:
        self._clock = clock
        self._wall = wall
        self._last_ns = clock()
        self.told = True
        """Whether the system told the time of every read."""
        self.unsure_ns = 0
        """How much too late a time may be: a read that waited may hold several segments, and the time is that of the last."""

    def of(self, control: Control) -> int:
        """When a read's bytes came in: never before the read before it, never after now."""
        now, waited = self._now_and_waited(control)
        if waited is None:
            self.told, waited = False, 0
        stamp = max(self._last_ns, now - waited)
        self.unsure_ns = max(self.unsure_ns, min(waited, stamp - self._last_ns))
        self._last_ns = stamp
        return stamp

    def end(self) -> int:
        """When the end was read. It has no bytes, and the system tells no time of it."""
        return self._clock()

    def _now_and_waited(self, control: Control) -> tuple[int, int | None]:
        """The two clocks, read again where something came between them."""
        for _ in range(TRIES):
            now = self._clock()
            waited = self._waited(control)
            if waited is None or self._clock() - now < BETWEEN_NS:
                break
        return now, waited

    def _waited(self, control: Control) -> int | None:
        """How long the bytes waited to be read; None where the system did not tell, or tells what cannot be."""
        for level, kind, data in control:
            if level == socket.SOL_SOCKET and kind == SO_TIMESTAMPNS and len(data) >= TIMESPEC.size:
                seconds, nanoseconds = TIMESPEC.unpack_from(data)
                waited = self._wall() - (seconds * 1_000_000_000 + nanoseconds)
                return max(waited, 0) if -JITTER_NS <= waited <= PLAUSIBLE_NS else None
        return None
