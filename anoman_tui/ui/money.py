"""What the session costs: what was spent, and whether a send needs to be asked about."""

from collections.abc import Sequence
from decimal import Decimal

from anoman_tui.core.budget import Expected, Price, Spent, Verdict, check, expect, is_free, spend
from anoman_tui.core.pane import PaneState
from anoman_tui.core.request import Request
from anoman_tui.ui.cells import Cell, Tone
from anoman_tui.ui.figures import money
from anoman_tui.ui.run import Board


class Purse:
    """The sums of a session, kept apart by where they come from. What a recording shows was paid for by others."""

    def __init__(self, board: Board, price: Price | None, threshold: Decimal | None, cap: Decimal | None) -> None:
        self._board, self._price = board, price
        self._threshold, self._cap = threshold, cap
        self._past = Spent()
        board.left = self._leave

    @property
    def spent(self) -> Spent:
        """All that was spent in this session."""
        if not self._board.source.live:
            return self._past
        shown = (
            slot.state for slot in (*self._board.slots, *self._board.beside) if slot.mailbox is not slot.counted and slot.state is not None
        )
        return spend(self._past, (state for state in shown if state.closed is not None))

    def needs_price(self, requests: Sequence[Request]) -> bool:
        """Whether prices must be asked for before these are sent; nothing else takes time."""
        return not all(is_free(request.target) for request in requests)

    def expect(self, requests: Sequence[Request]) -> Expected:
        """What these may cost. Slow the first time; to be called on another thread."""
        return expect(requests, self._price or (lambda *_: None))

    def check(self, expected: Expected) -> Verdict:
        """Whether to send, to ask, or to refuse."""
        return check(expected, self.spent, self._threshold, self._cap)

    def cells(self) -> list[Cell]:
        """The session's sum for the title line; empty where nothing was spent and no cap is set."""
        spent = self.spent
        if spent == Spent() and self._cap is None:
            return []
        told = [Cell("   session ", Tone.MUTED)]
        if spent.reported or not spent.estimated:
            told.append(Cell(f"{money(spent.reported)}="))
        if spent.estimated:
            told.append(Cell(f"{' ' if spent.reported else ''}{money(spent.estimated)}~"))
        if spent.unknown:
            told.append(Cell(f" {spent.unknown} unknown", Tone.WARN))
        if self._cap is not None:
            told.append(Cell(f" of {money(self._cap)}", Tone.MUTED))
        return told

    def _leave(self, state: PaneState) -> None:
        self._past = spend(self._past, [state])
