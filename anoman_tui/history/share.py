"""The one file that another person opens: panes, parameters, prompt and, if wanted, a recorded run. Nothing in it is secret.

A share file may come from anywhere. It names panes by pane arguments, so that a base URL in it never gets the reader's
key; headers that may hold a secret are left out on the way in and on the way out; texts that go into the editor have
nothing in them that does not show. The run's lines are checked by whoever reads run files.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from anoman_tui.core.jsonish import Json, UnreadableError, dumps, loads, text_of
from anoman_tui.core.sanitize import clean, clean_line
from anoman_tui.core.shared import Shared
from anoman_tui.files import read_bounded, why, write_private
from anoman_tui.history.setup import MAX_TEXT, PaneFields, SetupError, read_fields, secret_headers, without_secrets

SCHEMA: Final = "anoman-tui/share"
VERSION: Final = "1.0"
MAX_BYTES: Final = 64 * 1024 * 1024
_NAMES: Final = frozenset({"schema", "schema_version", "tool", "panes", "params", "system", "prompt", "run"})


class ShareError(ValueError):
    """A share file that cannot be read or written; the message is one sentence."""


def write_share(path: Path, shared: Shared, version: str = "") -> tuple[str, ...]:
    """Write the file, readable by its owner alone; returns the headers that were left out as secrets. Raises ShareError.

    `version` is that of the program. The prompt and the run are written as they are: take keys out of them first.
    """
    try:
        fields = read_fields(shared.panes, shared.params, shared.system)
    except SetupError as wrong:
        raise ShareError(f"{path}: not written: {wrong}") from None
    document = {
        "schema": SCHEMA,
        "schema_version": VERSION,
        "tool": {"name": "anoman-tui", "version": version},
        "panes": [without_secrets(pane) for pane in fields.panes],
        "params": fields.params,
        "system": fields.system,
        "prompt": shared.prompt,
        "run": None if shared.run is None else list(shared.run),
    }
    data = (dumps(document, indent=1) + "\n").encode()
    if len(data) > MAX_BYTES:
        less = "share it without the run" if shared.run is not None else "shorten the prompt"
        raise ShareError(f"{path}: not written: it would have more than {MAX_BYTES:,} bytes; {less}")
    try:
        write_private(path, data)
    except OSError as error:
        raise ShareError(f"{path}: cannot be written ({why(error)})") from None
    return _secrets(fields.panes)


def read_share(path: Path) -> Shared:
    """What a file from anywhere holds. Raises ShareError with one sentence."""
    try:
        document = loads(read_bounded(path, MAX_BYTES).decode("utf-8"))
    except OSError as error:
        raise ShareError(f"{path}: cannot be read ({why(error)})") from None
    except UnreadableError:
        raise ShareError(f"{path}: is no share file: it is no JSON") from None
    except UnicodeDecodeError:
        raise ShareError(f"{path}: is no share file: it is no UTF-8 text") from None
    except ValueError as wrong:
        raise ShareError(f"{path}: {wrong}") from None
    try:
        return _shared(document)
    except SetupError as wrong:
        raise ShareError(f"{path}: is no share file that can be opened: {wrong}") from None


def _shared(document: Json) -> Shared:
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise SetupError(f"it does not say {SCHEMA!r}")
    version = text_of(document.get("schema_version"))
    if version.partition(".")[0] != "1":
        raise SetupError(f"its version is {clean_line(version, 20)!r}, and this program reads version 1")
    if version == VERSION and (unknown := sorted(name for name in document if name not in _NAMES)):
        raise SetupError(f"{clean_line(unknown[0], 40)!r} is no part of a share file")
    fields = read_fields(document.get("panes"), document.get("params"), document.get("system"))
    prompt = document.get("prompt", "")
    if not isinstance(prompt, str) or len(prompt) > MAX_TEXT:
        raise SetupError(f"prompt is no text of up to {MAX_TEXT:,} characters")
    return Shared(
        panes=tuple(_shown(without_secrets(pane)) for pane in fields.panes),
        params=fields.params,
        system=None if fields.system is None else clean(fields.system),
        prompt=clean(prompt),
        run=_run(document.get("run")),
        dropped=_secrets(fields.panes),
    )


def _shown(pane: PaneFields) -> PaneFields:
    """A pane whose own system prompt hides nothing."""
    if isinstance(pane, str) or not isinstance(pane.get("system"), str):
        return pane
    return {**pane, "system": clean(pane["system"])}


def _run(value: Json) -> tuple[str, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list) or not value or not all(isinstance(line, str) and "\n" not in line for line in value):
        raise SetupError("run is no list of lines of a run file")
    return tuple(value)


def _secrets(panes: Sequence[PaneFields]) -> tuple[str, ...]:
    return tuple(f"pane {number}: {clean_line(name, 60)}" for number, pane in enumerate(panes, 1) for name in secret_headers(pane))
