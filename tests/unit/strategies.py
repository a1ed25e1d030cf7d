"""Hypothesis strategies: bodies of streams, JSON values that look like frames, and events in any order."""

import dataclasses
import itertools
import json
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from anoman_tui.core import events as all_events
from anoman_tui.core.events import Ending, NoteKind, Stamped, Usage
from anoman_tui.core.failure import ErrorInfo, FailureKind
from anoman_tui.core.target import Policy, Shape
from tests.unit.shape_rows import ROWS

SHAPES, POLICIES = st.sampled_from(Shape), st.sampled_from(Policy)
ENDINGS = st.sampled_from((Ending.CLEAN, Ending.CUT))
ROW = st.sampled_from(ROWS)

NAMES = [
    "choices",
    "delta",
    "message",
    "content",
    "text",
    "reasoning",
    "reasoning_content",
    "reasoning_details",
    "refusal",
    "tool_calls",
    "function",
    "name",
    "arguments",
    "index",
    "id",
    "finish_reason",
    "usage",
    "prompt_tokens",
    "completion_tokens",
    "total_tokens",
    "x_groq",
    "error",
    "type",
    "code",
    "status",
    "object",
    "_anoman",
    "guardrails",
    "cost_usd",
    "response",
    "output",
    "item",
    "item_id",
    "output_index",
    "call_id",
    "part",
    "summary",
    "incomplete_details",
    "reason",
    "input_tokens",
    "output_tokens",
    "delta",
    "content_block",
    "partial_json",
    "thinking",
    "stop_reason",
    "stop_details",
    "explanation",
    "candidates",
    "parts",
    "functionCall",
    "args",
    "thought",
    "finishReason",
    "usageMetadata",
    "promptTokenCount",
    "candidatesTokenCount",
    "thoughtsTokenCount",
    "promptFeedback",
    "blockReason",
    "model",
    "detail",
    "data",
]
WORDS = [
    "stop",
    "length",
    "error",
    "[DONE]",
    "null",
    "response.completed",
    "response.incomplete",
    "response.failed",
    "response.output_text.delta",
    "response.output_text.done",
    "response.output_item.added",
    "response.output_item.done",
    "response.function_call_arguments.delta",
    "content_block_delta",
    "content_block_start",
    "message_start",
    "message_delta",
    "message_stop",
    "ping",
    "text_delta",
    "thinking_delta",
    "input_json_delta",
    "text",
    "thinking",
    "tool_use",
    "output_text",
    "message",
    "reasoning",
    "function_call",
    "STOP",
    "SAFETY",
    "in_progress",
    "completed",
    "failed",
]

LETTERS = st.characters(exclude_categories=()) | st.sampled_from(["\x1b", "\ud83d", "\ude00", "\u2028", "\ufeff", "\r", "\n", "\x00"])
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False)
    | st.sampled_from(WORDS)
    | st.text(LETTERS, max_size=8)
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5), max_leaves=20
)
OBJECTS = st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=6)
"""JSON objects of the names and words that frames are made of."""

LINE_ENDS = st.sampled_from([b"\n", b"\r\n", b"\r"])
LINES = (
    st.builds(lambda value: b"data: " + json.dumps(value).encode(), OBJECTS)
    | st.builds(lambda value: json.dumps(value).encode(), OBJECTS)
    | st.builds(lambda word: b"event: " + word.encode(), st.sampled_from(WORDS))
    | st.sampled_from(
        [b"", b"", b"data: [DONE]", b": ping", b"data:", b"id: 1", b"retry: 5", b"error: x", b"data", b"\xef\xbb\xbf", b"<html>"]
    )
    | st.binary(max_size=12)
)


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    """A body out of lines that a stream may have, with line ends of one kind."""
    end = draw(LINE_ENDS)
    return b"".join(line + end for line in draw(st.lists(LINES, max_size=12))) + draw(st.sampled_from([b"", end, b"data: [DONE]"]))


BODIES = bodies() | ROW.map(lambda row: row.body[:4_000]) | st.binary(max_size=200)


def cut(body: bytes, at: list[int]) -> list[bytes]:
    """The body cut at these places."""
    edges = sorted({0, len(body), *(place % (len(body) + 1) for place in at)})
    return [body[start:end] for start, end in itertools.pairwise(edges)]


CUTS = st.lists(st.integers(0, 5_000), max_size=12)

_COUNTS = st.none() | st.integers(0, 10**6)
_USAGES = st.builds(Usage, _COUNTS, _COUNTS, _COUNTS, _COUNTS, _COUNTS, _COUNTS, _COUNTS, st.none() | st.decimals(0, 10, places=6))
_TEXTS = st.text(LETTERS, max_size=6)
_BY_TYPE: dict[Any, st.SearchStrategy[Any]] = {
    str: _TEXTS | st.sampled_from(["text", "reasoning", "refusal", "0", "1", ""]),
    int: st.integers(0, 10**6),
    float: st.floats(0, 1_000),
    bool: st.booleans(),
    str | None: st.none() | _TEXTS,
    int | None: _COUNTS,
    Decimal | None: st.none() | st.decimals(0, 10, places=6),
    Usage: _USAGES,
    ErrorInfo: st.builds(ErrorInfo, st.sampled_from(FailureKind), _TEXTS),
    Ending: st.sampled_from(Ending),
    NoteKind: st.sampled_from(NoteKind),
}


def _of(kind: type) -> st.SearchStrategy[Any]:
    """Events of one class, by the types of its fields."""
    special = {"headers": st.just((("x-request-id", "1"),)), "fields": OBJECTS}
    return st.builds(
        kind, **{part.name: special[part.name] if part.name in special else _BY_TYPE[part.type] for part in dataclasses.fields(kind)}
    )


EVENTS = st.one_of([_of(kind) for kind in all_events.StreamEvent.__args__])
"""Any event of the union."""
STAMPED = st.builds(Stamped, st.integers(0, 10**10), EVENTS, st.none() | st.integers(1, 50))
