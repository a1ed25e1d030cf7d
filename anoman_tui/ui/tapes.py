"""The recordings of runs that may still get something to keep."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anoman_tui.core.events import Closed
from anoman_tui.core.ports import Tape
from anoman_tui.ui.mailbox import Mailbox
from anoman_tui.ui.slot import Slot

LEFT_WAIT_NS = 2_000_000_000
"""How long the end of a stream is waited for that a newer run took the place of."""


@dataclass(slots=True, repr=False, eq=False)
class _Rolling:
    """One recording, and the panes of its run that are not over."""

    tape: Tape
    panes: list[tuple[Slot, Mailbox]]
    left_ns: int | None = None
    told: bool = False
    """Whether its problem was passed on."""


class Tapes:
    """Ends each recording once its run is over; a run that another took the place of may still close its streams."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._rolling: list[_Rolling] = []
        self._ending: list[tuple[_Rolling, threading.Thread]] = []
        self.problem = ""
        """Why a run could not be recorded, in one sentence, until somebody has said it."""

    def take(self, tape: Tape, panes: Sequence[tuple[Slot, Mailbox]]) -> None:
        """A recording that has begun."""
        self._rolling.append(_Rolling(tape, list(panes)))

    @property
    def rolling(self) -> bool:
        """Whether one is not ended yet, or its file not written to its end."""
        return bool(self._rolling or self._ending)

    def settle(self, expected: Callable[[Slot], bool]) -> None:
        """End the recordings that nothing more is `expected` for. Their files are written on threads of their own."""
        for one, thread in list(self._ending):
            if not thread.is_alive():
                self._ending.remove((one, thread))
                self._tell(one)
        for one in list(self._rolling):
            one.panes = [pane for pane in one.panes if self._goes_on(one, *pane, expected)]
            if not one.panes:
                self._rolling.remove(one)
                thread = threading.Thread(target=one.tape.close, name="tape", daemon=True)
                self._ending.append((one, thread))
                thread.start()
            self._tell(one)

    def close(self) -> None:
        """End all of them, and wait for their files; for the way out."""
        for one in self._rolling:
            one.tape.close()
        self._rolling.clear()
        for _, thread in self._ending:
            thread.join()
        self._ending.clear()

    def _tell(self, one: _Rolling) -> None:
        if one.tape.problem and not one.told:
            one.told, self.problem = True, one.tape.problem

    def _goes_on(self, one: _Rolling, slot: Slot, mailbox: Mailbox, expected: Callable[[Slot], bool]) -> bool:
        if slot.mailbox is mailbox:
            return expected(slot)
        one.left_ns = one.left_ns or self._clock()
        ended = any(isinstance(stamped.event, Closed) for stamped in mailbox.drain())
        return not ended and self._clock() - one.left_ns < LEFT_WAIT_NS
