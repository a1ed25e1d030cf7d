"""Pieces of a line with a tone each, and how they are laid into a given width. Pure text, no Textual."""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from rich.cells import cell_len, set_cell_size

from anoman_tui.core.records import dataclass


class Tone(StrEnum):
    """What a piece of text means; a theme gives it a colour, and the words never rely on it."""

    TEXT = "text"
    MUTED = "muted"
    STRONG = "strong"
    GOOD = "good"
    WARN = "warn"
    BAD = "bad"
    ACCENT = "accent"
    KEY = "key"
    """A key to press."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A piece of a line."""

    text: str
    tone: Tone = Tone.TEXT
    about: str = ""
    """The number that a click here asks to be explained."""

    @property
    def width(self) -> int:
        """Terminal cells."""
        return cell_len(self.text)


Item = tuple[Cell, ...]
"""Cells that stay together."""
Row = tuple[Cell, ...]

GAP = Cell("  ")


def width_of(row: Sequence[Cell]) -> int:
    """Terminal cells of a whole row."""
    return sum(cell.width for cell in row)


def shortened(text: str, width: int) -> str:
    """The text in at most `width` cells, a cut shown by an ellipsis; a wide character is never halved."""
    if width <= 0:
        return ""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip() + "…" if width > 1 else "…"


def fitted(row: Sequence[Cell], width: int) -> Row:
    """The row cut to `width` cells."""
    kept: list[Cell] = []
    left = width
    for cell in row:
        if cell.width > left:
            if (rest := shortened(cell.text, left)) != "":
                kept.append(replace(cell, text=rest))
            break
        kept.append(cell)
        left -= cell.width
    return tuple(kept)


def spread(left: Sequence[Cell], right: Sequence[Cell], width: int) -> Row:
    """Both parts on one row, the right one at the end; the left one gives way."""
    right = fitted(right, width)
    room = width - width_of(right)
    cut = fitted(left, room - 1) if right else fitted(left, room)
    return (*cut, Cell(" " * (room - width_of(cut))), *right)


def pack(items: Sequence[Item], width: int, rows: int) -> tuple[tuple[Row, ...], bool]:
    """The items in order on at most `rows` rows, and whether all of them found room."""
    packed: list[list[Cell]] = [[]]
    for at, item in enumerate(items):
        row = packed[-1]
        if row and width_of(row) + GAP.width + width_of(item) > width:
            if len(packed) == rows:
                return tuple(
                    _with_more(tuple(row), len(items) - at, width) if n == rows - 1 else tuple(row) for n, row in enumerate(packed)
                ), False
            row = []
            packed.append(row)
        row.extend((GAP, *item) if row else fitted(item, width))
    return tuple(tuple(row) for row in packed), True


def _with_more(row: Row, missing: int, width: int) -> Row:
    more = Cell(f" +{missing}", Tone.MUTED)
    return (*fitted(row, width - more.width), more)


def asked_at(row: Sequence[Cell], x: int) -> str:
    """What the cell at a column is about."""
    for cell in row:
        if x < cell.width:
            return cell.about
        x -= cell.width
    return ""


def plain_text(rows: Sequence[Sequence[Cell]]) -> str:
    """The rows as bare text."""
    return "\n".join("".join(cell.text for cell in row) for row in rows)
