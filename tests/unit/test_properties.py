"""What holds for any stream at all."""

import json
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from anoman_tui.core.contract import findings
from anoman_tui.core.document import pane_record
from anoman_tui.core.events import BodyRead, Closed, Ending, EndReported, Frame, ServedJson, Stamped
from anoman_tui.core.headers import retry_after_s
from anoman_tui.core.jsonish import dumps, loads
from anoman_tui.core.metrics import estimated_tokens, live_rate, output_tokens, timing
from anoman_tui.core.outcome import Outcome, outcome, phase
from anoman_tui.core.pane import PaneState, fold
from anoman_tui.core.report import read_report
from anoman_tui.core.shapes import SHAPES as SPECS
from anoman_tui.core.target import Policy, Shape
from tests.support import a_target, events_of, play
from tests.unit.shape_rows import Row
from tests.unit.strategies import BODIES, CUTS, ENDINGS, OBJECTS, POLICIES, ROW, SHAPES, STAMPED, VALUES, cut


def told(events: list[Stamped]) -> list[Any]:
    """The events and their frames without what depends on the reads."""
    return [(stamped.event, stamped.frame) for stamped in events if not isinstance(stamped.event, BodyRead)]


def reading(state: PaneState) -> dict[str, Any]:
    """The record without times and reads."""
    record = pane_record(state, 1)
    del record["timing"], record["wire"]
    return record


@given(SHAPES, POLICIES, BODIES, CUTS, ENDINGS)
def test_the_cuts_do_not_matter(shape: Shape, policy: Policy, body: bytes, places: list[int], ending: Ending) -> None:
    """Claim: any re-cutting of the bytes gives the same events, apart from times, and the same record."""
    assert told(events_of(shape, cut(body, places), ending=ending)) == told(events_of(shape, [body], ending=ending))
    one = reading(play(shape, [body], policy=policy, ending=ending))
    assert reading(play(shape, cut(body, places), policy=policy, ending=ending)) == one


@given(ROW, st.integers(0, 5_000), ENDINGS)
def test_a_stream_cut_before_its_end_is_never_whole(row: Row, place: int, ending: Ending) -> None:
    """Claim: no real stream that is cut before its protocol's end reads as completed under a strict policy, and its text is a prefix."""
    at = place % (len(row.body) + 1)
    events = events_of(row.shape, [row.body[:at]], ending=ending)
    state = fold(PaneState(a_target(row.shape)), events)
    ended = any(isinstance(stamped.event, EndReported | ServedJson) for stamped in events)
    gemini = row.shape is Shape.GEMINI and state.finish_reason is not None and ending is Ending.CLEAN
    if not ended and not gemini:
        assert outcome(state) is not Outcome.COMPLETED
    if outcome(state) is Outcome.COMPLETED and not state.served_json:
        assert gemini or state.end is not None


@given(SHAPES, POLICIES, BODIES, CUTS, ENDINGS)
def test_any_bytes_give_a_record(shape: Shape, policy: Policy, body: bytes, places: list[int], ending: Ending) -> None:
    """Claim: any bytes at all give an outcome and a record, which is JSON in UTF-8 and comes back as it went."""
    state = play(shape, cut(body, places), policy=policy, ending=ending)
    assert outcome(state) is not None
    record = pane_record(state, 1)
    written = dumps(record).encode("utf-8")
    again = json.loads(written)
    assert again["text"] == record["text"]
    assert dumps(loads(written.decode())) == written.decode()
    assert state.wire.bytes == len(body)
    if state.served_json:
        assert state.wire.frames <= 1
        assert not re.search(rb"[\r\n]data:.*\S.*(\r\r|\n\n|\r\n\r\n)", body)
    assert len(state.notes) <= 200
    assert len(state.text) + len(state.reasoning) <= 4 * len(body) + 4


@given(SHAPES, VALUES | OBJECTS, st.sampled_from(["", "message", "error", "ping", "anoman", "message_stop", "response.completed"]))
def test_decoding_is_total(shape: Shape, value: Any, name: str) -> None:
    """Claim: any JSON value as a frame of any name, and as a JSON answer, gives events and never raises."""
    data = json.dumps(value)
    assert SPECS[shape].decode(Frame(name, data))
    assert SPECS[shape].read_json(loads(data))


@given(SHAPES, st.text(max_size=50))
def test_decoding_any_text_is_total(shape: Shape, data: str) -> None:
    """Claim: any text as a frame gives events and never raises."""
    assert SPECS[shape].decode(Frame("", data))


@given(SHAPES, POLICIES, st.lists(STAMPED, max_size=25))
def test_folding_is_total(shape: Shape, policy: Policy, events: list[Stamped]) -> None:
    """Claim: any events in any order fold into a state of which all can be said that is ever said of one."""
    state = PaneState(a_target(shape, policy))
    for event in events:
        state = fold(state, [event])
    at_once = fold(PaneState(a_target(shape, policy)), events)
    assert reading(at_once) == reading(state)
    phase(state)
    findings(state)
    output_tokens(state)
    live_rate(state, 10**11)
    read_report(state.metadata)
    retry_after_s(state.headers, state.metadata)
    assert estimated_tokens(state) >= 0
    dumps(pane_record(state, 1)).encode("utf-8")


@given(SHAPES, POLICIES, st.lists(STAMPED, max_size=25), STAMPED)
def test_a_closed_pane_stays_as_it_is(shape: Shape, policy: Policy, events: list[Stamped], late: Stamped) -> None:
    """Claim: once closed there is an outcome, and no later event changes it."""
    state = fold(PaneState(a_target(shape, policy)), [*events, Stamped(0, Closed(Ending.CLEAN))])
    ended = outcome(state)
    assert ended is not None
    assert outcome(fold(state, [late])) is ended


@given(SHAPES, BODIES, CUTS)
def test_times_rise(shape: Shape, body: bytes, places: list[int]) -> None:
    """Claim: stamps never go back, no time is negative, and headers, first event, first token and total rise in this order."""
    events = events_of(shape, cut(body, places))
    stamps = [stamped.t_ns for stamped in events]
    assert stamps == sorted(stamps)
    times = timing(fold(PaneState(a_target(shape)), events))
    order = [times.ttfh_ms, times.ttfe_ms, times.ttft_ms, times.ttfa_ms, times.e2e_ms]
    known = [value for value in order if value is not None]
    assert known == sorted(known)
    every = (getattr(times, name) for name in times.__slots__ if name != "clock")
    assert all(value is None or value >= 0 for value in every)


@given(VALUES)
def test_json_comes_back(value: Any) -> None:
    """Claim: what we write of anything that was read can be read again, and is written the same again."""
    once = dumps(loads(json.dumps(value)))
    assert dumps(loads(once)) == once
    once.encode("utf-8")
