"""Times, counts and rates: the definitions, and when a number is unknown."""

import pytest

from anoman_tui.core.document import pane_record
from anoman_tui.core.events import (
    CancelRequested,
    Closed,
    Connected,
    ConnectStarted,
    Ending,
    EndReported,
    FinishReported,
    HeadersReceived,
    HeadersSent,
    Noted,
    NoteKind,
    ReasoningDelta,
    ServedJson,
    Stamped,
    StreamEvent,
    TextDelta,
    Usage,
    UsageReported,
)
from anoman_tui.core.metrics import Source, estimated_tokens, learned_ratio, live_rate, output_tokens, timing
from anoman_tui.core.pane import PaneState, fold
from anoman_tui.core.target import Shape
from tests.support import MS, a_target, opened, stamped

Timed = tuple[float, StreamEvent]
HEAD: tuple[Timed, ...] = ((0, ConnectStarted()), (5, Connected()), (5, HeadersSent()), (25, HeadersReceived(200, ())))


def at(*events: Timed, head: tuple[Timed, ...] = HEAD) -> PaneState:
    """The state after events at these milliseconds; every one in a frame of its own."""
    return fold(PaneState(a_target()), [Stamped(round(ms * MS), event, number) for number, (ms, event) in enumerate((*head, *events))])


ANSWER: tuple[Timed, ...] = (
    (45, ReasoningDelta("hm")),
    (65, TextDelta("a")),
    (75, TextDelta("b")),
    (105, TextDelta("c")),
    (110, UsageReported(Usage(7, 11))),
    (110, FinishReported("stop")),
    (115, EndReported("[DONE]")),
    (120, Closed(Ending.CLEAN)),
)


def test_the_definitions() -> None:
    """Claim: every time is measured from the request headers, and rates leave the time to the first token out."""
    times = timing(at(*ANSWER))
    assert times.clock == "headers_sent"
    assert (times.connect_ms, times.ttfh_ms, times.ttft_ms, times.ttfa_ms) == (5, 20, 40, 60)
    assert (times.e2e_ms, times.done_ms, times.stall_max_ms) == (100, 110, 30)
    assert times.tpot_ms == pytest.approx((105 - 45) / 10)
    assert times.output_tps == pytest.approx(1000 / 6, rel=1e-3)
    assert times.cancel_local_ms is None


def test_the_first_event_is_no_ping() -> None:
    """Claim: the first event is the first frame of any kind but a ping."""
    state = fold(
        PaneState(a_target()),
        [Stamped(0, HeadersSent()), Stamped(5 * MS, Noted(NoteKind.PING), 1), Stamped(9 * MS, FinishReported("x"), 2)],
    )
    assert timing(state).ttfe_ms == 9


def test_nothing_is_known_of_nothing() -> None:
    """Claim: before anything happened every number is None, and none is 0."""
    times = timing(PaneState(a_target()))
    numbers = [getattr(times, name) for name in times.__slots__ if name not in ("clock", "degraded")]
    assert numbers == [None] * len(numbers)
    assert output_tokens(PaneState(a_target())).value is None
    assert live_rate(PaneState(a_target()), 10**12) is None


def test_without_request_headers_the_call_is_the_clock() -> None:
    """Claim: where the headers were never written the connection's start is zero, and the clock says so."""
    times = timing(at((30, Closed(Ending.REFUSED)), head=((0, ConnectStarted()),)))
    assert times.clock == "call"
    assert times.done_ms is None


@pytest.mark.parametrize(
    "events",
    [
        ((45, TextDelta("a")), (65, TextDelta("b"))),
        ((45, TextDelta("a")), (65, UsageReported(Usage(1, 5)))),
        ((45, TextDelta("a")), (45, TextDelta("b")), (65, UsageReported(Usage(1, 5)))),
        ((45, TextDelta("a")), (55, TextDelta("b")), (65, UsageReported(Usage(1, 1)))),
        ((45, TextDelta("a")), (55, TextDelta("b")), (65, UsageReported(Usage(1, None)))),
        ((45, TextDelta("a")), (55, TextDelta("b")), (65, UsageReported(Usage(1, 102, reasoning_tokens=101)))),
        ((45, ServedJson()), (45, TextDelta("a")), (55, TextDelta("b")), (65, UsageReported(Usage(1, 9)))),
    ],
)
def test_when_there_is_no_rate(events: tuple[Timed, ...]) -> None:
    """Claim: no usage, one read of content, a single token or a JSON answer give no rate."""
    times = timing(at(*events))
    assert (times.tpot_ms, times.output_tps) == (None, None)


def test_hidden_reasoning_does_not_flatter() -> None:
    """Claim: reasoning tokens that were never streamed are left out of the rate; streamed ones count."""
    usage = UsageReported(Usage(1, 2_101, reasoning_tokens=2_000))
    hidden = timing(at((1_000, TextDelta("a")), (3_000, TextDelta("b")), (3_001, usage)))
    assert hidden.output_tps == pytest.approx(50)
    shown = timing(at((900, ReasoningDelta("r")), (1_000, TextDelta("a")), (3_000, TextDelta("b")), (3_001, usage)))
    assert shown.output_tps == pytest.approx(2_100 / 2.1)


def test_a_json_answer_has_no_first_token() -> None:
    """Claim: a JSON answer has a total and no time to its first token, event or answer, and no stall."""
    times = timing(at((45, ServedJson()), (45, TextDelta("a")), (50, Closed(Ending.CLEAN))))
    assert (times.ttfe_ms, times.ttft_ms, times.ttfa_ms, times.stall_max_ms) == (None, None, None, None)
    assert times.e2e_ms == 40
    assert times.done_ms == 45


def test_a_stop_has_its_time() -> None:
    """Claim: a cancelled stream tells how long our closing took, and no other does."""
    assert timing(at((45, TextDelta("a")), (50, CancelRequested()), (51.5, Closed(Ending.CANCELLED)))).cancel_local_ms == 1.5
    assert timing(at((45, TextDelta("a")), (50, CancelRequested()), (51.5, Closed(Ending.CUT)))).cancel_local_ms is None


def test_late_loops_are_told() -> None:
    """Claim: times of a stream whose loop ran late are marked as degraded."""
    assert timing(at((50, Closed(Ending.CLEAN, "", 25.0)))).degraded
    assert not timing(at((50, Closed(Ending.CLEAN, "", 5.0)))).degraded


def test_done_without_a_terminal() -> None:
    """Claim: a truncated stream has no time at which it was done."""
    assert timing(at((45, TextDelta("a")), (50, Closed(Ending.CLEAN)))).done_ms is None


def test_where_a_count_comes_from() -> None:
    """Claim: output tokens are estimated while the answer grows, reported once usage is final, and marked where it contradicts."""
    growing = at((45, TextDelta("abcdefgh" * 4)))
    assert (output_tokens(growing).value, output_tokens(growing).source) == (8, Source.ESTIMATED)
    assert (output_tokens(at(*ANSWER)).value, output_tokens(at(*ANSWER)).source) == (11, Source.REPORTED)
    zero = at((45, TextDelta("a")), (50, UsageReported(Usage(1, 0))), (50, FinishReported("stop")))
    assert output_tokens(zero).source is Source.CONTRADICTED
    assert output_tokens(at()).source is Source.NOT_SENT


def test_estimates() -> None:
    """Claim: never fewer than the deltas; four ASCII characters a token, and other letters about one each."""
    assert estimated_tokens(at((45, TextDelta("a")), (46, TextDelta("b")), (47, TextDelta("c")))) == 3
    assert estimated_tokens(at((45, TextDelta("x" * 400)))) == 100
    assert estimated_tokens(at((45, TextDelta("日" * 100)))) == 100


def test_a_ratio_is_learned_from_whole_answers_only() -> None:
    """Claim: characters per token are learned from a completed answer with enough tokens, and from no other."""
    texts: list[Timed] = [(45.0 + number, TextDelta("word " * 20)) for number in range(3)]
    whole = (
        *texts,
        (60.0, UsageReported(Usage(5, 60))),
        (60.0, FinishReported("stop")),
        (61.0, EndReported("[DONE]")),
        (62.0, Closed(Ending.CLEAN)),
    )
    assert learned_ratio(at(*whole)) == pytest.approx(5)
    assert learned_ratio(at(*whole[:-2])) is None
    assert learned_ratio(at(*ANSWER[:2], *ANSWER[-3:])) is None


def test_the_live_rate() -> None:
    """Claim: tokens of the last two seconds over that time, or since the first token where that is later; none within a quarter second."""
    state = at(*[(1_000.0 + 20 * number, TextDelta("abcd")) for number in range(50)])
    now = 1_980 * MS
    rate = live_rate(state, now)
    assert rate is not None
    assert rate == pytest.approx(50, rel=0.1)
    assert live_rate(state, 1_100 * MS) is None
    late = live_rate(state, 60_000 * MS)
    assert late == 0


def test_the_count_of_message_start_is_no_count_of_a_stopped_answer() -> None:
    """`message_start` says 1 before there is any output; the record of a stream that never ended says unknown."""
    target = a_target(Shape.MESSAGES)
    begun = [*opened(), *stamped(UsageReported(Usage(input_tokens=7, output_tokens=1)), TextDelta("a long answer " * 20), frame=1)]
    state = fold(PaneState(target), [*begun, *stamped(Closed(Ending.CANCELLED), start_ms=900)])
    usage = pane_record(state, 1)["usage"]
    assert (usage["input_tokens"], usage["output_tokens"], usage["total_tokens"]) == (7, None, None)
    assert output_tokens(state).source is Source.ESTIMATED
    assert timing(state).output_tps is None
