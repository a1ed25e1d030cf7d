"""Starting, stopping and retrying panes. No widgets and no timers here."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from uuid import uuid4

from anoman_tui.core.chunks import mend_surrogates
from anoman_tui.core.events import Closed, Ending, ErrorInfo, ErrorReported, FailureKind, Stamped
from anoman_tui.core.metrics import learned_ratio
from anoman_tui.core.pane import PaneState, fold
from anoman_tui.core.panes import PaneSpec
from anoman_tui.core.request import Params, Prompt, Request
from anoman_tui.core.run import RunHead
from anoman_tui.ui.mailbox import Mailbox
from anoman_tui.ui.session import Session
from anoman_tui.ui.slot import Slot, attempts_of
from anoman_tui.ui.tapes import Tapes

PRICE_WAIT_NS = 3_000_000_000
"""How long the screen keeps looking for a list price; the first one loads a table."""


class RunMode(StrEnum):
    """How the panes of a run start."""

    PARALLEL = "parallel"
    SERIAL = "serial"
    """Each one when the one before has closed."""


def new_head(session: Session, prompt: Prompt, params: Params, mode: RunMode) -> RunHead:
    """The head of a run that begins now."""
    started = session.wall_clock().isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return RunHead(uuid4().hex, started, prompt, params, mode.value)


class Board:
    """All panes of the screen."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.source = session.live
        """Where streams come from at present: the network, or a recording."""
        self.slots: list[Slot] = [Slot(spec) for spec in session.panes]
        self.beside: list[Slot] = []
        """Runs that are shown in no pane: they are compared with one."""
        self.shared = session.params
        """The parameters for all panes."""
        self.system = session.system
        """The system prompt for all panes."""
        self.run_number = 0
        """How many prompts were sent."""
        self.mode = RunMode.PARALLEL
        self.head: RunHead | None = None
        """What is known of the present run beside its panes."""
        self.tapes = Tapes(session.clock)
        self.starts: Callable[[], None] = lambda: None
        """Called before all panes are sent to, so that they are recorded in their own order."""
        self.left: Callable[[PaneState], None] = lambda _: None
        """Told of the last state of each run whose place another one takes."""
        self.news: Callable[[], None] = lambda: None
        """Called from any thread when something has come."""

    # -- what goes on ------------------------------------------------------------------------------------------------

    @property
    def clock(self) -> Callable[[], int]:
        """The clock that stamps what is shown: of this machine, or of the recording."""
        return self.source.clock

    @property
    def streaming(self) -> tuple[Slot, ...]:
        """The panes whose streams are open."""
        return tuple(slot for slot in self.slots if slot.streaming)

    @property
    def busy(self) -> int:
        """How many panes stream, or wait for those that do."""
        return sum(slot.streaming or slot.queued for slot in self.slots)

    @property
    def states(self) -> tuple[PaneState, ...]:
        """The states of the panes that ran."""
        return tuple(slot.state for slot in self.slots if slot.state is not None)

    @property
    def expecting(self) -> bool:
        """Whether anything may still arrive: a stream, a list price that was asked for a moment ago, or the end of a recording."""
        return self.tapes.rolling or any(self._expects(slot) for slot in (*self.slots, *self.beside))

    def _expects(self, slot: Slot) -> bool:
        if slot.streaming or slot.queued:
            return True
        asked = slot.priced_ns is not None and slot.state is not None and slot.state.list_usd is None
        return asked and self._session.clock() - (slot.priced_ns or 0) < PRICE_WAIT_NS

    def settle(self) -> None:
        """End the recordings of runs that are over."""
        if self.tapes.rolling:
            self.tapes.settle(self._expects)

    # -- sending -----------------------------------------------------------------------------------------------------

    def requests(self, text: str) -> list[Request]:
        """What a prompt would send, pane by pane."""
        prompt = Prompt(mend_surrogates(text), self.system)
        return [slot.spec.request(replace(prompt, history=slot.history), self.shared) for slot in self.slots]

    def send(self, text: str) -> None:
        """Send one prompt to all panes; what still streams is stopped."""
        self.starts()
        self._run(list(zip(self.slots, self.requests(text), strict=True)))

    def retry(self, index: int) -> bool:
        """Send the pane's last prompt again, to what the pane is now. False where there is none or it still streams."""
        slot = self.slots[index]
        request = self.again(slot)
        if slot.request is None or request is None or slot.streaming or slot.queued or not self.source.live:
            return False
        earlier = attempts_of(slot.state) if request.target == slot.request.target else ()
        self._record(new_head(self._session, request.prompt, request.params, self.mode), [(slot, request)], earlier)
        self._start(slot)
        return True

    def rerun(self) -> bool:
        """Send the last prompt of every pane again. False where none ran or one still streams."""
        if self.busy or not self.source.live or all(slot.request is None for slot in self.slots):
            return False
        self.starts()
        self._run([(slot, request) for slot in self.slots if (request := self.again(slot)) is not None])
        return True

    def again(self, slot: Slot) -> Request | None:
        """The pane's last prompt, for what the pane is now; None where there is none."""
        return None if slot.request is None else slot.spec.request(replace(slot.request.prompt, system=self.system), self.shared)

    def _run(self, asked: Sequence[tuple[Slot, Request]]) -> None:
        """Begin a run: all panes at once, or the first one."""
        self.run_number += 1
        prompt = asked[0][1].prompt
        alike = all(request.prompt.history == prompt.history for _, request in asked)
        told = Prompt(prompt.text, self.system, prompt.history if alike else ())
        self.head = new_head(self._session, told, self.shared, self.mode)
        self._record(self.head, asked)
        for slot, _ in asked:
            if self.mode is RunMode.PARALLEL:
                self._start(slot)
            else:
                slot.state, slot.queued = None, True
        self._start_next()

    def _record(self, head: RunHead, asked: Sequence[tuple[Slot, Request]], earlier: tuple[str, ...] = ()) -> None:
        """Make the panes ready for a run, and record it where runs are recorded."""
        states = [head.begin(request, slot.characters_per_token, earlier) for slot, request in asked]
        tape = None if self.source.start_tape is None else self.source.start_tape(head, states)
        panes = []
        for number, ((slot, request), state) in enumerate(zip(asked, states, strict=True), 1):
            self.stop_slot(slot)
            self.leave(slot)
            slot.clear(request)
            slot.state, slot.mailbox = state, Mailbox(self.news)
            slot.sink = slot.mailbox if tape is None else tape.sink(number, slot.mailbox)
            slot.first = state
            panes.append((slot, slot.mailbox))
        if tape is not None:
            self.tapes.take(tape, panes)

    def send_beside(self, request: Request) -> Slot:
        """Send one request whose answer no pane shows; it is recorded as a run of its own."""
        slot = Slot(PaneSpec(request.target))
        self._record(new_head(self._session, request.prompt, request.params, RunMode.PARALLEL), [(slot, request)])
        self.beside.append(slot)
        self._start(slot)
        return slot

    def end_beside(self, slot: Slot) -> None:
        """Stop a run beside the panes, and forget it."""
        if slot in self.beside:
            self.stop_slot(slot)
            self.drain(slot)
            self.beside.remove(slot)
            self.leave(slot)

    def leave(self, slot: Slot) -> None:
        """Tell whoever counts money that a pane's run is about to be forgotten."""
        if self.source.live and slot.state is not None and slot.mailbox is not slot.counted:
            slot.counted = slot.mailbox
            self.left(slot.state)

    def _start_next(self) -> None:
        """Start the first pane that waits, once none streams."""
        waits = next((slot for slot in self.slots if slot.queued), None)
        if waits is not None and not self.streaming:
            self._start(waits)

    def _start(self, slot: Slot) -> None:
        slot.state, slot.queued = slot.first, False
        if slot.request is None or slot.sink is None:
            return
        try:
            slot.handle = self.source.open_stream(slot.request, slot.sink)
        except Exception as wrong:  # a pane that cannot start fails alone
            now = self.clock()
            error = ErrorInfo(FailureKind.SETUP, f"the request could not be started: {wrong}")
            slot.sink.on_events([Stamped(now, ErrorReported(error)), Stamped(now, Closed(Ending.REFUSED))])

    # -- stopping ----------------------------------------------------------------------------------------------------

    def stop(self, index: int) -> bool:
        """Close the pane's connection at once, or take it out of the queue. False where nothing streams."""
        return self.stop_slot(self.slots[index])

    def stop_slot(self, slot: Slot) -> bool:
        """The same for a pane or a run beside them."""
        if slot.queued:
            slot.queued, slot.mailbox, slot.sink = False, Mailbox(), None
            return True
        if not slot.streaming or slot.handle is None:
            return False
        slot.handle.cancel()
        return True

    def stop_all(self) -> int:
        """Close every open connection and start nothing that waits; how many panes that were."""
        return sum(self.stop(index) for index in reversed(range(len(self.slots))))

    def close(self) -> None:
        """Stop everything and end what is recorded; for the way out."""
        self.stop_all()
        for slot in self.beside:
            self.stop_slot(slot)
        self.tapes.close()

    # -- what arrives ------------------------------------------------------------------------------------------------

    def drain(self, slot: Slot) -> bool:
        """Fold what has arrived for one pane. True where something had."""
        events = slot.mailbox.drain() if slot.mailbox is not None else []
        if not events or slot.state is None:
            return False
        slot.state = fold(slot.state, events)
        slot.timeline.take(events)
        if slot.state.closed is not None:
            slot.characters_per_token = learned_ratio(slot.state) or slot.characters_per_token
            self._ask_price(slot, slot.state)
            self._start_next()
        return True

    def _ask_price(self, slot: Slot, state: PaneState) -> None:
        price = self.source.list_price
        if price is None or slot.sink is None or slot.priced_ns is not None or state.usage is None:
            return
        slot.priced_ns = self._session.clock()
        price(state, slot.sink)
