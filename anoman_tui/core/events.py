"""What happens to a stream, as one small union of facts.

A frame is one server-sent event as it stood on the wire. A shape's `decode` turns a frame into stream events; the
transport adds the facts of the connection. Every event is stamped with the time at which its read returned.
"""

from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from typing import Any

from anoman_tui.core.facts import FrameFacts as FrameFacts
from anoman_tui.core.failure import ErrorInfo as ErrorInfo
from anoman_tui.core.failure import FailureKind as FailureKind
from anoman_tui.core.records import dataclass

Headers = tuple[tuple[str, str], ...]
"""Response headers in wire order, names in lower case."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One server-sent event: its name (empty when none was given) and its data."""

    event: str
    data: str


@dataclass(frozen=True, slots=True)
class Usage:
    """A provider's snapshot of token counts; None is unknown, never 0. Snapshots replace one another and are never summed."""

    input_tokens: int | None = None
    """All input, cache reads and writes included."""
    output_tokens: int | None = None
    """All output, reasoning included."""
    total_tokens: int | None = None
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    reasoning_tokens: int | None = None
    uncached_tokens: int | None = None
    """The input outside the cache, where the protocol counts it apart (Messages); then all input is the sum of its parts."""
    cost_usd: Decimal | None = None
    """What the server says the request cost, where it says so beside the counts (OpenRouter, LiteLLM)."""


# Facts of the connection.


@dataclass(frozen=True, slots=True)
class Requested:
    """The HTTP request is ready; its URL, which a local target learns only when its server runs."""

    url: str
    max_tokens: int | None = None
    """The limit of output tokens that was asked for."""
    stream: bool = True
    """Whether a stream was asked for, and not one JSON answer."""


@dataclass(frozen=True, slots=True)
class ConnectStarted:
    """The TCP connection is being made."""


@dataclass(frozen=True, slots=True)
class Connected:
    """DNS, TCP and TLS are done."""


@dataclass(frozen=True, slots=True)
class HeadersSent:
    """The request headers began to be written: time zero of every measure."""


@dataclass(frozen=True, slots=True)
class HeadersReceived:
    """The response head."""

    status: int
    headers: Headers


@dataclass(frozen=True, slots=True)
class BodyRead:
    """One read of the body returned `size` bytes."""

    size: int


@dataclass(frozen=True, slots=True)
class FrameSeen:
    """A frame that carried nothing else: it counts, and it is activity."""


@dataclass(frozen=True, slots=True)
class CancelRequested:
    """The user asked to stop."""


class Ending(StrEnum):
    """How the body ended."""

    CLEAN = "clean"
    """By its framing."""
    CUT = "cut"
    """The connection broke inside the body."""
    CANCELLED = "cancelled"
    """We closed it because the user asked."""
    DRAINED = "drained"
    """We closed it: the protocol's end had come and the grace for late frames was over."""
    IDLE = "idle"
    """Nothing but keep-alives for longer than the idle limit."""
    TOTAL = "total"
    """The total time limit."""
    SIZE = "size"
    """The size limit of a line, a frame or the body."""
    REFUSED = "refused"
    """No connection, or it was lost before the response headers, or the request could not be made."""


@dataclass(frozen=True, slots=True)
class Closed:
    """The stream is over on our side. `detail` says why in one sentence where there is more to say."""

    ending: Ending
    detail: str = ""
    loop_lag_ms: float = 0.0
    """How late this stream's times may be, since the network loop ran late: 95th percentile; above 20 they are not to be trusted."""


@dataclass(frozen=True, slots=True)
class ListPriced:
    """Our own estimate of the cost by list prices; it comes after the stream's end, and is None where no price is known."""

    usd: Decimal | None


# Facts of the stream.


@dataclass(frozen=True, slots=True)
class ServedJson:
    """A JSON answer came in place of the stream (Anoman streaming page: cache hits short-circuit the stream)."""

    whole: bool = True
    """False where the JSON is the stream's own pieces, or an answer that is not done; then it takes a finish reason to be whole."""


@dataclass(frozen=True, slots=True)
class Started:
    """The answer's id and the model that serves it, as far as they are told."""

    response_id: str | None
    model: str | None


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """A piece of reasoning, kept apart from the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class RefusalDelta:
    """A piece of a refusal."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolDelta:
    """A piece of a tool call. Pieces of one `slot` belong together; `whole` replaces the arguments so far."""

    slot: str
    call_id: str | None = None
    name: str | None = None
    arguments: str = ""
    whole: bool = False


@dataclass(frozen=True, slots=True)
class TextDone:
    """The whole text of one part as a closing event repeats it; only mends what the deltas did not give."""

    kind: str
    """`text`, `reasoning` or `refusal`."""
    text: str


@dataclass(frozen=True, slots=True)
class UsageReported:
    """A usage snapshot."""

    usage: Usage


@dataclass(frozen=True, slots=True)
class MetadataReported:
    """Gateway metadata, verbatim."""

    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FinishReported:
    """The wire's own word for why the answer ended."""

    reason: str


@dataclass(frozen=True, slots=True)
class EndReported:
    """The protocol's own terminal: `[DONE]`, `message_stop`, `response.completed`, `response.incomplete`."""

    mark: str


@dataclass(frozen=True, slots=True)
class ErrorReported:
    """An error in the stream. It latches: nothing that follows makes the answer whole."""

    error: ErrorInfo


class NoteKind(StrEnum):
    """What a note is about."""

    PING = "ping"
    COMMENT = "comment"
    UNKNOWN = "unknown"
    """An event, block or part of a kind that we do not know; protocols may add some."""
    NO_OBJECT = "no-object"
    """A frame of JSON that is no object."""
    BESIDE = "beside"
    """A whole JSON answer stood in the body beside the frames."""
    FILTER = "filter"
    LABEL = "label"
    """The response is not labelled as what it is."""
    STRAY = "stray"
    """Lines that are no part of the event stream."""
    OPEN_END = "open-end"
    """The last frame lacked its blank line."""


@dataclass(frozen=True, slots=True)
class Noted:
    """Something that carries no answer but is worth knowing."""

    kind: NoteKind
    text: str = ""


StreamEvent = (
    Requested
    | ConnectStarted
    | Connected
    | HeadersSent
    | HeadersReceived
    | BodyRead
    | FrameSeen
    | CancelRequested
    | Closed
    | ListPriced
    | ServedJson
    | Started
    | TextDelta
    | ReasoningDelta
    | RefusalDelta
    | ToolDelta
    | TextDone
    | UsageReported
    | MetadataReported
    | FinishReported
    | EndReported
    | ErrorReported
    | Noted
    | FrameFacts
)


@dataclass(frozen=True, slots=True)
class Stamped:
    """An event with the time its read came in (nanoseconds of `perf_counter_ns`) and the number of its frame, from 1."""

    t_ns: int
    event: StreamEvent
    frame: int | None = None
