"""What a pane shows while its model is to be judged by its answer alone: no name, no number, nothing that differs by who answers."""

import re
from collections.abc import Iterable

from anoman_tui.core.outcome import Outcome, outcome
from anoman_tui.core.pane import PaneState
from anoman_tui.core.records import dataclass
from anoman_tui.core.sanitize import clean_line
from anoman_tui.core.target import Target
from anoman_tui.ui.cells import Tone
from anoman_tui.ui.figures import UNKNOWN
from anoman_tui.ui.notes import NoteLine
from anoman_tui.ui.slot import Slot
from anoman_tui.ui.titles import target_view
from anoman_tui.ui.view import PaneView

WORD = "BLIND"
"""The state word of a pane whose name is hidden."""
REFUSED = "blind: vote first, or b ends it without a vote"
NOT_WHOLE = NoteLine("this pane gave no whole answer", Tone.WARN)
_NUMBERED = re.compile(r"\bpanes? \d")


@dataclass(frozen=True, slots=True)
class Veil:
    """What stands in the place of answers."""

    open: bool
    """Whether the answers that are over are shown."""
    note: NoteLine
    """What an answer that is not shown says in its place."""


def letter(index: int) -> str:
    """The name of an answer by its place, from 0."""
    return chr(ord("A") + index)


def answer_name(index: int) -> str:
    """What the title of a pane says in place of its target."""
    return f"answer {letter(index)}"


def blind_view(index: int) -> PaneView:
    """A pane in words that are the same for every target, state and time."""
    none = UNKNOWN
    return PaneView(WORD, Tone.MUTED, none, none, none, none, none, (), (), running=False, name=answer_name(index))


def is_over(slot: Slot) -> bool:
    """Whether nothing more of an answer is to come."""
    return slot.ended or (slot.state is None and not slot.queued)


def has_answer(slot: Slot) -> bool:
    """Whether there is any text to judge."""
    return slot.state is not None and bool(slot.state.text or slot.state.refusal)


def blind_notes(state: PaneState) -> tuple[NoteLine, ...]:
    """What stands under an answer: neither how it ended nor why, which gateways say each in its own words."""
    return () if outcome(state) is Outcome.COMPLETED else (NOT_WHOLE,)


def betrays(text: str, targets: Iterable[Target]) -> bool:
    """Whether a message tells of a pane or names what it talks to."""
    if _NUMBERED.search(text):
        return True
    lower = text.lower()
    return any(name and name.lower() in lower for target in targets for name in _names(target))


def _names(target: Target) -> tuple[str, ...]:
    seen = target_view(target)
    host = target.base_url.partition("//")[2].partition("/")[0]
    return seen.place, target.provider.name, seen.model, target.model.rpartition("/")[2], clean_line(host, 60), seen.url
