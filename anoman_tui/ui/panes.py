"""Changing which panes the board has. A pane that is changed keeps what it shows until it is sent to again."""

from collections.abc import Sequence

from anoman_tui.core.panes import PaneSpec
from anoman_tui.core.records import dataclass
from anoman_tui.core.request import Params, Prompt
from anoman_tui.ui.run import Board
from anoman_tui.ui.session import MAX_PANES
from anoman_tui.ui.slot import Slot


def set_spec(board: Board, index: int, spec: PaneSpec) -> None:
    """Set one pane up anew; a retry sends its last prompt to what it is now. What its target taught is forgotten with it."""
    slot = board.slots[index]
    if spec.target != slot.spec.target:
        slot.characters_per_token = None
    slot.spec = spec


def add_pane(board: Board, index: int, spec: PaneSpec) -> bool:
    """Put a new pane at a place; a retry in it sends the last prompt. False where there is no room."""
    if len(board.slots) >= MAX_PANES:
        return False
    board.slots.insert(index, _new_slot(board, spec))
    return True


def _new_slot(board: Board, spec: PaneSpec) -> Slot:
    """An empty pane, in which a retry sends the last prompt."""
    slot = Slot(spec)
    if board.head is not None:
        prompt = Prompt(board.head.prompt.text, board.system, board.head.prompt.history)
        slot.request = spec.request(prompt, board.shared)
    return slot


def remove_pane(board: Board, index: int) -> bool:
    """Stop a pane and take it away. False where it is the last one."""
    if len(board.slots) == 1:
        return False
    board.stop(index)
    board.leave(board.slots.pop(index))
    return True


def move_pane(board: Board, index: int, to: int) -> bool:
    """Move a pane to another place. False where there is none."""
    if not 0 <= to < len(board.slots) or to == index:
        return False
    board.slots.insert(to, board.slots.pop(index))
    return True


def set_panes(board: Board, specs: Sequence[PaneSpec]) -> None:
    """Replace all panes: one that is there already keeps what it shows, a retry in the others sends the last prompt."""
    left = list(board.slots)
    slots: list[Slot] = []
    for spec in specs[:MAX_PANES]:
        same = next((slot for slot in left if slot.spec == spec), None)
        if same is None:
            slots.append(_new_slot(board, spec))
        else:
            left.remove(same)
            slots.append(same)
    for slot in left:
        board.stop(board.slots.index(slot))
        board.leave(slot)
    board.slots[:] = slots


@dataclass(frozen=True, slots=True)
class Kept:
    """The panes as they were before a change, to be brought back."""

    panes: tuple[tuple[Slot, PaneSpec], ...]
    shared: Params
    system: str | None


def keep(board: Board) -> Kept:
    """Keep the panes as they are, with what they show."""
    return Kept(tuple((slot, slot.spec) for slot in board.slots), board.shared, board.system)


def bring_back(board: Board, kept: Kept) -> None:
    """Have the kept panes again; those that came since are stopped and go."""
    back = [slot for slot, _ in kept.panes]
    for index, slot in enumerate(board.slots):
        if slot not in back:
            board.stop(index)
            board.leave(slot)
    for slot, spec in kept.panes:
        slot.spec = spec
    board.slots[:] = back
    board.shared, board.system = kept.shared, kept.system
