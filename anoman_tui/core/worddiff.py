"""What one text says otherwise than another, word by word."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["same", "base", "other"]


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of text that both have, or only the base, or only the other. Never empty."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Diff:
    """The runs of two texts in order: `same` and `base` joined are the base exactly, `same` and `other` the other."""

    runs: tuple[Run, ...]
    first: int | None
    """The index of the first run that differs; None where the texts are the same."""
    same: int
    """Words of both; the next two count words of one alone."""
    only_base: int
    only_other: int


def diff(base: str, other: str) -> Diff:
    """Compare two texts by words; bounded on any input."""
    raise NotImplementedError
