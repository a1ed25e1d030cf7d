"""The wire lanes: what every pane's connection brought, frame by frame, on one clock."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from anoman_tui.core.sanitize import clean_line
from anoman_tui.ui.cells import Cell, Row, Tone, fitted, spread, width_of
from anoman_tui.ui.layout import COLUMNS_FROM, MIN_COLUMN
from anoman_tui.ui.screens.frame import FrameScreen
from anoman_tui.ui.widgets.findbar import FindBar
from anoman_tui.ui.widgets.keybar import KeyBar
from anoman_tui.ui.widgets.line import Line
from anoman_tui.ui.widgets.wire_paint import widths_of
from anoman_tui.ui.widgets.wire_view import WireView
from anoman_tui.ui.wire import heads
from anoman_tui.ui.wire.filters import Filter
from anoman_tui.ui.wire.model import Source, Wire
from anoman_tui.ui.wire.opened import opened
from anoman_tui.ui.wire_bindings import WIRE_KEYS

CATCH_UP_S = 0.02
"""While there is more to take than a redraw takes, the next one comes this soon."""


class WireScreen(Screen[None]):
    """Shows the frames of all panes, or of one alone; live while `redraw` is called."""

    AUTO_FOCUS = "#wire"
    DEFAULT_CSS = "#wire-head { height: 3; padding: 0; background: $panel; color: $foreground; }"
    BINDING_GROUP_TITLE = "Wire lanes"
    BINDINGS: ClassVar[list[BindingType]] = list(WIRE_KEYS)

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
        self._filtering = False  # whether the line is for a filter, not for finding
        self._status = Line(id="titlebar")
        self._head = Line(id="wire-head")
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
        now, rows = self._clock(), [list[Cell]() for _ in range(heads.ROWS)]
        widths = widths_of(self._head.content_size.width - 1, len(self.wire.shown))
        for at, (pane, width) in enumerate(zip(self.wire.shown, widths, strict=True)):
            told = heads.head(self.wire.panes[pane], pane + 1, width, now, current=pane == self.pane)
            for row, new in zip(rows, told, strict=True):
                cut = fitted(new, width)
                row += [*([Cell("│", Tone.MUTED)] if at else []), *cut, Cell(" " * (width - width_of(cut)))]
        self._head.show(*rows)

    # -- acts ------------------------------------------------------------------------------------------------------

    def action_close(self) -> None:
        """Back to the main screen."""
        self.dismiss()

    def action_open(self) -> None:
        """Show the entry where the keys act in full."""
        column = self.view.here
        found = None if column is None else self.wire.entry(self.view.row, column)
        if column is None or found is None or self.app.screen is not self:
            return
        pane, at = self.wire.panes[self.wire.shown[column]], found[0]
        number, zero_ns = self.wire.shown[column] + 1, self.wire.zero_of(self.wire.shown[column])

        def read(step: int, raw: bool) -> tuple[str, list[Row]]:
            nonlocal at
            log = pane.log
            if log is None:
                return "", []
            at = max(0, min(at + step, len(log.entries) - 1))
            rows = opened(log, at, zero_ns, pane.rules_of(log.entries[at]), raw=raw)
            return f"Pane {number} · {at + 1:,} of {len(log.entries):,}", rows

        self.app.push_screen(FrameScreen(read))

    def action_kinds(self) -> None:
        """Show other kinds of entries."""
        self._filter(replace(self.wire.filter, kinds=self.wire.filter.kinds.next))

    def _filter(self, wanted: Filter) -> None:
        self.view.keep_place()
        self.wire.filter = wanted
        self.wire.rebuild()
        self.redraw()

    def action_clock(self) -> None:
        """One clock for all, or one for each."""
        self.view.keep_place()
        self.wire.own_clocks = not self.wire.own_clocks
        self.redraw()

    def action_alone(self) -> None:
        """Show the current pane alone, or all."""
        self.alone = not self.alone
        self.redraw()

    def action_pane(self, number: int) -> None:
        """Show a pane alone; once more shows all."""
        if number <= len(self.wire.panes):
            self.alone = not (self.alone and self.pane == number - 1)
            self.pane = number - 1
            self.redraw()

    def action_step(self, step: int) -> None:
        """Go to a neighbour, round the ends."""
        self.pane = (self.pane + step) % max(1, len(self.wire.panes))
        self.redraw()

    def action_broken(self) -> None:
        """Go to the next frame that broke a rule."""
        if not self._go(self.wire.broken.step(self.view.row, down=True)):
            self.notify("no frame shown here broke a rule", markup=False)

    def on_wire_view_chosen(self) -> None:
        """Another column was clicked."""
        self.pane = self.wire.shown[self.view.column]
        self.redraw()

    def on_wire_view_opened(self) -> None:
        """An entry was clicked twice."""
        self.action_open()

    def on_line_scroller_moved(self) -> None:
        """The title line tells the place."""
        self.redraw()

    # -- finding and filtering -------------------------------------------------------------------------------------

    def action_ask(self, filtering: bool) -> None:
        """Open the line to type a text into."""
        self._filtering = filtering
        self.findbar.placeholder = "show only frames with…" if filtering else "find in the frames: Enter keeps, ↑ ↓ walk, Esc closes"
        self.findbar.value = self.wire.filter.text if filtering else self.wire.query
        self.findbar.display = True
        self.set_focus(self.findbar)

    def on_find_bar_typed(self, event: FindBar.Typed) -> None:
        """Find or filter with each letter."""
        if not self.findbar.display:
            return
        if self._filtering:
            if event.query.strip() != self.wire.filter.text:
                self._filter(replace(self.wire.filter, text=event.query.strip()))
            return
        if event.query.strip() != self.wire.query:
            self.wire.look_for(event.query.strip())
            self.redraw()
            self._go(self.wire.found.step(self.view.row - 1, down=True))

    def on_find_bar_stepped(self, event: FindBar.Stepped) -> None:
        """Walk on while typing."""
        if not self._filtering:
            self.action_find_on(event.step)

    def action_leave_find(self, keep: bool) -> None:
        """Back to the rows; the text is dropped where that is wanted."""
        self.findbar.display = False
        self.set_focus(self.view)
        if not keep and self._filtering:
            self._filter(Filter(self.wire.filter.kinds))
        elif not keep:
            self.wire.look_for("")
        self.redraw()

    def action_find_on(self, step: int) -> None:
        """Walk through what was found."""
        if not self.wire.query:
            self.notify("nothing is looked for: / finds a text", markup=False)
        else:
            self._go(self.wire.found.step(self.view.row, down=step > 0))

    def _go(self, place: tuple[int, int] | None) -> bool:
        if place is None:
            return False
        self.pane = self.wire.shown[place[1]]
        self.view.go_to(place[0], place[1])
        return True
