"""The wire lanes: what every pane's connection brought, frame by frame, on one clock."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

from textual.binding import BindingType

from anoman_tui.ui.cells import Row
from anoman_tui.ui.screens.frame import FrameScreen
from anoman_tui.ui.screens.wire_lanes import WireLanes
from anoman_tui.ui.widgets.findbar import FindBar
from anoman_tui.ui.wire.filters import Filter
from anoman_tui.ui.wire.model import Source
from anoman_tui.ui.wire.opened import opened
from anoman_tui.ui.wire_bindings import WIRE_KEYS


class WireScreen(WireLanes):
    """Shows the frames of all panes, or of one alone; live while `redraw` is called."""

    COVERS_ALL = True
    """Nothing of the screen below is visible."""
    BINDING_GROUP_TITLE = "Wire lanes"
    BINDINGS: ClassVar[list[BindingType]] = list(WIRE_KEYS)

    def __init__(self, read: Callable[[], Sequence[Source]], clock: Callable[[], int], current: int) -> None:
        super().__init__(read, clock, current)
        self._filtering = False  # whether the line is for a filter, not for finding

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

    def action_pages(self, count: int) -> None:
        """Go by pages."""
        self.view.action_pages(count)

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
