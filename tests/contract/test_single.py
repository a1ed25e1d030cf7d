"""One JSON answer in place of a stream, because it was asked for: the same facts, and no finding."""

from dataclasses import replace
from pathlib import Path

import pytest

from anoman_tui.core.contract import findings, verdict
from anoman_tui.core.document import pane_record
from anoman_tui.core.events import Ending
from anoman_tui.core.metrics import timing
from anoman_tui.core.pane import PaneState, fold
from anoman_tui.core.request import Request
from anoman_tui.core.run import RunHead
from anoman_tui.core.target import Shape
from anoman_tui.recording.reader import read_run
from anoman_tui.transport.network import Network
from tests.contract.kit import ALL, PROMPT, a_target, run
from tests.recording.kit import a_tape, at_once
from tests.support import JSON_TYPE, events_of, opened, sse
from tests.support import a_target as bare_target
from tests.transport.client import Recorder


@pytest.mark.parametrize(("gateway", "shape"), ALL)
def test_an_answer_asked_for_as_json(root: str, network: Network, gateway: str, shape: Shape) -> None:
    """Claim: it holds what the stream held, in every shape: text, reasoning, counts, reason, model, cost and metadata."""
    request = Request(a_target(root, gateway, shape, "scripted-reasoning"), PROMPT)
    streamed, single = run(network, request), run(network, replace(request, stream=False))
    one, other = pane_record(streamed, 1), pane_record(single, 1)
    same = ("outcome", "finish_reason", "text", "reasoning", "served_model", "cost", "gateway", "findings")
    assert {name: other[name] for name in same} == {name: one[name] for name in same}
    assert (one["outcome"], one["findings"]) == ("completed", [])
    counts = ("input_tokens", "output_tokens", "reasoning_tokens", "source")
    assert [other["usage"][name] for name in counts] == [one["usage"][name] for name in counts]
    assert (one["served_from"], other["served_from"]) == ("stream", "json")
    assert (streamed.streaming, single.streaming) == (True, False)
    assert timing(single).ttft_ms is None
    assert timing(single).done_ms is not None
    if gateway == "anoman":
        assert set(other["gateway"]["guardrails"]) == {"injection", "pii", "moderation", "policy"}


def test_a_recording_of_it_replays_to_the_same_record(root: str, network: Network, tmp_path: Path) -> None:
    """Claim: a recorded JSON answer gives the same record, and asks for JSON when it is sent again."""
    targets = [a_target(root, gateway, shape, "scripted-fast") for gateway, shape in (("anoman", Shape.CHAT), ("anypath", Shape.GEMINI))]
    tape = a_tape(tmp_path, targets, head=RunHead("0" * 32, "2026-11-29T13:00:00.000Z", PROMPT, Request(targets[0], PROMPT).params))
    recorders = [Recorder() for _ in targets]
    for number, (target, recorder) in enumerate(zip(targets, recorders, strict=True), 1):
        network.open(Request(target, PROMPT, stream=False), tape.sink(number, recorder))
    live = [pane_record(recorder.state(target), at) for at, (target, recorder) in enumerate(zip(targets, recorders, strict=True), 1)]
    tape.close()
    assert at_once(tape.path) == live
    assert [record["served_from"] for record in live] == ["json", "json"]
    assert [request.stream for request in read_run(tape.path).requests] == [False, False]


def test_a_json_answer_that_is_cut_owes_no_end_of_a_stream() -> None:
    """Claim: what was to be JSON is not judged as a stream, neither while it comes nor when it breaks off."""
    for body in (b"", b'{"choices":[{"mess'):
        start = PaneState(bare_target(), streaming=False)
        state = fold(start, events_of(Shape.CHAT, [body], headers=JSON_TYPE, ending=Ending.CUT))
        assert pane_record(state, 1)["outcome"] == "truncated"
        assert findings(state) == ()
        assert verdict(fold(start, opened(headers=JSON_TYPE))).mark == ""
    empty = fold(PaneState(bare_target(), streaming=False), events_of(Shape.CHAT, [], headers=JSON_TYPE))
    assert pane_record(empty, 1)["error"]["message"] == "the body ended without an answer"


def test_a_stream_that_nobody_asked_for() -> None:
    """Claim: an event stream in place of the JSON answer is read all the same, and told."""
    body = sse('{"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}', "[DONE]")
    state = fold(PaneState(bare_target(), streaming=False), events_of(Shape.CHAT, [body]))
    assert (state.text.text, pane_record(state, 1)["outcome"]) == ("x", "completed")
    assert [found.rule for found in findings(state)] == ["stream-unasked"]
