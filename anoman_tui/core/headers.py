"""Response headers worth reading, by the names that providers and gateways really use."""

import re
from collections.abc import Iterable
from datetime import UTC

from anoman_tui.core.events import Headers
from anoman_tui.core.jsonish import Json, decimal_of, items, obj, text_of

REQUEST_ID_NAMES = (
    "x-request-id",
    "request-id",
    "x-generation-id",
    "x-litellm-call-id",
    "apim-request-id",
    "x-ms-client-request-id",
    "mistral-correlation-id",
    "x-ds-trace-id",
    "x-amzn-requestid",
    "cf-ray",
)
SECRET_NAMES = frozenset({"set-cookie", "authorization", "proxy-authorization", "x-api-key", "x-goog-api-key", "api-key", "cookie"})
"""Headers that are never shown or saved."""
HIDDEN = "***"
"""Stands for the value of any other header whose name tells of a secret, where it is written down."""
_SECRET_WORDS = re.compile(r"key|token|secret|auth|cookie|password|credential|session", re.IGNORECASE)
_PUBLIC_WORDS = re.compile(r"ratelimit|-tokens?-|allow-|expose-", re.IGNORECASE)
MAX_RETRY_S = 86_400


def is_secret_name(name: str) -> bool:
    """Whether a header of this name may hold a secret; rate limits count tokens and requests, and are none."""
    return name.lower() in SECRET_NAMES or (bool(_SECRET_WORDS.search(name)) and not _PUBLIC_WORDS.search(name))


def header(headers: Headers, name: str) -> str | None:
    """The first value of a header, by its name in lower case."""
    return next((value for key, value in headers if key == name), None)


def joined(headers: Headers, name: str) -> str:
    """All values of a header as one, by its name in lower case; empty where it was not sent."""
    return ", ".join(value for key, value in headers if key == name)


def request_id(headers: Headers) -> str | None:
    """The id to quote to the provider's support."""
    return next((value for name in REQUEST_ID_NAMES if (value := header(headers, name))), None)


def safe(headers: Iterable[tuple[str, str]]) -> Headers:
    """The headers without those that hold secrets."""
    return tuple((name, value) for name, value in headers if name.lower() not in SECRET_NAMES)


def retry_after_s(headers: Headers, error: Json = None) -> float | None:
    """How long the server asks to wait, in seconds: `retry-after-ms`, `retry-after`, then Google's RetryInfo."""
    if (number := decimal_of(header(headers, "retry-after-ms"))) is not None:
        return _seconds(float(number) / 1000)
    if (value := header(headers, "retry-after")) is not None:
        number = decimal_of(value)
        return _seconds(float(number)) if number is not None else _until(value, header(headers, "date"))
    for detail in items(obj(error).get("details")):
        delay = text_of(obj(detail).get("retryDelay"))
        if delay.endswith("s") and (number := decimal_of(delay[:-1])) is not None:
            return _seconds(float(number))
    return None


def _until(date: str, now: str | None) -> float | None:
    """Seconds from the response's own date to an HTTP date."""
    from email.utils import parsedate_to_datetime

    try:
        then = parsedate_to_datetime(date)
        sent = parsedate_to_datetime(now or "")
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    then, sent = (moment if moment.tzinfo else moment.replace(tzinfo=UTC) for moment in (then, sent))
    return _seconds((then - sent).total_seconds())


def _seconds(value: float) -> float | None:
    return value if 0 <= value <= MAX_RETRY_S else None
