"""What a server says went wrong: error bodies and error frames of every provider, in one form.

Rules: the first of `error` (object or string), `type: error`, `object: error`, `detail`, `message`, `errors` that is
there. A block is told apart from a failure by a guardrail's own words or by `_anoman.guardrails`, since no page shows the
body of a block (Anoman streaming page, mid-stream errors: pre-call failures are ordinary HTTP errors).
"""

import re
from dataclasses import replace

from anoman_tui.core.events import ErrorInfo, FailureKind, Headers
from anoman_tui.core.headers import header, request_id, retry_after_s
from anoman_tui.core.jsonish import Json, UnreadableError, count, items, loads, obj, text_of, word

MAX_MESSAGE = 2_000
EXCERPT = 200

_BLOCK_WORDS = re.compile(r"guardrail|polic|moderat|injection|(?:^|[^a-z])pii(?:$|[^a-z])|blocked|content[_-]?filter|safety", re.IGNORECASE)
_FILTER_WORDS = re.compile(r"content[_-]?filter|ResponsibleAIPolicyViolation|guardrail", re.IGNORECASE)
_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_DROPPED = re.compile(r"<(script|style|head)\b.*?</\1>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^>]*>")


def is_error(value: Json) -> bool:
    """Whether a JSON object in a stream or a body is an error, in any shape."""
    fields = obj(value)
    return bool(fields.get("error")) or fields.get("type") == "error" or fields.get("object") == "error"


def error_of(value: Json, *, kind: FailureKind = FailureKind.STREAM) -> ErrorInfo:
    """The error that a JSON value tells of."""
    if isinstance(value, list) and value:
        value = value[0]
    top = obj(value)
    inner = top.get("error")
    if isinstance(inner, list) and inner:
        inner = inner[0]
    fields = obj(inner) if isinstance(inner, dict) else top
    message = _message(value, top, inner, fields)
    own = obj(fields.get("_anoman") or top.get("_anoman"))
    info = ErrorInfo(
        kind=kind,
        message=message[:MAX_MESSAGE] or "the server gave no reason",
        type=_label(fields, "type", "status"),
        code=_label(fields, "code") or (_label(top, "code") if inner is not None else None) or _short_code(top, inner),
        failure_class=word(own.get("failure_class")),
        retry_after_s=retry_after_s((), fields),
        request_id=word(top.get("request_id")) or word(fields.get("request_id")),
    )
    for unit, name in (("chars", "accumulated_chars"), ("tokens", "completion_tokens")):
        if (size := count(own.get(name))) is not None:
            return replace(info, partial_value=size, partial_unit=unit)
    return info


def _short_code(top: Json, inner: Json) -> str | None:
    """The code of OAuth's form, where `error` is the code and the words stand in `error_description`."""
    return word(inner) if top.get("error_description") else None


def _label(fields: Json, *names: str) -> str | None:
    return next((found for name in names if (found := word(fields.get(name))) and found not in ("error", "None")), None)


def _message(value: Json, top: Json, inner: Json, fields: Json) -> str:
    """The message, from wherever it stands."""
    candidates: list[Json] = [
        fields.get("message"),
        top.get("error_description"),
        inner,
        fields.get("detail"),
        top.get("detail"),
        top.get("message"),
    ]
    for candidate in (*candidates, fields.get("error"), fields.get("reason"), top.get("errors"), top.get("title"), value):
        if found := _words(candidate):
            return found
    return _label(fields, "type", "code", "status") or ""


def _words(value: Json) -> str:
    """The human words in a message field: a string, or a list or object that holds some."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list):
        return "; ".join(dict.fromkeys(found for item in value[:20] if (found := _words(item))))
    fields = obj(value)
    for name in ("message", "msg", "detail", "error", "description"):
        if isinstance(fields.get(name), str) and fields[name].strip():
            where = fields.get("loc")
            place = ".".join(str(step) for step in where if isinstance(step, str | int)) if isinstance(where, list) else ""
            return f"{place}: {fields[name].strip()}" if place else text_of(fields[name]).strip()
    return _words(fields.get("detail")) if isinstance(fields.get("detail"), list) else ""


def explain_http_error(status: int, headers: Headers, body: str) -> tuple[ErrorInfo, Json]:
    """The error of a response that is no 2xx, and its JSON if it had any. A redirect is an error, too."""
    value = _json_in(body)
    if value is not None:
        info = error_of(value, kind=FailureKind.HTTP)
        if info.message == "the server gave no reason":
            info = replace(info, message=excerpt(body))
    else:
        info = ErrorInfo(FailureKind.HTTP, _plain_message(status, headers, body))
    info = replace(
        info,
        http_status=status,
        retry_after_s=retry_after_s(headers, _fields(value)) or info.retry_after_s,
        request_id=request_id(headers) or info.request_id,
    )
    return (replace(info, kind=FailureKind.BLOCKED) if _is_block(status, info, value) else info), value


def _plain_message(status: int, headers: Headers, body: str) -> str:
    if 300 <= status < 400:
        place = header(headers, "location") or "an address that it does not give"
        return f"redirected to {place}; redirects are not followed, so put the final address into the base URL"
    return excerpt(body) or "the response body is empty"


def _json_in(body: str) -> Json:
    """The JSON of a body, also where it stands in an event stream's data lines."""
    text = body.strip().removeprefix("\ufeff")
    if not text.startswith(("{", "[")):
        lines = [line[5:].strip() for line in text.splitlines() if line.startswith("data:")]
        lines = [line for line in lines if line.startswith(("{", "["))]
        text = next((line for line in lines if '"error"' in line), lines[0] if lines else "")
    if not text:
        return None
    try:
        value = loads(text)
    except UnreadableError:
        return None
    return value or None


def _fields(value: Json) -> Json:
    first = value[0] if isinstance(value, list) and value else value
    return obj(obj(first).get("error"))


def _is_block(status: int, info: ErrorInfo, value: Json) -> bool:
    """A refusal by a guardrail before the stream, as opposed to an ordinary failure."""
    if not 400 <= status < 500 or status in (401, 407, 408, 429):
        return False
    fields = _fields(value)
    if obj(fields.get("_anoman")).get("guardrails") or obj(obj(value).get("_anoman")).get("guardrails"):
        return True
    labels = " ".join(part for part in (info.type, info.code, word(obj(fields.get("innererror")).get("code"))) if part)
    if status == 403:
        return bool(_BLOCK_WORDS.search(labels)) or bool(items(obj(fields.get("metadata")).get("reasons")))
    return bool(_FILTER_WORDS.search(labels))


def excerpt(body: str) -> str:
    """The beginning of a page or text: an HTML page's title and words, anything else as it is; at most 200 characters."""
    head = body[:65_536]
    if "<" in head[:1_000] and re.search(r"<(!doctype|html|head|body|title)\b", head, re.IGNORECASE):
        title = _TITLE.search(head)
        import html  # its table of names is read only for a page

        words = " ".join(html.unescape(_TAG.sub(" ", _DROPPED.sub(" ", head))).split())
        named = " ".join(html.unescape(title.group(1)).split()) if title else ""
        head = f"an HTML page, «{named}»: {words.removeprefix(named).strip()}" if named else f"an HTML page: {words}"
    return " ".join(head.split())[:EXCERPT].rstrip(": ")
