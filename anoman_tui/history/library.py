"""The prompt library: the prompts that come with the program, then those of the user's own folder."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Source = Literal["sample", "own"]


class PromptError(ValueError):
    """A prompt that cannot be read or saved; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class SavedPrompt:
    """One prompt of the library."""

    name: str
    """The file's name without its ending."""
    title: str
    text: str
    source: Source
    path: Path
    about: str = ""
    """One line on what to look at."""
    tags: tuple[str, ...] = ()
    system: str | None = None
    params: dict[str, Any] = field(default_factory=dict)
    """`temperature`, `max_tokens`, `stop` and `effort`, as far as the file names them."""
    panes: tuple[str, ...] = ()
    """Pane arguments that show best what it is about; mostly none."""


@dataclass(frozen=True, slots=True)
class Library:
    """The prompts in order, and one sentence for each file that could not be read."""

    prompts: tuple[SavedPrompt, ...]
    problems: tuple[str, ...] = ()


def read_library(folders: Sequence[tuple[Source, Path]]) -> Library:
    """The prompts of these folders, in this order and by name within one; a folder that is not there is empty."""
    raise NotImplementedError


def save_prompt(
    folder: Path, name: str, text: str, *, system: str | None = None, params: dict[str, Any] | None = None, replace: bool = False
) -> Path:
    """Save a prompt as NAME.md; returns the file. Raises PromptError, also where there is one and `replace` is not given."""
    raise NotImplementedError
