"""The parent's side of the embedded gateway: start it as a child process, learn its address, end it.

Standard library only and quick to import; the server's own packages are loaded in the child alone.
"""

import contextlib
import io
import json
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import Future
from typing import IO

from anoman_tui.core.records import dataclass
from anoman_tui.emulator.options import GatewayOptions
from anoman_tui.emulator.spawn import clean_environment, detached

_STOP_LIMIT_S = 1.0


@dataclass(frozen=True, slots=True)
class GatewayAddress:
    """Where the gateway listens: the root, the base URL of each gateway, and who answers for the real names."""

    url: str
    anoman: str
    anypath: str
    engine: str
    engine_reason: str
    models: tuple[str, ...]


class GatewayStartError(Exception):
    """The gateway did not start; the message is one sentence."""


class EmbeddedGateway:
    """A gateway in a child process that dies with this one: its end of stdin closes.

    `ready` gives the address, or raises `GatewayStartError`. `start` and `stop` do not block on the start; `stop` takes at most
    about a second and may be called more than once.
    """

    def __init__(self, options: GatewayOptions | None = None) -> None:
        self.ready: Future[GatewayAddress] = Future()
        self._options = options or GatewayOptions()
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self._engine = ("", "")

    @property
    def pid(self) -> int | None:
        """The child's process id, once started."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start the child; returns at once."""
        # A file, not a pipe: nobody reads along, and a full pipe would stop the child.
        complaints = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115 - the thread closes it
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                [sys.executable, "-P", "-m", "anoman_tui.emulator", *arguments(self._options)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=complaints,
                text=True,
                encoding="utf-8",
                env=clean_environment(),
                **detached(),
            )
        except OSError as error:
            complaints.close()
            self.ready.set_exception(GatewayStartError(f"The embedded gateway could not be started: {error.strerror or error}."))
            return
        threading.Thread(target=self._read_lines, args=(self._process, complaints), daemon=True, name="embedded-gateway").start()

    def stop(self) -> None:
        """End the child: close its stdin, wait up to a second, then kill it."""
        process = self._process
        if process is None:
            return
        # Two threads that stop at once must not wait for one child twice.
        with self._lock:
            if process.stdin is not None:
                with contextlib.suppress(OSError):
                    process.stdin.close()
            try:
                process.wait(_STOP_LIMIT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    @property
    def engine(self) -> tuple[str, str]:
        """The engine that serves the real names now, and one sentence on why; empty until the gateway listens."""
        return self._engine

    def _read_lines(self, process: "subprocess.Popen[str]", complaints: IO[str]) -> None:
        """Read the line that says where the gateway listens, and then each that says which engine serves."""
        with complaints, process.stdout or contextlib.nullcontext(io.StringIO()) as lines:
            try:
                said = json.loads(lines.readline())
                self._engine = (said["engine"], said["engine_reason"])
                address = GatewayAddress(said["url"], said["anoman"], said["anypath"], *self._engine, tuple(said["models"]))
            except (ValueError, KeyError, TypeError):
                code = process.wait()
                complaints.seek(0)
                last = (complaints.read().strip().splitlines() or [f"exit code {code}, no word why"])[-1]
                self.ready.set_exception(GatewayStartError(f"The embedded gateway did not start: {last.rstrip('.')}."))
                return
            self.ready.set_result(address)
            for line in lines:
                with contextlib.suppress(ValueError, KeyError, TypeError):
                    said = json.loads(line)
                    self._engine = (said["engine"], said["engine_reason"])


def arguments(options: GatewayOptions) -> list[str]:
    """The options as arguments of `python -m anoman_tui.emulator`."""
    given = ["--port", str(options.port), "--cache", "on" if options.cache else "off", "--engine", options.engine]
    given += ["--pace", str(options.pace)]
    return given + (["--gguf", str(options.gguf)] if options.gguf is not None else [])
