"""The body reader: what one body means, whatever its label, its cuts and its mistakes."""

import pytest

from anoman_tui.core.document import pane_record
from anoman_tui.core.events import BodyRead, Ending, Noted, NoteKind
from anoman_tui.core.outcome import Outcome, outcome
from anoman_tui.core.pane import PaneState
from anoman_tui.core.target import Policy, Shape
from tests.support import EVENT_STREAM, JSON_TYPE, events_of, play, sse

ROLE = '{"id":"c1","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}'
HELLO = '{"choices":[{"index":0,"delta":{"content":"Hello"}}]}'
STOP = '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}'
WHOLE = sse(ROLE, HELLO, STOP, "[DONE]")


def both(body: bytes, shape: Shape = Shape.CHAT, policy: Policy = Policy.STRICT) -> PaneState:
    """The state after the body as one read; asserts that one byte a read gives the same."""
    one = play(shape, [body], policy=policy)
    many = play(shape, [body[at : at + 1] for at in range(len(body))], policy=policy)
    left, right = pane_record(one, 1), pane_record(many, 1)
    for name in ("timing", "wire"):
        del left[name], right[name]
    assert left == right
    return one


def test_an_error_line_and_the_end_in_one_read_are_taken_in_the_order_of_their_bytes() -> None:
    """Claim: an `error:` line before `[DONE]` fails the answer even where both come in one read, as old llama.cpp sends them."""
    state = both(sse(HELLO) + b'error: {"code":500,"message":"slot lost"}\n\n' + sse("[DONE]"))
    assert outcome(state) is Outcome.FAILED
    assert state.error is not None
    assert state.error.message == "slot lost"


def test_an_error_line_after_the_end_does_not_undo_a_whole_answer() -> None:
    """Claim: an `error:` line that follows the protocol's end in the same read leaves the answer whole, with a finding."""
    state = both(WHOLE + b"error: too late\n\n")
    assert outcome(state) is Outcome.COMPLETED
    assert state.late_frames == 1


def test_raw_json_after_frames_is_no_answer_in_place_of_the_stream() -> None:
    """Claim: a bare JSON line counts as a JSON answer only before the first frame, however the reads are cut."""
    state = both(sse(HELLO) + b'{"choices":[{"message":{"content":"other"},"finish_reason":"stop"}]}\n\n' + sse(STOP, "[DONE]"))
    assert not state.served_json
    assert state.text.text == "Hello"
    assert outcome(state) is Outcome.COMPLETED


@pytest.mark.parametrize("label", ["text/plain", "application/octet-stream", "", "application/json", "Text/Event-Stream; charset=latin-1"])
def test_the_label_does_not_decide_what_the_body_is(label: str) -> None:
    """Claim: an event stream under any label, or none, is read as one; a wrong label is noted and a right one is not."""
    state = play(Shape.CHAT, [WHOLE], headers=(("content-type", label),) if label else ())
    assert outcome(state) is Outcome.COMPLETED
    noted = [note.kind for note in state.notes]
    assert noted == ([] if label.lower().startswith("text/event-stream") else [NoteKind.LABEL])


@pytest.mark.parametrize("headers", [EVENT_STREAM, JSON_TYPE])
@pytest.mark.parametrize("before", [b"", b"\n\n  ", b"\xef\xbb\xbf", b"\xef\xbb\xbf\r\n"])
def test_a_json_answer_is_read_whole_under_any_label(headers: tuple[tuple[str, str], ...], before: bytes) -> None:
    """Claim: a JSON body, also after blanks or a byte order mark, is an answer in place of the stream."""
    body = before + b'{"choices":[{"message":{"content":"Stored"},"finish_reason":"stop"}]}'
    state = play(Shape.CHAT, [body[:1], body[1:2], body[2:9], body[9:]], headers=headers)
    assert (outcome(state), state.served_json, state.text.text) == (Outcome.COMPLETED, True, "Stored")


def test_a_json_answer_that_broke_off_is_no_answer() -> None:
    """Claim: a connection that breaks inside a JSON answer leaves it truncated, with no text."""
    body = b'{"choices":[{"message":{"content":"Stored"},"finish_reason":"stop"}]}'
    state = play(Shape.CHAT, [body], ending=Ending.CUT)
    assert outcome(state) is Outcome.TRUNCATED
    assert not state.text


def test_a_json_answer_that_is_cut_in_its_text_is_unreadable() -> None:
    """Claim: a JSON body that ends inside itself is failed, with the beginning of it as an excerpt."""
    state = play(Shape.CHAT, [b'{"choices":[{"message":{"content":"Sto'])
    assert outcome(state) is Outcome.FAILED
    assert state.error is not None
    assert "cannot be read" in state.error.message


@pytest.mark.parametrize(
    ("line", "wanted", "text"),
    [
        (b'{"error":{"message":"worker died"}}', Outcome.FAILED, ""),
        (b'{"log":"started"}', Outcome.COMPLETED, "Hello"),
    ],
)
def test_a_line_of_json_before_an_event_stream(line: bytes, wanted: Outcome, text: str) -> None:
    """Claim: a body that begins with a line of JSON and goes on as an event stream is read as both, in their order."""
    state = both(line + b"\n\n" + (WHOLE if wanted is Outcome.COMPLETED else sse("[DONE]")))
    assert (outcome(state), state.text.text) == (wanted, text)
    assert wanted is Outcome.COMPLETED or (state.error is not None and state.error.message == "worker died")


@pytest.mark.parametrize("ending", [Ending.CLEAN, Ending.CUT])
def test_json_beside_a_stream_does_not_complete_it(ending: Ending) -> None:
    """Claim: a line of JSON before or among the frames of a stream that is cut does not make a JSON answer of it."""
    for before in (
        b'{"log":"started"}\n\n',
        b': x\n{"log":"started"}\n\n',
        b'{"choices":[{"message":{"content":"other"},"finish_reason":"stop"}]}\n',
    ):
        state = play(Shape.CHAT, [before + sse(HELLO)], ending=ending)
        assert outcome(state) is Outcome.TRUNCATED
        assert (state.served_json, state.text.text) == (False, "Hello")


def test_a_page_is_no_answer() -> None:
    """Claim: HTML at status 200 is failed; its title is shown and none of it is answer text."""
    state = play(Shape.CHAT, [b"<!DOCTYPE html><html><head><title>Sign in</title></head>", b"<body>Hello</body></html>"])
    assert outcome(state) is Outcome.FAILED
    assert state.error is not None
    assert "Sign in" in state.error.message
    assert not state.text


def test_an_empty_body_is_truncated() -> None:
    """Claim: a clean end without a byte is truncated, and the record says that nothing came."""
    record = pane_record(play(Shape.CHAT, []), 1)
    assert record["outcome"] == "truncated"
    assert "without a single frame" in record["error"]["message"]


@pytest.mark.parametrize("before", [b"", sse(HELLO)])
def test_words_outside_of_the_stream_are_shown(before: bytes) -> None:
    """Claim: plain text in the body, such as a proxy's complaint, stands in the error of the truncated answer."""
    state = both(before + b"upstream connect error or disconnect\n")
    assert outcome(state) is Outcome.TRUNCATED
    assert "upstream connect error" in pane_record(state, 1)["error"]["message"]


def test_every_read_is_counted_and_stamped() -> None:
    """Claim: each read gives one fact with its size and its own time, and every event of a read bears that time."""
    pieces = [WHOLE[:70], WHOLE[70:90], WHOLE[90:]]
    events = events_of(Shape.CHAT, pieces)
    reads = [event for event in events if isinstance(event.event, BodyRead)]
    assert [read.event.size for read in reads if isinstance(read.event, BodyRead)] == [len(piece) for piece in pieces]
    times = [read.t_ns for read in reads]
    assert times == sorted(set(times))
    assert {event.t_ns for event in events if event.frame is not None} <= set(times)


def test_frames_are_numbered_from_one() -> None:
    """Claim: the events of the n-th frame bear the number n."""
    numbers = [event.frame for event in events_of(Shape.CHAT, [WHOLE]) if event.frame is not None]
    assert sorted(set(numbers)) == [1, 2, 3, 4]


def test_a_size_limit_ends_the_body_with_its_number() -> None:
    """Claim: a body over the limit is failed as a limit."""
    state = play(Shape.CHAT, [WHOLE, WHOLE], max_body=len(WHOLE) + 10)
    assert state.closed is not None
    assert state.closed.ending is Ending.SIZE


def test_lines_of_json_without_any_event_stream_are_items_of_an_answer() -> None:
    """Claim: one JSON object a line is read as the items of a JSON answer."""
    state = play(
        Shape.GEMINI,
        [
            b'{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}\n{"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}]}\n'
        ],
    )
    assert (state.text.text, state.finish_reason) == ("ab", "STOP")
    assert outcome(state) is Outcome.COMPLETED


@pytest.mark.parametrize("tail", [b"data: [DONE]", b"data: [DONE]\n", b"data:[DONE]", b"data: [DONE]\r"])
def test_an_end_mark_without_its_blank_line_still_ends_the_stream(tail: bytes) -> None:
    """Claim: `[DONE]` that the body's end left without a blank line ends the stream."""
    assert outcome(both(sse(HELLO, STOP) + tail)) is Outcome.COMPLETED


def test_an_open_block_that_ends_nothing_is_dropped() -> None:
    """Claim: a content frame that lacks its blank line at the body's end gives no text, as the event-stream rules say."""
    state = both(sse(HELLO) + b'data: {"choices":[{"delta":{"content":" tail"}}]}\n')
    assert state.text.text == "Hello"
    assert outcome(state) is Outcome.TRUNCATED


def test_an_open_terminal_counts_where_the_connection_broke() -> None:
    """Claim: a whole terminal frame that a reset left open still ends the stream."""
    state = play(Shape.MESSAGES, [b'event: message_stop\ndata: {"type":"message_stop"}\n'], ending=Ending.CUT)
    assert outcome(state) is Outcome.COMPLETED


def test_a_raw_error_inside_a_stream_is_an_error() -> None:
    """Claim: pretty-printed JSON with an error, without any `data:`, fails the answer as Gemini's raw errors do."""
    raw = b'{\n  "error": {\n    "code": 503,\n    "message": "overloaded",\n    "status": "UNAVAILABLE"\n  }\n}\n'
    state = both(b'data: {"candidates":[{"content":{"parts":[{"text":"Hi"}]}}]}\r\n\r\n' + raw, Shape.GEMINI)
    assert outcome(state) is Outcome.FAILED
    assert state.error is not None
    assert (state.error.code, state.error.type, state.error.message) == ("503", "UNAVAILABLE", "overloaded")


def test_pings_and_comments_are_counted_and_nothing_more() -> None:
    """Claim: comments, empty data and blocks without data are keep-alives: no text, no first event, no note."""
    events = events_of(Shape.CHAT, [b": ping\n\n:\n\ndata:\n\nevent: ping\n\nretry: 5\n\nid: 1\n\n"])
    state = play(Shape.CHAT, [b": ping\n\n:\n\ndata:\n\nevent: ping\n\nretry: 5\n\nid: 1\n\n"])
    assert state.stamps.first_event is None
    assert state.notes == ()
    assert state.wire.pings == 4
    assert all(isinstance(event.event, Noted) for event in events if event.frame is not None)
