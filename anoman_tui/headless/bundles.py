"""Bug bundles of a run without a screen: what each pane sent and read, kept while it runs, and written as one file."""

import platform
from collections.abc import Sequence
from pathlib import Path

from anoman_tui.core.bundle import Setting, bundle
from anoman_tui.core.events import Stamped
from anoman_tui.core.frames import frames_of
from anoman_tui.core.pane import PaneState
from anoman_tui.core.ports import Sink, Tape
from anoman_tui.core.request import HttpRequest
from anoman_tui.core.run import RunHead

BETWEEN = "\n---\n\n"


class Keeper:
    """A tape that keeps each pane's request and reads, and passes all on to another tape where there is one."""

    def __init__(self, tape: Tape | None = None) -> None:
        self._tape = tape
        self.requests: dict[int, HttpRequest] = {}
        self.reads: dict[int, list[tuple[int, bytes]]] = {}

    @property
    def problem(self) -> str:
        """What the other tape says is wrong."""
        return "" if self._tape is None else self._tape.problem

    def sink(self, pane: int, inner: Sink) -> Sink:
        """A sink that keeps what pane `pane` is told and passes it on."""
        return _Kept(self, pane, inner if self._tape is None else self._tape.sink(pane, inner))

    def close(self) -> None:
        """End the other tape."""
        if self._tape is not None:
            self._tape.close()

    def text(self, states: Sequence[PaneState], head: RunHead, version: str) -> str:
        """The bundles of all panes in one text."""
        setting = Setting(version, platform.python_version(), platform.platform(), head.run_id, head.started_at)
        return BETWEEN.join(
            bundle(state, self.requests.get(pane), frames_of(tuple(self.reads.get(pane, ()))), setting)
            for pane, state in enumerate(states, 1)
        )


class _Kept:
    """One pane's sink."""

    def __init__(self, keeper: Keeper, pane: int, inner: Sink) -> None:
        self._keeper, self._pane, self._inner = keeper, pane, inner

    def on_request(self, t_ns: int, request: HttpRequest) -> None:
        """Keep the request and pass it on."""
        self._keeper.requests[self._pane] = request
        self._inner.on_request(t_ns, request)

    def on_read(self, t_ns: int, data: bytes) -> None:
        """Keep the read and pass it on."""
        self._keeper.reads.setdefault(self._pane, []).append((t_ns, data))
        self._inner.on_read(t_ns, data)

    def on_events(self, batch: Sequence[Stamped]) -> None:
        """Pass the events on."""
        self._inner.on_events(batch)


def writable(file: Path) -> str:
    """Why no file can be written there, in a sentence; empty where one can. What the file held is left as it is."""
    try:
        with file.open("a", encoding="utf-8"):
            return ""
    except OSError as error:
        return f"{file}: cannot be written ({error.strerror or type(error).__name__}); name a file in a folder that there is"


def write(file: Path, text: str) -> None:
    """Write the bundles. Raises OSError."""
    file.write_text(text, encoding="utf-8", newline="\n", errors="replace")
