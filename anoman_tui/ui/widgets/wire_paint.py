"""Rows of the wire lanes as strips, each kept as long as what stands in it stays."""

from collections.abc import Callable, Iterable
from typing import Final

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from anoman_tui.ui.cells import Row, shortened, width_of
from anoman_tui.ui.wire.cells import entry_row
from anoman_tui.ui.wire.filters import pattern_of
from anoman_tui.ui.wire.model import Wire

CACHED: Final = 1_024
"""Rows whose strips are kept."""
Key = tuple[tuple[int, str], ...]
"""What stands in a row: for each column the entry, -1 for none, and its sign in its read."""


def widths_of(width: int, columns: int) -> list[int]:
    """The cells of each column, a line between them; the first ones take what does not divide."""
    room = max(0, width - (columns - 1))
    return [room // columns + (at < room % columns) for at in range(columns)] if columns else []


class WirePainter:
    """Makes the strips of rows. A strip that stays also keeps its escape codes, so a row that only moved costs a look-up."""

    def __init__(self, wire: Wire, look: Callable[[str], Style], finish: Callable[[Strip], Strip]) -> None:
        self._wire = wire
        self._look = look
        self._finish = finish
        self._styles: dict[str, Style] = {}
        self._strips: dict[tuple[int, int, str, Key], Strip] = {}
        self.width = 0
        """Cells of a strip, without the scrollbar's one."""

    def clear(self, *, styles: bool = False) -> None:
        """Forget the strips, and the styles where they changed."""
        self._strips.clear()
        if styles:
            self._styles.clear()

    def style(self, name: str) -> Style:
        """The style of a tone or a part."""
        if name not in self._styles:
            self._styles[name] = self._look(name)
        return self._styles[name]

    def over(self, strip: Strip, text: str) -> Strip:
        """The strip with a short text over its end."""
        text = shortened(text, self.width)
        left, _, bar = strip.divide([self.width - cell_len(text), self.width, self.width + 1])
        return Strip([*left, *self._finish(Strip([Segment(text, self.style("hint"))])), *bar], self.width + 1)

    def plain(self, said: str, bar: str) -> Strip:
        """A row that holds a sentence of ours, or nothing."""
        text = shortened(f"  {said}", self.width)
        return self._barred([Segment(text + " " * (self.width - cell_len(text)), self.style("muted"))], bar)

    def _barred(self, segments: list[Segment], bar: str) -> Strip:
        return self._finish(Strip([*segments, Segment(bar, self.style("thumb"))], self.width + 1))

    def row(self, y: int, here: int | None, bar: str) -> Strip:
        """A row of entries with its part of the scrollbar. `here` is the column where the keys act, if they do in this row."""
        wire = self._wire
        logs = [wire.panes[pane].log for pane in wire.shown]
        places = [wire.rows.at(y, at) for at in range(len(wire.rows.columns))]
        key = tuple((-1, "") if place is None or log is None else (place, log.join(place)) for place, log in zip(places, logs, strict=True))
        at = -2 if here is None else here
        if (found := self._strips.get((y, at, bar, key))) is not None:
            return found
        segments: list[Segment] = []
        for column, width in enumerate(widths_of(self.width, len(key))):
            if column:
                segments.append(Segment("│", self.style("line")))
            over = self.style("here") if column == at else self.style("row") if here is not None else None
            segments += self._cell(column, width, *key[column], over)
        strip = self._barred(segments, bar)
        if len(self._strips) >= CACHED:
            self._strips.clear()
        self._strips[y, at, bar, key] = strip
        return strip

    def _cell(self, column: int, width: int, place: int, join: str, over: Style | None) -> Iterable[Segment]:
        """The segments of one column in one row, exactly as wide as it is."""
        blank = self.style("text") if over is None else self.style("text") + over
        if place < 0:
            return (Segment(" " * width, blank),)
        pane = self._wire.panes[self._wire.shown[column]]
        entry = self._wire.rows.columns[column].entries[place]
        zero_ns = self._wire.zero_of(self._wire.shown[column])
        row = entry_row(entry, pane.source.target.shape, zero_ns, width, join=join, broken=bool(pane.rules_of(entry)))
        left = width - width_of(row)
        return (*self._marked(row, over), *((Segment(" " * left, blank),) if left > 0 else ()))

    def _marked(self, row: Row, over: Style | None) -> Iterable[Segment]:
        """The segments of the cells, what is looked for marked in them."""
        pattern = pattern_of(self._wire.query)
        for cell in row:
            style = self.style(cell.tone.value) if over is None else self.style(cell.tone.value) + over
            at = 0
            for found in pattern.finditer(cell.text) if pattern is not None else ():
                yield Segment(cell.text[at : found.start()], style)
                yield Segment(found[0], self.style("found"))
                at = found.end()
            if at < len(cell.text):
                yield Segment(cell.text[at:], style)
