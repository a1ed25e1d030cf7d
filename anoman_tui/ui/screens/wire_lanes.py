"""How the wire lanes are drawn: as many columns as have room, and only what is in view."""

from collections.abc import Callable, Sequence

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen

from anoman_tui.core.sanitize import clean_line
from anoman_tui.ui.cells import Cell, Tone, spread, width_of
from anoman_tui.ui.layout import COLUMNS_FROM, MIN_COLUMN
from anoman_tui.ui.overlays import OVERLAYS
from anoman_tui.ui.widgets.findbar import FindBar
from anoman_tui.ui.widgets.keybar import KeyBar
from anoman_tui.ui.widgets.line import Line
from anoman_tui.ui.widgets.wire_paint import widths_of
from anoman_tui.ui.widgets.wire_view import WireView
from anoman_tui.ui.wire import heads
from anoman_tui.ui.wire.filters import Filter
from anoman_tui.ui.wire.model import Source, Wire

CATCH_UP_S = 0.02
"""While there is more to take than a redraw takes, the next one comes this soon."""


class WireLanes(Screen[None]):
    """Takes what came and draws it, as often as `redraw` is called."""

    CSS_PATH = OVERLAYS
    AUTO_FOCUS = "#wire"

    def __init__(self, read: Callable[[], Sequence[Source]], clock: Callable[[], int], current: int) -> None:
        super().__init__()
        self._read = read
        self._clock = clock
        self.wire = Wire()
        self.view = WireView(self.wire)
        self.findbar = FindBar()
        self.pane = current
        """The pane whose column the keys act in."""
        self.alone = False
        self._status = Line(id="titlebar")
        self._head = Line(id="wire-head")
        self._head_rows = heads.ROWS
        self._waits = False

    def compose(self) -> ComposeResult:
        """Title line, heads of the columns, rows, keys."""
        yield self._status
        yield self._head
        yield self.view
        yield self.findbar
        yield KeyBar()

    def on_resize(self, event: events.Resize) -> None:
        """Drop a size that is no longer the terminal's, as the main screen does; else lay out for it."""
        if event.size != self.app.size:
            event.stop()
            event.prevent_default()
            return
        self.call_after_refresh(self.redraw)

    # -- drawing ---------------------------------------------------------------------------------------------------

    def redraw(self) -> None:
        """Take what came and draw what changed."""
        if not self.is_attached or not self.is_mounted:
            return
        self._choose()
        built = self.wire.rows
        more = self.wire.update(self._read())
        self._choose()
        if self.wire.rows is not built:
            more = self.wire.update(self._read()) or more
        self.view.column = self.wire.shown.index(self.pane) if self.pane in self.wire.shown else 0
        self.view.said = self._nothing()
        self.view.draw_changes(more=more)
        self._draw_lines()
        if more and not self._waits:
            self._waits = True
            self.set_timer(CATCH_UP_S, self._catch_up)

    def _catch_up(self) -> None:
        self._waits = False
        self.redraw()

    def _choose(self) -> None:
        """Give a column to as many panes as have room, the current one among them."""
        count = len(self.wire.panes)
        if not count:
            return
        self.pane = min(self.pane, count - 1)
        width = self.app.size.width
        room = 1 if self.alone or width < COLUMNS_FROM else max(1, min(count, width // MIN_COLUMN))
        first = max(0, min(self.pane - room // 2, count - room))
        shown = tuple(range(first, first + room))
        if shown != self.wire.shown:
            self.view.keep_place()
            self.wire.show(shown)

    def _nothing(self) -> str:
        """What to say where there are no rows."""
        if len(self.wire.rows):
            return ""
        if self.wire.filter != Filter():
            return "nothing passes the filter: f shows other kinds, & another text"
        states = [self.wire.panes[at].source for at in self.wire.shown]
        if any(source.state is not None for source in states):
            return "nothing came yet"
        return "nothing was sent yet: Esc goes back, and Enter in the prompt sends"

    def _draw_lines(self) -> None:
        wire, width = self.wire, self._status.content_size.width
        count, shown = len(wire.panes), len(wire.shown)
        which = f"pane {self.pane + 1} alone" if shown == 1 and count > 1 else f"{shown} of {count} panes" if shown < count else ""
        clock = "each from its own start" if wire.own_clocks else "one clock" if shown > 1 else ""
        left = [Cell("wire lanes", Tone.STRONG), *(Cell(f"   {said}") for said in (which, clock) if said)]
        if wire.filter != Filter():
            text = f" with {clean_line(wire.filter.text, 24)!r}" if wire.filter.text else ""
            left.append(Cell(f"   only {wire.filter.kinds.value}{text}", Tone.ACCENT))
        if wire.query:
            at = wire.found.before(self.view.row) + 1
            place = f"{min(at, len(wire.found)):,} of {len(wire.found):,}" if len(wire.found) else "not here"
            left.append(Cell(f"   /{clean_line(wire.query, 24)} {place}", Tone.ACCENT))
        right = [Cell(f"{len(wire.rows):,} rows   ", Tone.MUTED), Cell("F1", Tone.KEY), Cell(" keys")]
        self._status.show(spread(left, right if width_of(left) + width_of(right) < width else right[1:], width))
        self._draw_heads()

    def _draw_heads(self) -> None:
        now, wire = self._clock(), self.wire
        widths = widths_of(self._head.content_size.width - 1, len(wire.shown))
        columns = [(wire.panes[at], at + 1, width) for at, width in zip(wire.shown, widths, strict=True)]
        model_row = any(heads.needs_model_row(*column) for column in columns)
        rows = [list[Cell]() for _ in range(heads.ROWS + model_row)]
        for pane, number, width in columns:
            told = heads.head(pane, number, width, now, current=number == self.pane + 1, model_row=model_row)
            for row, new in zip(rows, told, strict=True):
                row += [*([Cell("│", Tone.MUTED)] if number - 1 != wire.shown[0] else []), *new, Cell(" " * (width - width_of(new)))]
        if self._head_rows != len(rows):
            self._head_rows = len(rows)
            self._head.styles.height = len(rows)
        self._head.show(*rows)
