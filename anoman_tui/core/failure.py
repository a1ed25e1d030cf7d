"""What went wrong, as a value."""

from enum import StrEnum

from anoman_tui.core.records import dataclass


class FailureKind(StrEnum):
    """Which part failed."""

    HTTP = "http"
    """The server answered with an error status."""
    STREAM = "stream"
    """An error frame inside a stream, or an error object in a JSON answer."""
    UNREADABLE = "unreadable"
    """A frame or body that cannot be read."""
    CONNECTION = "connection"
    """No connection, or lost before the response headers."""
    LIMIT = "limit"
    """A limit of ours was reached."""
    SETUP = "setup"
    """Our own side: a proxy variable, a certificate file, a key with a bad character."""
    BLOCKED = "blocked"
    """A guardrail refused the prompt before the stream."""


class TooLargeError(Exception):
    """A line, a frame or a body is over the limit; the message says which and how large."""


@dataclass(frozen=True, slots=True)
class ErrorInfo:
    """What went wrong, in the server's words where it gave any; `code` and `type` are verbatim."""

    kind: FailureKind
    message: str
    type: str | None = None
    code: str | None = None
    http_status: int | None = None
    failure_class: str | None = None
    partial_value: int | None = None
    """How much came before the failure, in `partial_unit`."""
    partial_unit: str | None = None
    """`chars` or `tokens` (Anoman streaming page, mid-stream errors; the two language versions differ)."""
    retry_after_s: float | None = None
    request_id: str | None = None
