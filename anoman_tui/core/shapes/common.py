"""What all shapes share: turning a frame into JSON objects, and the facts that may stand in any of them.

`decode` of every shape is total: any frame gives events, and none raises. It has no memory; what one frame means in the
light of another is for `fold` and `outcome`.
"""

from collections.abc import Callable, Iterable

from anoman_tui.core.errors import error_of, is_error
from anoman_tui.core.events import (
    EndReported,
    ErrorInfo,
    ErrorReported,
    FailureKind,
    FinishReported,
    Frame,
    FrameSeen,
    MetadataReported,
    Noted,
    NoteKind,
    ReasoningDelta,
    RefusalDelta,
    ServedJson,
    StreamEvent,
    TextDelta,
    TextDone,
    ToolDelta,
    Usage,
)
from anoman_tui.core.jsonish import Json, UnreadableError, count, dumps, loads, obj
from anoman_tui.core.report import cost_of, metadata_of

Read = Callable[[dict[str, Json], str], Iterable[StreamEvent]]
"""Reads one JSON object of a stream; the second argument is the frame's event name."""

DONE = "[DONE]"
EXCERPT = 200
FIRST = (0, None, "0", "")
"""Indices of the first of several answers; we ask for one."""
ANSWERING = (TextDelta, TextDone, ReasoningDelta, RefusalDelta, ToolDelta, FinishReported, EndReported, ErrorReported)
Plain = Callable[[dict[str, Json]], str | None]
TELLING = frozenset({"_anoman", "error", "response", "message"})
"""Fields that may hold gateway metadata or an error."""


def decode_frame(frame: Frame, read: Read, *, done_ends: bool, plain: Plain | None = None) -> tuple[StreamEvent, ...]:
    """The events of one frame. `done_ends` says whether `[DONE]` is this protocol's terminal.

    `plain` gives the text of a chunk that holds one piece of the answer and nothing else, as most do; None for every other.
    """
    data = frame.data
    if data.lstrip()[:6] == DONE:
        return (EndReported(DONE),) if done_ends else (FrameSeen(),)
    if not data.strip() and frame.event != "error":
        return (Noted(NoteKind.PING, frame.event),)
    try:
        value = loads(data)
    except UnreadableError:
        return _unreadable(frame, read, done_ends=done_ends)
    if plain is not None and type(value) is dict and not frame.event and TELLING.isdisjoint(value) and "error" not in _kinds(value):
        text = plain(value)
        if text is not None:
            return (TextDelta(text),)
    if isinstance(value, list) and value:
        events = tuple(event for item in value[:1_000] for event in _object_events(item, frame.event, read))
    else:
        events = _object_events(value, frame.event, read)
    return events or (FrameSeen(),)


def _object_events(value: Json, name: str, read: Read) -> tuple[StreamEvent, ...]:
    """The events of one JSON value; a value that is no object carries nothing."""
    if not isinstance(value, dict):
        if name == "error":
            return (ErrorReported(error_of(value)),)
        return (Noted(NoteKind.NO_OBJECT, f"a frame is {_kind(value)}, not an object"),)
    events = list(read(value, name))
    if value.keys().isdisjoint(TELLING) and name != "error" and "anoman" not in name.lower() and "error" not in _kinds(value):
        return tuple(events)
    if (metadata := metadata_of(value)) is not None:
        events.append(MetadataReported(metadata))
    elif "anoman" in name.lower() and "_anoman" not in value:
        events.append(MetadataReported(value))
    if is_error(value) or name == "error":
        events.insert(0, ErrorReported(error_of(value)))  # before an end in the same object, which would make it late
    return tuple(events)


def _kinds(value: dict[str, Json]) -> tuple[Json, Json]:
    return value.get("type"), value.get("object")


def _unreadable(frame: Frame, read: Read, *, done_ends: bool) -> tuple[StreamEvent, ...]:
    """A frame that is no JSON: an error in plain words, several objects glued together, or a hole in the answer."""
    if frame.event == "error":
        return (ErrorReported(ErrorInfo(FailureKind.STREAM, frame.data.strip()[:2_000] or "an error event without words")),)
    lines = [line for line in frame.data.split("\n") if line.strip()]
    if len(lines) > 1:
        try:
            for line in lines:
                if line.strip() != DONE:
                    loads(line)
        except UnreadableError:
            pass
        else:
            return tuple(e for line in lines for e in decode_frame(Frame(frame.event, line), read, done_ends=done_ends))
    if frame.event == "ping":
        return (Noted(NoteKind.PING, "ping"),)
    sample = " ".join(frame.data[:EXCERPT].split())
    return (ErrorReported(ErrorInfo(FailureKind.UNREADABLE, f"a frame cannot be read as JSON, so the answer has a hole: {sample}")),)


def json_answer(
    value: Json, read: Callable[[dict[str, Json]], Iterable[StreamEvent]], is_piece: Callable[[dict[str, Json]], bool]
) -> tuple[StreamEvent, ...]:
    """The events of a JSON body that came in place of a stream. `is_piece` tells a piece of an answer from a whole one."""
    found = value[:10_000] if isinstance(value, list) else [value]
    events: list[StreamEvent] = [ServedJson(whole=len(found) == 1 and not is_piece(obj(found[0])))]
    for item in found:
        if not isinstance(item, dict):
            continue
        if is_error(item):
            events.append(ErrorReported(error_of(item)))
        events += read(item)
        if (metadata := metadata_of(item)) is not None:
            events.append(MetadataReported(metadata))
    if not has_answer(events):
        events.append(_no_answer(value, obj(found[0]) if found else {}))
    return tuple(events)


def has_answer(events: Iterable[StreamEvent]) -> bool:
    """Whether any of the events is a part of an answer, its end, or an error."""
    return any(isinstance(event, ANSWERING) for event in events)


def _no_answer(value: Json, first: dict[str, Json]) -> StreamEvent:
    """What a JSON body without any answer tells: an error in words of its own, or nothing that we know."""
    told = [first.get(name) for name in ("detail", "message", "msg", "errors")]
    if any(isinstance(words, str | list) and words for words in told):
        return ErrorReported(error_of(first))
    return Noted(NoteKind.UNKNOWN, dumps(value)[:EXCERPT])


def make_usage(
    *,
    input_tokens: Json = None,
    output_tokens: Json = None,
    total_tokens: Json = None,
    cached_tokens: Json = None,
    cache_write_tokens: Json = None,
    reasoning_tokens: Json = None,
    uncached_tokens: Json = None,
    cost_usd: Json = None,
) -> Usage | None:
    """A usage snapshot of what can be read as a count; None when nothing can."""
    usage = Usage(
        count(input_tokens),
        count(output_tokens),
        count(total_tokens),
        count(cached_tokens),
        count(cache_write_tokens),
        count(reasoning_tokens),
        count(uncached_tokens),
        cost_of(cost_usd),
    )
    return None if usage == Usage() else usage


def content_events(content: Json) -> Iterable[StreamEvent]:
    """Text and thinking out of a content field: a string, or a list of typed parts."""
    if isinstance(content, str):
        if content:
            yield TextDelta(content)
        return
    for part in content if isinstance(content, list) else ():
        if isinstance(part, str):
            yield TextDelta(part)
            continue
        fields = obj(part)
        thinking = fields.get("thinking")
        if isinstance(thinking, str):
            yield ReasoningDelta(thinking)
        elif isinstance(thinking, list):
            yield from (ReasoningDelta(text) for item in thinking if isinstance(text := obj(item).get("text"), str))
        elif isinstance(text := fields.get("text"), str) and fields.get("type") in ("text", "output_text", None):
            yield TextDelta(text)


def argument_text(value: Json) -> str:
    """A tool call's arguments as text; some servers give an object."""
    if isinstance(value, str):
        return value
    return "" if value is None else dumps(value)


def _kind(value: Json) -> str:
    if value is None:
        return "null"
    return {"list": "a list", "str": "a string", "bool": "a boolean"}.get(type(value).__name__, "a number")
