"""The rows of the wire lanes, drawn line by line: only those in view are laid out, and no widget stands for one."""

from typing import ClassVar, Final

from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from anoman_tui.ui.cells import Tone
from anoman_tui.ui.document.contrast import readable
from anoman_tui.ui.widgets.answer_scroll import LineScroller
from anoman_tui.ui.widgets.wire_paint import WirePainter, widths_of
from anoman_tui.ui.wire.model import Wire

MORE: Final = " ↓ new frames "
WIRE_CSS: Final = """
WireView {
    width: 1fr; height: 1fr; background: $background; color: $foreground;
    & > .wire--text { color: $foreground; }
    & > .wire--muted { color: $text-muted; }
    & > .wire--strong, & > .wire--key { color: $foreground; text-style: bold; }
    & > .wire--good { color: $text-success; }
    & > .wire--warn { color: $text-warning; }
    & > .wire--bad { color: $text-error; text-style: bold; }
    & > .wire--accent { color: $text-accent; }
    & > .wire--line { color: $panel; }
    & > .wire--thumb { color: $text-muted; }
    & > .wire--here { color: $background; background: $text-primary; }
    & > .wire--row { background: $surface; }
    & > .wire--found { color: $background; background: $text-warning; }
    & > .wire--hint { color: $text-accent; background: $surface; text-style: bold; }
}
WireView:ansi { & > .wire--here { color: $foreground; background: $background; text-style: reverse; } }
WireView:nocolor {
    & > .wire--warn { text-style: bold; }
    & > .wire--bad, & > .wire--hint { text-style: bold reverse; }
    & > .wire--here { color: $foreground; background: $background; text-style: reverse; }
    & > .wire--found { color: $foreground; background: $background; text-style: bold underline; }
}
"""
PARTS: Final = ("line", "thumb", "here", "row", "found", "hint")


class WireView(LineScroller):
    """Shows a `Wire`. One entry is where the keys act: at its row, in its column."""

    ALLOW_SELECT = False
    DEFAULT_CSS = WIRE_CSS
    COMPONENT_CLASSES: ClassVar[set[str]] = {*(f"wire--{tone.value}" for tone in Tone), *(f"wire--{part}" for part in PARTS)}

    class Opened(Message):
        """An entry is to be shown in full."""

    class Chosen(Message):
        """Another column was chosen."""

    def __init__(self, wire: Wire) -> None:
        super().__init__(id="wire")
        self.wire = wire
        self.row = 0
        """The row where the keys act."""
        self.column = 0
        self.said = ""
        """What is said where there are no rows."""
        self._anchor_ns: int | None = None  # the moment to go to once the rows reach it
        self._painter = WirePainter(wire, self._look, self._filtered)
        self._drawn: tuple[object, ...] = ()

    # -- changes ---------------------------------------------------------------------------------------------------

    def keep_place(self) -> None:
        """The rows are about to be made anew: come back to this moment."""
        if not self.follow and self._anchor_ns is None and self.row < len(self.wire.rows):
            self._anchor_ns = self.wire.rows.times[self.row]

    def draw_changes(self, *, more: bool) -> None:
        """Draw what is new; `more` says whether the rows are still being made."""
        rows, view = self.wire.rows, self._view
        before = view.total
        view.fit(len(rows), self.size.height)
        if self._anchor_ns is not None and (not more or (len(rows) and rows.times[-1] >= self._anchor_ns)):
            self.row, self._anchor_ns = rows.row_at(self._anchor_ns), None
            self._show_row(middle=True)
        elif self.follow:
            self.row = max(0, len(rows) - 1)
        self.row = min(self.row, max(0, len(rows) - 1))
        view.notice()
        drawn = (self.wire.built, view.top, self.row, self.column, self.said, view.thumb(), view.hint)
        if drawn != self._drawn or min(before, view.total) < view.top + view.height:
            if self._drawn[:1] != drawn[:1]:
                self._painter.clear()
            self._drawn = drawn
            self.refresh()

    def on_resize(self) -> None:
        """Lay out for the new size."""
        self._painter.clear()
        self._view.fit(len(self.wire.rows), self.size.height)
        if not self.follow:
            self._show_row()
        self.refresh()

    def notify_style_update(self) -> None:
        """Colours may have changed."""
        super().notify_style_update()
        self._painter.clear(styles=True)

    # -- moving ----------------------------------------------------------------------------------------------------

    def go_to(self, row: int, column: int | None = None) -> None:
        """Go to an entry and show it."""
        last = len(self.wire.rows) - 1
        self.row = max(0, min(row, last))
        if column is not None:
            self.column = column
        if self.row == last and row >= last:
            self._view.follow()
        else:
            self._view.following = False
            self._show_row()
        self._moved()

    def _show_row(self, *, middle: bool = False) -> None:
        view = self._view
        if middle or not view.top <= self.row < view.top + view.height:
            below = self.row >= view.top + view.height
            view.move(self.row - view.height // 2 if middle else self.row - view.height + 1 if below else self.row)

    def scroll_lines(self, count: int) -> None:
        """Scroll by the wheel: the row where the keys act stays in view."""
        super().scroll_lines(count)
        view = self._view
        self.row = len(self.wire.rows) - 1 if view.following else max(view.top, min(self.row, view.top + view.height - 1))

    def action_lines(self, count: int) -> None:
        """Go by rows; going down to the last one follows."""
        self.go_to(self.row + count)

    def action_pages(self, count: int) -> None:
        """Go by pages."""
        self.go_to(self.row + count * max(1, self.size.height - 1))

    def action_home(self) -> None:
        """Go to the first row."""
        self.go_to(0)
        self._view.move(0)

    def action_follow(self) -> None:
        """Go to the last row and follow."""
        self.go_to(len(self.wire.rows))

    def on_click(self, event: events.Click) -> None:
        """Go to what was clicked; twice opens it."""
        widths = widths_of(self.size.width - 1, len(self.wire.shown))
        edges = [sum(widths[: at + 1]) + at for at in range(len(widths))]
        row = self._view.top + event.y
        if row < len(self.wire.rows) and event.x < self.size.width - 1:
            following = self.follow and row == len(self.wire.rows) - 1
            self.go_to(row, next((at for at, edge in enumerate(edges) if event.x <= edge), 0))
            self._view.following = following
            self.post_message(self.Chosen())
            if event.chain == 2:
                self.post_message(self.Opened())

    @property
    def here(self) -> int | None:
        """The column of the entry where the keys act: the current one, else the nearest that has an entry in this row."""
        return self.wire.column_in(self.row, self.column)

    # -- drawing ---------------------------------------------------------------------------------------------------

    def render_lines(self, crop: Region) -> list[Strip]:
        """The strips of the rows in a region."""
        width, height = self.size
        view, painter = self._view, self._painter
        painter.width = width - 1
        start, end = self._thumb = view.thumb()
        total = min(view.total, len(self.wire.rows))
        out: list[Strip] = []
        for at in range(crop.y, crop.bottom):
            y = view.top + at
            bar = "┃" if start <= at < end else " "
            if y < total:
                strip = painter.row(y, self.here if y == self.row else None, bar)
            else:
                strip = painter.plain(self.said if at == 1 and not total else "", bar)
            out.append(painter.over(strip, MORE) if at == height - 1 and view.hint else strip)
        return out if not crop.x and crop.width == width else [strip.crop(crop.x, crop.right) for strip in out]

    def _look(self, name: str) -> Style:
        return readable(self.get_component_rich_style(f"wire--{name}"))

    def _filtered(self, strip: Strip) -> Strip:
        for line_filter in self.get_line_filters():
            strip = strip.apply_filter(line_filter, self.background_colors[1])
        return strip
