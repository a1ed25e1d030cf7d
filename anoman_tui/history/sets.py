"""Pane sets, saved by name: one JSON file each, readable by its owner alone."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from anoman_tui.core.jsonish import UnreadableError, dumps, loads, obj, text_of
from anoman_tui.core.sanitize import clean_line
from anoman_tui.files import read_bounded, why, write_private
from anoman_tui.history.setup import Fields, PaneFields, SetupError, read_fields, refuse_secrets

SCHEMA: Final = "anoman-tui/set"
VERSION: Final = "1.0"
SUFFIX: Final = ".json"
MAX_BYTES: Final = 4 * 1024 * 1024
NAME: Final = re.compile(r"[A-Za-z0-9_-](?:[A-Za-z0-9 _-]{0,38}[A-Za-z0-9_-])?")
NAME_RULE: Final = "1 to 40 of the letters A to Z, digits, blanks inside, _ and -"


class SetError(ValueError):
    """A pane set that cannot be saved, read or removed; the message is one sentence."""


class SetExistsError(SetError):
    """There is a set of this name already."""


@dataclass(frozen=True, slots=True)
class PaneSet:
    """A named set: each pane as a pane argument or as PaneSpec.as_dict() has it, and what holds for all panes."""

    name: str
    panes: tuple[PaneFields, ...]
    params: Mapping[str, Any] = field(default_factory=dict)
    system: str | None = None
    configured: bool = False
    """Whether it comes from config.toml, and cannot be changed here."""


class PaneSets:
    """The sets of a folder and, by name and pane arguments, those of config.toml. Case does not tell names apart."""

    def __init__(self, folder: Path, configured: Mapping[str, Sequence[str]] | None = None) -> None:
        self._folder, self._configured = folder, dict(configured or {})

    def names(self) -> list[str]:
        """All names, sorted; one of config.toml hides a saved one."""
        hidden = {name.casefold() for name in self._configured}
        saved = (file.name.removesuffix(SUFFIX) for file in self._files())
        return sorted([*self._configured, *(name for name in saved if name.casefold() not in hidden)], key=str.casefold)

    def _files(self) -> Iterator[Path]:
        try:
            files = sorted(self._folder.iterdir())
        except OSError:
            return
        yield from (file for file in files if file.name.endswith(SUFFIX) and NAME.fullmatch(file.name.removesuffix(SUFFIX)))

    def _file(self, name: str) -> Path | None:
        return next((file for file in self._files() if file.name.removesuffix(SUFFIX).casefold() == name.casefold()), None)

    def _configured_name(self, name: str) -> str | None:
        return next((one for one in self._configured if one.casefold() == name.casefold()), None)

    def load(self, name: str) -> PaneSet:
        """The set of this name. Raises SetError."""
        if (own := self._configured_name(name)) is not None:
            return PaneSet(own, tuple(self._configured[own]), configured=True)
        file = self._file(name)
        if file is None:
            known = ", ".join(self.names()) or "none yet"
            raise SetError(f"there is no pane set {clean_line(name, 60)!r}; there are: {known}")
        try:
            document = obj(loads(read_bounded(file, MAX_BYTES).decode("utf-8")))
            if document.get("schema") != SCHEMA or not text_of(document.get("schema_version")).startswith("1."):
                raise SetupError(f"it does not say {SCHEMA!r} in version 1")
            fields = read_fields(document.get("panes"), document.get("params"), document.get("system"))
        except OSError as error:
            raise SetError(f"{file}: cannot be read ({why(error)})") from None
        except UnreadableError:
            raise SetError(f"{file}: is no pane set: it is no JSON") from None
        except UnicodeDecodeError:
            raise SetError(f"{file}: is no pane set: it is no UTF-8 text") from None
        except ValueError as wrong:
            raise SetError(f"{file}: is no pane set: {wrong}") from None
        return PaneSet(file.name.removesuffix(SUFFIX), fields.panes, fields.params, fields.system)

    def save(
        self,
        name: str,
        panes: Sequence[PaneFields],
        *,
        params: Mapping[str, Any] | None = None,
        system: str | None = None,
        replace: bool = False,
    ) -> None:
        """Save a set. Raises SetExistsError where there is one and `replace` is not given, and SetError, also for secrets in it."""
        name = name.strip()
        shown = clean_line(name, 60)
        if not NAME.fullmatch(name):
            raise SetError(f"the name {shown!r} cannot be used; take {NAME_RULE}")
        if self._configured_name(name) is not None:
            raise SetError(f"the pane set {shown} stands in config.toml and is changed there; take another name")
        before = self._file(name)
        if before is not None and not replace:
            raise SetExistsError(f"there is a pane set {before.name.removesuffix(SUFFIX)} already; save again to replace it")
        try:
            fields = read_fields(panes, params, system)
            refuse_secrets(fields)
        except SetupError as wrong:
            raise SetError(f"not saved: {wrong}") from None
        self._write(name, fields, before)

    def _write(self, name: str, fields: Fields, before: Path | None) -> None:
        document = {
            "schema": SCHEMA,
            "schema_version": VERSION,
            "panes": list(fields.panes),
            "params": dict(fields.params),
            "system": fields.system,
        }
        file = self._folder / f"{name}{SUFFIX}"
        try:
            write_private(file, (dumps(document, indent=2) + "\n").encode())
            if before is not None and before.name != file.name and not before.samefile(file):
                before.unlink()
        except OSError as error:
            raise SetError(f"{file}: the pane set cannot be saved ({why(error)})") from None

    def remove(self, name: str) -> None:
        """Remove a saved set. Raises SetError."""
        shown = clean_line(name, 60)
        if self._configured_name(name) is not None:
            raise SetError(f"the pane set {shown} stands in config.toml and is removed there")
        file = self._file(name)
        if file is None:
            raise SetError(f"there is no saved pane set {shown!r}")
        try:
            file.unlink()
        except OSError as error:
            raise SetError(f"{file}: cannot be removed ({why(error)})") from None
