"""Conversations: what goes before the next prompt. No widgets here."""

from collections.abc import Sequence

from anoman_tui.core.chunks import mend_surrogates
from anoman_tui.core.outcome import Outcome, outcome
from anoman_tui.core.pane import PaneState
from anoman_tui.core.target import Target
from anoman_tui.ui.mailbox import Mailbox
from anoman_tui.ui.run import Board
from anoman_tui.ui.slot import Slot, Turns


def answer_text(state: PaneState | None) -> str:
    """What a pane answered, as far as it came; empty where that is nothing."""
    text = "" if state is None else mend_surrogates(state.text.text or state.refusal.text)
    return text if text.strip() else ""


def turns_of(slot: Slot) -> Turns | None:
    """All that was said in a pane, its last answer included; None where there is no answer."""
    text = answer_text(slot.state)
    return None if slot.request is None or not text else (*slot.request.prompt.turns, ("assistant", text))


def is_partial(slot: Slot) -> bool:
    """Whether a pane's answer is not whole."""
    return slot.state is not None and outcome(slot.state) not in (None, Outcome.COMPLETED)


def questions(turns: Turns) -> int:
    """How many prompts were asked in these turns."""
    return sum(role == "user" for role, _ in turns)


class Talk:
    """A conversation that goes on until it is ended: every pane goes on from one pane's answers, or each from its own."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self.leader: Slot | None = None
        """The pane whose answers all go on from."""
        self.own = False
        """Whether each pane goes on from its own answers."""
        self._recorded: dict[Slot, tuple[Mailbox | None, Turns]] = {}
        """What panes go on from until they run again, in the place of what they hold."""

    @property
    def on(self) -> bool:
        """Whether the next prompt goes on from an answer."""
        return self.own or self.leader is not None

    def follow(self, leader: Slot | None) -> None:
        """Let all panes go on from one pane's answers; None lets each go on from its own."""
        self.end()
        self.leader, self.own = leader, leader is None
        self.advance()

    def resume(self, recorded: Sequence[tuple[Target, Turns]], chosen: int | None) -> None:
        """Go on from what was said in the panes of a recording: from the pane at `chosen` in all panes, or in each from its own.

        A recorded pane is the one of the same target, at the same place where there are several, else the one at its place.
        """
        self.end()
        slots = list(self._board.slots)
        for place, (target, turns) in enumerate(recorded):
            if not turns or chosen not in (None, place):
                continue
            near = sorted((slot for slot in slots if slot not in self._recorded), key=lambda slot: abs(slots.index(slot) - place))
            slot = next((slot for slot in near if slot.spec.target == target), near[0] if near else None)
            if slot is not None:
                self._recorded[slot] = slot.mailbox, turns
                self.leader = slot
        self.own, self.leader = chosen is None, None if chosen is None else self.leader
        self.advance()

    def _turns(self, slot: Slot) -> Turns | None:
        mailbox, turns = self._recorded.get(slot, (None, ()))
        return turns if turns and slot.mailbox is mailbox else turns_of(slot)

    def end(self) -> None:
        """Let the next prompt begin anew."""
        self.leader, self.own = None, False
        self._recorded.clear()
        for slot in self._board.slots:
            slot.history = ()

    def advance(self) -> str:
        """Put the newest answers behind what was said before; one sentence where that cannot be."""
        slots = self._board.slots
        if not self._board.source.live:
            return "a recording cannot be continued: leave it first"
        if self.own:
            found = [self._turns(slot) for slot in slots]
            for slot, own in zip(slots, found, strict=True):
                slot.history = slot.history if own is None else own
            return "" if any(slot.history for slot in slots) else "no pane has an answer to continue"
        if self.leader is None:
            return ""
        if self.leader not in slots:
            self.end()
            return "the pane whose answer was continued is gone, so the conversation is ended: c or C begins one again"
        turns = self._turns(self.leader)
        if turns is None:
            number = slots.index(self.leader) + 1
            return f"pane {number} has no answer to continue: in it, r sends its prompt again and c ends the conversation"
        for slot in slots:
            slot.history = turns
        return ""

    def behind(self) -> tuple[int, ...]:
        """The numbers of the panes that go on without their last prompt, since it has no answer."""
        return tuple(n for n, slot in enumerate(self._board.slots, 1) if self.own and slot.history and self._turns(slot) is None)

    def words(self) -> str:
        """What stands at the prompt; empty without a conversation."""
        slots = self._board.slots
        counts = sorted({questions(slot.history) for slot in slots}) or [0]
        told = f"{counts[-1]} turn{'' if counts[-1] == 1 else 's'}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]} turns"
        if self.own:
            return f"each pane continues · {told}"
        if self.leader is None or self.leader not in slots:
            return ""
        partial = " (partial)" if is_partial(self.leader) and self._turns(self.leader) == turns_of(self.leader) else ""
        return f"continues pane {slots.index(self.leader) + 1}{partial} · {told}"
