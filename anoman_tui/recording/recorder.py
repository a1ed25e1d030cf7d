"""Recording a run: sinks that keep what happens, and a thread that writes it down.

On the network thread a fact costs one append to a queue. The writer wakes a few times a second, takes out what is
secret, and appends whole lines, so a file that was cut off by a crash can be read up to its last whole line.
"""

import base64
import json
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anoman_tui.core.events import (
    BodyRead,
    CancelRequested,
    Closed,
    Connected,
    ConnectStarted,
    Ending,
    ErrorReported,
    HeadersReceived,
    HeadersSent,
    ListPriced,
    Stamped,
    StreamEvent,
)
from anoman_tui.core.headers import is_secret_name
from anoman_tui.core.jsonish import plain
from anoman_tui.core.pane import PaneState
from anoman_tui.core.ports import Sink
from anoman_tui.core.request import HttpRequest, Secret
from anoman_tui.core.run import RunHead
from anoman_tui.recording.folder import prune, run_path
from anoman_tui.recording.redact import ReadRedactor, Redactor
from anoman_tui.recording.runfile import FORMAT, VERSION, target_fields

WAKE_S = 0.25
CLOSE_S = 5.0
MIN_OWN = 12
"""Characters of a header of the user's own, by its name a secret, that are hidden wherever they come back; a shorter one may be a word."""
LIMITS = (Ending.IDLE, Ending.TOTAL, Ending.SIZE)
_PLAIN_EVENTS: dict[type[StreamEvent], str] = {
    ConnectStarted: "connect_started",
    Connected: "connected",
    HeadersSent: "headers_sent",
    CancelRequested: "cancel",
}
_KEPT = frozenset({*_PLAIN_EVENTS, HeadersReceived, ErrorReported, Closed, ListPriced})

_Fact = tuple[int, int, bytes | HttpRequest | StreamEvent]
"""(pane, time, what): a read, the request, or an event of the connection."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """Where runs are kept, how many, how much of them in bytes, and what a stream's limit of size was."""

    folder: Path
    runs: int = 200
    size: int = 200 * 1024 * 1024
    max_body: int | None = None


class Off:
    """No recording."""

    problem = ""

    def sink(self, pane: int, inner: Sink) -> Sink:  # noqa: ARG002 - the Tape's signature
        """The sink itself."""
        return inner

    def close(self) -> None:
        """Nothing to close."""


class FileTape:
    """Records one run into one file. Facts may come from any thread.

    `secrets` is asked for the keys to hide on the writer's thread, since finding one may run a command.
    """

    def __init__(
        self, head: RunHead, states: Sequence[PaneState], keeping: Keeping, *, version: str, secrets: Callable[[], Iterable[Secret]] = tuple
    ) -> None:
        self.problem = ""
        self.path = run_path(keeping.folder, head)
        self._keeping = keeping
        self._redactor, self._secrets = Redactor(), secrets
        self._lines = _Lines(self._redactor)
        self._facts: deque[_Fact] = deque()
        self._wake, self._closing = threading.Event(), False
        self._header = _header(head, states, keeping, version)
        self._thread = threading.Thread(target=self._main, name="recording", daemon=True)
        self._thread.start()

    def sink(self, pane: int, inner: Sink) -> Sink:
        """A sink that keeps what pane `pane` is told and passes it on."""
        return _KeepingSink(pane, inner, self._facts)

    def close(self) -> None:
        """Write what is left, end the file, and remove the oldest files beyond the limits."""
        self._closing = True
        self._wake.set()
        self._thread.join(CLOSE_S)

    def _main(self) -> None:
        try:
            self._write()
        except OSError as error:
            why = error.strerror or type(error).__name__
            self.problem = f"{self.path}: the run could not be recorded ({why}); mend that, or set `record = false`"
            while not self._closing:
                self._wake.wait(WAKE_S)
                self._facts.clear()

    def _write(self) -> None:
        for secret in self._secrets():
            self._redactor.add(secret)
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        number = os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with open(number, "w", encoding="ascii", newline="\n") as file:
            file.write(_line(self._redactor.value(self._header)))
            while True:
                last = self._closing
                while self._facts:
                    file.writelines(self._lines.of(*self._facts.popleft()))
                file.flush()
                if last:
                    break
                self._wake.wait(WAKE_S)
            file.writelines(self._lines.rest())
        prune(self.path, self._keeping.runs, self._keeping.size)


class _KeepingSink:
    """One pane's sink."""

    __slots__ = ("_append", "_inner", "_pane")

    def __init__(self, pane: int, inner: Sink, facts: "deque[_Fact]") -> None:
        self._pane, self._inner, self._append = pane, inner, facts.append

    def on_request(self, t_ns: int, request: HttpRequest) -> None:
        """Keep the request and pass it on."""
        self._append((self._pane, t_ns, request))
        self._inner.on_request(t_ns, request)

    def on_read(self, t_ns: int, data: bytes) -> None:
        """Keep the read and pass it on."""
        self._append((self._pane, t_ns, data))
        self._inner.on_read(t_ns, data)

    def on_events(self, batch: Sequence[Stamped]) -> None:
        """Keep the facts of the connection and pass all on. What came out of a read is found again by reading it."""
        if batch and type(batch[0].event) is not BodyRead:
            for stamped in batch:
                if type(stamped.event) in _KEPT:
                    self._append((self._pane, stamped.t_ns, stamped.event))
        self._inner.on_events(batch)


class _Lines:
    """Turns facts into lines, without secrets. Lives on the writer's thread."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._bodies: dict[int, ReadRedactor] = {}
        self._errors: dict[int, ErrorReported] = {}

    def of(self, pane: int, t_ns: int, what: bytes | HttpRequest | StreamEvent) -> list[str]:
        """The lines of one fact, after those of the reads that were held back and now are settled."""
        if isinstance(what, bytes):
            body = self._bodies.get(pane)
            if body is None:
                body = self._bodies[pane] = ReadRedactor(self._redactor)
            return [_read(pane, *read) for read in body.feed(t_ns, what)]
        if isinstance(what, ErrorReported):
            self._errors[pane] = what
            return []
        if isinstance(what, HttpRequest):
            self._redactor.add(what.key)
            for name, value in what.headers.items():
                own = value.removeprefix("Bearer ")
                if is_secret_name(name) and len(own) >= MIN_OWN:
                    self._redactor.add(Secret(own))
            return [_line({"pane": pane, "t_ns": t_ns, "event": "request", **self._request(what)})]
        lines = self._settled(pane) if isinstance(what, Closed | CancelRequested) else []
        return [*lines, *(_line({"pane": pane, "t_ns": t_ns, **fields}) for fields in self._event(pane, what))]

    def rest(self) -> list[str]:
        """The reads that are still held back."""
        return [line for pane in list(self._bodies) for line in self._settled(pane)]

    def _settled(self, pane: int) -> list[str]:
        body = self._bodies.get(pane)
        return [] if body is None else [_read(pane, *read) for read in body.finish()]

    def _request(self, request: HttpRequest) -> dict[str, Any]:
        clean = self._redactor
        auth = request.auth.value if request.auth is not None and request.key is not None else None
        headers = clean.headers(request.headers.items())
        return {
            "method": request.method,
            "url": clean.url(request.url),
            "headers": headers,
            "body": clean.value(request.body),
            "auth": auth,
        }

    def _event(self, pane: int, event: StreamEvent) -> list[dict[str, Any]]:
        match event:
            case HeadersReceived(status, headers):
                return [{"event": "headers", "status": status, "headers": self._redactor.headers(headers)}]
            case ListPriced(usd):
                return [{"event": "list_price", "usd": None if usd is None else plain(usd)}]
            case Closed(ending, detail, lag):
                error = self._errors.get(pane)
                # The transport's own errors say the same words as the end; those of the body are found again by reading it.
                failure = error.error.kind.value if error is not None and detail and error.error.message == detail else None
                end = {
                    "event": "end",
                    "ending": ending.value,
                    "detail": self._redactor.text(detail),
                    "loop_lag_ms": lag,
                    "failure": failure,
                }
                return [{"event": "limit", "which": ending.value}, end] if ending in LIMITS else [end]
            case _:
                return [{"event": _PLAIN_EVENTS[type(event)]}]


def _header(head: RunHead, states: Sequence[PaneState], keeping: Keeping, version: str) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "tool": {"name": "anoman-tui", "version": version},
        **head.as_dict(),
        "history": [list(turn) for turn in head.prompt.history],
        "max_body": keeping.max_body,
        "panes": [_pane(number, state) for number, state in enumerate(states, 1)],
    }


def _pane(number: int, state: PaneState) -> dict[str, Any]:
    return {
        "pane": number,
        **target_fields(state.target),
        "params": None if state.params is None else state.params.as_dict(),
        "system": state.system,
        "characters_per_token": state.characters_per_token,
        "earlier_request_ids": list(state.earlier_request_ids),
    }


def _read(pane: int, t_ns: int, data: bytes) -> str:
    return f'{{"pane": {pane}, "t_ns": {t_ns}, "bytes_b64": "{base64.b64encode(data).decode("ascii")}"}}\n'


def _line(fields: Mapping[str, Any]) -> str:
    return json.dumps(fields, default=str) + "\n"
