"""Starting, stopping and retrying panes, and what each pane knows. No widgets and no timers here."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import uuid4

from anoman_tui.core.chunks import mend_surrogates
from anoman_tui.core.events import Closed, Ending, ErrorInfo, ErrorReported, FailureKind, Stamped
from anoman_tui.core.headers import request_id
from anoman_tui.core.metrics import learned_ratio
from anoman_tui.core.outcome import outcome
from anoman_tui.core.pane import PaneState, fold
from anoman_tui.core.ports import Handle
from anoman_tui.core.request import Prompt, Request
from anoman_tui.core.run import RunHead
from anoman_tui.core.target import Target
from anoman_tui.ui.mailbox import Mailbox
from anoman_tui.ui.session import Session
from anoman_tui.ui.timeline import Timeline

PRICE_WAIT_NS = 3_000_000_000
"""How long the screen keeps looking for a list price; the first one loads a table."""


class RunMode(StrEnum):
    """How the panes of a run start."""

    PARALLEL = "parallel"
    SERIAL = "serial"
    """Each one when the one before has closed."""


@dataclass(slots=True)
class Slot:
    """One pane: its target and the run it holds, if it ever ran."""

    index: int
    target: Target
    state: PaneState | None = None
    request: Request | None = None
    mailbox: Mailbox | None = None
    timeline: Timeline = field(default_factory=Timeline)
    handle: Handle | None = None
    characters_per_token: float | None = None
    """Learned from earlier answers of this target."""
    priced_ns: int | None = None
    """When a list price was asked for."""
    queued: bool = False
    """Whether the pane waits for those before it."""

    @property
    def streaming(self) -> bool:
        """Whether the pane's stream is open."""
        return self.state is not None and self.state.closed is None

    @property
    def ended(self) -> bool:
        """Whether the pane ran and its outcome is known."""
        return self.state is not None and (self.state.closed is not None or outcome(self.state) is not None)


class Board:
    """All panes of the screen."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.slots = tuple(Slot(index, target) for index, target in enumerate(session.targets))
        self.run_number = 0
        """How many prompts were sent."""
        self.mode = RunMode.PARALLEL
        self.head: RunHead | None = None
        """What is known of the present run beside its panes."""

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

    def send(self, text: str) -> None:
        """Send one prompt to all panes; what still streams is stopped."""
        prompt = Prompt(mend_surrogates(text), self._session.system)
        self._run([(slot, Request(slot.target, prompt, self._session.params)) for slot in self.slots])

    def retry(self, index: int) -> bool:
        """Send the pane's last request again, in the same shape. False where there is none or it still streams."""
        slot = self.slots[index]
        if slot.request is None or slot.streaming or slot.queued:
            return False
        self._start(slot, slot.request, attempts_of(slot.state))
        return True

    def rerun(self) -> bool:
        """Send the last request of every pane again. False where none ran or one still streams."""
        asked = [(slot, slot.request) for slot in self.slots if slot.request is not None]
        if not asked or self.busy:
            return False
        self._run(asked)
        return True

    def _run(self, asked: Sequence[tuple[Slot, Request]]) -> None:
        """Begin a run: all panes at once, or the first one."""
        self.run_number += 1
        first, session = asked[0][1], self._session
        started = session.wall_clock().isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self.head = RunHead(uuid4().hex, started, first.prompt, first.params, self.mode.value)
        for slot, request in asked:
            if self.mode is RunMode.PARALLEL:
                self._start(slot, request)
            else:
                self._queue(slot, request)
        self._start_next()

    def _queue(self, slot: Slot, request: Request) -> None:
        self.stop(slot.index)
        slot.state, slot.request, slot.mailbox, slot.handle, slot.queued = None, request, Mailbox(), None, True
        slot.timeline = Timeline()

    def _start_next(self) -> None:
        """Start the first pane that waits, once none streams."""
        waits = next((slot for slot in self.slots if slot.queued), None)
        if waits is not None and waits.request is not None and not self.streaming:
            self._start(waits, waits.request)

    @property
    def expecting(self) -> bool:
        """Whether anything may still arrive: a stream, or a list price that was asked for a moment ago."""
        now = self._session.clock()
        asked = (slot for slot in self.slots if slot.priced_ns is not None and slot.state is not None and slot.state.list_usd is None)
        return bool(self.busy) or any(now - (slot.priced_ns or 0) < PRICE_WAIT_NS for slot in asked)

    def stop(self, index: int) -> bool:
        """Close the pane's connection at once, or take it out of the queue. False where nothing streams."""
        slot = self.slots[index]
        if slot.queued:
            slot.queued, slot.mailbox = False, Mailbox()
            return True
        if not slot.streaming or slot.handle is None:
            return False
        slot.handle.cancel()
        return True

    def stop_all(self) -> int:
        """Close every open connection and start nothing that waits; how many panes that were."""
        return sum(self.stop(slot.index) for slot in reversed(self.slots))

    def drain(self, slot: Slot) -> bool:
        """Fold what has arrived for one pane. True where something had."""
        events = slot.mailbox.drain() if slot.mailbox is not None else []
        if not events or slot.state is None:
            return False
        slot.state = fold(slot.state, events)
        slot.timeline.take(events)
        if slot.state.closed is not None:
            slot.characters_per_token = learned_ratio(slot.state) or slot.characters_per_token
            self._ask_price(slot, slot.state, slot.mailbox)
            self._start_next()
        return True

    def _ask_price(self, slot: Slot, state: PaneState, mailbox: Mailbox | None) -> None:
        price = self._session.list_price
        if price is None or mailbox is None or slot.priced_ns is not None or state.usage is None:
            return
        slot.priced_ns = self._session.clock()
        price(state, mailbox)

    def _start(self, slot: Slot, request: Request, earlier: tuple[str, ...] = ()) -> None:
        self.stop(slot.index)
        slot.state = PaneState(request.target, characters_per_token=slot.characters_per_token, earlier_request_ids=earlier)
        slot.request, slot.mailbox, slot.handle, slot.priced_ns = request, Mailbox(), None, None
        slot.timeline, slot.queued = Timeline(), False
        try:
            slot.handle = self._session.open_stream(request, slot.mailbox)
        except Exception as wrong:  # a pane that cannot start fails alone
            now = self._session.clock()
            error = ErrorInfo(FailureKind.SETUP, f"the request could not be started: {wrong}")
            slot.mailbox.on_events([Stamped(now, ErrorReported(error)), Stamped(now, Closed(Ending.REFUSED))])


def attempts_of(state: PaneState | None) -> tuple[str, ...]:
    """The request ids of an attempt and of those before it, for the record of the next one."""
    if state is None:
        return ()
    own = request_id(state.headers)
    return state.earlier_request_ids if own is None else (*state.earlier_request_ids, own)
