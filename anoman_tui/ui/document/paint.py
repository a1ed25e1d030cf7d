"""Lines as strips, for the rows that are visible."""

from collections.abc import Callable, Sequence
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from anoman_tui.ui.document import styles as s
from anoman_tui.ui.document.lines import Line, Piece
from anoman_tui.ui.document.styles import Palette
from anoman_tui.ui.guard import guarded

MARGIN: Final = 1
"""Blank cells before the text."""
CACHED: Final = 1_024
"""Strips kept."""
_BAR: Final = {"": " ", "rail": " ", "thumb": "┃"}
_BAR_STYLES: Final = {"": s.TEXT, "rail": s.SCROLLBAR, "thumb": s.SCROLLBAR_THUMB}
_MARGIN: Final[Piece] = (" " * MARGIN, s.TEXT)


class Painter:
    """Makes full-width strips of lines and keeps them as long as their line, the width and the palette stay.

    Of rows that go to the terminal at once it keeps the escape sequences, so a row that only moved costs a look-up.
    """

    __slots__ = ("_bars", "_cache", "_ends", "_finish", "_palette", "_pens", "_texts", "width")

    def __init__(self, width: int, palette: Palette, finish: Callable[[Strip], Strip]) -> None:
        self.width = width  # of the whole strip, in cells; the last one is the scrollbar's
        self._palette = palette
        self._finish = finish
        self._cache: dict[tuple[int, str], tuple[Line, Strip]] = {}
        self._pens: dict[int, tuple[str, str]] = {}  # by style id: what stands before and after a text
        self._texts: dict[int, tuple[Line, str]] = {}
        self._ends: dict[str, str] = {}  # by piece of the scrollbar: what the terminal gets for it
        self._bars = {name: Segment(_BAR[name], palette[kind]) for name, kind in _BAR_STYLES.items()}

    def strip(self, y: int, line: Line, bar: str) -> Strip:
        """The strip of document line `y`, with a piece of the scrollbar: nothing, "rail" or "thumb"."""
        key = (y if line else -1, bar)  # rows without text are one row
        found = self._cache.get(key)
        if found is not None and (found[0] is line or found[0] == line):
            return found[1]
        strip = self._finish(Strip([*self.segments(line), self._bars[bar]], self.width))
        if len(self._cache) >= CACHED:
            self._cache.clear()
        self._cache[key] = (line, strip)
        return strip

    def painted(self, y: int, line: Line, bar: str, console: Console) -> str:
        """The row of document line `y` as the terminal gets it."""
        found = self._texts.get(y)
        if found is None or (found[0] is not line and found[0] != line):
            if len(self._texts) >= CACHED:
                self._texts.clear()
            found = self._texts[y] = (line, self._row(line, console))
        end = self._ends.get(bar)
        if end is None:
            before, after = self._pen(_BAR_STYLES[bar], console)
            end = self._ends[bar] = f"{before}{_BAR[bar]}{after}"
        return found[1] + end

    def _row(self, line: Line, console: Console) -> str:
        pens, parts = self._pens, list[str]()
        for text, style in self._pieces(line):
            pen = pens.get(style) or self._pen(style, console)
            parts += pen[0], text if text.isascii() and text.isprintable() else guarded(text), pen[1]
        return "".join(parts)

    def _pen(self, style: int, console: Console) -> tuple[str, str]:
        """The escape sequences around a text of a style, as the app's filters leave them."""
        pen = self._pens.get(style)
        if pen is None:
            before, _, after = self._finish(Strip([Segment("x", self._palette[style])], 1)).render(console).partition("x")
            pen = self._pens[style] = (before, after)
        return pen

    def segments(self, line: Line) -> list[Segment]:
        """Segments of a line up to the scrollbar, the margin before and the filling after it."""
        palette = self._palette
        return [Segment(text, palette[style]) for text, style in self._pieces(line)]

    def _pieces(self, line: Line) -> list[Piece]:
        """The line's pieces cut to the room they have, the margin before and the filling after them."""
        room = self.width - MARGIN - 1
        out: list[Piece] = [_MARGIN]
        used = 0
        for text, style in line:
            if not text:
                continue
            size = len(text) if text.isascii() and text.isprintable() else cell_len(text)
            if used + size > room:
                text = set_cell_size(text, max(0, room - used))
                size = max(0, room - used)
            out.append((text, style))
            used += size
        if used < room:
            fenced = bool(line) and s.is_fenced(_last_style(line))
            out.append((" " * (room - used), s.FENCE if fenced else s.TEXT))
        return out

    def marked(self, line: Line, marks: Sequence[tuple[int, int, Style]], bar: str) -> Strip:
        """A strip with the characters from one to another (-1: to the line's end) in a style over their own; in order, apart."""
        segments = self.segments(line)
        out = segments[:1]
        at = 0
        count = sum(1 for text, _ in line if text)
        for text, style, _ in segments[1 : 1 + count]:
            done = 0
            for start, end, over in marks:
                first = min(len(text), max(done, start - at))
                last = len(text) if end < 0 else min(len(text), max(first, end - at))
                if done < first:
                    out.append(Segment(text[done:first], style))
                if first < last:
                    out.append(Segment(text[first:last], (style or Style.null()) + over))
                done = max(done, last)
            if done < len(text):
                out.append(Segment(text[done:], style))
            at += len(text)
        return self._finish(Strip([*out, *segments[1 + count :], self._bars[bar]], self.width))

    def found(self, line: Line, spans: Sequence[tuple[int, int, int]], here: int, bar: str) -> Strip:
        """A strip with what was found in it, the match number `here` in another style."""
        styles = (self._palette[s.FOUND], self._palette[s.FOUND_HERE])
        return self.marked(line, [(start, end, styles[number == here]) for start, end, number in spans], bar)

    def with_offsets(self, y: int, line: Line) -> Strip:
        """A strip whose text says which character of which line it is, for finding what the mouse points at."""
        segments = self.segments(line)
        count = sum(1 for text, _ in line if text)
        margin = Strip(segments[:1], MARGIN).apply_offsets(0, y)
        text = Strip(segments[1 : 1 + count]).apply_offsets(0, y)
        return Strip([*margin, *text, *segments[1 + count :], self._bars[""]], self.width)

    def overlay(self, strip: Strip, text: str, style: int) -> Strip:
        """The strip with a short text over its right end, left of the scrollbar."""
        room = self.width - MARGIN - 1
        size = min(cell_len(text), room)
        left, _, bar = strip.divide([self.width - 1 - size, self.width - 1, self.width])
        hint = self._finish(Strip([Segment(set_cell_size(text, size), self._palette[style])], size))
        return Strip([*left, *hint, *bar], self.width)


def _last_style(line: Line) -> int:
    for text, style in reversed(line):
        if text:
            return style
    return s.TEXT
