"""What one person passes on to another in one file."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from anoman_tui.core.records import dataclass


@dataclass(frozen=True, slots=True)
class Shared:
    """Panes, what holds for all of them, a prompt, and a recorded run if wanted."""

    panes: tuple[str | Mapping[str, Any], ...]
    """Pane arguments, or dicts as PaneSpec.as_dict() gives them; `core.panes.read_setup` takes them."""
    params: Mapping[str, Any] = field(default_factory=dict)
    system: str | None = None
    prompt: str = ""
    run: tuple[str, ...] | None = None
    """The lines of a run file, which holds no keys; None without a run."""
    dropped: tuple[str, ...] = ()
    """Headers that were left out since their names or values look like secrets, such as `pane 1: x-api-key`."""

    @property
    def run_file(self) -> bytes | None:
        """The run file as it was."""
        return None if self.run is None else "".join(f"{line}\n" for line in self.run).encode("utf-8", "replace")


def lines_of(run_file: bytes) -> tuple[str, ...]:
    """The lines of a run file, for `Shared.run`."""
    return tuple(run_file.decode("utf-8", "replace").removesuffix("\n").split("\n"))
