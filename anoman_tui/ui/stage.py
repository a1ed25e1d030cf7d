"""Puts what the board knows on the widgets: the frames, the lines and the layout."""

from collections.abc import Callable, Sequence

from anoman_tui.core.outcome import Phase, phase
from anoman_tui.core.sanitize import clean_line
from anoman_tui.ui.cells import Cell, Tone, spread, width_of
from anoman_tui.ui.layout import COLUMNS_FROM, Layout, Mode
from anoman_tui.ui.notes import idle_notes, waiting_notes
from anoman_tui.ui.race import LaneBars, Racer
from anoman_tui.ui.run import Board, RunMode, Slot
from anoman_tui.ui.session import Session
from anoman_tui.ui.view import tally, total_cost, view
from anoman_tui.ui.widgets.lanes import Lanes
from anoman_tui.ui.widgets.line import Line
from anoman_tui.ui.widgets.pane import Pane
from anoman_tui.ui.widgets.race import Race

LINES_NS = 100_000_000
"""The numbers change at most this often, so that they can be read and cost little; a change of state shows at once."""


class Stage:
    """The widgets that show the board."""

    def __init__(self, session: Session, board: Board) -> None:
        self._session = session
        self._board = board
        self.titlebar = Line(id="titlebar")
        self.lanes = Lanes(len(board.slots))
        self.race = Race(len(board.slots))
        self.lane_bars = False
        """Whether the lanes carry the race."""
        self.panes: Sequence[Pane] = tuple(Pane(slot.target, slot.index + 1) for slot in board.slots)
        self.current = 0
        """The pane that single keys act on."""
        self.watch: Callable[[], None] | None = None
        """Called whenever the numbers are drawn; for a sheet that lies over the screen."""
        self.locked = False
        """Whether all panes scroll together."""
        self._words: dict[int, Phase] = {}
        self._lines_ns: int | None = None
        self._note = ""

    def frame(self) -> bool:
        """Take what has arrived and draw it. False once nothing is to come any more."""
        turned = False
        for slot, pane in zip(self._board.slots, self.panes, strict=True):
            if not self._board.drain(slot) and slot.mailbox is pane.run:
                continue
            pane.take(slot.mailbox, slot.state)
            if slot.state is None:
                self._draw_idle(slot, pane)
            word = Phase.WAIT if slot.state is None else phase(slot.state)
            turned = turned or self._words.get(slot.index) is not word
            self._words[slot.index] = word
        now, expecting = self._session.clock(), self._board.expecting
        if turned or not expecting or self._lines_ns is None or now - self._lines_ns >= LINES_NS:
            self.draw_lines()
        return expecting

    def draw_lines(self) -> None:
        """Draw the title line, the lanes and the lines around each answer."""
        self._lines_ns = now = self._session.clock()
        seen = [view(slot.state, now, queued=slot.queued) for slot in self._board.slots]
        for pane, one in zip(self.panes, seen, strict=True):
            pane.show(one)
        racers = [Racer(slot.timeline, slot.state) for slot in self._board.slots]
        if self.lanes.display:
            told = [(slot.target, one) for slot, one in zip(self._board.slots, seen, strict=True)]
            self.lanes.show_panes(told, self.current, LaneBars(racers, now) if self.lane_bars else None)
        if self.race.display:
            self.race.show_race(racers, self.current, now)
        self._draw_title()
        if self.watch is not None:
            self.watch()

    def poll_note(self) -> None:
        """Ask the embedded gateway's line anew; panes that have not run show it whole."""
        note = self._session.gateway_note() if self._session.gateway_note is not None else ""
        if note != self._note:
            self._note = note
            self._draw_title()
            self.draw_idle()

    def draw_idle(self) -> None:
        """Fill the panes that have not run."""
        for slot, pane in zip(self._board.slots, self.panes, strict=True):
            if slot.state is None:
                self._draw_idle(slot, pane)

    def _draw_idle(self, slot: Slot, pane: Pane) -> None:
        pane.set_notes(waiting_notes() if slot.queued else idle_notes(slot.target, self._note))
        pane.answer.flush()

    def arrange(self, layout: Layout) -> None:
        """Lay out the panes; nothing is mounted or removed."""
        alone = layout.mode in (Mode.LANES, Mode.ZOOM)
        self.lanes.display = layout.mode is Mode.LANES
        self.race.display, self.lane_bars = layout.race, layout.bars
        for index, pane in enumerate(self.panes):
            pane.display = index == self.current or not alone
            pane.set_class(index % layout.columns > 0 and not alone, "-inner")
            pane.set_class(layout.mode is Mode.LANES, "-lane")
            pane.set_gateway_rows(layout.gateway_rows)

    def _draw_title(self) -> None:
        width, board = self.titlebar.content_size.width, self._board
        states = board.states
        left = [Cell("anoman-tui", Tone.STRONG)]
        if board.mode is RunMode.SERIAL or (board.run_number and width >= COLUMNS_FROM):
            left.append(Cell(f"   {board.mode.value}"))
        if states:
            left += [Cell(f"   run {board.run_number}   {tally(states)}   "), Cell("cost ", Tone.MUTED), Cell(total_cost(states))]
        if self.locked:
            left.append(Cell("   scrolling together", Tone.ACCENT))
        right = [Cell("F1", Tone.KEY), Cell(" keys")] if width_of(left) + 9 <= width else []
        room = width - width_of(left) - width_of(right) - 6
        note = clean_line(self._note, max(0, room)) if room >= 12 else ""
        self.titlebar.show(spread(left, [*([Cell(note, Tone.MUTED), Cell("   ")] if note else []), *right], width))
