"""What the screen says, as text: no Textual here."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from anoman_tui.core.events import (
    Closed,
    Ending,
    EndReported,
    ErrorInfo,
    ErrorReported,
    FailureKind,
    FinishReported,
    HeadersReceived,
    HeadersSent,
    MetadataReported,
    ReasoningDelta,
    RefusalDelta,
    ServedJson,
    Stamped,
    StreamEvent,
    TextDelta,
    ToolDelta,
    Usage,
    UsageReported,
)
from anoman_tui.core.metrics import Source
from anoman_tui.core.pane import PaneState, fold
from anoman_tui.core.panes import PaneSpec
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.target import parse_pane
from anoman_tui.ui.cells import Cell, fitted, pack, plain_text, shortened, spread, width_of
from anoman_tui.ui.figures import money, rate, score, seconds, whole
from anoman_tui.ui.layout import Mode, layout_for
from anoman_tui.ui.notes import idle_notes, notes
from anoman_tui.ui.titles import heading, lane, target_view, title
from anoman_tui.ui.view import PaneView, header, tally, total_cost, view
from tests.ui.scenes import METADATA

MS = 1_000_000
CHAT = "anoman/chat/claude-sonnet-4-6"


def state_of(*timed: tuple[float, StreamEvent], pane: str = CHAT) -> PaneState:
    """The state after events at milliseconds."""
    return fold(PaneState(parse_pane(pane, BUILT_IN)), [Stamped(round(ms * MS), event, n + 1) for n, (ms, event) in enumerate(timed)])


HEAD = ((0.0, HeadersSent()), (100.0, HeadersReceived(200, (("x-request-id", "req_1"),))))
DONE = (
    (2000.0, FinishReported("stop")),
    (2000.0, UsageReported(Usage(7, 41))),
    (2000.0, EndReported("[DONE]")),
    (2010.0, Closed(Ending.CLEAN)),
)


def said(state: PaneState) -> str:
    """All notes as one text."""
    return "\n".join(line.text for line in notes(state))


def facts(state: PaneState, now_ms: float = 3000) -> str:
    """All gateway facts as one text."""
    return "  ".join("".join(cell.text for cell in item) for item in view(state, round(now_ms * MS)).gateway)


def test_waiting_counts_up() -> None:
    """Until the first token the time to it is the time since the request went out."""
    seen = view(state_of((0, HeadersSent())), 412 * MS)
    assert (seen.word, seen.first, seen.tokens, seen.rate, seen.elapsed) == ("WAIT", "0.41s…", "--", "--", "0.41s")
    assert view(state_of(*HEAD), 500 * MS).word == "OPEN"


def test_nothing_is_known_before_the_request_goes_out() -> None:
    """No time zero, no times."""
    seen = view(state_of(), 500 * MS)
    assert (seen.first, seen.elapsed) == ("--", "--")


def test_live_numbers_are_estimates_and_final_ones_reported() -> None:
    """The marks change when the usage comes."""
    flow = tuple((500.0 + 100 * n, TextDelta("four")) for n in range(16))
    live = view(state_of(*HEAD, *flow), 2000 * MS)
    assert (live.word, live.first, live.tokens) == ("LIVE", "0.50s", "16~")
    assert live.rate.endswith("~")
    done = view(state_of(*HEAD, *flow, *DONE), 9000 * MS)
    assert (done.word, done.first, done.tokens, done.rate, done.elapsed) == ("DONE", "0.50s", "41=", "27=", "2.00s")


def test_a_count_that_never_came_is_an_estimate() -> None:
    """Without usage the rate is ours as well."""
    cut = state_of(*HEAD, (500, TextDelta("x" * 40)), (1500, TextDelta("y" * 40)), (1600, Closed(Ending.CUT)))
    seen = view(cut, 9000 * MS)
    assert (seen.word, seen.tokens, seen.rate, seen.elapsed) == ("CUT", "20~", "19~", "1.60s")


def test_thinking_is_its_own_word() -> None:
    """Reasoning alone."""
    assert view(state_of(*HEAD, (300, ReasoningDelta("hm"))), 400 * MS).word == "THINK"


def test_gateway_facts() -> None:
    """Told facts, facts not sent, nothing at all, and what may still come."""
    told = facts(state_of(*HEAD, (500, TextDelta("x")), (600, MetadataReported(METADATA)), *DONE))
    for wanted in ("cost $0.000041=", "cache MISS", "prompt_injection pass 0.02", "route auto eu-west-1", "weighted 44=", "id req_1"):
        assert wanted in told
    assert facts(state_of(*HEAD, (500, TextDelta("x")), *DONE)) == "cost --  cache --  guard --  route --  weighted --  id req_1"
    bare = ((0.0, HeadersSent()), (100.0, HeadersReceived(200, ())))
    assert facts(state_of(*bare, *DONE)) == "gateway not sent"
    assert facts(state_of(*bare)) == "gateway waiting"


def test_a_guardrail_that_did_not_pass_is_spelled_out() -> None:
    """In the short form too."""
    metadata = {"guardrails": {"pii": {"status": "masked", "score": Decimal("0.91")}, "a": "pass", "b": "pass"}}
    short = view(state_of(*HEAD, (1, MetadataReported(metadata)), *DONE), 0).gateway_short
    text = plain_text(short)
    assert "2 pass" in text
    assert "pii MASKED 0.91" in text


def test_notes_of_each_outcome() -> None:
    """What happened, what the server said, and what to press."""
    assert "finish reason: stop" in said(state_of(*HEAD, (1, TextDelta("x")), *DONE))
    stop = said(state_of(*HEAD, (1, TextDelta("x")), (2, Closed(Ending.CANCELLED))))
    assert "partial" in stop
    assert "Anoman cancels the upstream call within about 50 ms" in stop
    anypath = said(state_of(*HEAD, (1, TextDelta("x")), (2, Closed(Ending.CANCELLED)), pane="anypath/chat/gpt-4o-mini"))
    assert "AnyPath lets the provider finish and bills the whole generation" in anypath
    cut = said(state_of(*HEAD, (1, TextDelta("x")), (2, Closed(Ending.CLEAN))))
    assert "partial: the stream was cut: the body ended without [DONE]" in cut
    assert "r in the pane sends it again" in cut


def test_notes_of_a_failure() -> None:
    """Status, words, type, code, ids and waiting time."""
    error = ErrorInfo(FailureKind.HTTP, "slow down", "rate_limit_error", "rpm", 429, retry_after_s=12, request_id="req_9")
    text = said(state_of((0, HeadersSent()), (1, HeadersReceived(429, ())), (2, ErrorReported(error)), (3, Closed(Ending.CLEAN))))
    for wanted in ("429 Too Many Requests", "it said: slow down", "type rate_limit_error, code rpm", "req_9", "wait 12 s, then r"):
        assert wanted in text
    denied = said(state_of((0, HeadersSent()), (2, ErrorReported(ErrorInfo(FailureKind.HTTP, "no", http_status=401)))))
    assert "check the key" in denied


def test_notes_of_a_block() -> None:
    """The verdicts that refused it."""
    metadata = {"guardrails": {"pii": {"status": "blocked", "score": Decimal("0.97")}, "moderation": "pass"}}
    error = ErrorInfo(FailureKind.BLOCKED, "blocked by policy", http_status=403)
    text = said(state_of((0, HeadersSent()), (1, MetadataReported(metadata)), (2, ErrorReported(error)), (3, Closed(Ending.CLEAN))))
    assert "a guardrail refused the prompt (403 Forbidden)" in text
    assert "guardrail pii: blocked 0.97" in text
    assert "moderation" not in text


def test_other_notes() -> None:
    """Refusal, tool call, a JSON answer, findings and an empty answer."""
    text = said(state_of(*HEAD, (1, RefusalDelta("I cannot")), (2, ToolDelta("0", "c", "look", '{"q": 1}')), *DONE))
    assert "refused: I cannot" in text
    assert 'tool call look({"q": 1})' in text
    hit = state_of(*HEAD, (1, ServedJson()), (1, MetadataReported({"cache": {"hit": True}})), (1, TextDelta("x")), *DONE)
    assert "served whole as JSON from the gateway's cache" in said(hit)
    assert view(hit, 0).first == "--"
    assert "the answer is empty" in said(state_of(*HEAD, *DONE))
    assert "! anoman-metadata: no _anoman frame came before [DONE]" in said(state_of(*HEAD, (1, TextDelta("x")), *DONE))


def test_titles() -> None:
    """Number, LOCAL, provider, shape, model, and the host where it is not the provider's own."""

    def text(pane: str, *, focused: bool = False) -> str:
        return plain_text([title(parse_pane(pane, BUILT_IN), 2, focused, with_model=True)])

    assert text(CHAT, focused=True) == "▸2 Anoman · chat · claude-sonnet-4-6"
    assert text("local_anoman/chat/m") == " 2 LOCAL Anoman · chat · m"
    assert text("chat/qwen3@http://127.0.0.1:8080/v1") == " 2 127.0.0.1:8080 · chat · qwen3"
    assert text("anoman/chat/m@http://127.0.0.1:9/anoman") == " 2 Anoman · chat · m · 127.0.0.1:9"
    assert target_view(parse_pane("ollama/qwen3", BUILT_IN)).host == ""


def test_a_title_tells_panes_of_one_target_apart() -> None:
    """What a pane has of its own stands in its title where there is room, else below it; blind, nowhere."""
    target, own = parse_pane("local_anoman/chat/smollm", BUILT_IN), "temp 0.7, max 40"
    seen = view(state_of(*HEAD, (1, TextDelta("x"))), 0)

    def told(room: int, seen: PaneView = seen) -> list[str]:
        return [plain_text([row]) for row in heading(target, seen, 1, False, room, base=False, own=own)]

    assert told(60)[0] == f" 1 LOCAL Anoman · chat · smollm · {own}"
    assert told(40)[0].endswith("smollm")
    assert told(40)[1].startswith(own)
    assert told(26) == [" 1 LOCAL Anoman · chat", f"smollm · {own}"]
    assert own not in "".join(told(60, replace(seen, name="answer A")))
    assert plain_text([lane(target, seen, 1, False, 80, own=own)[0]]).startswith(f" 1 LOCAL {own} · Anoman")


def test_idle_notes_name_the_engine_on_local_panes_only() -> None:
    """The screen says which engine serves and why."""
    local = idle_notes(PaneSpec(parse_pane("local_anoman/chat/m", BUILT_IN)), "scripted: no AVX2")
    assert any("scripted: no AVX2" in line.text for line in local)
    assert len(idle_notes(PaneSpec(parse_pane(CHAT, BUILT_IN)), "scripted")) == 1


def test_totals() -> None:
    """Counts by state, and the sum of what was told."""
    done = state_of(*HEAD, (1, TextDelta("x")), (2, MetadataReported({"cost_usd": Decimal("0.00000001")})), *DONE)
    live = state_of(*HEAD)
    assert tally([done, live, live]) == "2 live  1 done"
    assert total_cost([done, done]) == "$0.00000002="
    assert total_cost([done, live]) == "$0.00000001= of 1"
    assert total_cost([live]) == "--"


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (None, "--"),
        (-5, "0.00s"),
        (4.9, "0.00s"),
        (412, "0.41s"),
        (9_994, "9.99s"),
        (9_996, "10.0s"),
        (99_960, "1m40s"),
        (3_600_000, "1h00m"),
    ],
)
def test_seconds(ms: float | None, text: str) -> None:
    """Never longer than six characters."""
    assert seconds(ms) == text


@pytest.mark.parametrize(
    ("usd", "text"),
    [
        ("0.000041", "$0.000041"),
        ("0.00010", "$0.00010"),
        ("0", "$0"),
        ("1E-30", "<$0.00000001"),
        ("9" * 40, ">$999999999"),
        ("1.23456789012345", "$1.23456789"),
    ],
)
def test_money(usd: str, text: str) -> None:
    """As sent where it is short, else rounded; never with an exponent."""
    assert money(Decimal(usd)) == text


@given(st.decimals(min_value=0, max_value=Decimal("1e40"), allow_nan=False, allow_infinity=False))
def test_money_is_always_short(usd: Decimal) -> None:
    """Whatever a server claims."""
    assert len(money(usd)) <= 14
    assert "E" not in money(usd)


@given(
    st.floats(min_value=0, max_value=1e300),
    st.integers(min_value=0, max_value=10**15),
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**40), max_value=10**40),
)
def test_numbers_are_always_short(number: float, count: int, value: Decimal) -> None:
    """So that no field ever grows out of its place."""
    assert len(rate(number, Source.ESTIMATED)) <= 7
    assert len(whole(count)) <= 11
    assert len(score(value)) <= 8
    assert len(seconds(min(number, 1e12))) <= 10


@given(st.lists(st.text(max_size=30), max_size=8), st.integers(min_value=0, max_value=60))
def test_rows_never_exceed_their_width(texts: list[str], width: int) -> None:
    """Whatever the cells hold."""
    cells = [Cell(text) for text in texts]
    assert width_of(fitted(cells, width)) <= width
    assert width_of(spread(cells, [Cell("end")], width)) <= max(width, 0)
    assert all(cell_len(shortened(text, width)) <= width for text in texts)
    if width > 8:
        rows, _ = pack([(cell,) for cell in cells], width, 3)
        assert len(rows) <= 3
        assert all(width_of(row) <= width for row in rows)


@pytest.mark.parametrize("width", [30, 37, 38, 64, 118])
def test_the_header_fits(width: int) -> None:
    """In columns of every layout, with long numbers."""
    flow = [(500.0 + n, TextDelta("four")) for n in range(1500)]
    seen = view(state_of(*HEAD, *flow), 2100 * MS)
    assert width_of(header(seen, width)) <= width
    left, right = lane(parse_pane(CHAT, BUILT_IN), seen, 1, True, max(width, 60))
    assert width_of(spread(left, right, max(width, 60))) == max(width, 60)


@pytest.mark.parametrize(
    ("size", "panes", "mode", "columns"),
    [
        ((80, 24), 3, Mode.LANES, 1),
        ((99, 40), 3, Mode.LANES, 1),
        ((100, 40), 3, Mode.COLUMNS, 3),
        ((120, 40), 3, Mode.COLUMNS, 3),
        ((200, 60), 6, Mode.COLUMNS, 3),
        ((230, 60), 6, Mode.COLUMNS, 6),
        ((120, 40), 6, Mode.COLUMNS, 3),
        ((120, 24), 6, Mode.LANES, 1),
        ((80, 24), 1, Mode.COLUMNS, 1),
        ((59, 40), 3, Mode.SMALL, 1),
        ((120, 11), 1, Mode.SMALL, 1),
    ],
)
def test_layouts(size: tuple[int, int], panes: int, mode: Mode, columns: int) -> None:
    """Columns from 100 cells on, lanes below, a sentence at the end."""
    found = layout_for(*size, panes)
    assert (found.mode, found.columns) == (mode, columns)
