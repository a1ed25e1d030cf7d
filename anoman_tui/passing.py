"""Passing panes, a prompt and a run on in one file, and opening such a file or a run file: a part of the composition root."""

import io
from pathlib import Path

from anoman_tui import __version__
from anoman_tui.compose import Composition
from anoman_tui.core.jsonish import UnreadableError, loads, obj
from anoman_tui.core.panes import Setup, read_setup
from anoman_tui.core.ports import Playback
from anoman_tui.core.run import RunHead
from anoman_tui.core.shared import Shared, lines_of
from anoman_tui.core.target import PaneArgumentError
from anoman_tui.problems import ConfigError

MAX_FIRST = 4 * 1024 * 1024
"""Bytes of a file that are looked at to see what it is."""


def share(composition: Composition, folder: Path, setup: Setup, prompt: str, head: RunHead | None) -> tuple[Path, tuple[str, ...]]:
    """Write the file to pass on, with the run's recording where there is one; its path, and the headers left out as secrets.

    Keys that this program knows are taken out of the prompt and the system prompts. Raises ValueError with one sentence.
    """
    from anoman_tui.history.share import write_share
    from anoman_tui.recording.folder import run_path
    from anoman_tui.recording.redact import Redactor

    redactor = Redactor(composition.secrets([spec.target for spec in setup.panes]))
    panes = tuple(redactor.value(spec.saved) for spec in setup.panes)
    system = None if setup.system is None else redactor.text(setup.system)
    run = None
    if head is not None and (file := run_path(composition.runs_folder, head)).is_file():
        run = lines_of(file.read_bytes())
    moment = "" if head is None else "-" + "".join(char for char in head.started_at[:23] if char.isdigit() or char == "T")
    path = folder / f"share{moment}.json"
    dropped = write_share(path, Shared(panes, setup.params.as_dict(), system, redactor.text(prompt), run), __version__)
    return path, dropped


def open_file(composition: Composition, file: Path) -> tuple[Setup | None, str, Playback | None, tuple[str, ...]]:
    """What a file holds: panes, the prompt, a run to be played, and what to say. A run file holds a run alone. Raises ConfigError."""
    if _is_run_file(file):
        try:
            return None, "", composition.recordings.open(str(file)), ()
        except ValueError as error:
            raise ConfigError(str(error)) from None
    from anoman_tui.history.share import ShareError, read_share

    try:
        shared = read_share(file)
        setup = read_setup(shared.panes, shared.params, shared.system, composition.providers)
    except (ShareError, PaneArgumentError) as error:
        raise ConfigError(str(error) if str(file) in str(error) else f"{file}: {error}") from None
    left_out = (f"left out, since they may be secrets: {', '.join(shared.dropped)}",) if shared.dropped else ()
    return setup, shared.prompt, _run_of(file, shared), left_out


def _run_of(file: Path, shared: Shared) -> Playback | None:
    from anoman_tui.recording.reader import read_lines
    from anoman_tui.recording.replay import Replay
    from anoman_tui.transport.body import BodyReader

    if shared.run_file is None:
        return None
    try:
        return Replay(read_lines(file, io.BytesIO(shared.run_file)), BodyReader, None)
    except ValueError as error:
        raise ConfigError(f"the run in it cannot be read: {error}") from None


def _is_run_file(file: Path) -> bool:
    """Whether the first line of a file says so. One that cannot be read is none: whoever reads it says why."""
    from anoman_tui.recording.runfile import FORMAT

    try:
        with file.open("rb") as stream:
            first = stream.readline(MAX_FIRST)
        return obj(loads(first.decode("utf-8", "replace"))).get("format") == FORMAT
    except (OSError, UnreadableError):
        return False
