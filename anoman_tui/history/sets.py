"""Pane sets, saved by name: one JSON file each, readable by its owner alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


class SetError(ValueError):
    """A pane set that cannot be saved, read or removed; the message is one sentence."""


class SetExistsError(SetError):
    """There is a set of this name already."""


@dataclass(frozen=True, slots=True)
class PaneSet:
    """A named set: each pane as a pane argument or as PaneSpec.as_dict() has it, and what holds for all panes."""

    name: str
    panes: tuple[str | Mapping[str, Any], ...]
    params: Mapping[str, Any] = field(default_factory=dict)
    system: str | None = None
    configured: bool = False
    """Whether it comes from config.toml, and cannot be changed here."""


class PaneSets:
    """The sets of a folder and, by name and pane arguments, those of config.toml. Case does not tell names apart."""

    def __init__(self, folder: Path, configured: Mapping[str, Sequence[str]] | None = None) -> None:
        self._folder, self._configured = folder, dict(configured or {})

    def names(self) -> list[str]:
        """All names, sorted."""
        raise NotImplementedError

    def load(self, name: str) -> PaneSet:
        """The set of this name. Raises SetError."""
        raise NotImplementedError

    def save(
        self,
        name: str,
        panes: Sequence[str | Mapping[str, Any]],
        *,
        params: Mapping[str, Any] | None = None,
        system: str | None = None,
        replace: bool = False,
    ) -> None:
        """Save a set. Raises SetExistsError where there is one and `replace` is not given, and SetError, also for secrets in it."""
        raise NotImplementedError

    def remove(self, name: str) -> None:
        """Remove a saved set. Raises SetError."""
        raise NotImplementedError
