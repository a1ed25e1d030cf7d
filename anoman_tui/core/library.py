"""Prompts that are kept, as the front ends see them."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal, Protocol

from anoman_tui.core.records import dataclass

Source = Literal["sample", "own"]


@dataclass(frozen=True, slots=True)
class SavedPrompt:
    """One prompt of the library."""

    name: str
    """The file's name without its ending."""
    title: str
    text: str
    source: Source
    path: str
    """The file."""
    about: str = ""
    """One line on what to look at."""
    tags: tuple[str, ...] = ()
    system: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    """`temperature`, `max_tokens`, `stop` and `effort`, as far as the file names them; `core.panes.read_params` takes them."""
    panes: tuple[str, ...] = ()
    """Pane arguments that show best what it is about; mostly none."""


@dataclass(frozen=True, slots=True)
class Library:
    """The prompts in order, samples first, and one sentence for each file that could not be read."""

    prompts: tuple[SavedPrompt, ...]
    problems: tuple[str, ...] = ()


class KeepPrompts(Protocol):
    """Where prompts are kept. Both read or write small files."""

    def read(self) -> Library:
        """All prompts; never raises."""

    def save(
        self, name: str, text: str, *, system: str | None = None, params: Mapping[str, Any] | None = None, replace: bool = False
    ) -> str:
        """Keep a prompt of one's own; returns its file. One that is there is replaced only where that is said.

        Raises ValueError with one sentence.
        """
