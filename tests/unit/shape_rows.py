"""Rows of what servers send and how it is to be read, shape by shape: deviations that are met in the wild."""

import json
from dataclasses import dataclass, field
from typing import Any

from anoman_tui.core.target import Policy, Shape


@dataclass(frozen=True)
class Row:
    """A body and a part of the record that it must give."""

    name: str
    shape: Shape
    body: bytes
    want: dict[str, Any]
    policy: Policy = Policy.STRICT


@dataclass
class Table:
    """Rows of one shape."""

    shape: Shape
    rows: list[Row] = field(default_factory=list)

    def add(self, name: str, body: str | bytes, policy: Policy = Policy.STRICT, **want: Any) -> None:
        """Add a row; `usage` is compared by the counts that are told, everything else as a whole."""
        data = body if isinstance(body, bytes) else body.encode("utf-8", "surrogatepass")
        self.rows.append(Row(name, self.shape, data, {"outcome": "completed", **want}, policy))


def frames(*data: Any) -> str:
    """Unnamed frames; what is no string is written as JSON."""
    return "".join(f"data: {item if isinstance(item, str) else json.dumps(item)}\n\n" for item in data)


def event(kind: str, **fields: Any) -> str:
    """A named event whose type stands in its JSON as well."""
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n"


def chunk(delta: Any = None, finish: Any = None, **fields: Any) -> dict[str, Any]:
    """A chat chunk."""
    return {"id": "c", "model": "m", "choices": [{"index": 0, "delta": {} if delta is None else delta, "finish_reason": finish}], **fields}


def call(index: Any = 0, call_id: str | None = None, name: str | None = None, arguments: Any = "") -> dict[str, Any]:
    """A chat chunk with a piece of a tool call; `index` "" leaves the index out."""
    function = {"arguments": arguments} if name is None else {"name": name, "arguments": arguments}
    piece: dict[str, Any] = {"function": function}
    if index != "":
        piece["index"] = index
    if call_id is not None:
        piece["id"] = call_id
    return chunk({"tool_calls": [piece]})


HI, STOP, DONE = chunk({"content": "Hi"}), chunk({}, "stop"), "[DONE]"
TOOLS_END = chunk({}, "tool_calls")


def _chat() -> list[Row]:
    t = Table(Shape.CHAT)
    used = {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}
    counts = {"input_tokens": 3, "output_tokens": 4, "total_tokens": 7}
    stop_with_usage = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop", "usage": used}]}
    t.add("usage inside the choice", frames(HI, stop_with_usage, DONE), text="Hi", usage=counts)
    t.add("usage of groq", frames(HI, STOP, {"choices": [], "x_groq": {"usage": used}}, DONE), usage=counts)
    t.add("error of groq", frames(HI, {"choices": [], "x_groq": {"error": "over capacity"}}, DONE), outcome="failed", text="Hi")
    t.add("usage after the end", frames(HI, STOP, DONE, {"choices": [], "usage": used}), usage=counts)
    t.add(
        "usage first as a preview",
        frames({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 0}}, HI, chunk({}, "stop", usage=used), DONE),
        usage=counts,
        text="Hi",
    )
    t.add(
        "zero never replaces a count",
        frames(chunk({"content": "Hi"}, usage=used), chunk({}, "stop", usage={"prompt_tokens": 0, "completion_tokens": 0}), DONE),
        usage=counts,
    )
    t.add(
        "reasoning outside the output count",
        frames(
            HI,
            chunk(
                {},
                "stop",
                usage={
                    "prompt_tokens": 10,
                    "completion_tokens": 5,
                    "total_tokens": 35,
                    "completion_tokens_details": {"reasoning_tokens": 20},
                },
            ),
            DONE,
        ),
        usage={"input_tokens": 10, "output_tokens": 25, "total_tokens": 35, "reasoning_tokens": 20},
    )
    t.add(
        "reasoning inside the output count",
        frames(
            HI,
            chunk(
                {},
                "stop",
                usage={
                    "prompt_tokens": 10,
                    "completion_tokens": 25,
                    "total_tokens": 35,
                    "completion_tokens_details": {"reasoning_tokens": 20},
                },
            ),
            DONE,
        ),
        usage={"input_tokens": 10, "output_tokens": 25, "total_tokens": 35, "reasoning_tokens": 20},
    )
    t.add(
        "cache counts of deepseek",
        frames(HI, chunk({}, "stop", usage={"prompt_tokens": 10, "completion_tokens": 5, "prompt_cache_hit_tokens": 8}), DONE),
        usage={"input_tokens": 10, "output_tokens": 5, "total_tokens": 15, "cached_tokens": 8},
    )
    t.add("cost of openrouter", frames(HI, chunk({}, "stop", usage={**used, "cost": 0.00014}), DONE), usage=counts, cost="0.00014")
    t.add("usage null everywhere", frames(chunk({"content": "Hi"}, usage=None), chunk({}, "stop", usage=None), DONE), usage=None)
    t.add(
        "negative and broken counts are unknown",
        frames(HI, chunk({}, "stop", usage={"prompt_tokens": -1, "completion_tokens": 5.5, "total_tokens": True}), DONE),
        usage=None,
    )
    t.add("no end mark", frames(HI, STOP), outcome="truncated", finish_reason="stop")
    t.add("no end mark, lenient", frames(HI, STOP), Policy.LENIENT, finding="terminal-missing")
    t.add("neither, lenient", frames(HI), Policy.LENIENT, outcome="truncated")
    t.add("end mark without a finish reason", frames(HI, DONE), outcome="truncated")
    t.add("end mark without a finish reason, lenient", frames(HI, DONE), Policy.LENIENT, finding="finish-reason-missing")
    t.add("end mark without a finish reason, anoman", frames(HI, DONE), Policy.ANOMAN, finding="finish-reason-missing")
    t.add("no usage, anypath", frames(HI, STOP, DONE), Policy.ANYPATH, outcome="truncated")
    t.add("usage after the end, anypath", frames(HI, STOP, DONE, {"choices": [], "usage": used}), Policy.ANYPATH, outcome="truncated")
    t.add("usage before the end, anypath", frames(HI, STOP, {"choices": [], "usage": used}, DONE), Policy.ANYPATH, usage=counts)
    t.add("finish reason error", frames(HI, chunk({}, "error"), DONE), outcome="failed", finish_reason="error", text="Hi")
    t.add("finish reason null as a word", frames(chunk({"content": "Hi"}, "null"), STOP, DONE), finish_reason="stop")
    t.add(
        "error and choices of openrouter",
        frames(
            HI,
            {
                "error": {"code": 502, "message": "Provider disconnected"},
                "choices": [{"index": 0, "delta": {"content": ""}, "finish_reason": "error"}],
            },
            DONE,
        ),
        outcome="failed",
        error="Provider disconnected",
    )
    t.add(
        "error of vllm",
        frames({"object": "error", "message": "bad", "type": "BadRequest", "code": 400}, DONE),
        outcome="failed",
        error="bad",
    )
    t.add("error with two messages", frames({"error": {"message": "inner"}, "message": "outer"}), outcome="failed", error="inner")
    t.add("error null is no error", frames(chunk({"content": "Hi"}, error=None), STOP, DONE), text="Hi")
    t.add("error event without an error object", 'event: error\ndata: {"message":"nope"}\n\n', outcome="failed", error="nope")
    t.add("error event that is a string", 'event: error\ndata: "plain words"\n\n', outcome="failed", error="plain words")
    t.add("error event without JSON", "event: error\ndata: plain words\n\n", outcome="failed", error="plain words")
    t.add(
        "error line and end mark",
        frames(HI) + 'error: {"code":500,"message":"slot lost"}\n\n' + frames(DONE),
        outcome="failed",
        error="slot lost",
    )
    t.add("end mark, then an error", frames(HI, STOP, DONE, {"error": {"message": "late"}}), text="Hi", finding="after-the-end")
    t.add(
        "two objects in one frame", f"data: {json.dumps(HI)}\ndata: {json.dumps(STOP)}\n\n" + frames(DONE), text="Hi", finish_reason="stop"
    )
    t.add("two objects and the end in one frame", f"data: {json.dumps(HI)}\ndata: {json.dumps(STOP)}\ndata: [DONE]\n\n", text="Hi")
    t.add("a list of chunks in one frame", frames([HI, chunk({"content": "!"})], STOP, DONE), text="Hi!")
    t.add("end mark with a name", frames(HI, STOP) + "event: done\ndata: [DONE]\n\n", text="Hi")
    t.add("end mark in quotes is none", frames(HI, STOP, '"[DONE]"'), outcome="truncated")
    t.add(
        "reasoning under two names", frames(chunk({"reasoning": "a", "reasoning_content": "a"}), HI, STOP, DONE), reasoning="a", text="Hi"
    )
    t.add("reasoning details", frames(chunk({"reasoning_details": [{"text": "a"}, {"summary": "b"}]}), HI, STOP, DONE), reasoning="ab")
    t.add(
        "parts of magistral",
        frames(
            chunk(
                {
                    "content": [
                        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
                        {"type": "text", "text": "Hi"},
                        {"type": "reference"},
                    ]
                }
            ),
            STOP,
            DONE,
        ),
        reasoning="hm",
        text="Hi",
    )
    t.add(
        "tags of thinking stay text",
        frames(chunk({"content": "<think>hm</think>Hi"}), STOP, DONE),
        text="<think>hm</think>Hi",
        reasoning=None,
    )
    t.add(
        "two choices",
        frames(
            {"choices": [{"index": 1, "delta": {"content": "B"}}, {"index": 0, "delta": {"content": "A"}}]},
            {"choices": [{"index": 1, "delta": {}, "finish_reason": "length"}]},
            STOP,
            DONE,
        ),
        text="A",
        finish_reason="stop",
    )
    t.add(
        "message in place of delta, repeated",
        frames(
            {"choices": [{"message": {"content": "He"}}]}, {"choices": [{"message": {"content": "Hello"}, "finish_reason": "stop"}]}, DONE
        ),
        text="Hello",
    )
    t.add(
        "text completions",
        frames({"choices": [{"text": "Hel"}]}, {"choices": [{"text": "lo", "finish_reason": "stop"}]}, DONE),
        text="Hello",
    )
    t.add(
        "nulls",
        frames(
            {"choices": None},
            {"choices": [None]},
            {"choices": [{"delta": None}]},
            chunk({"content": None, "tool_calls": None}),
            HI,
            STOP,
            DONE,
        ),
        text="Hi",
    )
    t.add(
        "surrogates apart",
        frames('{"choices":[{"delta":{"content":"\\ud83d"}}]}', '{"choices":[{"delta":{"content":"\\ude00!"}}]}', STOP, DONE),
        text="😀!",
    )
    t.add("a lone surrogate", frames('{"choices":[{"delta":{"content":"a\\udc80b"}}]}', STOP, DONE), text="a�b")
    t.add("no number", frames('{"choices":[{"delta":{"content":"a"},"logprobs":NaN}],"x":-Infinity}', STOP, DONE), text="a")
    t.add("a number beyond bounds", frames('{"choices":[{"delta":{"content":"a"}}],"x":1e999999999}', STOP, DONE), text="a")
    t.add(
        "an integer of 5,000 digits", frames('{"choices":[{"delta":{"content":"a"}}],"created":' + "9" * 5000 + "}", STOP, DONE), text="a"
    )
    t.add("nesting beyond bounds", frames(HI, "[" * 100_000 + "]" * 100_000, STOP, DONE), outcome="failed", text="Hi")
    t.add("the model in a chunk with text alone", frames(HI, STOP, DONE), served_model="m")
    t.add(
        "filter marks of azure",
        frames(
            {"choices": [], "prompt_filter_results": [{}]},
            HI,
            {
                "choices": [
                    {"index": 0, "delta": {}, "content_filter_results": {"hate": {"filtered": True}}, "finish_reason": "content_filter"}
                ]
            },
            DONE,
        ),
        finish_reason="content_filter",
    )
    t.add(
        "parallel calls under one index",
        frames(call(0, "a", "f", "{}"), call(0, "b", "g", '{"x":'), call(0, None, None, "1}"), TOOLS_END, DONE),
        tools=[("a", "f", "{}"), ("b", "g", '{"x":1}')],
    )
    t.add(
        "calls without an index",
        frames(call("", "a", "f", '{"a'), call("", None, None, '":1}'), call("", "b", "g", {"k": 1}), TOOLS_END, DONE),
        tools=[("a", "f", '{"a":1}'), ("b", "g", '{"k": 1}')],
    )
    t.add(
        "a piece without index after the second call",
        frames(call(0, "a", "f", "{}"), call(1, "b", "g", '{"x"'), call(7, None, None, ":1}"), TOOLS_END, DONE),
        tools=[("a", "f", "{}"), ("b", "g", '{"x":1}')],
    )
    t.add(
        "interleaved calls",
        frames(call(0, "a", "f"), call(1, "b", "g"), call(0, None, None, "{}"), call(1, None, None, "[]"), TOOLS_END, DONE),
        tools=[("a", "f", "{}"), ("b", "g", "[]")],
    )
    t.add(
        "one function twice without ids",
        frames(call(0, None, "f", "{}"), call(1, None, "f", "[]"), TOOLS_END, DONE),
        tools=[(None, "f", "{}"), (None, "f", "[]")],
    )
    t.add("a call whose name is repeated", frames(call(0, "a", "f"), call(0, "a", "f", "{}"), TOOLS_END, DONE), tools=[("a", "f", "{}")])
    t.add(
        "the old function call",
        frames(
            chunk({"function_call": {"name": "f", "arguments": "{"}}),
            chunk({"function_call": {"arguments": "}"}}),
            chunk({}, "function_call"),
            DONE,
        ),
        tools=[(None, "f", "{}")],
    )
    t.add(
        "metadata in an error",
        frames(
            HI,
            {
                "error": {
                    "type": "provider_error",
                    "code": "stream_interrupted",
                    "message": "x",
                    "_anoman": {"failure_class": "upstream_error", "completion_tokens": 42},
                }
            },
            DONE,
        ),
        outcome="failed",
        gateway={"failure_class": "upstream_error", "completion_tokens": 42},
        partial={"value": 42, "unit": "tokens"},
    )
    t.add(
        "metadata beside an error",
        frames(HI, {"error": {"message": "x"}, "_anoman": {"accumulated_chars": 2}}, DONE),
        outcome="failed",
        gateway={"accumulated_chars": 2},
        partial={"value": 2, "unit": "chars"},
    )
    t.add("metadata in an event of its name", frames(HI, STOP) + 'event: anoman\ndata: {"cost_usd":"0.5"}\n\n' + frames(DONE), cost="0.5")
    t.add("metadata after the end", frames(HI, STOP, DONE, {"_anoman": {"cost_usd": "0.1"}}), cost="0.1")
    t.add(
        "metadata twice",
        frames({"_anoman": {"cost_usd": "0.1", "cache": {"hit": False}}}, HI, STOP, {"_anoman": {"cost_usd": "0.2"}}, DONE),
        gateway={"cost_usd": "0.2", "cache": {"hit": False}},
    )
    t.add("metadata that is no object", frames(HI, {"_anoman": "x"}, {"_anoman": []}, STOP, DONE), gateway=None)
    t.add(
        "chunks of a stream as bare lines, cut",
        json.dumps(HI) + "\n" + json.dumps(chunk({"content": " there"})) + "\n",
        outcome="truncated",
        text="Hi there",
    )
    t.add("one bare chunk", json.dumps(HI), outcome="truncated", text="Hi")
    t.add("an error as a bare line", json.dumps({"error": "model not found"}) + "\n", outcome="failed", error="model not found")
    t.add(
        "a stored answer",
        json.dumps(
            {
                "object": "chat.completion",
                "choices": [{"message": {"content": "Hi", "reasoning_content": "hm"}}],
                "_anoman": {"cache": {"hit": True}},
            }
        ),
        served_from="json",
        text="Hi",
        reasoning="hm",
        gateway={"cache": {"hit": True}},
    )
    t.add(
        "a stored answer after a comment",
        ": cached\n\n" + json.dumps({"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]}) + "\n",
        served_from="json",
        text="Hi",
    )
    t.add(
        "an error event with empty data",
        frames(HI) + "event: error\ndata:\n\n" + frames(STOP, DONE),
        outcome="failed",
        error="without words",
    )
    t.add("an index as a string", frames({"choices": [{"index": "0", "delta": {"content": "Hi"}}]}, STOP, DONE), text="Hi")
    for name, body in (
        ("detail", "Not authenticated"),
        ("message", "Unauthorized"),
        ("msg", "no such user"),
        ("errors", [{"message": "bad"}]),
    ):
        words = body if isinstance(body, str) else "bad"
        t.add(f"an error in {name} at status 200", json.dumps({"code": 7, name: body}), outcome="failed", error=words)
    t.add("JSON that is neither answer nor error", json.dumps({"status": "ok", "queue": 3}), outcome="truncated", error="queue")
    return t.rows


def _responses() -> list[Row]:
    t = Table(Shape.RESPONSES)

    def delta(text: Any = "Hi", **fields: Any) -> str:
        return event("response.output_text.delta", delta=text, **fields)

    def end(status: str = "completed", **fields: Any) -> str:
        return event(f"response.{status}", response={"status": status, **fields})

    def message(*texts: str) -> dict[str, Any]:
        return {"type": "message", "content": [{"type": "output_text", "text": text} for text in texts]}

    whole = end()
    summary = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "why"}]}
    fc = {"type": "function_call", "id": "fc1", "call_id": "c1", "name": "f", "arguments": ""}
    filled = {**fc, "arguments": "{}"}
    one_call = [("c1", "f", "{}")]
    t.add(
        "names without types",
        'event: response.output_text.delta\ndata: {"delta":"Hi"}\n\n'
        'event: response.completed\ndata: {"response":{"status":"completed"}}\n\n',
        text="Hi",
        finish_reason="completed",
    )
    t.add("types without names", frames({"type": "response.output_text.delta", "delta": "Hi"}, {"type": "response.completed"}), text="Hi")
    t.add("the text in its done event alone", event("response.output_text.done", text="Hi") + whole, text="Hi")
    t.add("the text in its part alone", event("response.content_part.done", part={"type": "output_text", "text": "Hi"}) + whole, text="Hi")
    t.add("the text in its item alone", event("response.output_item.done", item=message("Hi")) + whole, text="Hi")
    t.add("the text in the end alone", end(output=[message("Hi")]), text="Hi")
    t.add("a delta was lost", delta("Hel") + event("response.output_text.done", text="Hello") + whole, text="Hello")
    t.add(
        "two parts and all their repetitions",
        delta("A")
        + event("response.output_text.done", text="A")
        + event("response.content_part.done", part={"type": "output_text", "text": "A"})
        + delta("B")
        + event("response.output_text.done", text="B")
        + event("response.output_item.done", item=message("A", "B"))
        + end(output=[message("A", "B")]),
        text="AB",
    )
    t.add(
        "incomplete by its length",
        delta() + end("incomplete", incomplete_details={"reason": "max_output_tokens"}),
        finish_reason="max_output_tokens",
    )
    t.add("incomplete without a reason", delta() + end("incomplete"), finish_reason="incomplete")
    t.add(
        "completed that says incomplete",
        delta() + event("response.completed", response={"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}),
        finish_reason="content_filter",
    )
    t.add(
        "completed that says failed",
        delta() + event("response.completed", response={"status": "failed", "error": {"code": "server_error", "message": "boom"}}),
        outcome="failed",
        error="boom",
    )
    t.add("completed with an error inside", delta() + end(error={"message": "boom"}), outcome="failed", error="boom")
    t.add(
        "completed with an error beside",
        delta() + event("response.completed", response={}, error={"message": "boom"}),
        outcome="failed",
        error="boom",
    )
    t.add(
        "a stored answer with an error",
        json.dumps({"object": "response", "status": "completed", "output": [message("Hi")], "error": {"message": "boom"}}),
        outcome="failed",
        error="boom",
        text="Hi",
    )
    t.add("completed without a response", delta() + event("response.completed"), text="Hi")
    t.add("failed without an error", delta() + end("failed", error=None), outcome="failed", text="Hi")
    t.add("failed with a string", delta() + end("failed", error="kaput"), outcome="failed", error="kaput")
    t.add(
        "failed with the error beside the response",
        delta() + event("response.failed", error={"message": "kaput"}),
        outcome="failed",
        error="kaput",
    )
    t.add(
        "failed keeps its usage",
        delta() + end("failed", error={"message": "k"}, usage={"input_tokens": 3, "output_tokens": 1}),
        outcome="failed",
        usage={"input_tokens": 3, "output_tokens": 1, "total_tokens": 4},
    )
    t.add("cancelled by the server", delta() + end("cancelled"), outcome="failed")
    t.add(
        "nested error",
        delta() + event("error", error={"type": "tokens", "code": None, "message": "Slow down", "headers": {}}),
        outcome="failed",
        error="Slow down",
    )
    t.add("error, then completed", delta() + event("error", message="x", code="y") + whole, outcome="failed", error="x")
    t.add("completed, then error", delta() + whole + event("error", message="x"), finding="after-the-end")
    t.add(
        "refusal",
        event("response.refusal.delta", delta="No.") + event("response.refusal.done", refusal="No.") + whole,
        refusal="No.",
        text="",
    )
    t.add(
        "two summaries",
        event("response.reasoning_summary_text.delta", delta="A")
        + event("response.reasoning_summary_text.done", text="A")
        + event("response.reasoning_summary_text.delta", delta="B")
        + delta()
        + whole,
        reasoning="AB",
        text="Hi",
    )
    t.add("a summary in its item alone", event("response.output_item.done", item=summary) + delta() + whole, reasoning="why", text="Hi")
    t.add("a summary in the end alone", delta() + end(output=[summary, message("Hi")]), reasoning="why", text="Hi")
    t.add(
        "a call with all its repetitions",
        event("response.output_item.added", output_index=0, item=fc)
        + event("response.function_call_arguments.delta", item_id="fc1", output_index=0, delta="{")
        + event("response.function_call_arguments.delta", item_id="fc1", output_index=0, delta="}")
        + event("response.function_call_arguments.done", item_id="fc1", output_index=0, arguments="{}")
        + event("response.output_item.done", output_index=0, item=filled)
        + end(output=[filled]),
        tools=one_call,
    )
    t.add(
        "a call without indices",
        event("response.output_item.added", item=fc)
        + event("response.function_call_arguments.delta", item_id="fc1", delta="{}")
        + event("response.output_item.done", item=filled)
        + whole,
        tools=one_call,
    )
    t.add(
        "a call whose deltas have no id",
        event("response.output_item.added", output_index=0, item=fc)
        + event("response.function_call_arguments.delta", output_index=0, delta="{}")
        + event("response.output_item.done", output_index=0, item=filled)
        + whole,
        tools=one_call,
    )
    t.add(
        "a call whose deltas have no index",
        event("response.output_item.added", output_index=0, item=fc)
        + event("response.function_call_arguments.delta", item_id="fc1", delta="{}")
        + whole,
        tools=one_call,
    )
    t.add("a call in the end alone", end(output=[filled]), tools=one_call)
    t.add("a call with an object", event("response.output_item.done", output_index=0, item={**fc, "arguments": {}}) + whole, tools=one_call)
    t.add(
        "two calls",
        event("response.output_item.done", output_index=0, item=filled)
        + event("response.output_item.done", output_index=1, item={**filled, "id": "fc2", "call_id": "c2"})
        + whole,
        tools=[*one_call, ("c2", "f", "{}")],
    )
    t.add(
        "a custom call",
        event(
            "response.output_item.added",
            output_index=0,
            item={"type": "custom_tool_call", "id": "ct", "call_id": "c1", "name": "f", "input": ""},
        )
        + event("response.custom_tool_call_input.delta", item_id="ct", output_index=0, delta="{}")
        + event("response.custom_tool_call_input.done", item_id="ct", output_index=0, input="{}")
        + whole,
        tools=one_call,
    )
    t.add("padding is no text", delta("Hi", obfuscation="abcdef") + whole, text="Hi")
    t.add("deltas that are no text", delta(None) + delta(5) + delta({"text": "x"}) + delta() + whole, text="Hi")
    t.add("an end mark of another protocol", delta() + whole + frames(DONE), text="Hi")
    t.add(
        "usage beside the response",
        delta() + event("response.completed", response={}, usage={"input_tokens": 3, "output_tokens": 4}),
        usage={"input_tokens": 3, "output_tokens": 4, "total_tokens": 7},
    )
    t.add(
        "usage with details",
        delta()
        + end(
            usage={
                "input_tokens": 9,
                "output_tokens": 8,
                "total_tokens": 17,
                "input_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 2},
                "output_tokens_details": {"reasoning_tokens": 5},
            }
        ),
        usage={
            "input_tokens": 9,
            "output_tokens": 8,
            "total_tokens": 17,
            "cached_tokens": 4,
            "cache_write_tokens": 2,
            "reasoning_tokens": 5,
        },
    )
    t.add("metadata in a frame of its own", delta() + frames({"_anoman": {"cost_usd": "0.1"}}) + whole, cost="0.1")
    t.add("metadata inside the response", delta() + end(_anoman={"cost_usd": "0.1"}), cost="0.1")
    t.add("no end", delta(), outcome="truncated", text="Hi")
    t.add(
        "a stored answer",
        json.dumps({"object": "response", "status": "completed", "output": [summary, message("Hi"), filled], "_anoman": {"cost_usd": "0"}}),
        served_from="json",
        text="Hi",
        reasoning="why",
        tools=one_call,
        cost="0",
    )
    t.add(
        "a stored answer that was cut",
        json.dumps(
            {"object": "response", "status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "output": [message("Hi")]}
        ),
        served_from="json",
        finish_reason="max_output_tokens",
    )
    t.add(
        "a response that is not done",
        json.dumps({"object": "response", "status": "in_progress", "output": [message("Hi")]}),
        outcome="truncated",
    )
    t.add(
        "a stored failure",
        json.dumps({"object": "response", "status": "failed", "error": {"message": "boom"}, "output": []}),
        outcome="failed",
        error="boom",
    )
    return t.rows


def _messages() -> list[Row]:
    t = Table(Shape.MESSAGES)

    def start(**usage: int) -> str:
        return event("message_start", message={"id": "m", "model": "mm", "content": [], "usage": usage})

    def text(words: str = "Hi", index: int = 0) -> str:
        return event("content_block_delta", index=index, delta={"type": "text_delta", "text": words})

    def ending(reason: str | None = "end_turn", **usage: int | None) -> str:
        return event("message_delta", delta={"stop_reason": reason}, usage=usage)

    def tool(given: Any, *pieces: str) -> str:
        opened = event("content_block_start", index=1, content_block={"type": "tool_use", "id": "t", "name": "f", "input": given})
        return opened + "".join(
            event("content_block_delta", index=1, delta={"type": "input_json_delta", "partial_json": p}) for p in pieces
        )

    stop = event("message_stop")
    cached = {"input_tokens": 5, "cache_read_input_tokens": 10, "cache_creation_input_tokens": 2, "output_tokens": 1}
    sums = {"cached_tokens": 10, "cache_write_tokens": 2}
    t.add(
        "input is the sum of its parts",
        start(**cached) + text() + ending(output_tokens=7) + stop,
        usage={"input_tokens": 17, "output_tokens": 7, "total_tokens": 24, **sums},
    )
    t.add(
        "fresh input alone is told again",
        start(**cached) + text() + ending(input_tokens=6, output_tokens=7) + stop,
        usage={"input_tokens": 18, "output_tokens": 7, "total_tokens": 25, **sums},
    )
    t.add(
        "the cache is told only at the end",
        start(input_tokens=5) + text() + ending(output_tokens=7, cache_read_input_tokens=10) + stop,
        usage={"input_tokens": 15, "output_tokens": 7, "total_tokens": 22, "cached_tokens": 10},
    )
    t.add(
        "zeros at the end wipe nothing",
        start(**cached) + text() + ending(input_tokens=0, cache_read_input_tokens=0, output_tokens=7) + stop,
        usage={"input_tokens": 17, "output_tokens": 7, "total_tokens": 24, **sums},
    )
    t.add(
        "usage at the end alone",
        start() + text() + ending(input_tokens=5, output_tokens=7) + stop,
        usage={"input_tokens": 5, "output_tokens": 7, "total_tokens": 12},
    )
    t.add(
        "two message deltas",
        start(input_tokens=5) + text() + ending(None, output_tokens=3) + ending("max_tokens", output_tokens=9) + stop,
        finish_reason="max_tokens",
        usage={"input_tokens": 5, "output_tokens": 9, "total_tokens": 14},
    )
    t.add(
        "usage beside the message",
        event("message_start", message={}, usage={"input_tokens": 5}) + text() + ending(output_tokens=7) + stop + frames(DONE),
        usage={"input_tokens": 5, "output_tokens": 7, "total_tokens": 12},
    )
    t.add("ping first", event("ping") + start() + text() + ending() + stop, text="Hi")
    t.add(
        "unnamed error frame",
        start() + text() + frames({"error": {"type": "provider_error", "message": "x", "_anoman": {"accumulated_chars": 2}}}, DONE),
        outcome="failed",
        error="x",
        partial={"value": 2, "unit": "chars"},
    )
    t.add(
        "unnamed metadata after the stop", start() + text() + ending() + stop + frames({"_anoman": {"cost_usd": "0.1"}}, DONE), cost="0.1"
    )
    t.add("unnamed metadata before the stop", start() + text() + ending() + frames({"_anoman": {"cost_usd": "0.1"}}) + stop, cost="0.1")
    t.add(
        "metadata on the message delta",
        start() + text() + event("message_delta", delta={"stop_reason": "end_turn"}, _anoman={"cost_usd": "0.1"}) + stop,
        cost="0.1",
    )
    t.add(
        "metadata inside the message",
        event("message_start", message={"_anoman": {"cost_usd": "0.1"}}) + text() + ending() + stop,
        cost="0.1",
    )
    t.add("another protocol's end", start() + text() + ending() + frames(DONE), outcome="truncated", finish_reason="end_turn")
    t.add("another protocol's end, anoman", start() + text() + ending() + frames(DONE), Policy.ANOMAN, outcome="truncated")
    t.add("no stop, lenient", start() + text() + ending(), Policy.LENIENT, finding="terminal-missing")
    t.add(
        "overloaded",
        start() + text() + event("error", error={"type": "overloaded_error", "message": "Overloaded"}, request_id="r1"),
        outcome="failed",
        error="Overloaded",
    )
    t.add(
        "error without a name",
        start() + frames({"type": "error", "error": {"type": "api_error", "message": "x"}}),
        outcome="failed",
        error="x",
    )
    t.add(
        "refusal with its reason",
        start() + event("message_delta", delta={"stop_reason": "refusal", "stop_details": {"explanation": "No."}}) + stop,
        finish_reason="refusal",
        refusal="No.",
    )
    t.add(
        "thinking and its signature",
        start()
        + event("content_block_start", index=0, content_block={"type": "thinking", "thinking": ""})
        + event("content_block_delta", index=0, delta={"type": "thinking_delta", "thinking": "hm"})
        + event("content_block_delta", index=0, delta={"type": "signature_delta", "signature": "xx"})
        + text("Hi", 1)
        + ending()
        + stop,
        reasoning="hm",
        text="Hi",
    )
    t.add(
        "redacted thinking",
        start()
        + event("content_block_start", index=0, content_block={"type": "redacted_thinking", "data": "xx"})
        + text()
        + ending()
        + stop,
        reasoning=None,
        text="Hi",
    )
    t.add("a tool in pieces", start() + tool({}, "", '{"a"', ":1}") + ending("tool_use") + stop, tools=[("t", "f", '{"a":1}')])
    t.add("a tool whole at its start", start() + tool({"a": 1}) + ending("tool_use") + stop, tools=[("t", "f", '{"a": 1}')])
    t.add(
        "a tool whole at its start and in pieces",
        start() + tool({"a": 1}, '{"a"', ":1}") + ending("tool_use") + stop,
        tools=[("t", "f", '{"a":1}')],
    )
    t.add(
        "names without types",
        'event: content_block_delta\ndata: {"delta":{"type":"text_delta","text":"Hi"}}\n\nevent: message_stop\ndata: {}\n\n',
        text="Hi",
    )
    t.add(
        "the type goes before the name",
        start() + 'event: content_block_delta\ndata: {"type":"ping"}\n\n' + text() + ending() + stop,
        text="Hi",
    )
    t.add("the stop without its blank line", start() + text() + ending() + stop.rstrip("\n"), text="Hi")
    t.add("the stop cut inside", start() + text() + ending() + stop[:-8], outcome="truncated")
    t.add(
        "the stop with an error in it",
        start() + text() + ending() + event("message_stop", error={"message": "boom"}),
        outcome="failed",
        error="boom",
    )
    t.add("text after the stop", start() + text() + ending() + stop + text("late"), text="Hi", finding="after-the-end")
    t.add(
        "a stored answer",
        json.dumps(
            {
                "type": "message",
                "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Hi"}],
                "stop_reason": "end_turn",
                "usage": cached,
            }
        ),
        served_from="json",
        text="Hi",
        reasoning="hm",
        finish_reason="end_turn",
    )
    t.add(
        "a stored answer as a string",
        json.dumps({"type": "message", "content": "Hi", "stop_reason": "end_turn"}),
        served_from="json",
        text="Hi",
    )
    t.add("a stored error", json.dumps({"type": "error", "error": {"type": "x", "message": "boo"}}), outcome="failed", error="boo")
    t.add("another shape's stream", frames(HI, STOP, DONE), outcome="truncated", text="")
    return t.rows


def _gemini() -> list[Row]:
    t = Table(Shape.GEMINI)

    def response(parts: Any = None, finish: str | None = None, **fields: Any) -> dict[str, Any]:
        candidate: dict[str, Any] = {"index": 0}
        if parts is not None:
            candidate["content"] = {"role": "model", "parts": parts}
        if finish:
            candidate["finishReason"] = finish
        return {"candidates": [candidate], **fields}

    def usage(**counts: int) -> dict[str, Any]:
        return {"usageMetadata": counts}

    hi = [{"text": "Hi"}]
    t.add(
        "thoughts outside the output count",
        frames(response(hi, "STOP", **usage(promptTokenCount=3, candidatesTokenCount=4, thoughtsTokenCount=10, totalTokenCount=17))),
        usage={"input_tokens": 3, "output_tokens": 14, "total_tokens": 17, "reasoning_tokens": 10},
    )
    t.add(
        "thoughts inside the output count",
        frames(response(hi, "STOP", **usage(promptTokenCount=3, candidatesTokenCount=14, thoughtsTokenCount=10, totalTokenCount=17))),
        usage={"input_tokens": 3, "output_tokens": 14, "total_tokens": 17, "reasoning_tokens": 10},
    )
    t.add(
        "thoughts alone",
        frames(response([], "MAX_TOKENS", **usage(promptTokenCount=3, thoughtsTokenCount=10, totalTokenCount=13))),
        finish_reason="MAX_TOKENS",
        usage={"input_tokens": 3, "output_tokens": 10, "total_tokens": 13, "reasoning_tokens": 10},
    )
    t.add(
        "tool prompts are input",
        frames(response(hi, "STOP", **usage(promptTokenCount=3, candidatesTokenCount=4, toolUsePromptTokenCount=2, totalTokenCount=9))),
        usage={"input_tokens": 5, "output_tokens": 4, "total_tokens": 9},
    )
    t.add(
        "snake case",
        frames(
            {
                "candidates": [{"content": {"parts": hi}, "finish_reason": "STOP"}],
                "usage_metadata": {
                    "prompt_token_count": 3,
                    "candidates_token_count": 4,
                    "tool_use_prompt_token_count": 2,
                    "cached_content_token_count": 1,
                    "total_token_count": 9,
                },
            }
        ),
        text="Hi",
        finish_reason="STOP",
        usage={"input_tokens": 5, "output_tokens": 4, "total_tokens": 9, "cached_tokens": 1},
    )
    t.add(
        "later counts stand, also smaller ones",
        frames(
            response(hi, **usage(promptTokenCount=10, totalTokenCount=10)),
            response([], "STOP", **usage(promptTokenCount=8, candidatesTokenCount=4, totalTokenCount=12)),
        ),
        usage={"input_tokens": 8, "output_tokens": 4, "total_tokens": 12},
    )
    t.add(
        "a blocked prompt",
        frames({"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 3}}),
        outcome="blocked",
        error="SAFETY",
    )
    t.add("filtered without text", frames(response(None, "SAFETY")), finish_reason="SAFETY", text="")
    t.add("filtered after text", frames(response(hi), response(None, "SAFETY")), finish_reason="SAFETY", text="Hi")
    t.add("no finish reason in disguise", frames(response(hi, "FINISH_REASON_UNSPECIFIED")), outcome="truncated")
    t.add(
        "a raw error with braces in its words",
        frames(response(hi)) + json.dumps({"error": {"code": 503, "message": "ov{er}loaded"}}, indent=2) + "\n",
        outcome="failed",
        error="ov{er}loaded",
    )
    t.add(
        "a raw error in a list",
        frames(response(hi)) + "[" + json.dumps({"error": {"code": 503, "message": "x"}}, indent=2) + "]\n",
        outcome="failed",
        error="x",
    )
    t.add("a raw error cut inside", frames(response(hi)) + '{\n  "error": {\n    "code": 503,\n', outcome="truncated")
    t.add(
        "a framed error",
        frames(response(hi), {"error": {"code": 503, "message": "x", "status": "UNAVAILABLE"}}),
        outcome="failed",
        error="UNAVAILABLE",
    )
    t.add("an error after the finish reason", frames(response(hi, "STOP"), {"error": {"code": 503, "message": "x"}}), outcome="failed")
    t.add(
        "usage after the finish reason",
        frames(response(hi, "STOP"), {"candidates": [], **usage(promptTokenCount=3, candidatesTokenCount=4)}),
        usage={"input_tokens": 3, "output_tokens": 4, "total_tokens": 7},
    )
    t.add("another protocol's end mark", frames(response(hi, "STOP"), DONE), text="Hi")
    t.add("another protocol's end mark alone", frames(response(hi), DONE), outcome="truncated")
    t.add("a list of responses", json.dumps([response(hi), response([{"text": "!"}], "STOP")]), served_from="json", text="Hi!")
    t.add("a list of responses without an end", json.dumps([response(hi), response([{"text": "!"}])]), outcome="truncated", text="Hi!")
    t.add("a list cut between responses", "[" + json.dumps(response(hi)) + ",\n", outcome="failed")
    t.add("lines of responses without an end", json.dumps(response(hi)) + "\n" + json.dumps(response(hi)) + "\n", outcome="truncated")
    t.add(
        "two calls of one function in a frame",
        frames(response([{"functionCall": {"name": "f", "args": {"a": 1}}}, {"functionCall": {"name": "f", "args": {"a": 2}}}], "STOP")),
        tools=[(None, "f", '{"a": 1}'), (None, "f", '{"a": 2}')],
    )
    t.add(
        "two calls of one function in two frames",
        frames(
            response([{"functionCall": {"name": "f", "args": {"a": 1}}}]),
            response([{"functionCall": {"name": "f", "args": {"a": 2}}}], "STOP"),
        ),
        tools=[(None, "f", '{"a": 1}'), (None, "f", '{"a": 2}')],
    )
    t.add(
        "a call that is repeated under its id",
        frames(
            response([{"functionCall": {"id": "1", "name": "f", "args": {}}}]),
            response([{"functionCall": {"id": "1", "name": "f", "args": {}}}], "STOP"),
        ),
        tools=[("1", "f", "{}")],
    )
    t.add(
        "parts of other kinds",
        frames(
            response(
                [
                    {"executableCode": {"code": "1"}},
                    {"inlineData": {}},
                    {"text": "", "thoughtSignature": "x"},
                    {"text": "why", "thought": True},
                    {"text": "Hi"},
                ],
                "STOP",
            )
        ),
        text="Hi",
        reasoning="why",
    )
    t.add(
        "two candidates",
        frames(
            {
                "candidates": [
                    {"index": 0, "content": {"parts": hi}, "finishReason": "STOP"},
                    {"index": 1, "content": {"parts": [{"text": "B"}]}, "finishReason": "MAX_TOKENS"},
                ]
            }
        ),
        text="Hi",
        finish_reason="STOP",
    )
    t.add("no usage, anypath", frames(response(hi, "STOP")), Policy.ANYPATH, outcome="truncated")
    t.add("usage, anypath", frames(response(hi, "STOP", **usage(promptTokenCount=3))), Policy.ANYPATH, text="Hi")
    return t.rows


def _playground() -> list[Row]:
    t = Table(Shape.PLAYGROUND)
    t.add(
        "text at the top", frames({"panel": 1, "delta": "Hi"}, {"panel": 1, "finish_reason": "stop"}, DONE), text="Hi", finish_reason="stop"
    )
    t.add("content at the top", frames({"run_id": "x", "content": "Hi"}, STOP, DONE), text="Hi")
    t.add("a delta object at the top", frames({"delta": {"content": "Hi"}}, STOP, DONE), text="Hi")
    t.add(
        "error and end mark",
        frames(HI, {"error": {"type": "provider_error", "code": "upstream_error", "message": "gone"}}, DONE),
        outcome="failed",
        error="upstream_error",
        text="Hi",
    )
    meta = {
        "guardrails": {"pii": {"status": "pass", "score": 0}},
        "routing": {"mode": "auto"},
        "cost_usd": "0.000041",
        "weighted_tokens": 44,
    }
    t.add("the documented form", frames(HI, STOP, {"_anoman": meta}, DONE), Policy.ANOMAN, gateway=meta, cost="0.000041", text="Hi")
    return t.rows


ROWS = [*_chat(), *_responses(), *_messages(), *_gemini(), *_playground()]
