"""The recorded runs of a folder as a list, and opening one of them."""

import builtins
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anoman_tui.core.jsonish import UnreadableError, items, loads, obj, text_of
from anoman_tui.core.ports import OpenBody, Recording
from anoman_tui.recording.folder import run_files
from anoman_tui.recording.runfile import FORMAT

if TYPE_CHECKING:
    from anoman_tui.recording.replay import Replay

MAX_HEAD = 16 * 1024 * 1024
"""Bytes of a first line that are read for the list."""


class Shelf:
    """The Recordings of the front ends."""

    def __init__(self, folder: Callable[[], Path], open_body: Callable[[], OpenBody]) -> None:
        self._folder, self._open_body = folder, open_body

    def list(self) -> builtins.list[Recording]:
        """All runs whose first line can be read, newest first."""
        return [found for file in run_files(self._folder()) if (found := _recording(file)) is not None]

    def open(self, file: str) -> "Replay":
        """Play a run. Raises RunFileError."""
        from anoman_tui.recording.reader import read_run
        from anoman_tui.recording.replay import Replay

        return Replay(read_run(Path(file)), self._open_body())

    def remove(self, file: str) -> None:
        """Remove a run of this folder for good. Raises OSError."""
        path = Path(file)
        if path in run_files(self._folder()):
            path.unlink()


def _recording(file: Path) -> Recording | None:
    try:
        with file.open("rb") as stream:
            header = obj(loads(stream.readline(MAX_HEAD).decode("utf-8", "replace")))
        size = file.stat().st_size
    except (OSError, UnreadableError):
        return None
    if header.get("format") != FORMAT:
        return None
    panes = tuple(_name(obj(pane)) for pane in items(header.get("panes")))
    return Recording(str(file), text_of(header.get("started_at")), text_of(header.get("prompt")), panes, size)


def _name(pane: dict[str, Any]) -> str:
    return "/".join(filter(None, (text_of(pane.get(part)) for part in ("provider", "shape", "model"))))
