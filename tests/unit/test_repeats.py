"""Frames that differ in nothing but their text, read without a parser: always as the shape's own decoder reads them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anoman_tui.core.events import Frame, StreamEvent, TextDelta
from anoman_tui.core.shapes import SHAPES
from anoman_tui.core.shapes.repeats import TRIES, Repeats
from anoman_tui.core.target import Shape

CHAT = '{"id":"c-1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"content":%s},"finish_reason":null}]}'
FRAMES: list[tuple[Shape, str, str]] = [
    (Shape.CHAT, "", CHAT),
    (Shape.CHAT, "", '{"choices": [ {"delta" : {"content" : %s } , "index":0 , "finish_reason":null} ] } '),
    (Shape.CHAT, "", '{"choices":[{"index":0,"delta":{"content":%s}}],"obfuscation":"a"}'),
    (Shape.CHAT, "", '{"choices":[{"index":0,"delta":{"content":"a","content":%s}}]}'),
    (Shape.CHAT, "", '{"choices":[{"index":0,"delta":{"reasoning_content":%s}}]}'),
    (Shape.CHAT, "", '{"choices":[{"index":0,"delta":{"role":"assistant","content":%s}}]}'),
    (Shape.CHAT, "", '{"choices":[{"index":1,"delta":{"content":%s}}]}'),
    (Shape.CHAT, "x", CHAT),
    (Shape.PLAYGROUND, "", '{"delta":%s}'),
    (Shape.PLAYGROUND, "", CHAT),
    (Shape.MESSAGES, "content_block_delta", '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":%s}}'),
    (Shape.MESSAGES, "content_block_delta", '{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":%s}}'),
    (Shape.MESSAGES, "", '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":%s}}'),
    (Shape.RESPONSES, "response.output_text.delta", '{"type":"response.output_text.delta","sequence_number":4,"delta":%s}'),
    (Shape.GEMINI, "", '{"candidates":[{"content":{"parts":[{"text":%s}],"role":"model"},"index":0}]}'),
    (Shape.GEMINI, "", '{"candidates":[{"content":{"parts":[{"thought":true,"text":%s}]}}]}'),
    (Shape.CHAT, "", '{"error":{"message":%s}}'),
    (Shape.CHAT, "", '{"choices":[{"delta":{"content":"a"}}],"_anoman":{"request_id":%s}}'),
]
"""A shape, the name of its frames, and a frame with a place for a JSON string."""
IDS = [f"{shape} {at}" for at, (shape, _, _) in enumerate(FRAMES)]
HARD = ["a", "", "m", "[DONE]", '"', "\\", "\\u00e9", '"},"finish_reason":"stop"}]}', "\ud800", "null", "\x00"]
TEXTS = st.text(max_size=6) | st.sampled_from(HARD)
CHANGES = st.sampled_from(["", " ", "x", '"', "\\", "}", ',"a":1', "\n"])


def repeats(shape: Shape) -> tuple[Repeats, list[Frame]]:
    """A decoder that notes which frames it has parsed."""
    parsed: list[Frame] = []

    def decode(frame: Frame) -> tuple[StreamEvent, ...]:
        parsed.append(frame)
        return SHAPES[shape].decode(frame)

    return Repeats(decode), parsed


@pytest.mark.parametrize(("shape", "event", "frame"), FRAMES, ids=IDS)
@given(st.data())
def test_every_frame_reads_as_the_shape_reads_it(shape: Shape, event: str, frame: str, data: st.DataObject) -> None:
    """Claim: whatever text stands in a frame, whatever is changed in it, and whatever came before, the events are the decoder's."""
    made = Repeats(SHAPES[shape].decode)
    for text in data.draw(st.lists(TEXTS, min_size=1, max_size=6)):
        ways = [json.dumps(text), json.dumps(text, ensure_ascii=False), f'"{text}"', "null", "5", '{"a":"b"}']
        body = frame.replace("%s", data.draw(st.sampled_from(ways)))
        if data.draw(st.integers(0, 3)) == 0:
            at = data.draw(st.integers(0, len(body)))
            body = body[:at] + data.draw(CHANGES) + body[at + data.draw(st.integers(0, 2)) :]
        asked = Frame(data.draw(st.sampled_from([event, event, event, "", "ping"])), body)
        assert made(asked) == SHAPES[shape].decode(asked)


@pytest.mark.parametrize(("shape", "event", "frame"), [FRAMES[0], FRAMES[2], FRAMES[8], FRAMES[10], FRAMES[11], FRAMES[14]])
def test_after_one_frame_no_other_is_parsed(shape: Shape, event: str, frame: str) -> None:
    """Claim: where nothing but the text differs, one parsed frame is enough for all that follow."""
    made, parsed = repeats(shape)
    assert made(Frame(event, frame.replace("%s", '"a"')))
    parsed.clear()
    for text in ("b", 'a "word"\n', "é\u2028", "[DONE]"):
        (told,) = made(Frame(event, frame.replace("%s", json.dumps(text))))
        assert text_of(told) == text
    assert parsed == []


def test_frames_with_numbers_of_their_own_are_not_learned_from_for_ever() -> None:
    """Claim: where each frame differs in more than its text, learning is given up, and each is parsed once."""
    made, parsed = repeats(Shape.CHAT)
    bodies = [CHAT.replace("c-1", f"c-{at}") % '"a"' for at in range(3 * TRIES)]
    for body in bodies:
        assert made(Frame("", body)) == (TextDelta("a"),)
    parsed.clear()
    for body in bodies[TRIES:]:
        made(Frame("", body))
    assert len(parsed) == 2 * TRIES


def text_of(event: Any) -> str:
    """The text of a piece."""
    text: str = event.text
    return text
