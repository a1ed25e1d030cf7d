"""Puts what the board knows on the widgets: the frames, the lines and the layout."""

from collections.abc import Callable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from textual.widget import Widget

from anoman_tui.core.choices import choice_problems
from anoman_tui.core.outcome import Outcome, Phase, outcome, phase
from anoman_tui.core.request import Params
from anoman_tui.core.sanitize import clean_line
from anoman_tui.ui.blind import NOT_WHOLE, Veil, blind_view, is_over
from anoman_tui.ui.cells import Cell, Tone, spread, width_of
from anoman_tui.ui.layout import COLUMNS_FROM, Layout, Mode
from anoman_tui.ui.notes import NoteLine, changed_notes, idle_notes, problem_notes, waiting_notes
from anoman_tui.ui.problems import pane_problems
from anoman_tui.ui.race import LaneBars, Racer
from anoman_tui.ui.run import Board, RunMode
from anoman_tui.ui.session import Session
from anoman_tui.ui.slot import Slot
from anoman_tui.ui.view import PaneView, tally, total_cost, view
from anoman_tui.ui.widgets.line import Line
from anoman_tui.ui.widgets.pane import Pane

if TYPE_CHECKING:
    from anoman_tui.ui.widgets.lanes import Lanes
    from anoman_tui.ui.widgets.race import Race

LINES_NS = 100_000_000
"""The numbers change at most this often, so that they can be read and cost little; a change of state shows at once."""
SPARING_LINES_NS = 1_000_000_000
"""The same where few bytes are to go to the terminal. The race is drawn at changes of state only."""


class Stage:
    """The widgets that show the board."""

    def __init__(self, session: Session, board: Board) -> None:
        self._session = session
        self._board = board
        self.titlebar = Line(id="titlebar")
        self.layout: Layout | None = None
        """How the panes are laid out; None before they are."""
        self.lane_bars = False
        """Whether the lanes carry the race."""
        self.panes: list[Pane] = [Pane(number) for number in range(1, len(board.slots) + 1)]
        """One for each pane of the board; what was taken away is kept aside for the next one."""
        self._spare: list[Pane] = []
        self.current = 0
        """The pane that single keys act on."""
        self.watch: Callable[[], None] | None = None
        """Called whenever the numbers are drawn; for a sheet that lies over the screen."""
        self.money: Callable[[], list[Cell]] = list
        """The session's sum, for the title line."""
        self.on_lines: Callable[[], None] | None = None
        """The same, for a line of the screen itself."""
        self.locked = False
        """Whether all panes scroll together."""
        self.veil: Veil | None = None
        """What hides names, numbers and answers while they are to be judged."""
        self.base: int | None = None
        """The pane whose title says that others are compared with it."""
        self._words: dict[Slot, Phase] = {}
        self._turned = False  # whether a state has changed since the numbers were drawn
        self._lines_ns: int | None = None
        self._made: dict[Slot, PaneView | None] = {}  # the panes that this frame has drawn, with their lines where they were due
        self._due: bool | None = None  # whether this frame draws the numbers, once that is known
        self._still = False  # whether the race stands still for now
        self._note = ""

    @cached_property
    def lanes(self) -> "Lanes":
        """A row for each pane, for where there is room for one pane alone."""
        from anoman_tui.ui.widgets.lanes import Lanes

        lanes = Lanes(len(self._board.slots))
        lanes.display = self.layout is not None and self.layout.mode is Mode.LANES
        return lanes

    @cached_property
    def race(self) -> "Race":
        """What every pane's stream did, on one scale."""
        from anoman_tui.ui.widgets.race import Race

        race = Race(len(self._board.slots))
        race.display = self.layout is not None and self.layout.race
        return race

    def take(self, index: int) -> None:
        """Take what has arrived for one pane."""
        if index >= min(len(self._board.slots), len(self.panes)):
            return
        slot, pane = self._board.slots[index], self.panes[index]
        pane.answer.leapt = False
        if not self._board.drain(slot) and slot.mailbox is pane.run:
            return
        self._hand_over(slot, pane)
        word = Phase.WAIT if slot.state is None else phase(slot.state)
        self._turned = self._turned or self._words.get(slot) is not word
        self._words[slot] = word

    def part(self, index: int) -> None:
        """Draw one pane, as a part of the frame that `frame` ends."""
        if index >= min(len(self._board.slots), len(self.panes)):
            return
        slot = self._board.slots[index]
        self.take(index)
        if self._due is None:
            self._due = self._lines_due()
        self._made[slot] = self._draw_pane(index, self._board.clock()) if self._due else None

    @property
    def leapt(self) -> bool:
        """Whether the last frame moved the text of a pane by a page or more."""
        return any(pane.answer.leapt for pane in self.panes)

    def _lines_due(self) -> bool:
        # The clock of this machine: that of a recording stands still, jumps, and goes back.
        every = SPARING_LINES_NS if self._session.sparing else LINES_NS
        return self._lines_ns is None or self._session.clock() - self._lines_ns >= every

    def frame(self) -> bool:
        """Take what has arrived, but for the panes that are drawn already, and draw it. False once nothing is to come any more."""
        made, self._made = self._made, {}
        due, self._due = self._due, None
        for index, slot in enumerate(self._board.slots):
            if slot not in made:
                self.take(index)
        turned, self._turned = self._turned, False
        for slot in self._board.beside:
            self._board.drain(slot)
        self._board.settle()
        expecting = self._board.expecting
        if turned or not expecting or (self._lines_due() if due is None else due):
            self._still = self._session.sparing and expecting and not turned
            self.draw_lines({} if turned or not expecting else made)
            self._still = False
        return expecting

    def _hand_over(self, slot: Slot, pane: Pane) -> None:
        veil = self.veil
        pane.show_turn(None if slot.state is None or veil is not None else slot.request)
        if veil is not None and not (veil.open and is_over(slot)):
            pane.cover(veil.note)
            return
        pane.take(slot.mailbox, slot.state, self._more_notes(slot), blind=veil is not None)
        if slot.state is None:
            self._draw_idle(slot, pane)

    def _more_notes(self, slot: Slot) -> tuple[NoteLine, ...]:
        """What stands below a run's own notes: how the pane was changed since, or what was known before it failed."""
        if slot.changed:
            return changed_notes(slot.spec, self._problems(slot))
        if slot.state is None or slot.state.closed is None or outcome(slot.state) is not Outcome.FAILED:
            return ()
        return problem_notes(choice_problems(slot.state.target, slot.state.params or Params()))

    def _draw_pane(self, index: int, now: int) -> PaneView:
        """Draw the lines around an answer."""
        slot = self._board.slots[index]
        seen = self._view(slot, now) if self.veil is None else blind_view(index)
        self.panes[index].show(slot.target, seen, base=index == self.base, own=slot.own)
        return seen

    def draw_lines(self, made: Mapping[Slot, PaneView | None] = MappingProxyType({})) -> None:
        """Draw the title line, the lanes and the lines around each answer, but for those that were `made` already."""
        self._lines_ns, now = self._session.clock(), self._board.clock()
        slots, blind = self._board.slots, self.veil is not None
        seen = [made.get(slot) or self._draw_pane(at, now) for at, slot in enumerate(slots)]
        racers = [Racer(slot.timeline, slot.state) for slot in slots]
        if self.layout is not None and self.layout.mode is Mode.LANES:
            told = [(slot.target, one, slot.own) for slot, one in zip(slots, seen, strict=True)]
            self.lanes.show_panes(told, self.current, LaneBars(racers, now) if self._with_bars else None, self.base)
        if self.layout is not None and self.layout.race and not blind and not self._still:
            self.race.show_race(racers, self.current, now)
        self._draw_title()
        if self.on_lines is not None:
            self.on_lines()
        if self.watch is not None:
            self.watch()

    def _view(self, slot: Slot, now: int) -> PaneView:
        doubtful = slot.state is None and not slot.queued and bool(self._problems(slot))
        return view(slot.state, now, queued=slot.queued, doubtful=doubtful)

    def _problems(self, slot: Slot) -> tuple[str, ...]:
        return pane_problems(slot.spec, self._board.shared, self._session)

    @property
    def _with_bars(self) -> bool:
        return self.lane_bars and self.veil is None and not self._session.sparing

    def poll_note(self) -> None:
        """Ask the embedded gateway's line anew; panes that have not run show it whole."""
        note = self._session.gateway_note() if self._session.gateway_note is not None else ""
        if note != self._note:
            self._note = note
            self._draw_title()
            self.draw_idle()

    async def fit_panes(self) -> None:
        """Give every pane of the board a widget: mount, hide and show what is needed, and draw what each shows now."""
        wanted, grid = len(self._board.slots), self.panes[0].parent
        while len(self.panes) > wanted:
            pane = self.panes.pop()
            pane.display = False
            self._spare.insert(0, pane)
        kept = self._spare[: wanted - len(self.panes)]
        del self._spare[: len(kept)]
        self.panes += kept
        new = [Pane(number) for number in range(len(self.panes) + 1, wanted + 1)]
        self.panes += new
        self.current = min(self.current, wanted - 1)
        self.lanes.count = self.race.count = wanted
        if new and isinstance(grid, Widget):
            await grid.mount(*new)
            for pane in new:
                pane.complete()
        self.redraw()

    def redraw(self) -> None:
        """Show all that the board knows, as if it had just come."""
        for slot, pane in zip(self._board.slots, self.panes, strict=True):
            self._board.drain(slot)
            self._hand_over(slot, pane)
        self.draw_lines()

    def draw_idle(self) -> None:
        """Fill the panes that have not run."""
        for slot, pane in zip(self._board.slots, self.panes, strict=True):
            if slot.state is None:
                self._draw_idle(slot, pane)

    def _idle_notes(self, slot: Slot) -> tuple[NoteLine, ...]:
        return idle_notes(slot.spec, self._note, self._problems(slot))

    def _draw_idle(self, slot: Slot, pane: Pane) -> None:
        if self.veil is not None:
            pane.cover(NOT_WHOLE if self.veil.open and is_over(slot) else self.veil.note)
            return
        pane.set_notes(waiting_notes() if slot.queued else self._idle_notes(slot))
        pane.answer.flush()

    def arrange(self, layout: Layout) -> None:
        """Lay out the panes; nothing is mounted or removed."""
        alone = layout.mode in (Mode.LANES, Mode.ZOOM)
        self.layout, self.lane_bars = layout, layout.bars
        for name, shown in (("lanes", layout.mode is Mode.LANES), ("race", layout.race)):
            if name in vars(self):  # otherwise it is made for this layout when it is first asked for
                getattr(self, name).display = shown
        for index, pane in enumerate(self.panes):
            pane.display = index == self.current or not alone
            styled = pane.is_attached  # otherwise it is given its styles when it is mounted
            pane.set_class(index % layout.columns > 0 and not alone, "-inner", update=styled)
            pane.set_class(layout.mode is Mode.LANES, "-lane", update=styled)
            pane.set_gateway_rows(layout.gateway_rows)

    def _run_name(self) -> str:
        """The run by its number, or a recorded one by its date."""
        board = self._board
        if board.source.live or board.head is None:
            return f"run {board.run_number}"
        return f"recorded {clean_line(board.head.started_at[:16].replace('T', ' '), 16)}"

    def _draw_title(self) -> None:
        width, board = self.titlebar.content_size.width, self._board
        states = board.states
        left = [Cell("anoman-tui", Tone.STRONG)]
        if board.mode is RunMode.SERIAL or (board.run_number and width >= COLUMNS_FROM):
            left.append(Cell(f"   {board.mode.value}"))
        if self.veil is not None:
            run = f"   run {board.run_number}" if board.run_number else ""
            self.titlebar.show(spread([*left, Cell(f"{run}   "), Cell("blind", Tone.ACCENT)], [Cell("F1", Tone.KEY), Cell(" keys")], width))
            return
        if states:
            left += [Cell(f"   {self._run_name()}   {tally(states)}   "), Cell("cost ", Tone.MUTED), Cell(total_cost(states))]
        sums = self.money()
        if sums and width_of(left) + width_of(sums) + 9 > width:
            del left[0]  # what is spent tells more than the name of the program
        if sums and width_of(left) + width_of(sums) <= width:
            left += sums
        if self.locked:
            left.append(Cell("   scrolling together", Tone.ACCENT))
        right = [Cell("F1", Tone.KEY), Cell(" keys")] if width_of(left) + 9 <= width else []
        room = width - width_of(left) - width_of(right) - 6
        local = any(slot.target.provider.local for slot in board.slots)
        note = clean_line(self._note, max(0, room)) if local and room >= 12 else ""
        self.titlebar.show(spread(left, [*([Cell(note, Tone.MUTED), Cell("   ")] if note else []), *right], width))
