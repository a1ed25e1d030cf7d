"""Frames of every shape from the same pieces; no network."""
# ruff: noqa: D103 - the names say what the tests check

import json
from typing import Any

import pytest

from anoman_tui.emulator.answer import Answer, Piece, Usage
from anoman_tui.emulator.encoders import Encoder, Ident, chat, gemini, messages, responses

from .kit import blocks

IDENT = Ident("abc", 1709876543, "claude-sonnet-4-6")
PIECES = [Piece("text", "Once "), Piece("text", "upon a "), Piece("text", "time...")]
ANSWER = Answer("Once upon a time...", "", "stop", Usage(7, 4))
THOUGHT = [Piece("reasoning", "Hm. "), Piece("reasoning", "Yes."), Piece("text", "42")]
THOUGHT_ANSWER = Answer("42", "Hm. Yes.", "stop", Usage(7, 3, 2))

# The five chunks of "Anoman streaming page, Chunk anatomy", to the byte.
PAGE_SAMPLE = (
    'data: {"id":"chatcmpl-abc","object":"chat.completion.chunk","created":1709876543,"model":"claude-sonnet-4-6",'
    '"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}\n\n'
    'data: {"id":"chatcmpl-abc","object":"chat.completion.chunk",'
    '"choices":[{"index":0,"delta":{"content":"Once "},"finish_reason":null}]}\n\n'
    'data: {"id":"chatcmpl-abc","object":"chat.completion.chunk",'
    '"choices":[{"index":0,"delta":{"content":"upon a "},"finish_reason":null}]}\n\n'
    'data: {"id":"chatcmpl-abc","object":"chat.completion.chunk",'
    '"choices":[{"index":0,"delta":{"content":"time..."},"finish_reason":null}]}\n\n'
    'data: {"id":"chatcmpl-abc","object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],'
    '"usage":{"prompt_tokens":7,"completion_tokens":4,"total_tokens":11}}\n\n'
)


def encode(encoder: Encoder, pieces: list[Piece], answer: Answer) -> str:
    frames = [*encoder.start(7), *(frame for piece in pieces for frame in encoder.piece(piece)), *encoder.finish(answer)]
    return b"".join(frames).decode()


def test_anoman_chat_is_the_page_s_sample_to_the_byte() -> None:
    assert encode(chat.AnomanChat(IDENT), PIECES, ANSWER) == PAGE_SAMPLE


def test_openai_chat_ends_with_a_usage_chunk_and_done() -> None:
    *_, finish, usage, done = [data for _, data in blocks(encode(chat.OpenAIChat(IDENT), PIECES, ANSWER))]
    assert finish["choices"][0]["finish_reason"] == "stop"
    assert usage["choices"] == []
    assert usage["usage"] == {"prompt_tokens": 7, "completion_tokens": 4, "total_tokens": 11}
    assert done == "[DONE]"


@pytest.mark.parametrize("encoder", [chat.AnomanChat(IDENT), chat.OpenAIChat(IDENT)])
def test_chat_reasoning_has_a_field_of_its_own(encoder: Encoder) -> None:
    frames = [
        data["choices"][0]["delta"] for _, data in blocks(encode(encoder, THOUGHT, THOUGHT_ANSWER)) if data != "[DONE]" and data["choices"]
    ]
    assert "".join(delta.get("reasoning_content", "") for delta in frames) == "Hm. Yes."
    assert "".join(delta.get("content", "") for delta in frames) == "42"


def test_messages_lifecycle_with_reasoning() -> None:
    events = blocks(encode(messages.Messages(IDENT), THOUGHT, THOUGHT_ANSWER))
    assert [name for name, _ in events] == [
        "message_start",
        "ping",
        "content_block_start",
        "content_block_delta",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]
    assert all(name == data["type"] for name, data in events)
    assert [data["index"] for _, data in events if "index" in data] == [0, 0, 0, 0, 0, 1, 1, 1]
    assert events[-2][1]["delta"]["stop_reason"] == "end_turn"
    assert events[-2][1]["usage"]["output_tokens"] == 3


@pytest.mark.parametrize(
    ("answer", "reason"),
    [(Answer("a", "", "length", Usage(1, 1)), "max_tokens"), (Answer("a", "", "stop", Usage(1, 1), "END"), "stop_sequence")],
)
def test_messages_stop_reasons(answer: Answer, reason: str) -> None:
    assert messages.stop_reason(answer) == reason


def test_responses_lifecycle_numbers_and_indices() -> None:
    events = [data for _, data in blocks(encode(responses.Responses(IDENT), THOUGHT, THOUGHT_ANSWER))]
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    assert [event["type"].removeprefix("response.") for event in events] == [
        "created",
        "in_progress",
        "output_item.added",
        "reasoning_summary_part.added",
        "reasoning_summary_text.delta",
        "reasoning_summary_text.delta",
        "reasoning_summary_text.done",
        "reasoning_summary_part.done",
        "output_item.done",
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "completed",
    ]
    delta = next(event for event in events if event["type"] == "response.output_text.delta")
    assert (delta["output_index"], delta["content_index"], delta["item_id"]) == (1, 0, "msg_abc")
    final = events[-1]["response"]
    assert [item["type"] for item in final["output"]] == ["reasoning", "message"]
    assert final["usage"]["output_tokens_details"] == {"reasoning_tokens": 2}


def test_responses_cut_by_the_limit_is_incomplete() -> None:
    name, data = blocks(encode(responses.Responses(IDENT, 3), PIECES, Answer("x", "", "length", Usage(7, 3))))[-1]
    assert name == "response.incomplete"
    assert data["response"]["status"] == "incomplete"
    assert data["response"]["incomplete_details"] == {"reason": "max_output_tokens"}


def test_gemini_sse_has_crlf_and_counts_thoughts_apart() -> None:
    text = encode(gemini.Gemini(IDENT, sse=True), THOUGHT, THOUGHT_ANSWER)
    assert text.count("\r\n") == text.count("\n")
    chunks = [data for _, data in blocks(text)]
    assert chunks[0]["candidates"][0]["content"]["parts"] == [{"text": "Hm. ", "thought": True}]
    assert chunks[-1]["candidates"][0]["finishReason"] == "STOP"
    assert chunks[-1]["usageMetadata"] == {"promptTokenCount": 7, "candidatesTokenCount": 1, "thoughtsTokenCount": 2, "totalTokenCount": 10}


def test_gemini_without_sse_is_a_json_array() -> None:
    chunks = json.loads(encode(gemini.Gemini(IDENT, sse=False), PIECES, ANSWER))
    assert "".join(chunk["candidates"][0]["content"]["parts"][0]["text"] for chunk in chunks) == ANSWER.text


@pytest.mark.parametrize(
    ("whole", "text"),
    [
        (chat.whole(IDENT, THOUGHT_ANSWER), lambda whole: whole["choices"][0]["message"]["content"]),
        (messages.whole(IDENT, THOUGHT_ANSWER), lambda whole: whole["content"][1]["text"]),
        (responses.whole(IDENT, THOUGHT_ANSWER, None), lambda whole: whole["output"][1]["content"][0]["text"]),
        (gemini.whole(IDENT, THOUGHT_ANSWER), lambda whole: whole["candidates"][0]["content"]["parts"][1]["text"]),
    ],
)
def test_whole_answers(whole: dict[str, Any], text: Any) -> None:
    assert text(whole) == "42"
