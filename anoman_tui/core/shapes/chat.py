"""OpenAI chat completions, and the playground, which streams the same chunks.

Sources: Anoman streaming page, wire format; AnyPath streaming page, chat completions streaming; and the deviations of
compatible servers: usage in any chunk, reasoning under several names, whole messages in place of deltas.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from anoman_tui.core.events import (
    ErrorInfo,
    ErrorReported,
    FailureKind,
    FinishReported,
    Frame,
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
from anoman_tui.core.jsonish import Json, count, items, obj, text_of, word
from anoman_tui.core.request import Request
from anoman_tui.core.shapes.common import FIRST, argument_text, content_events, decode_frame, json_answer, make_usage

REASONING_FIELDS = ("reasoning_content", "reasoning", "thinking")


def body(request: Request) -> dict[str, Any]:
    """The request body."""
    prompt, params, provider = request.prompt, request.params, request.target.provider
    messages = [{"role": role, "content": text} for role, text in prompt.turns]
    if prompt.system:
        messages.insert(0, {"role": "system", "content": prompt.system})
    fields: dict[str, Any] = {"model": request.target.model, "messages": messages, "stream": request.stream}
    if provider.include_usage and request.stream:
        fields["stream_options"] = {"include_usage": True}
    if params.temperature is not None:
        fields["temperature"] = params.temperature
    if params.max_tokens is not None:
        fields["max_completion_tokens" if provider.name == "openai" else "max_tokens"] = params.max_tokens
    if params.stop:
        fields["stop"] = list(params.stop)
    if params.effort is not None:
        fields["reasoning_effort"] = params.effort
    return fields


def decode(frame: Frame) -> tuple[StreamEvent, ...]:
    """The events of one chat chunk."""
    return decode_frame(frame, _read_chunk, done_ends=True, plain=_plain_text)


def decode_playground(frame: Frame) -> tuple[StreamEvent, ...]:
    """The events of one playground frame: a chat chunk, or one whose text stands at the top."""
    return decode_frame(frame, _read_playground, done_ends=True)


def read_json(value: Json) -> tuple[StreamEvent, ...]:
    """The events of a `chat.completion` object in place of the stream."""
    return json_answer(value, lambda item: _read_chunk(item, ""), _is_piece)


def _is_piece(value: dict[str, Json]) -> bool:
    """Whether an object is a chunk of a stream and no whole completion."""
    return any("delta" in obj(choice) and "message" not in obj(choice) for choice in items(value.get("choices")))


def _read_playground(value: dict[str, Json], name: str) -> Iterable[StreamEvent]:
    yield from _read_chunk(value, name)
    if "choices" in value or "_anoman" in value or value.get("error"):
        return
    for field in ("delta", "content", "text"):
        inner = value.get(field)
        text = inner if isinstance(inner, str) else text_of(obj(inner).get("content"))
        if text:
            yield TextDelta(text)
            break
    if reason := text_of(value.get("finish_reason")):
        yield FinishReported(reason)


def _read_chunk(value: dict[str, Json], name: str) -> Iterable[StreamEvent]:  # noqa: ARG001 - the common signature
    if (text := _plain_text(value)) is not None:
        yield TextDelta(text)
        return
    model = value.get("model")
    if model or value.get("id"):
        yield Started(word(value.get("id")), word(model))
    usage = value.get("usage")
    for choice in items(value.get("choices")):
        if not isinstance(choice, dict) or choice.get("index") not in FIRST:
            continue
        yield from _read_choice(choice)
        usage = usage if isinstance(usage, dict) else choice.get("usage")
    groq = value.get("x_groq")
    if isinstance(groq, dict):
        usage = usage if isinstance(usage, dict) else groq.get("usage")
        if text_of(groq.get("error")):
            yield ErrorReported(ErrorInfo(FailureKind.STREAM, text_of(groq.get("error"))))
    if isinstance(usage, dict) and (counts := read_usage(usage)) is not None:
        yield UsageReported(counts)


def _plain_text(value: dict[str, Json]) -> str | None:
    """The text of a chunk that holds one piece of the answer and nothing else, as most do; None for every other chunk."""
    choices = value.get("choices")
    if not isinstance(choices, list) or len(choices) != 1 or value.get("usage") or "x_groq" in value:
        return None
    choice = choices[0]
    if not isinstance(choice, dict) or choice.get("index") or choice.get("finish_reason") or choice.get("content_filter_results"):
        return None
    delta = choice.get("delta")
    if not isinstance(delta, dict) or len(delta) != 1:
        return None
    text = delta.get("content")
    return text if isinstance(text, str) and text and "usage" not in choice else None


def _read_choice(choice: dict[str, Json]) -> Iterator[StreamEvent]:
    delta = choice.get("delta")
    if isinstance(delta, dict):
        yield from _read_delta(delta)
    elif isinstance(message := choice.get("message"), dict):
        yield from _read_message(message)
    elif isinstance(text := choice.get("text"), str) and text:
        yield TextDelta(text)
    if any(obj(result).get("filtered") is True for result in obj(choice.get("content_filter_results")).values()):
        yield Noted(NoteKind.FILTER, "the content filter marked this answer")
    reason = choice.get("finish_reason")
    if isinstance(reason, str) and reason not in ("", "null"):
        yield FinishReported(reason)


def _read_delta(delta: dict[str, Json]) -> Iterator[StreamEvent]:
    reasoning = _reasoning(delta)
    if reasoning:
        yield ReasoningDelta(reasoning)
    content = delta.get("content")
    if isinstance(content, str):
        if content:
            yield TextDelta(content)
    elif content is not None:
        yield from content_events(content)
    if isinstance(refusal := delta.get("refusal"), str) and refusal:
        yield RefusalDelta(refusal)
    if calls := delta.get("tool_calls"):
        for at, call in enumerate(items(calls)):
            yield from _read_call(obj(call), at)
    if isinstance(old := delta.get("function_call"), dict):
        yield ToolDelta("function_call", None, word(old.get("name")), argument_text(old.get("arguments")))


def _reasoning(delta: dict[str, Json]) -> str:
    """Reasoning under whichever name the server has for it; several names hold the same text, so one is taken."""
    for field in REASONING_FIELDS:
        if found := text_of(delta.get(field)):
            return found
    details = items(delta.get("reasoning_details"))
    return "".join(text_of(obj(part).get("text")) or text_of(obj(part).get("summary")) for part in details)


def _read_call(call: dict[str, Json], at: int) -> Iterator[StreamEvent]:
    function = obj(call.get("function"))
    arguments = function.get("arguments")
    index = call.get("index")
    slot = str(index if isinstance(index, int) else at)
    yield ToolDelta(slot, word(call.get("id")), word(function.get("name")), argument_text(arguments), whole=isinstance(arguments, dict))


def _read_message(message: dict[str, Json]) -> Iterator[StreamEvent]:
    """A whole message: a JSON answer, or a stream whose chunks repeat the message so far."""
    text = "".join(event.text for event in content_events(message.get("content")) if isinstance(event, TextDelta))
    for event in _read_delta({**message, "content": None if isinstance(message.get("content"), str) else message.get("content")}):
        match event:
            case ReasoningDelta(reasoning):
                yield TextDone("reasoning", reasoning)
            case RefusalDelta(refusal):
                yield TextDone("refusal", refusal)
            case TextDelta():
                pass
            case _:
                yield event
    if text:
        yield TextDone("text", text)


def read_usage(usage: dict[str, Json]) -> Usage | None:
    """A usage snapshot of the chat form.

    Some servers leave reasoning out of `completion_tokens` but not out of the total; then it is added back, so that
    output always includes reasoning.
    """
    prompt, completion, total = (count(usage.get(name)) for name in ("prompt_tokens", "completion_tokens", "total_tokens"))
    details, spent = obj(usage.get("prompt_tokens_details")), obj(usage.get("completion_tokens_details"))
    reasoning = count(spent.get("reasoning_tokens"))
    if reasoning and None not in (prompt, completion, total) and total == (prompt or 0) + (completion or 0) + reasoning:
        completion = (completion or 0) + reasoning
    cached = details.get("cached_tokens")
    written = details.get("cache_write_tokens")
    return make_usage(
        input_tokens=prompt,
        output_tokens=completion,
        total_tokens=total,
        cached_tokens=usage.get("prompt_cache_hit_tokens") if cached is None else cached,
        cache_write_tokens=usage.get("cache_creation_input_tokens") if written is None else written,
        reasoning_tokens=reasoning,
        cost_usd=usage.get("cost"),
    )
