"""Anthropic Messages. Usage is cumulative: later snapshots overwrite the counts that they carry, and only those."""

from collections.abc import Iterable, Iterator
from typing import Any

from anoman_tui.core.events import (
    EndReported,
    FinishReported,
    Frame,
    FrameSeen,
    Noted,
    NoteKind,
    ReasoningDelta,
    RefusalDelta,
    Started,
    StreamEvent,
    TextDelta,
    ToolDelta,
    Usage,
    UsageReported,
)
from anoman_tui.core.jsonish import Json, count, dumps, items, obj, text_of, word
from anoman_tui.core.request import Request
from anoman_tui.core.shapes.common import decode_frame, json_answer, make_usage

DEFAULT_MAX_TOKENS = 4_096
"""The protocol demands a limit; this one is sent unless the user sets another."""
VERSION = "2023-06-01"
TOOL_TYPES = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})


def body(request: Request) -> dict[str, Any]:
    """The request body."""
    prompt, params = request.prompt, request.params
    fields: dict[str, Any] = {
        "model": request.target.model,
        "max_tokens": params.max_tokens if params.max_tokens is not None else DEFAULT_MAX_TOKENS,
        "messages": [{"role": role, "content": text} for role, text in prompt.turns],
        "stream": request.stream,
    }
    if prompt.system:
        fields["system"] = prompt.system
    if params.temperature is not None:
        fields["temperature"] = params.temperature
    if params.stop:
        fields["stop_sequences"] = list(params.stop)
    if params.effort is not None:
        fields["output_config"] = {"effort": params.effort}
    return fields


def decode(frame: Frame) -> tuple[StreamEvent, ...]:
    """The events of one Messages event."""
    return decode_frame(frame, _read_event, done_ends=False)


def read_json(value: Json) -> tuple[StreamEvent, ...]:
    """The events of a `message` object in place of the stream."""
    return json_answer(value, _read_whole, lambda _: False)


def _read_event(value: dict[str, Json], name: str) -> Iterable[StreamEvent]:
    kind = text_of(value.get("type")) or name
    match kind:
        case "content_block_delta":
            yield from _read_delta(obj(value.get("delta")), str(value.get("index")))
        case "content_block_start":
            yield from _read_block(obj(value.get("content_block")), str(value.get("index")))
        case "content_block_stop":
            yield FrameSeen()
        case "ping":
            yield Noted(NoteKind.PING, "ping")
        case "message_start":
            message = obj(value.get("message"))
            yield Started(word(message.get("id")), word(message.get("model")))
            for block in items(message.get("content")):
                yield from _read_block(obj(block), "start")
            yield from _reported(message.get("usage") or value.get("usage"))
        case "message_delta":
            yield from _read_finish(obj(value.get("delta")))
            yield from _reported(value.get("usage"))
        case "message_stop":
            yield from _reported(value.get("usage"))
            yield EndReported("message_stop")
        case "error" | "":
            yield FrameSeen()
        case _:
            yield Noted(NoteKind.UNKNOWN, kind[:80])


def _read_delta(delta: dict[str, Json], slot: str) -> Iterator[StreamEvent]:
    match delta.get("type"):
        case "text_delta":
            yield TextDelta(text_of(delta.get("text")))
        case "thinking_delta":
            yield ReasoningDelta(text_of(delta.get("thinking")))
        case "input_json_delta":
            yield ToolDelta(slot, arguments=text_of(delta.get("partial_json")))
        case _:
            yield FrameSeen()


def _read_block(block: dict[str, Json], slot: str) -> Iterator[StreamEvent]:
    """A content block as it opens, or whole."""
    match block.get("type"):
        case "text":
            yield TextDelta(text_of(block.get("text")))
        case "thinking":
            yield ReasoningDelta(text_of(block.get("thinking")))
        case "redacted_thinking":
            yield Noted(NoteKind.FILTER, "a part of the reasoning is redacted")
        case kind if kind in TOOL_TYPES:
            given = block.get("input")
            yield ToolDelta(slot, word(block.get("id")), word(block.get("name")), dumps(given) if given else "", whole=bool(given))
        case kind:
            yield Noted(NoteKind.UNKNOWN, f"content block {word(kind) or 'without a type'}"[:80])


def _read_finish(delta: dict[str, Json]) -> Iterator[StreamEvent]:
    if reason := text_of(delta.get("stop_reason")):
        yield FinishReported(reason)
    if explanation := text_of(obj(delta.get("stop_details")).get("explanation")):
        yield RefusalDelta(explanation)


def _reported(usage: Json) -> Iterator[StreamEvent]:
    if (snapshot := read_usage(obj(usage))) is not None:
        yield UsageReported(snapshot)


def _read_whole(message: dict[str, Json]) -> Iterator[StreamEvent]:
    """A whole `message` object."""
    if message.get("type") != "message" and "content" not in message:
        return
    yield Started(word(message.get("id")), word(message.get("model")))
    if isinstance(text := message.get("content"), str):
        yield TextDelta(text)
    for at, block in enumerate(items(message.get("content"))):
        yield from _read_block(obj(block), str(at))
    yield from _read_finish(message)
    yield from _reported(message.get("usage"))


def read_usage(usage: dict[str, Json]) -> Usage | None:
    """A usage snapshot of the Messages form. Cache reads and writes stand outside `input_tokens` and are added to it."""
    fresh, read, written = (count(usage.get(n)) for n in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"))
    spent = obj(usage.get("output_tokens_details"))
    return make_usage(
        input_tokens=None if fresh is None else fresh + (read or 0) + (written or 0),
        output_tokens=usage.get("output_tokens"),
        cached_tokens=read,
        cache_write_tokens=written,
        reasoning_tokens=spent.get("thinking_tokens"),
        uncached_tokens=fresh,
        cost_usd=usage.get("cost"),
    )
