"""Rows of text of fixed height that change often: no layout of the screen takes part in an update."""

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter

from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.content import Content
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from anoman_tui.ui.cells import Cell, Row, Tone, asked_at, fitted, width_of
from anoman_tui.ui.guard import guarded
from anoman_tui.ui.painting import Painted

STYLES: dict[Tone, str] = {
    Tone.TEXT: "",
    Tone.MUTED: "$text-muted",
    Tone.STRONG: "bold",
    Tone.GOOD: "bold $text-success",
    Tone.WARN: "bold $text-warning",
    Tone.BAD: "bold $text-error",
    Tone.ACCENT: "bold $text-accent",
    Tone.KEY: "bold $footer-key-foreground",
}
"""The look of each tone, in the theme's own text colours."""


def content_of(rows: Sequence[Sequence[Cell]]) -> Content:
    """The rows as styled content; their text is never read as markup."""
    lines = [Content.assemble(*((cell.text, STYLES[cell.tone]) for cell in row)) for row in rows]
    return Content("\n").join(lines)


class Line(Painted, can_focus=False):
    """Shows rows of cells. Paints them by itself; of its style it takes colours, padding, and a border above."""

    class Asked(Message):
        """A number was clicked."""

        def __init__(self, about: str) -> None:
            super().__init__()
            self.about = about

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    Line { height: 1; width: 1fr; }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._rows: tuple[Row, ...] = ()
        self._styles_of: dict[Tone, Style] = {}
        self._pens: dict[Tone | None, tuple[str, str]] = {}
        self._strips: dict[int, tuple[Row, int, Strip]] = {}  # by row: what it was made of, and its width

    def show(self, *rows: Sequence[Cell]) -> None:
        """Draw these rows where they differ from the last ones."""
        new, old = tuple(map(tuple, rows)), self._rows
        if new == old:
            return
        self._rows = new
        width, height = self.outer_size
        top = self.gutter.top
        changed = [n for n in range(max(len(new), len(old))) if new[n : n + 1] != old[n : n + 1]]
        if regions := [Region(0, top + n, width, 1) for n in changed if top + n < height]:
            self.repaint(*regions)

    def about_at(self, event: events.Click) -> str:
        """What was clicked."""
        row, x = event.y - self.gutter.top, event.x - self.gutter.left
        return asked_at(self._rows[row], x) if 0 <= row < len(self._rows) else ""

    def on_click(self, event: events.Click) -> None:
        """Ask for what is under the mouse to be explained."""
        if about := self.about_at(event):
            self.post_message(self.Asked(about))

    # -- drawing ---------------------------------------------------------------------------------------------------

    def notify_style_update(self) -> None:
        """Colours may have changed."""
        super().notify_style_update()
        self._styles_of.clear()
        self._strips.clear()
        self._pens.clear()

    def render_lines(self, crop: Region) -> list[Strip]:
        """The strips of the rows in a region."""
        top, width = self.gutter.top, self.outer_size.width
        strips = [self._strip(y - top, width) if y >= top else self._border(y) for y in range(crop.y, crop.bottom)]
        if crop.x or crop.width != width:
            return [strip.crop(crop.x, crop.right) for strip in strips]
        return strips

    def painted(self, region: Region, console: Console) -> list[str]:
        """The same as the terminal gets them; of whole rows the styles are looked up, and no strips are made."""
        top, gutter, width = self.gutter.top, self.gutter, self.outer_size.width
        if region.x or region.width != width or region.y < top:
            return super().painted(region, console)
        before, after = self._pen(None, console)
        left, right = (f"{before}{' ' * room}{after}" if room else "" for room in (gutter.left, gutter.right))
        rows = self._rows[region.y - top : region.bottom - top]
        inner = [self._row(row, width - gutter.width, console) for row in rows]
        inner += [self._row((), width - gutter.width, console)] * (region.height - len(inner))
        return [f"{left}{row}{right}" for row in inner]

    def _row(self, row: Row, width: int, console: Console) -> str:
        parts: list[str] = []
        shown = fitted(row, width)
        for tone, cells in groupby((*shown, Cell(" " * (width - width_of(shown)))), attrgetter("tone")):
            before, after = self._pen(tone, console)
            if text := guarded("".join([cell.text for cell in cells])):
                parts += before, text, after
        return "".join(parts)

    def _pen(self, tone: Tone | None, console: Console) -> tuple[str, str]:
        """What the terminal gets before and after a text of a tone, or of the padding."""
        pen = self._pens.get(tone)
        if pen is None:
            strip = self._filtered([Segment("x", self._padding if tone is None else self._style(tone))], 1)
            before, _, after = strip.render(console).partition("x")
            pen = self._pens[tone] = (before, after)
        return pen

    def _border(self, y: int) -> Strip:
        return super().render_lines(Region(0, y, self.outer_size.width, 1))[0]

    def _strip(self, number: int, width: int) -> Strip:
        row = self._rows[number] if number < len(self._rows) else ()
        found = self._strips.get(number)
        if found is not None and found[0] == row and found[1] == width:
            return found[2]
        gutter, plain = self.gutter, self._style(Tone.TEXT)
        shown = fitted(row, width - gutter.width)
        segments = [Segment(cell.text, self._style(cell.tone)) for cell in shown]
        padding = self._padding
        filling = _blanks(width - gutter.width - width_of(shown), plain)
        content = Segment.simplify([*segments, *filling])
        strip = self._filtered([*_blanks(gutter.left, padding), *content, *_blanks(gutter.right, padding)], width)
        self._strips[number] = (row, width, strip)
        return strip

    @property
    def _padding(self) -> Style:
        base, own = self.background_colors
        return Style(bgcolor=(base + own).rich_color)

    def _filtered(self, segments: Sequence[Segment], width: int) -> Strip:
        strip, background = Strip(segments, width), self.background_colors[1]
        for line_filter in self.get_line_filters():
            strip = strip.apply_filter(line_filter, background)
        return strip

    def _style(self, tone: Tone) -> Style:
        style = self._styles_of.get(tone)
        if style is None:
            style = self._styles_of[tone] = (self.visual_style + self._get_style(STYLES[tone])).rich_style
        return style


def _blanks(count: int, style: Style) -> list[Segment]:
    return [Segment(" " * count, style)] if count > 0 else []
