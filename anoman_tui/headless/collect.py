"""Streams without a screen: start them, fold what they say, and end with all of them."""

import queue
from collections.abc import Callable, Sequence

from anoman_tui.core.events import Closed, Ending, Stamped
from anoman_tui.core.pane import PaneState, fold
from anoman_tui.core.ports import Handle, OpenStream, Sink, Tape
from anoman_tui.core.request import HttpRequest, Request

Batch = tuple[int, Sequence[Stamped]]
Watcher = Callable[[int, PaneState, Sequence[Stamped]], None]
"""Told of each batch: the pane's number from 0, its new state, the events."""

CLOSING_S = 3.0
"""After an interrupt the streams get this long to close."""


class _Mailbox:
    """One pane's sink: it forwards batches to the collector's queue."""

    def __init__(self, pane: int, batches: "queue.SimpleQueue[Batch]") -> None:
        self._pane = pane
        self._batches = batches

    def on_request(self, t_ns: int, request: HttpRequest) -> None:
        """Not kept here."""

    def on_read(self, t_ns: int, data: bytes) -> None:
        """Not kept here."""

    def on_events(self, batch: Sequence[Stamped]) -> None:
        """Queue a batch for the collecting thread."""
        self._batches.put((self._pane, batch))


class Collector:
    """Carries several requests to their end. `states` is what is known so far; `interrupted` whether the user stopped them."""

    def __init__(
        self,
        open_stream: OpenStream,
        requests: Sequence[Request],
        watch: Watcher | None = None,
        tape: Tape | None = None,
        states: Sequence[PaneState] = (),
    ) -> None:
        self._open = open_stream
        self._requests = requests
        self._watch = watch
        self._tape = tape
        self._batches: queue.SimpleQueue[Batch] = queue.SimpleQueue()
        self._handles: list[Handle] = []
        self.states = list(states) or [PaneState(request.target) for request in requests]
        self.interrupted = False

    def run(self) -> list[PaneState]:
        """Start all streams at once and return when each has ended. An interrupt stops them and still returns what came."""
        try:
            self._handles = [self._open(request, self._sink(pane)) for pane, request in enumerate(self._requests)]
            self._drain(None)
        except KeyboardInterrupt:
            self.interrupted = True
            for handle in self._handles:
                handle.cancel()
            self._drain(CLOSING_S)
            self._give_up()
        return self.states

    def _sink(self, pane: int) -> Sink:
        mailbox = _Mailbox(pane, self._batches)
        return mailbox if self._tape is None else self._tape.sink(pane + 1, mailbox)

    def _drain(self, timeout_s: float | None) -> None:
        while any(state.closed is None for state in self.states):
            try:
                pane, batch = self._batches.get(timeout=timeout_s)
            except queue.Empty:
                return
            self._take(pane, batch)

    def _take(self, pane: int, batch: Sequence[Stamped]) -> None:
        self.states[pane] = fold(self.states[pane], batch)
        if self._watch is not None:
            self._watch(pane, self.states[pane], batch)

    def _give_up(self) -> None:
        """Close what did not close by itself, so that every pane has an outcome."""
        for pane, state in enumerate(self.states):
            if state.closed is None:
                last = state.stamps.last_byte or state.stamps.headers_sent or 0
                self._take(pane, [Stamped(last, Closed(Ending.CANCELLED))])
