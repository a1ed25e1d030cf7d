"""What is known of one stream, as frozen values. What it means is said elsewhere: `outcome` judges it, `metrics` measures it."""

from collections.abc import Mapping
from dataclasses import field
from decimal import Decimal
from typing import Any

from anoman_tui.core.chunks import Chunks
from anoman_tui.core.events import Closed, ErrorInfo, FrameFacts, Headers, NoteKind, Usage
from anoman_tui.core.records import dataclass
from anoman_tui.core.request import Params
from anoman_tui.core.target import Target


@dataclass(frozen=True, slots=True)
class Stamps:
    """When things happened, in nanoseconds of one monotonic clock; None where they did not."""

    connect_started: int | None = None
    connected: int | None = None
    headers_sent: int | None = None
    headers: int | None = None
    first_event: int | None = None
    """The first frame of any kind but a ping."""
    first_token: int | None = None
    """The first non-empty text, reasoning, refusal or tool delta."""
    first_answer: int | None = None
    """The first non-empty text, refusal or tool delta."""
    last_content: int | None = None
    """The last read that carried content."""
    usage: int | None = None
    metadata: int | None = None
    end: int | None = None
    """The protocol's own terminal."""
    cancel: int | None = None
    closed: int | None = None
    last_byte: int | None = None
    stall_max_ns: int | None = None
    """The longest gap between two reads that carried content."""
    silence_max_ns: int = 0
    """The longest gap between two reads of any kind."""
    content_reads: int = 0


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool call, its arguments as text."""

    slot: str
    call_id: str | None = None
    name: str | None = None
    arguments: Chunks = field(default_factory=Chunks)
    whole: bool = False
    """Whether the arguments came as a whole; pieces that follow begin anew, and repeat them."""


@dataclass(frozen=True, slots=True)
class Note:
    """A note with the frame it came in."""

    kind: NoteKind
    text: str
    frame: int | None


@dataclass(frozen=True, slots=True)
class Wire:
    """What came over the wire. `deltas` counts frames' content pieces."""

    bytes: int = 0
    reads: int = 0
    frames: int = 0
    deltas: int = 0
    pings: int = 0


@dataclass(frozen=True, slots=True)
class Trace:
    """In which frames things stood, for the rules of the contract; None where they did not come."""

    facts: tuple[tuple[int, FrameFacts], ...] = ()
    """Frames that are no plain deltas, in order."""
    finish: int | None = None
    usage: int | None = None
    """The last frame with usage."""
    end: int | None = None
    metadata: int | None = None
    """The last frame with gateway metadata."""
    end_after_error: int | None = None
    content_after_finish: int = 0
    """Pieces of the answer after the finish reason."""
    first_usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class PaneState:
    """All that is known of one stream."""

    target: Target
    url: str | None = None
    """Where the request went; None until it is made."""
    max_tokens: int | None = None
    """The limit of output tokens that was asked for; None when the server chose."""
    streaming: bool = True
    """Whether a stream was asked for, and not one JSON answer."""
    stamps: Stamps = field(default_factory=Stamps)
    text: Chunks = field(default_factory=Chunks)
    reasoning: Chunks = field(default_factory=Chunks)
    refusal: Chunks = field(default_factory=Chunks)
    tools: tuple[ToolCall, ...] = ()
    usage: Usage | None = None
    usage_before_end: bool = False
    metadata: Mapping[str, Any] | None = None
    status: int | None = None
    headers: Headers = ()
    response_id: str | None = None
    served_model: str | None = None
    finish_reason: str | None = None
    end: str | None = None
    """The terminal's own name, once it came."""
    error: ErrorInfo | None = None
    error_frame: int | None = None
    served_json: bool = False
    served_whole: bool = True
    """False where the JSON in place of a stream was pieces of an answer, which take a finish reason to be whole."""
    closed: Closed | None = None
    notes: tuple[Note, ...] = ()
    late_frames: int = 0
    """Frames with content after the protocol's end; their content is not taken."""
    wire: Wire = field(default_factory=Wire)
    trace: Trace = field(default_factory=Trace)
    list_usd: Decimal | None = None
    """Our own estimate by list prices."""
    estimated: float = 0.0
    """Estimated output tokens by characters alone."""
    characters_per_token: float | None = None
    """The ratio learned from earlier answers of this target; None while there was none."""
    params: Params | None = None
    """The parameters that were asked for, where they are not those of the run."""
    system: str | None = None
    """The system prompt, where it is not that of the run; an empty one says that none was sent."""
    earlier_request_ids: tuple[str, ...] = ()
    """Request ids of the attempts before a retry, oldest first."""
    recent: tuple[tuple[int, float, int], ...] = ()
    """(time, estimated tokens, deltas) of the content of the last two seconds, for the live rate."""

    @property
    def has_content(self) -> bool:
        """Whether any text, reasoning, refusal or tool call came."""
        return bool(self.text or self.reasoning or self.refusal or self.tools)
