"""What differs between panes, as a sheet: first what does, then what is the same."""

from collections.abc import Callable, Sequence

from textual import events
from textual.content import Content

from anoman_tui.core.comparing import Row
from anoman_tui.ui.cells import Cell, Tone, fitted, width_of
from anoman_tui.ui.screens.sheet import SheetScreen
from anoman_tui.ui.widgets.line import content_of

WIDTH = 130
"""Cells that the sheet takes at most."""
AROUND = 7
"""Cells of its border, its padding and the scrollbar."""
NAME, NAME_WIDE, WIDE_FROM = 16, 26, 100
"""Cells of the names, and the width from which they get more."""


class ComparisonScreen(SheetScreen):
    """Shows the rows of a comparison."""

    def __init__(self, title: str, names: Sequence[str], rows: Sequence[Row], notes: Sequence[str] = ()) -> None:
        super().__init__(title, Content(""))
        self._names, self._rows, self._notes = tuple(names), tuple(rows), tuple(notes)

    def on_mount(self) -> None:
        """Draw."""
        self._draw_rows()

    def on_resize(self, event: events.Resize) -> None:  # noqa: ARG002  the base class names it
        """Lay out for the new width."""
        self._draw_rows()

    def _draw_rows(self) -> None:
        width = min(WIDTH, self.app.size.width * 96 // 100) - AROUND
        self.text.update(content_of(comparison_rows(self._names, self._rows, width, self._notes)))


def comparison_rows(names: Sequence[str], rows: Sequence[Row], width: int, notes: Sequence[str] = ()) -> list[tuple[Cell, ...]]:
    """The lines of the sheet, each at most `width` cells wide."""
    first = NAME if width < WIDE_FROM else NAME_WIDE
    column = max(8, (width - first) // max(1, len(names)))
    lay = _laying(first, column, width)
    lines: list[tuple[Cell, ...]] = [(Cell(part, Tone.WARN),) for note in notes for part in _wrapped(note, width)]
    lines.append(lay("", names, Tone.STRONG))
    unlike, alike = [row for row in rows if row.differs or row.says], [row for row in rows if not (row.differs or row.says)]
    lines.append((Cell("differs" if unlike else "nothing differs", Tone.ACCENT),))
    for row in unlike:
        lines.append(lay(row.name, row.cells, Tone.STRONG if row.differs else Tone.TEXT))
        for name, cell in zip(names, row.cells, strict=True):
            if Cell(cell).width >= column:
                lines.append(fitted([Cell(f"    {name}: ", Tone.MUTED), Cell(cell)], width))
        if row.says:
            lines += [(Cell("    "), Cell(part, Tone.MUTED)) for part in _wrapped(row.says, width - 4)]
    if alike:
        lines += [(), (Cell("the same, or not told by all", Tone.ACCENT),)]
        lines += [lay(row.name, row.cells, Tone.MUTED) for row in alike]
    return lines


def _laying(first: int, column: int, width: int) -> Callable[[str, Sequence[str], Tone], tuple[Cell, ...]]:
    def lay(name: str, cells: Sequence[str], tone: Tone) -> tuple[Cell, ...]:
        row = [*_padded(Cell(name, Tone.MUTED), first)]
        for cell in cells:
            row += _padded(Cell(cell, tone), column)
        return tuple(fitted(row, width))

    return lay


def _padded(cell: Cell, width: int) -> list[Cell]:
    """A cell in a column, with at least one blank behind it."""
    kept = list(fitted([cell], width - 1))
    return [*kept, Cell(" " * (width - width_of(kept)))]


def _wrapped(text: str, width: int) -> list[str]:
    """A sentence in lines of words."""
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
