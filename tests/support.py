"""What the tests of the core and the transport share: targets, requests, and the pure way from reads to a pane's state."""

from collections.abc import AsyncIterator, Coroutine, Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import httpx

from anoman_tui.core.errors import explain_http_error
from anoman_tui.core.events import (
    Closed,
    Connected,
    ConnectStarted,
    Ending,
    ErrorReported,
    Headers,
    HeadersReceived,
    HeadersSent,
    MetadataReported,
    Stamped,
    StreamEvent,
)
from anoman_tui.core.pane import PaneState, fold
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.report import metadata_of
from anoman_tui.core.request import Params, Prompt, Request
from anoman_tui.core.target import BARE, Policy, Provider, Shape, Target
from anoman_tui.transport.body import BodyReader
from anoman_tui.transport.tap import TooLargeError

T = TypeVar("T")
MS = 1_000_000
"""Nanoseconds in a millisecond."""
ROOT = "http://127.0.0.1:9"
EVENT_STREAM: Headers = (("content-type", "text/event-stream"),)
JSON_TYPE: Headers = (("content-type", "application/json"),)


def a_target(shape: Shape = Shape.CHAT, policy: Policy = Policy.STRICT, *, root: str = ROOT, model: str = "demo") -> Target:
    """A bare target of one shape with the given policy."""
    return Target(replace(BARE, policy=policy), shape, model, root)


def a_provider(name: str) -> Provider:
    """A built-in provider."""
    return BUILT_IN[name]


def a_request(target: Target | None = None, text: str = "Say something.", **params: Any) -> Request:
    """A request for one prompt."""
    return Request(target or a_target(), Prompt(text), Params(**params))


def run_pure(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never waits for anything, without an event loop."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    coroutine.close()
    raise AssertionError("the coroutine waited for something")


def stamped(*events: StreamEvent, start_ms: int = 0, step_ms: int = 1, frame: int | None = None) -> list[Stamped]:
    """The events one after another, each at its own time."""
    return [Stamped((start_ms + at * step_ms) * MS, event, frame) for at, event in enumerate(events)]


def opened(status: int = 200, headers: Headers = EVENT_STREAM) -> list[Stamped]:
    """The facts of a connection up to the response head at 10 ms after the request headers."""
    return [
        Stamped(0, ConnectStarted()),
        Stamped(2 * MS, Connected()),
        Stamped(2 * MS, HeadersSent()),
        Stamped(12 * MS, HeadersReceived(status, headers)),
    ]


async def _timed(pieces: Iterable[bytes], first_ms: int, broken: bool) -> AsyncIterator[tuple[int, bytes]]:
    at = first_ms
    for piece in pieces:
        yield at * MS, piece
        at += 1
    if broken:
        raise httpx.ReadError("")


def play(
    shape: Shape,
    pieces: Iterable[bytes],
    *,
    policy: Policy = Policy.STRICT,
    status: int = 200,
    headers: Headers = EVENT_STREAM,
    ending: Ending = Ending.CLEAN,
    max_body: int | None = None,
) -> PaneState:
    """The state after a whole response whose body came in these reads, without a network."""
    return fold(
        PaneState(a_target(shape, policy)), events_of(shape, pieces, status=status, headers=headers, ending=ending, max_body=max_body)
    )


def events_of(
    shape: Shape,
    pieces: Iterable[bytes],
    *,
    status: int = 200,
    headers: Headers = EVENT_STREAM,
    ending: Ending = Ending.CLEAN,
    max_body: int | None = None,
) -> list[Stamped]:
    """All events of a whole response whose body came in these reads."""
    events = opened(status, headers)
    pieces = list(pieces)
    last = (14 + len(pieces)) * MS
    if not 200 <= status < 300:
        error, value = explain_http_error(status, headers, b"".join(pieces).decode("utf-8", "replace"))
        events.append(Stamped(last, ErrorReported(error)))
        if (metadata := metadata_of(value)) is not None:
            events.append(Stamped(last, MetadataReported(metadata)))
        return [*events, Stamped(last, Closed(ending))]
    label = next((value for name, value in headers if name == "content-type"), "")

    def take(batch: Sequence[Stamped]) -> None:
        events.extend(batch)

    reader = BodyReader(shape, take, content_type=label, max_body=max_body)
    try:
        run_pure(reader.run(_timed(pieces, 13, ending is Ending.CUT)))
    except httpx.ReadError:
        reader.close_open_block()
    except TooLargeError:
        ending = Ending.SIZE
    return [*events, Stamped(last, Closed(ending))]


def sse(*data: str) -> bytes:
    """An event stream of unnamed frames."""
    return "".join(f"data: {line}\n\n" for line in data).encode()
