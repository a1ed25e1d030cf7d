"""Errors before the stream, in the envelope of the shape that was asked.

The OpenAI envelope serves chat, playground and responses; Anthropic's serves messages; Google's serves Gemini. Where a gateway's
page gives no envelope, the one that the shape's own SDK reads was chosen.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from anoman_tui.emulator.ask import Shape

_OPENAI_TYPES = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error", 500: "server_error", 503: "server_error"}
_ANTHROPIC_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
}
_GEMINI_STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    405: "UNIMPLEMENTED",
    413: "INVALID_ARGUMENT",
    429: "RESOURCE_EXHAUSTED",
    503: "UNAVAILABLE",
}


@dataclass(slots=True)
class GatewayError(Exception):
    """A request that is answered with an HTTP error.

    `code` is the gateway's own word (`model_unavailable`, `guardrail_blocked`, …). `extra` is merged into the error object, for
    instance `{"_anoman": {...}}`. `retry_after_s` also sets the rate-limit headers of the shape.
    """

    status: int
    code: str
    message: str
    param: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    retry_after_s: int | None = None

    def __str__(self) -> str:
        return self.message


def envelope(shape: Shape, error: GatewayError, request_id: str) -> dict[str, Any]:
    """The JSON body of an error for one shape."""
    if shape == "messages":
        kind = _ANTHROPIC_TYPES.get(error.status, "api_error")
        body = {"type": kind, "message": error.message, "code": error.code, **error.extra}
        return {"type": "error", "error": body, "request_id": request_id}
    if shape == "gemini":
        status = _GEMINI_STATUSES.get(error.status, "INTERNAL")
        return {"error": {"code": error.status, "message": error.message, "status": status, "details": _details(error), **error.extra}}
    kind = _OPENAI_TYPES.get(error.status, "invalid_request_error")
    return {"error": {"message": error.message, "type": kind, "param": error.param, "code": error.code, **error.extra}}


def headers(shape: Shape, error: GatewayError) -> dict[str, str]:
    """Headers that belong to an error: `Retry-After` and the shape's rate-limit headers, for 429 alone."""
    if error.retry_after_s is None:
        return {}
    wait = error.retry_after_s
    if shape == "messages":
        limits = {"anthropic-ratelimit-requests-limit": "60", "anthropic-ratelimit-requests-remaining": "0"}
    else:
        limits = {"x-ratelimit-limit-requests": "60", "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": f"{wait}s"}
    return {"retry-after": str(wait), **limits}


def _details(error: GatewayError) -> list[dict[str, Any]]:
    details: list[dict[str, Any]] = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": error.code.upper()}]
    if error.retry_after_s is not None:
        details.append({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{error.retry_after_s}s"})
    return details
