"""A document of lines, drawn line by line.

The widget answers `render_lines` itself, with its own scrollbar and without border or padding. Nothing of it takes part in
the layout of the screen: what changes is the region that is drawn again.
"""

from typing import Final

from rich.console import Console
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.selection import Selection
from textual.strip import Strip

from anoman_tui.core.sanitize import clean_line
from anoman_tui.ui.document import styles as s
from anoman_tui.ui.document.contrast import readable
from anoman_tui.ui.document.copying import copied_text
from anoman_tui.ui.document.document import AnswerDocument
from anoman_tui.ui.document.finding import Finder
from anoman_tui.ui.document.lines import BLANK, Line
from anoman_tui.ui.document.paint import MARGIN, Painter
from anoman_tui.ui.document.styles import Palette
from anoman_tui.ui.document.theme import COLOURLESS, STYLES, over, words
from anoman_tui.ui.painting import Surface
from anoman_tui.ui.widgets.answer_scroll import LineScroller

_HINT: Final = " ↓ new text "
_NEVER: Final[tuple[Line, str]] = (BLANK, "never drawn")


class DocumentView(LineScroller):
    """Draws an `AnswerDocument`, and what of it is selected."""

    ALLOW_SELECT = True

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(name=name, id=id, classes=classes)
        self.document = AnswerDocument()
        self.finder = Finder(self.document)
        self.leapt = False
        """Whether the last changes moved the text by a page or more."""
        self._painter: Painter | None = None
        self._look: object = None  # what the painter's colours were made for
        self._drawn: list[tuple[Line, str]] = []  # by row: the line and the piece of the scrollbar as last drawn

    # -- changes -------------------------------------------------------------------------------------------------

    def draw_changes(self, *, settle: bool = False) -> None:
        """Draw the rows whose lines changed since the last call; nothing where none did. With `settle` the end comes to the last row."""
        self.leapt = False
        dirty = self.document.take_dirty()
        if dirty is None:
            return
        recount = self.finder.update(dirty) if self.finder.query else False
        width, height = self.size
        view = self._view
        before, shown = view.top, view.total
        surface = self.surface
        view.fit(len(self.document), height, height // 4 if surface is not None and surface.sparing and not settle else 0)
        self.leapt = 0 < height <= view.top - before
        news = view.notice()
        if not self._is_marked and not recount and not news:
            self._draw_rows(surface, width, height)
            return
        if view.top != before:
            self.repaint()
            return
        first = max(0, dirty - view.top)
        last = min(height, max(shown, view.total) - view.top)
        regions = [Region(0, first, width, last - first)] if first < last else []
        if view.thumb() != self._thumb:
            regions.append(Region(width - 1, 0, 1, height))
        if recount:
            regions.append(Region(0, 0, width, 1))
        if news:
            regions.append(Region(0, height - 1, width, 1))
        if regions:
            self.repaint(*regions)

    def _draw_rows(self, surface: Surface | None, width: int, height: int) -> None:
        """Draw the rows that show something else than before, straight into the frame where that can be done."""
        rows, drawn = self._rows(0, height), self._drawn
        if len(drawn) != height:
            drawn = [_NEVER] * height
        changed = [row for row, (now, before) in enumerate(zip(rows, drawn, strict=True)) if now != before]
        if not changed:
            return
        place = None if surface is None else surface.place(self)
        if place is None or surface is None:
            self.repaint(*[Region(0, row, width, 1) for row in changed])
            return
        self._drawn = rows
        painter, top, x, y, console = self._get_painter(), self._view.top, place.x, place.y, self.app.console
        surface.put([(x, y + row, painter.painted(top + row, *rows[row], console)) for row in changed])

    def _note(self, row: int, shown: tuple[Line, str]) -> None:
        """A row is drawn."""
        if len(self._drawn) != self.size.height:
            self._drawn = [_NEVER] * self.size.height
        if row < len(self._drawn):
            self._drawn[row] = shown

    def _changed_shape(self, top: int) -> None:
        """All lines may be others: show the end while following, else the line at `top`."""
        self.document.take_dirty()
        self.finder.update(0)
        following = self._view.following
        self._view.fit(len(self.document), self.size.height)
        if not following:
            self._view.move(top)
        if self.is_attached and self.text_selection is not None:
            self.screen.clear_selection()
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Lay out for the new width; keep the end, or else the place in the text, in view."""
        place = self.document.anchor(self._view.top)
        self._painter = None
        self.document.resize(event.size.width - MARGIN - 1)
        self._changed_shape(self.document.locate(place))

    def notify_style_update(self) -> None:
        """Colours may have changed; when only the focus did, they have not, and what is painted stays."""
        super().notify_style_update()
        look = (self.app.theme, self.background_colors) if self.is_attached else None
        if look is None or look != self._look:
            self._painter, self._look = None, look

    # -- drawing -------------------------------------------------------------------------------------------------

    def _get_painter(self) -> Painter:
        if self._painter is None or self._painter.width != self.size.width:
            self._painter = Painter(self.size.width, Palette(self._style_of), self._filtered)
        return self._painter

    def _style_of(self, kind: int) -> Style:
        text = (self.app.no_color and COLOURLESS.get(kind)) or STYLES[kind]
        return readable(over(self.visual_style, self._get_style(words(text, self.app.theme_variables))))

    def _filtered(self, strip: Strip) -> Strip:
        """The strip after the app's line filters, which the widget's own rendering goes around."""
        background = self.background_colors[1]
        for line_filter in self.get_line_filters():
            strip = strip.apply_filter(line_filter, background)
        return strip

    def render_lines(self, crop: Region) -> list[Strip]:
        """The strips of the rows in a region."""
        painter, view = self._get_painter(), self._view
        width, height = self.size
        selection = self.text_selection
        chosen = self.screen.get_component_rich_style("screen--selection") if selection is not None else Style.null()
        out: list[Strip] = []
        for row, (line, bar) in enumerate(self._rows(crop.y, crop.bottom), crop.y):
            self._note(row, (line, bar))
            y = view.top + row
            span = selection.get_span(y) if selection is not None and y < view.total else None
            if span is not None:
                strip = painter.marked(line, [(*span, chosen)], bar)
            elif found := self.finder.spans(y):
                strip = painter.found(line, found, self.finder.at, bar)
            else:
                strip = painter.strip(y, line, bar)
            if row == 0 and self.finder.query:
                strip = painter.overlay(strip, self._count(), s.HINT)
            if row == height - 1 and view.hint:
                strip = painter.overlay(strip, _HINT, s.HINT)
            out.append(strip)
        if crop.x or crop.width != width:
            return [strip.crop(crop.x, crop.right) for strip in out]
        return out

    def painted(self, region: Region, console: Console) -> list[str]:
        """The same as the terminal gets them. Rows that are only text, as all are mostly, are not made into strips first."""
        if region.x or region.width != self.outer_size.width or self._is_marked:
            return super().painted(region, console)
        painter, top = self._get_painter(), self._view.top
        out: list[str] = []
        for row, (line, bar) in enumerate(self._rows(region.y, region.bottom), region.y):
            self._note(row, (line, bar))
            out.append(painter.painted(top + row, line, bar, console))
        return out

    def _rows(self, first: int, last: int) -> list[tuple[Line, str]]:
        """What some rows show: a line, and a piece of the scrollbar."""
        view, bars = self._view, [""] * max(0, last - first)
        start, end = self._thumb = view.thumb()
        if end:
            bars = ["thumb" if start <= row < end else "rail" for row in range(first, last)]
        lines = self.document.lines(view.top + first, min(view.top + last, view.total))
        lines += [BLANK] * (len(bars) - len(lines))
        return list(zip(lines, bars, strict=True))

    @property
    def _is_marked(self) -> bool:
        """Whether something lies over the text: a selection, what was found, or the word of new text below."""
        return bool(self.finder.query) or self._view.hint or (self.is_attached and self.text_selection is not None)

    def _count(self) -> str:
        found = self.finder
        place = f"{found.at + 1} of {len(found)}" if len(found) else "not here"
        return f" /{clean_line(found.query, 20)} {place} "

    def find(self, query: str, start: int | None = None) -> None:
        """Mark a text wherever it stands, and show its first place from a line on, or from here; nothing marks nothing."""
        self.finder.search(query, self._view.top if start is None else start)
        self._show_found(self.finder.here)

    def find_on(self, step: int) -> None:
        """Show the next place, or the one before."""
        self._show_found(self.finder.step(step))

    def _show_found(self, line: int | None) -> None:
        view = self._view
        if line is not None and not view.top < line < view.top + view.height - 1:
            view.move(line - view.height // 3)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """The strip of a row with the offsets of its text; the screen asks for it to find what the mouse points at."""
        at = self._view.top + y
        return self._get_painter().with_offsets(at, self.document.line(at))

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The clean text of a selection."""
        total = len(self.document)
        first = selection.start.y if selection.start is not None else 0
        last = min(selection.end.y if selection.end is not None else total, total - 1)
        parts = [(self.document.line(y), *span) for y in range(first, last + 1) if (span := selection.get_span(y)) is not None]
        return copied_text(parts), "\n"
