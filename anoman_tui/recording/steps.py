"""A recorded pane as the steps of a stream: the same reader and the same events as live, stamped with the recorded times."""

import types
from collections.abc import AsyncIterator, Coroutine, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from anoman_tui.core.events import (
    BodyRead,
    CancelRequested,
    Connected,
    ConnectStarted,
    Ending,
    ErrorInfo,
    ErrorReported,
    FailureKind,
    HeadersReceived,
    HeadersSent,
    ListPriced,
    Requested,
    Stamped,
)
from anoman_tui.core.failure import TooLargeError
from anoman_tui.core.headers import joined
from anoman_tui.core.ports import Body, OpenBody
from anoman_tui.core.request import HttpRequest
from anoman_tui.core.response import http_error_events, unreadable_encoding
from anoman_tui.core.shapes import asks_stream
from anoman_tui.recording.runfile import (
    Cancelled,
    Connecting,
    Connection,
    End,
    Fact,
    Head,
    HeadSent,
    Priced,
    Read,
    RecordedPane,
    RecordedRun,
    Sent,
)


@dataclass(frozen=True, slots=True)
class Step:
    """What a sink is told at one time: the request, a read, and the batches of events, in this order."""

    t_ns: int
    request: HttpRequest | None = None
    read: bytes | None = None
    batches: tuple[Sequence[Stamped], ...] = ()


def steps(run: RecordedRun, pane: RecordedPane, open_body: OpenBody) -> Iterator[Step]:
    """The steps of one pane, made as they are asked for. The last one closes the stream."""
    play = _Play(run, pane, open_body)
    try:
        for fact in pane.facts:
            yield play.step(fact)
            if isinstance(fact.what, End):
                return
    finally:
        play.stop()


def batches(run: RecordedRun, pane: RecordedPane, open_body: OpenBody) -> tuple[Sequence[Stamped], ...]:
    """All batches of events of one pane, for whoever wants to go back and forth in them."""
    return tuple(batch for step in steps(run, pane, open_body) for batch in step.batches)


class BrokenOffError(Exception):
    """The reads of a body stop where its end should be."""


class _Play:
    """One pane while it is played."""

    def __init__(self, run: RecordedRun, pane: RecordedPane, open_body: OpenBody) -> None:
        self._shape, self._open_body = pane.target.shape, open_body
        self._max_body, self._max_tokens = run.max_body, (pane.params or run.head.params).max_tokens
        self._price = next((fact.what for fact in pane.facts if isinstance(fact.what, Priced)), None)
        self._head: Head | None = None
        self._body: _BodyPlay | None = None
        self._error_body = b""

    def step(self, fact: Fact) -> Step:
        """The step of one fact."""
        t_ns, what = fact.t_ns, fact.what
        match what:
            case Sent(request):
                return Step(t_ns, request=request, batches=_one(t_ns, Requested(request.url, self._max_tokens, asks_stream(request))))
            case Connecting():
                return Step(t_ns, batches=_one(t_ns, ConnectStarted()))
            case Connection():
                return Step(t_ns, batches=_one(t_ns, Connected()))
            case HeadSent():
                return Step(t_ns, batches=_one(t_ns, HeadersSent()))
            case Head():
                return Step(t_ns, batches=self._begin(t_ns, what))
            case Read(data):
                return Step(t_ns, read=data, batches=self._read(t_ns, data))
            case Cancelled():
                return Step(t_ns, batches=_one(t_ns, CancelRequested()))
            case Priced():
                return Step(t_ns)  # told right after the end, so that no step comes after it
            case End():
                return Step(t_ns, batches=self._end(t_ns, what))

    def stop(self) -> None:
        """Let go of a body that was not read to its end."""
        if self._body is not None:
            self._body.stop()

    def _begin(self, t_ns: int, head: Head) -> tuple[Sequence[Stamped], ...]:
        told = _one(t_ns, HeadersReceived(head.status, head.headers))
        if self._head is not None:
            return told
        self._head = head
        if not 200 <= head.status < 300:
            return told
        if packed := unreadable_encoding(head.headers):
            return (*told, *_one(t_ns, ErrorReported(ErrorInfo(FailureKind.UNREADABLE, packed))))
        self._body = _BodyPlay(self._open_body, self._shape, joined(head.headers, "content-type"), self._max_body)
        return told

    def _read(self, t_ns: int, data: bytes) -> tuple[Sequence[Stamped], ...]:
        if self._body is not None:
            return self._body.read(t_ns, data)
        self._error_body += data
        return _one(t_ns, BodyRead(len(data)))

    def _end(self, t_ns: int, end: End) -> tuple[Sequence[Stamped], ...]:
        closed = end.closed
        told: list[Sequence[Stamped]] = []
        if self._body is not None:
            told += self._body.end(closed.ending, own_error=end.failure is not None)
        elif self._head is not None and closed.ending is Ending.CLEAN and not 200 <= self._head.status < 300:
            events = http_error_events(self._head.status, self._head.headers, self._error_body)
            told += [(Stamped(t_ns, event),) for event in events]
        if end.failure is not None:
            told += _one(t_ns, ErrorReported(ErrorInfo(FailureKind(end.failure), closed.detail)))
        priced = () if self._price is None else _one(t_ns, ListPriced(self._price.usd))
        return (*told, *_one(t_ns, closed), *priced)


class _BodyPlay:
    """Drives one body's reader by hand: it is a coroutine that waits for nothing but the next read."""

    def __init__(self, open_body: OpenBody, shape: Any, content_type: str, max_body: int | None) -> None:
        self._told: list[Sequence[Stamped]] = []
        self._reader: Body = open_body(shape, self._told.append, content_type=content_type, max_body=max_body)
        self._run: Coroutine[Any, Any, None] | None = self._reader.run(_reads())
        self._go(None)

    def read(self, t_ns: int, data: bytes) -> tuple[Sequence[Stamped], ...]:
        """Hand over one read; the batches that came of it."""
        self._go((t_ns, data))
        return self._take()

    def end(self, ending: Ending, *, own_error: bool) -> tuple[Sequence[Stamped], ...]:
        """End the reads in this way; the batches that came of it."""
        if ending is Ending.CLEAN:
            self._go(None)
        elif self._run is not None:
            self._go(BrokenOffError())
            if ending in (Ending.CUT, Ending.IDLE) and not own_error:
                self._reader.close_open_block()
        return self._take()

    def stop(self) -> None:
        """Let go. The reads break off rather than close, since what reads lines cannot be closed while it waits for one."""
        self._go(BrokenOffError())
        if self._run is not None:
            self._run.close()
            self._run = None
        self._told.clear()

    def _go(self, given: tuple[int, bytes] | BrokenOffError | None) -> None:
        """Let the reader run until it wants another read."""
        if self._run is None:
            return
        try:
            if isinstance(given, BrokenOffError):
                self._run.throw(given)
            else:
                self._run.send(given)
        except (StopIteration, TooLargeError, BrokenOffError):
            self._run = None

    def _take(self) -> tuple[Sequence[Stamped], ...]:
        told = tuple(self._told)
        self._told.clear()
        return told


@types.coroutine
def _next_read() -> Generator[None, tuple[int, bytes] | None, tuple[int, bytes] | None]:
    """Wait for whoever drives the coroutine to hand over a read, or None at the end."""
    return (yield)


async def _reads() -> AsyncIterator[tuple[int, bytes]]:
    while (given := await _next_read()) is not None:
        yield given


def _one(t_ns: int, event: Any) -> tuple[Sequence[Stamped], ...]:
    return ((Stamped(t_ns, event),),)
