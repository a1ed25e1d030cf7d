"""The one file that another person opens: panes, parameters, prompt and, if wanted, a recorded run. Nothing in it is secret."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SCHEMA = "anoman-tui/share"
VERSION = "1.0"


class ShareError(ValueError):
    """A share file that cannot be read or written; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What a share file holds. Panes are pane arguments or dicts as PaneSpec.as_dict() gives them."""

    panes: tuple[str | Mapping[str, Any], ...]
    params: Mapping[str, Any] = field(default_factory=dict)
    system: str | None = None
    prompt: str = ""
    run: tuple[str, ...] | None = None
    """The lines of a run file, which holds no keys; None without a run."""
    dropped: tuple[str, ...] = ()
    """Headers that were left out since their names or values look like secrets."""


def write_share(path: Path, shared: Shared) -> tuple[str, ...]:
    """Write the file, readable by its owner alone; returns the names of headers left out as secrets. Raises ShareError."""
    raise NotImplementedError


def read_share(path: Path) -> Shared:
    """What a file from anywhere holds. Raises ShareError with one sentence."""
    raise NotImplementedError
