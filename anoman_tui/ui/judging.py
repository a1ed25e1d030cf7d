"""Judging answers without knowing whose they are: what is hidden when, in which order the panes stand, and what a vote holds."""

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from anoman_tui.core.outcome import outcome
from anoman_tui.core.records import dataclass
from anoman_tui.ui.blind import Veil, has_answer, is_over, letter
from anoman_tui.ui.cells import Cell, Row, Tone
from anoman_tui.ui.notes import NoteLine
from anoman_tui.ui.run import Board
from anoman_tui.ui.slot import Slot
from anoman_tui.ui.talk import answer_text

if TYPE_CHECKING:
    from anoman_tui.core.stats import Vote, VotedPane


class Stage(StrEnum):
    """How far judging has come."""

    OFF = "off"
    EMPTY = "empty"
    """Nothing was asked blind yet."""
    WAITING = "waiting"
    """Answers are still to come; none is shown before all are in."""
    READY = "ready"
    """All answers are shown, and a vote can be given."""
    REVEALED = "revealed"
    """The vote was given, and names are shown until the next prompt."""


HIDDEN = frozenset({Stage.EMPTY, Stage.WAITING, Stage.READY})


@dataclass(frozen=True, slots=True)
class Pick:
    """A vote as it was given: places of the panes that are the best, from 0."""

    winners: tuple[int, ...]

    def words(self) -> str:
        """The vote in words."""
        if not self.winners:
            return "none is good"
        names = [letter(place) for place in self.winners]
        return f"{names[0]} is better" if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]} are equally good"


class Judging:
    """The state of blind mode over the panes of a board.

    While it is on, the panes of each run stand in an order of chance, so that a place tells nothing of who answers there.
    """

    def __init__(self, board: Board, shuffle: Callable[[list[Any]], None]) -> None:
        self._board = board
        self._shuffle = shuffle
        self.on = False
        self.home: list[Slot] | None = None
        """The panes in their own order, while they stand in another."""
        self._run = 0
        self._seen = False
        self.pick: Pick | None = None
        self._base: Slot | None = None
        self._blind_base: Slot | None = None

    @property
    def stage(self) -> Stage:
        """How far it has come."""
        if not self.on:
            return Stage.OFF
        if self.pick is not None:
            return Stage.REVEALED
        if self._run != self._board.run_number or self._run == 0:
            return Stage.EMPTY
        return Stage.READY if self.arrived == len(self._board.slots) else Stage.WAITING

    @property
    def hides(self) -> bool:
        """Whether names must not be shown."""
        return self.on and self.pick is None

    @property
    def arrived(self) -> int:
        """How many answers are in."""
        return sum(map(is_over, self._board.slots))

    @property
    def candidates(self) -> tuple[int, ...]:
        """The places of the panes that gave something to judge."""
        return tuple(place for place, slot in enumerate(self._board.slots) if has_answer(slot))

    def veil(self) -> Veil | None:
        """What hides the answers at present; None where nothing does. Answers that were shown together stay shown while one is retried."""
        stage, panes = self.stage, len(self._board.slots)
        if stage not in HIDDEN:
            return None
        self._seen = self._seen or stage is Stage.READY
        if stage is Stage.EMPTY:
            known = "what stood here was seen with its name and is not judged; R asks again, blind" if self._board.run_number else ""
            return Veil(open=False, note=NoteLine(known or "names and numbers stay hidden until you vote: type a prompt and press Enter"))
        if self._seen:
            return Veil(open=True, note=NoteLine("this answer was asked for again; it is shown once it is whole", Tone.ACCENT))
        return Veil(open=False, note=NoteLine(f"answers are shown together: {self.arrived} of {panes} in", Tone.ACCENT))

    # -- turning -----------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Hide names from now on; what is on the screen is known and is not judged."""
        self.on, self.pick, self._run, self._seen = True, None, 0, False
        self._blind_base = None

    def deal(self) -> bool:
        """Put the panes into an order of chance for a run that has just begun. False where no new run has."""
        board = self._board
        if not self.on or board.run_number == self._run or not board.source.live:
            return False
        self.restore()
        self.home = list(board.slots)
        self._shuffle(board.slots)
        self._run, self._seen, self.pick, self._blind_base = board.run_number, False, None, None
        return True

    def restore(self) -> None:
        """Put the panes back into their own order; those that were added since come last."""
        if self.home is not None:
            own, slots = self.home, self._board.slots
            slots.sort(key=lambda slot: own.index(slot) if slot in own else len(own))
            self.home = None

    def end(self, *, restore: bool = True) -> None:
        """Hide nothing any more; `restore` is false where other panes stand there than those that were shuffled."""
        if restore:
            self.restore()
        self.home = None
        self.on, self.pick, self._run = False, None, 0

    # -- the pane that others are compared with ------------------------------------------------------------------------

    @property
    def base(self) -> int:
        """The place of the pane that others are compared with. While names are hidden it is chosen anew: the own one would tell."""
        slots, chosen = self._board.slots, self._blind_base if self.hides else self._base
        return slots.index(chosen) if chosen in slots else 0

    @property
    def marked(self) -> int | None:
        """The same where somebody chose it."""
        chosen = self._blind_base if self.hides else self._base
        return self._board.slots.index(chosen) if chosen in self._board.slots else None

    def set_base(self, index: int) -> None:
        """Compare with this pane from now on."""
        if self.hides:
            self._blind_base = self._board.slots[index]
        else:
            self._base = self._board.slots[index]

    # -- the vote ------------------------------------------------------------------------------------------------------

    def vote(self, pick: Pick, at: datetime) -> "Vote | None":
        """Take a vote, and show the names. None where nothing can be voted on. Panes that gave no answer take no part."""
        from anoman_tui.core.stats import Vote

        head, places = self._board.head, self.candidates
        if self.stage is not Stage.READY or head is None or len(places) < 2:
            return None
        self.pick = pick
        return Vote(
            at=at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            prompt=head.prompt.text,
            system=head.prompt.system,
            params=head.params.as_dict(),
            panes=tuple(_voted(self._board.slots[place]) for place in places),
            winners=tuple(places.index(place) for place in pick.winners if place in places),
            run_id=head.run_id,
        )


def _voted(slot: Slot) -> "VotedPane":
    from anoman_tui.core.stats import VotedPane

    spec, state = slot.sent or slot.spec, slot.state
    ended = None if state is None else outcome(state)
    own: dict[str, Any] = spec.params.as_dict() | ({} if spec.system is None else {"system": spec.system})
    target = slot.target
    return VotedPane(target.argument, target.model, answer_text(state), "" if ended is None else ended.value, own)


def progress(judging: Judging, board: Board, *, in_prompt: bool) -> Row:
    """What the line of blind mode says; the keys to vote differ by whether one types."""
    match judging.stage:
        case Stage.OFF:
            return ()
        case Stage.EMPTY:
            again = "R asks again, " if board.run_number else ""
            return (Cell("blind ", Tone.ACCENT), Cell(f"the next prompt is judged without names · in a pane {again}b ends it"))
        case Stage.WAITING:
            return (Cell("blind ", Tone.ACCENT), Cell(f"answers are shown together: {judging.arrived} of {len(board.slots)} in"))
        case Stage.READY:
            leave = (Cell("Esc", Tone.KEY), Cell(" then ")) if in_prompt else ()
            votes = (Cell("V", Tone.KEY), Cell(" votes · d compares words · b ends it, no vote"))
            return (Cell("all answers are in ", Tone.ACCENT), *leave, *votes)
        case Stage.REVEALED:
            said = "" if judging.pick is None else judging.pick.words()
            rest = Cell(" win rates · b ends blind · the next prompt is blind again")
            return (Cell(f"your vote: {said} ", Tone.ACCENT), Cell("· "), Cell("V", Tone.KEY), rest)
