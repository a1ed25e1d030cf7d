"""What a response says by its head alone, and what an error response says: the same for a live and a recorded one."""

from anoman_tui.core.errors import explain_http_error
from anoman_tui.core.events import ErrorReported, Headers, MetadataReported
from anoman_tui.core.headers import joined
from anoman_tui.core.report import metadata_of

MAX_ERROR_BODY = 64 * 1024
"""Bytes of an error response's body that are read."""
READABLE_ENCODINGS = frozenset({"", "identity", "gzip", "deflate", "none", "utf-8", "utf8", "binary"})
"""Content encodings that can be unpacked, and labels of sloppy servers that pack nothing."""


def unreadable_encoding(headers: Headers) -> str:
    """One sentence on a body that is packed in a way that cannot be read here; empty where it can."""
    encoding = joined(headers, "content-encoding").strip().lower()
    if all(part.strip() in READABLE_ENCODINGS for part in encoding.split(",")):
        return ""
    return f"the server packs the body as {encoding!r} though it was asked not to; this encoding cannot be read here"


def http_error_events(status: int, headers: Headers, body: bytes) -> tuple[ErrorReported | MetadataReported, ...]:
    """The events of a response that is no 2xx: its error, and the gateway metadata in its body where there is some."""
    text = unreadable_encoding(headers) or body[:MAX_ERROR_BODY].decode("utf-8", "replace")
    error, value = explain_http_error(status, headers, text)
    metadata = metadata_of(value)
    return (ErrorReported(error),) if metadata is None else (ErrorReported(error), MetadataReported(metadata))
