"""The fold: what a state holds after any events, and what it does not let in."""

from decimal import Decimal

import pytest

from anoman_tui.core.events import (
    BodyRead,
    CancelRequested,
    Closed,
    Connected,
    ConnectStarted,
    Ending,
    EndReported,
    ErrorReported,
    FinishReported,
    FrameSeen,
    HeadersReceived,
    HeadersSent,
    ListPriced,
    MetadataReported,
    Noted,
    NoteKind,
    ReasoningDelta,
    RefusalDelta,
    Requested,
    ServedJson,
    Stamped,
    Started,
    StreamEvent,
    TextDelta,
    TextDone,
    ToolDelta,
    Usage,
    UsageReported,
)
from anoman_tui.core.failure import ErrorInfo, FailureKind
from anoman_tui.core.pane import MAX_NOTES, MAX_TOOLS, PaneState, fold, merge_usage
from tests.support import MS, a_target, stamped


def after(*events: StreamEvent) -> PaneState:
    """The state after these events, a millisecond apart."""
    return fold(PaneState(a_target()), stamped(*events))


def an_error(message: str = "x") -> ErrorReported:
    """An error in the stream."""
    return ErrorReported(ErrorInfo(FailureKind.STREAM, message))


def test_texts_are_kept_apart() -> None:
    """Claim: text, reasoning and refusal each grow by their own deltas."""
    state = after(TextDelta("a"), ReasoningDelta("r"), RefusalDelta("n"), TextDelta("b"), ReasoningDelta("s"))
    assert (state.text.text, state.reasoning.text, state.refusal.text) == ("ab", "rs", "n")


def test_an_older_state_is_not_changed() -> None:
    """Claim: a state stays what it was after a later batch, also where two futures grow out of it."""
    first = after(TextDelta("a"), ToolDelta("0", "i", "f", "{"))
    one = fold(first, stamped(TextDelta("b"), ToolDelta("0", arguments="1")))
    other = fold(first, stamped(TextDelta("c"), ToolDelta("0", arguments="2")))
    assert (first.text.text, one.text.text, other.text.text) == ("a", "ab", "ac")
    assert [state.tools[0].arguments.text for state in (first, one, other)] == ["{", "{1", "{2"]


def test_a_batch_is_the_same_as_its_events_one_by_one() -> None:
    """Claim: folding in one batch and event by event gives the same state."""
    events = stamped(
        HeadersSent(),
        TextDelta("a"),
        TextDelta("b"),
        UsageReported(Usage(1, 2)),
        FinishReported("stop"),
        EndReported("x"),
        Closed(Ending.CLEAN),
    )
    one = fold(PaneState(a_target()), events)
    many = PaneState(a_target())
    for event in events:
        many = fold(many, [event])
    assert one.text.text == many.text.text
    assert (one.stamps, one.usage, one.wire, one.finish_reason, one.end) == (
        many.stamps,
        many.usage,
        many.wire,
        many.finish_reason,
        many.end,
    )


def test_a_closing_text_only_mends() -> None:
    """Claim: a closing text adds what the deltas left out at its end, and nothing where it repeats or contradicts them."""
    assert after(TextDelta("Hel"), TextDone("text", "Hello")).text.text == "Hello"
    assert after(TextDelta("Hello"), TextDone("text", "Hello")).text.text == "Hello"
    assert after(TextDelta("Hello"), TextDone("text", "Hel")).text.text == "Hello"
    assert after(TextDelta("Hello"), TextDone("text", "Other text")).text.text == "Hello"
    assert after(TextDone("text", "Hello")).text.text == "Hello"
    assert after(TextDone("reasoning", "why")).reasoning.text == "why"
    assert after(TextDone("nonsense", "x")).has_content is False
    assert fold(after(TextDelta("Hel")), stamped(TextDone("text", "Hello"))).text.text == "Hello"


def test_after_the_end_nothing_is_added_to_the_answer() -> None:
    """Claim: content and errors after the end are counted as late and not taken; facts beside the answer are taken."""
    state = after(
        TextDelta("a"),
        EndReported("[DONE]"),
        TextDelta("b"),
        ToolDelta("0", "i", "f"),
        TextDone("text", "abc"),
        an_error(),
        FinishReported("late"),
        EndReported("again"),
        UsageReported(Usage(1, 2)),
        MetadataReported({"cost_usd": "1"}),
    )
    assert (state.text.text, state.tools, state.error, state.finish_reason, state.end) == ("a", (), None, None, "[DONE]")
    assert state.late_frames == 3
    assert state.usage == Usage(1, 2)
    assert state.usage_before_end is False
    assert state.metadata == {"cost_usd": "1"}


def test_after_closed_nothing_changes() -> None:
    """Claim: a closed state takes nothing more but a price."""
    closed = after(TextDelta("a"), Closed(Ending.CLEAN))
    later = fold(closed, stamped(TextDelta("b"), EndReported("x"), an_error(), BodyRead(5), Closed(Ending.CUT), ListPriced(Decimal(1))))
    assert later.text.text == "a"
    assert (later.end, later.error, later.closed, later.wire) == (None, None, closed.closed, closed.wire)
    assert later.list_usd == Decimal(1)


def test_the_first_error_latches() -> None:
    """Claim: the first error stands, whatever follows it."""
    state = after(an_error("first"), an_error("second"), EndReported("[DONE]"))
    assert state.error is not None
    assert state.error.message == "first"


def test_the_last_finish_reason_stands() -> None:
    """Claim: a later finish reason replaces an earlier one."""
    assert after(FinishReported("stop"), FinishReported("length")).finish_reason == "length"


def test_metadata_is_merged() -> None:
    """Claim: later metadata adds and replaces fields and leaves the others."""
    state = after(MetadataReported({"a": 1, "b": 1}), MetadataReported({"b": 2, "c": 3}))
    assert state.metadata == {"a": 1, "b": 2, "c": 3}


def test_who_answers() -> None:
    """Claim: id and model are the last ones told, and a frame without them takes nothing away."""
    state = after(Started("1", "a"), Started(None, None), Started(None, "b"))
    assert (state.response_id, state.served_model) == ("1", "b")


@pytest.mark.parametrize(
    ("old", "new", "merged"),
    [
        (Usage(1, 2), Usage(3, 4), Usage(3, 4)),
        (Usage(1, 2), Usage(None, 4), Usage(1, 4)),
        (Usage(9, 2), Usage(0, 0), Usage(9, 2)),
        (Usage(0, None), Usage(0, 0), Usage(0, 0)),
        (Usage(9), Usage(5), Usage(5)),
        (Usage(1, 2, 3, 4, 5, 6), Usage(), Usage(1, 2, 3, 4, 5, 6)),
        (Usage(cost_usd=Decimal("0.1")), Usage(cost_usd=Decimal(0)), Usage(cost_usd=Decimal("0.1"))),
        (
            Usage(17, 1, None, 10, 2, uncached_tokens=5),
            Usage(6, 7, uncached_tokens=6),
            Usage(18, 7, None, 10, 2, uncached_tokens=6),
        ),
    ],
)
def test_usage_is_merged_and_never_summed(old: Usage, new: Usage, merged: Usage) -> None:
    """Claim: later counts replace earlier ones, None and 0 replace nothing, and input is the sum of its parts where they are told."""
    assert merge_usage(old, new) == merged
    assert merge_usage(None, new) == new


def test_tool_pieces_find_their_call() -> None:
    """Claim: pieces join by slot; another id opens another call; a whole replaces; no slot is a call of its own."""
    state = after(
        ToolDelta("0", "a", "f", "{"),
        ToolDelta("0", arguments="}"),
        ToolDelta("0", "b", "g", "["),
        ToolDelta("0", arguments="]"),
        ToolDelta("", None, "h", "{}", whole=True),
        ToolDelta("", None, "h", "{}", whole=True),
        ToolDelta("9", "a", None, "{1}", whole=True),
    )
    assert [(call.call_id, call.name, call.arguments.text) for call in state.tools] == [
        ("a", "f", "{1}"),
        ("b", "g", "[]"),
        (None, "h", "{}"),
        (None, "h", "{}"),
    ]


def test_pieces_after_a_whole_begin_anew() -> None:
    """Claim: arguments in pieces after arguments as a whole replace them."""
    state = after(ToolDelta("1", "t", "f", '{"a": 1}', whole=True), ToolDelta("1", arguments='{"a"'), ToolDelta("1", arguments=":1}"))
    assert state.tools[0].arguments.text == '{"a":1}'
    state = after(ToolDelta("1", "t", "f", '{"a": 1}', whole=True), ToolDelta("1", arguments=""))
    assert state.tools[0].arguments.text == '{"a": 1}'


def test_calls_and_notes_are_bounded() -> None:
    """Claim: a hostile stream cannot open calls or notes without end."""
    tools = stamped(*(ToolDelta(str(number), str(number), "f") for number in range(MAX_TOOLS + 50)))
    notes = stamped(*(Noted(NoteKind.UNKNOWN, "x") for _ in range(MAX_NOTES + 50)))
    state = fold(PaneState(a_target()), [*tools, *notes])
    assert (len(state.tools), len(state.notes)) == (MAX_TOOLS, MAX_NOTES)


def test_the_rate_looks_back_two_seconds() -> None:
    """Claim: content older than two seconds leaves the samples of the live rate, so that they stay few."""
    state = PaneState(a_target())
    for second in range(20):
        state = fold(state, [Stamped(second * 1_000 * MS, TextDelta("x"))])
    assert len(state.recent) <= 3


def test_stalls_and_gaps_are_between_reads() -> None:
    """Claim: events of one read share its time, so the longest gap is between reads that carried content."""
    state = fold(
        PaneState(a_target()),
        [
            Stamped(10 * MS, TextDelta("a")),
            Stamped(10 * MS, TextDelta("b")),
            Stamped(15 * MS, TextDelta("c")),
            Stamped(20 * MS, Noted(NoteKind.PING)),
            Stamped(40 * MS, TextDelta("d")),
            Stamped(90 * MS, FrameSeen()),
        ],
    )
    assert state.stamps.stall_max_ns == 25 * MS
    assert state.stamps.content_reads == 3
    assert (state.stamps.first_token, state.stamps.last_content) == (10 * MS, 40 * MS)


def test_what_is_a_first_token() -> None:
    """Claim: roles, empty deltas, pings, usage and metadata are no first token; text, reasoning, refusal and tools are."""
    dull = (
        Started("1", "m"),
        TextDelta(""),
        Noted(NoteKind.PING),
        UsageReported(Usage(1)),
        MetadataReported({"a": 1}),
        FrameSeen(),
        ToolDelta("0", "i"),
    )
    assert after(*dull).stamps.first_token is None
    for event in (TextDelta("x"), ReasoningDelta("x"), RefusalDelta("x"), ToolDelta("0", None, "f")):
        state = after(*dull, event)
        assert state.stamps.first_token == len(dull) * MS
        assert (state.stamps.first_answer is None) is isinstance(event, ReasoningDelta)


def test_two_header_writes_behind_a_proxy() -> None:
    """Claim: the last header write is the request's own; the first connection and the first response head count."""
    state = after(ConnectStarted(), Connected(), HeadersSent(), Connected(), HeadersSent(), HeadersReceived(200, (("a", "b"),)))
    assert (state.stamps.connect_started, state.stamps.connected, state.stamps.headers_sent) == (0, 3 * MS, 4 * MS)
    assert (state.status, state.headers, state.stamps.headers) == (200, (("a", "b"),), 5 * MS)


def test_wire_counts() -> None:
    """Claim: bytes, reads, frames, deltas and keep-alives are counted, each as itself."""
    state = fold(
        PaneState(a_target()),
        [
            Stamped(0, BodyRead(10)),
            Stamped(0, TextDelta("a"), 1),
            Stamped(0, TextDelta("b"), 2),
            Stamped(0, Noted(NoteKind.PING), 3),
            Stamped(1, BodyRead(5)),
            Stamped(1, Noted(NoteKind.COMMENT)),
        ],
    )
    assert (state.wire.bytes, state.wire.reads, state.wire.frames, state.wire.deltas, state.wire.pings) == (15, 2, 3, 2, 2)
    assert state.stamps.first_event == 0


def test_the_rest_is_kept() -> None:
    """Claim: address, price, cancel and JSON answers leave their mark."""
    state = after(Requested("http://h/x"), ListPriced(None), CancelRequested(), CancelRequested(), ServedJson())
    assert (state.url, state.list_usd, state.served_json, state.served_whole) == ("http://h/x", None, True, True)
    assert state.stamps.cancel == 2 * MS
    assert after(ServedJson(), ServedJson()).served_whole is False
    assert after(ServedJson(whole=False)).served_whole is False
