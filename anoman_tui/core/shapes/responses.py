"""OpenAI Responses. Events are told apart by their `type`, and by the event name where a gateway drops the type.

Sources: AnyPath streaming page, responses streaming and stream end conditions; `*.done` events repeat what the deltas
gave, so they only mend what the deltas left out.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from anoman_tui.core.errors import error_of
from anoman_tui.core.events import (
    EndReported,
    ErrorReported,
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
    TextDone,
    ToolDelta,
    Usage,
    UsageReported,
)
from anoman_tui.core.jsonish import Json, items, obj, text_of, word
from anoman_tui.core.request import Request
from anoman_tui.core.shapes.common import argument_text, decode_frame, json_answer, make_usage

CALL_TYPES = frozenset({"function_call", "custom_tool_call", "mcp_call"})
RUNNING = ("queued", "in_progress")
FAILED = frozenset({"response.failed", "response.cancelled"})
SILENT = ("response.output_item.", "response.content_part.", "response.reasoning_summary_part.", "response.output_text.annotation.")


def body(request: Request) -> dict[str, Any]:
    """The request body."""
    prompt, params = request.prompt, request.params
    fields: dict[str, Any] = {"model": request.target.model, "stream": request.stream}
    fields["input"] = [{"role": role, "content": text} for role, text in prompt.turns] if prompt.history else prompt.text
    if prompt.system:
        fields["instructions"] = prompt.system
    if params.temperature is not None:
        fields["temperature"] = params.temperature
    if params.max_tokens is not None:
        fields["max_output_tokens"] = params.max_tokens
    if params.effort is not None:
        fields["reasoning"] = {"effort": params.effort, "summary": "auto"}
    return fields


def decode(frame: Frame) -> tuple[StreamEvent, ...]:
    """The events of one Responses event."""
    return decode_frame(frame, _read_event, done_ends=False)


def read_json(value: Json) -> tuple[StreamEvent, ...]:
    """The events of a `response` object in place of the stream."""
    return json_answer(value, _read_whole, lambda response: response.get("status") in RUNNING)


def _read_event(value: dict[str, Json], name: str) -> Iterable[StreamEvent]:
    kind = text_of(value.get("type")) or name
    match kind:
        case "response.output_text.delta":
            yield TextDelta(text_of(value.get("delta")))
        case "response.reasoning_text.delta" | "response.reasoning_summary_text.delta":
            yield ReasoningDelta(text_of(value.get("delta")))
        case "response.refusal.delta":
            yield RefusalDelta(text_of(value.get("delta")))
        case "response.output_text.done":
            yield TextDone("text", text_of(value.get("text")))
        case "response.reasoning_text.done" | "response.reasoning_summary_text.done":
            yield TextDone("reasoning", text_of(value.get("text")))
        case "response.refusal.done":
            yield TextDone("refusal", text_of(value.get("refusal")))
        case "response.content_part.done":
            yield from (TextDone(which, text) for which, text in _item_texts({"content": [value.get("part")]}))
        case "response.output_item.added" | "response.output_item.done":
            yield from _read_item(obj(value.get("item")), _slot(value), done=kind.endswith("done"))
        case "response.function_call_arguments.delta" | "response.custom_tool_call_input.delta" | "response.mcp_call_arguments.delta":
            yield ToolDelta(_slot(value), arguments=text_of(value.get("delta")))
        case "response.function_call_arguments.done" | "response.custom_tool_call_input.done" | "response.mcp_call_arguments.done":
            yield ToolDelta(_slot(value), None, word(value.get("name")), _call_arguments(value), whole=True)
        case "response.created" | "response.queued" | "response.in_progress":
            yield from _started(obj(value.get("response")))
        case "response.completed" | "response.incomplete" | "response.failed" | "response.cancelled":
            yield from _read_end(value, obj(value.get("response")), kind)
        case "ping" | "keepalive":
            yield Noted(NoteKind.PING, kind)
        case _:
            yield FrameSeen() if kind.startswith(SILENT) or kind == "error" or not kind else Noted(NoteKind.UNKNOWN, kind[:80])


def _slot(value: dict[str, Json]) -> str:
    """Names the output item that an event belongs to: by its index, and by its id where there is no index."""
    index = word(value.get("output_index"))
    return f"output {index}" if index else word(value.get("item_id")) or word(obj(value.get("item")).get("id")) or "output 0"


def _call_arguments(fields: dict[str, Json]) -> str:
    """The whole arguments of a call, or the whole input of a custom one."""
    return argument_text(fields.get("arguments")) or argument_text(fields.get("input"))


def _read_item(item: dict[str, Json], slot: str, *, done: bool) -> Iterator[StreamEvent]:
    if item.get("type") in CALL_TYPES:
        whole = _call_arguments(item)
        yield ToolDelta(slot, word(item.get("call_id")), word(item.get("name")), whole, whole=done and bool(whole))
    elif done and item.get("type") in ("message", "reasoning"):
        yield from (TextDone(kind, text) for kind, text in _item_texts(item))


def _item_texts(item: dict[str, Json]) -> Iterator[tuple[str, str]]:
    """(kind, text) of the parts of an output item."""
    for part in items(item.get("content")):
        fields = obj(part)
        match fields.get("type"):
            case "output_text" | "text":
                yield "text", text_of(fields.get("text"))
            case "refusal":
                yield "refusal", text_of(fields.get("refusal"))
            case "reasoning_text":
                yield "reasoning", text_of(fields.get("text"))
    for part in items(item.get("summary")):
        yield "reasoning", text_of(obj(part).get("text"))


def _started(response: dict[str, Json]) -> Iterator[StreamEvent]:
    if response.get("id") or response.get("model"):
        yield Started(word(response.get("id")), word(response.get("model")))


def _read_end(event: dict[str, Json], response: dict[str, Json], kind: str) -> Iterator[StreamEvent]:
    """A terminal event; the response's own status decides where it disagrees with the event's name."""
    yield from _started(response)
    output = [obj(item) for item in items(response.get("output"))]
    for part in ("text", "refusal", "reasoning"):
        whole = "".join(text for item in output for which, text in _item_texts(item) if which == part)
        if whole:
            yield TextDone(part, whole)
    for at, item in enumerate(output):
        if item.get("type") in CALL_TYPES:
            yield from _read_item(item, f"output {at}", done=True)
    if (usage := read_usage(obj(response.get("usage") or event.get("usage")))) is not None:
        yield UsageReported(usage)
    status = text_of(response.get("status")) or kind.removeprefix("response.")
    if response.get("error") or {kind, f"response.{status}"} & FAILED:
        error = response.get("error") or event.get("error") or {"message": f"the server ended the response as {status}"}
        yield ErrorReported(error_of({"error": error}))
        return
    reason = word(obj(response.get("incomplete_details")).get("reason"))
    yield FinishReported(reason or status if "incomplete" in (status, kind.removeprefix("response.")) else status)
    yield EndReported(kind)


def _read_whole(response: dict[str, Json]) -> Iterator[StreamEvent]:
    """A whole `response` object."""
    if response.get("object") != "response" and "output" not in response:
        return
    for item in items(response.get("output")):
        for kind, text in _item_texts(obj(item)):
            yield _delta(kind, text)
    if response.get("status") not in RUNNING:
        yield from _read_end({}, response, f"response.{text_of(response.get('status')) or 'completed'}")


def _delta(kind: str, text: str) -> StreamEvent:
    match kind:
        case "refusal":
            return RefusalDelta(text)
        case "reasoning":
            return ReasoningDelta(text)
        case _:
            return TextDelta(text)


def read_usage(usage: dict[str, Json]) -> Usage | None:
    """A usage snapshot of the Responses form; cached and reasoning tokens are within input and output."""
    details, spent = obj(usage.get("input_tokens_details")), obj(usage.get("output_tokens_details"))
    return make_usage(
        input_tokens=usage.get("input_tokens"),
        output_tokens=usage.get("output_tokens"),
        total_tokens=usage.get("total_tokens"),
        cached_tokens=details.get("cached_tokens"),
        cache_write_tokens=details.get("cache_write_tokens"),
        reasoning_tokens=spent.get("reasoning_tokens"),
        cost_usd=usage.get("cost"),
    )
