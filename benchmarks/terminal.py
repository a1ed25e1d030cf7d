"""A program in a pseudo terminal, watched from outside: raw bytes are scanned, and no terminal is emulated.

The program's questions to its terminal are answered as a common terminal answers them, so that nothing waits for a time-out.
"""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

COLUMNS, ROWS = 200, 60
CELL_W, CELL_H = 8, 16
READ_BYTES = 1 << 18
KILL_AFTER_S = 1.5
ANSWERS: tuple[tuple[re.Pattern[bytes], Callable[[re.Match[bytes]], bytes]], ...] = (
    (re.compile(rb"\x1b\[\?(\d+)\$p"), lambda found: b"\x1b[?%b;%d$y" % (found[1], 2 if found[1] == b"2026" else 0)),
    (re.compile(rb"\x1b\[6n"), lambda _: b"\x1b[1;1R"),
    (re.compile(rb"\x1b\[0?c"), lambda _: b"\x1b[?62;22c"),
    (re.compile(rb"\x1b\[14t"), lambda _: b"\x1b[4;%d;%dt" % (ROWS * CELL_H, COLUMNS * CELL_W)),
    (re.compile(rb"\x1b\[16t"), lambda _: b"\x1b[6;%d;%dt" % (CELL_H, CELL_W)),
    (re.compile(rb"\x1b\[18t"), lambda _: b"\x1b[8;%d;%dt" % (ROWS, COLUMNS)),
)
LONGEST_MARK = 64
"""Bytes of the last read that are looked at again, so that a text cut by a read is found."""


HERE = Path(__file__).resolve().parents[1]
"""The tree that these benchmarks belong to."""


def environment(home: Path, tree: Path = HERE, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables of a measured program: the package of `tree`, a home of its own, no settings or keys of the user's.

    Compiled modules may be kept, as in an installation.
    """
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "LC_ALL", "SSL_CERT_FILE", "TMPDIR")}
    paths = os.pathsep.join(dict.fromkeys((str(tree), str(HERE))))
    terminal = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    return {**kept, **terminal, "HOME": str(home), "PYTHONPATH": paths, **(extra or {})}


class Terminal:
    """Runs one program; `pump` takes what it writes."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str], on_data: Callable[[bytes, int], None] | None = None) -> None:
        """`on_data` gets every read with the end of the one before it, and the time in ns (`monotonic_ns`)."""
        self.on_data = on_data
        self.alive = True
        self.bytes = 0
        self.last_ns = 0
        self._tail = b""
        self.began_ns = time.monotonic_ns()
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            _become(argv, env)

    def pump(self, timeout_s: float) -> bytes:
        """At most one read; empty where nothing came in time or the program has ended."""
        if not self.alive or not select.select([self._fd], [], [], timeout_s)[0]:
            return b""
        try:
            data = os.read(self._fd, READ_BYTES)
        except OSError:
            data = b""
        now = time.monotonic_ns()
        if not data:
            self.alive = False
            return b""
        self.bytes += len(data)
        self.last_ns = now
        joined = self._tail + data
        if self.on_data is not None:
            self.on_data(joined, now)
        self._tail = joined[-LONGEST_MARK:]
        if b"\x1b" in data:
            for asked, answer in ANSWERS:
                for found in asked.finditer(data):
                    self.type(answer(found))
        return joined

    def wait(self, mark: bytes, limit_s: float) -> int:
        """Until `mark` (a regular expression) has been written; the time in ns of that write. Raises TimeoutError."""
        pattern, end = re.compile(mark), time.monotonic() + limit_s
        seen = b""
        while self.alive and time.monotonic() < end:
            data = self.pump(0.05)
            seen = (seen + data)[-4_000:]
            if pattern.search(data):
                return self.last_ns
        raise TimeoutError(f"{mark!r} was not written within {limit_s:g} s; the last bytes are {seen[-600:]!r}")

    def settle(self, quiet_s: float, limit_s: float = 20.0) -> int:
        """Until nothing has been written for `quiet_s`; the time in ns of the last write."""
        end = time.monotonic() + limit_s
        while self.alive and time.monotonic() < end and (self.pump(quiet_s) or not self.last_ns):
            pass
        return self.last_ns

    def type(self, keys: bytes) -> None:
        """Press keys."""
        with contextlib.suppress(OSError):
            os.write(self._fd, keys)

    @property
    def cpu_ns(self) -> int:
        """CPU time of all threads of the program, exact to ns; 0 once it is gone."""
        try:
            # The number of a process' CPU clock, as clock_getcpuclockid(3) makes it.
            return time.clock_gettime_ns((~self.pid << 3) | 2)
        except OSError:
            return 0

    def memory_mb(self, field: str = "VmHWM") -> float:
        """Peak (or, with VmRSS, present) resident memory in MiB; 0 where the system does not say."""
        with contextlib.suppress(OSError, StopIteration):
            lines = Path(f"/proc/{self.pid}/status").read_text("ascii").splitlines()
            return int(next(line for line in lines if line.startswith(field)).split()[1]) / 1024
        return 0.0

    def close(self) -> None:
        """End the program."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)
            end = time.monotonic() + KILL_AFTER_S
            while time.monotonic() < end:
                self.pump(0.02)
                if _ended(self.pid):
                    os.close(self._fd)
                    return
        os.close(self._fd)


def _ended(pid: int) -> bool:
    try:
        return os.waitpid(pid, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return True


def _become(argv: Sequence[str], env: Mapping[str, str]) -> None:
    """In the child: take the size of the screen and turn into the program, away from any package in this folder."""
    try:
        os.chdir(env["HOME"])
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, COLUMNS * CELL_W, ROWS * CELL_H))
        os.execvpe(argv[0], list(argv), dict(env))
    except OSError as error:
        sys.stderr.write(f"{argv[0]}: {error}\n")
    finally:
        os._exit(127)
