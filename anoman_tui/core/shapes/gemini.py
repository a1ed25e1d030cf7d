"""Google streamGenerateContent. There is no terminal event: a finish reason and a clean end of the body are the end.

Field names are camel case; snake case is accepted, since gateways write both. Usage is a snapshot in each frame.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
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
    Started,
    StreamEvent,
    TextDelta,
    ToolDelta,
    Usage,
    UsageReported,
)
from anoman_tui.core.jsonish import Json, count, dumps, items, obj, text_of, word
from anoman_tui.core.request import Request
from anoman_tui.core.shapes.common import FIRST, decode_frame, json_answer, make_usage

STREAMED, SINGLE = "streamGenerateContent", "generateContent"
"""The methods at the end of the path: here it says whether the answer is streamed."""
UNFINISHED = frozenset({"", "FINISH_REASON_UNSPECIFIED", "null"})
EFFORT_LEVELS = {"minimal": "MINIMAL", "low": "LOW", "medium": "MEDIUM", "high": "HIGH"}


def body(request: Request) -> dict[str, Any]:
    """The request body."""
    prompt, params = request.prompt, request.params
    roles = {"assistant": "model"}
    fields: dict[str, Any] = {"contents": [{"role": roles.get(role, role), "parts": [{"text": text}]} for role, text in prompt.turns]}
    if prompt.system:
        fields["systemInstruction"] = {"parts": [{"text": prompt.system}]}
    config: dict[str, Any] = {}
    if params.temperature is not None:
        config["temperature"] = params.temperature
    if params.max_tokens is not None:
        config["maxOutputTokens"] = params.max_tokens
    if params.stop:
        config["stopSequences"] = list(params.stop)
    if params.effort is not None:
        config["thinkingConfig"] = {"includeThoughts": True, "thinkingLevel": EFFORT_LEVELS.get(params.effort, params.effort.upper())}
    if config:
        fields["generationConfig"] = config
    return fields


def single(url: str) -> str:
    """The URL that gives one JSON answer, out of the one that streams; any other URL stays."""
    path, mark, query = url.partition(f":{STREAMED}")
    return f"{path}:{SINGLE}{query.removeprefix('?alt=sse')}" if mark else url


def is_single(url: str) -> bool:
    """Whether this URL asks for one JSON answer."""
    return url.partition("?")[0].endswith(f":{SINGLE}")


def decode(frame: Frame) -> tuple[StreamEvent, ...]:
    """The events of one GenerateContentResponse."""
    return decode_frame(frame, _read_response, done_ends=False)


def read_json(value: Json) -> tuple[StreamEvent, ...]:
    """The events of one response, or of a list of them, in place of the stream."""
    return json_answer(value, lambda item: _read_response(item, ""), lambda _: False)


def _get(fields: dict[str, Json], camel: str, snake: str) -> Json:
    value = fields.get(camel)
    return fields.get(snake) if value is None else value


def _read_response(value: dict[str, Json], name: str) -> Iterable[StreamEvent]:  # noqa: ARG001 - the common signature
    response_id, model = _get(value, "responseId", "response_id"), _get(value, "modelVersion", "model_version")
    if response_id or model:
        yield Started(word(response_id), word(model))
    for candidate in items(value.get("candidates")):
        fields = obj(candidate)
        if fields.get("index") in FIRST:
            yield from _read_candidate(fields)
    feedback = obj(_get(value, "promptFeedback", "prompt_feedback"))
    if reason := text_of(_get(feedback, "blockReason", "block_reason")):
        said = text_of(_get(feedback, "blockReasonMessage", "block_reason_message"))
        message = f"the prompt was blocked: {said or reason}"
        yield ErrorReported(ErrorInfo(FailureKind.BLOCKED, message, type="blockReason", code=reason))
    if (usage := read_usage(obj(_get(value, "usageMetadata", "usage_metadata")))) is not None:
        yield UsageReported(usage)


def _read_candidate(candidate: dict[str, Json]) -> Iterator[StreamEvent]:
    for part in items(obj(candidate.get("content")).get("parts")):
        yield from _read_part(obj(part))
    reason = text_of(_get(candidate, "finishReason", "finish_reason"))
    if reason not in UNFINISHED:
        yield FinishReported(reason)
    if message := text_of(_get(candidate, "finishMessage", "finish_message")):
        yield Noted(NoteKind.FILTER, message[:300])


def _read_part(part: dict[str, Json]) -> Iterator[StreamEvent]:
    text = part.get("text")
    if isinstance(text, str):
        if text:
            yield ReasoningDelta(text) if part.get("thought") is True else TextDelta(text)
    elif isinstance(call := _get(part, "functionCall", "function_call"), dict):
        name, call_id = word(call.get("name")), word(call.get("id"))
        yield ToolDelta(call_id or "", call_id, name, dumps(call.get("args") or {}), whole=True)
    elif kinds := [kind for kind in part if kind not in ("thought", "thoughtSignature", "thought_signature")]:
        yield Noted(NoteKind.UNKNOWN, f"part {kinds[0]}"[:80])


def read_usage(usage: dict[str, Json]) -> Usage | None:
    """A usage snapshot of the Gemini form.

    Thoughts normally stand outside `candidatesTokenCount` and are added to it, unless the total shows that they are
    already inside.
    """
    prompt = count(_get(usage, "promptTokenCount", "prompt_token_count"))
    tools = count(_get(usage, "toolUsePromptTokenCount", "tool_use_prompt_token_count"))
    candidates = count(_get(usage, "candidatesTokenCount", "candidates_token_count"))
    thoughts = count(_get(usage, "thoughtsTokenCount", "thoughts_token_count"))
    total = count(_get(usage, "totalTokenCount", "total_token_count"))
    made = make_usage(
        input_tokens=None if prompt is None else prompt + (tools or 0),
        total_tokens=total,
        cached_tokens=_get(usage, "cachedContentTokenCount", "cached_content_token_count"),
        reasoning_tokens=thoughts,
        output_tokens=candidates,
    )
    if made is None or not thoughts:
        return made
    inclusive = total is not None and total == (prompt or 0) + (tools or 0) + (candidates or 0)
    return made if inclusive else replace(made, output_tokens=(candidates or 0) + thoughts)
