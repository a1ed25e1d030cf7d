"""The board without a screen, and the report of the pictures."""

import pickle
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
import pytest_textual_snapshot

from anoman_tui.core.document import pane_record
from anoman_tui.core.events import Closed, Ending, HeadersReceived, ListPriced, Stamped
from anoman_tui.core.pane import PaneState
from anoman_tui.core.panes import PaneSpec
from anoman_tui.core.ports import Sink
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.target import parse_pane
from anoman_tui.ui.run import Board
from anoman_tui.ui.session import Session
from anoman_tui.ui.view import total_cost, view
from tests.ui.fakes import FakeNetwork


def a_board(network: FakeNetwork, pane: str = "openai/chat/gpt-4o-mini", **fields: object) -> Board:
    """A board of one pane."""
    return Board(Session((PaneSpec(parse_pane(pane, BUILT_IN)),), network, clock=network.clock, **fields))  # type: ignore[arg-type]


def answer(network: FakeNetwork, tokens: int = 40) -> None:
    """Let the newest stream answer whole."""
    stream = network.streams[-1]
    stream.open()
    for _ in range(40):
        stream.text("abcdef")
        network.clock.pass_ms(10)
    stream.finish(tokens)


def test_estimates_learn_from_the_last_answer() -> None:
    """Characters per token come from the usage that was reported before."""
    network = FakeNetwork()
    board = a_board(network)
    board.send("one")
    answer(network)
    board.drain(board.slots[0])
    board.send("two")
    state = board.slots[0].state
    assert state is not None
    assert state.characters_per_token == pytest.approx(6.0)


def test_a_list_price_is_asked_for_once_and_marked_as_an_estimate() -> None:
    """It takes the place of the server's word only where the server said nothing."""
    network = FakeNetwork()
    asked: list[tuple[PaneState, Sink]] = []
    board = a_board(network, list_price=lambda state, sink: asked.append((state, sink)))
    board.send("one")
    slot = board.slots[0]
    answer(network)
    board.drain(slot)
    board.drain(slot)
    assert len(asked) == 1
    waiting = board.expecting
    asked[0][1].on_events([Stamped(network.clock(), ListPriced(Decimal("0.00003")))])
    board.drain(slot)
    assert (waiting, board.expecting) == (True, False)
    assert view(slot.state, network.clock()).cost == "$0.00003~"
    assert total_cost(board.states) == "--"


def test_both_prices_are_shown_where_both_are_known() -> None:
    """The server's word first, marked as reported; ours beside it, marked as an estimate."""
    network = FakeNetwork()
    board = a_board(network)
    board.send("one")
    answer(network)
    board.drain(board.slots[0])
    state = board.slots[0].state
    assert state is not None
    told = replace(state, metadata={"cost_usd": "0.00002"}, list_usd=Decimal("0.00003"))
    words = ["".join(cell.text for cell in item) for item in view(told, network.clock()).gateway]
    assert words[:2] == ["cost $0.00002=", "list $0.00003~"]


def test_a_retry_keeps_the_request_ids_of_the_attempts_before() -> None:
    """Support asks for the id of the attempt that failed, not for the one that worked."""
    network = FakeNetwork()
    board = a_board(network)
    board.send("one")
    for number in (1, 2):
        sink = network.streams[-1].sink
        sink.on_events([Stamped(network.clock(), HeadersReceived(503, (("x-request-id", f"req-{number}"),)))])
        sink.on_events([Stamped(network.clock(), Closed(Ending.CLEAN))])
        board.drain(board.slots[0])
        board.retry(0)
    state = board.slots[0].state
    assert state is not None
    assert state.earlier_request_ids == ("req-1", "req-2")
    assert pane_record(state, 1)["earlier_request_ids"] == ["req-1", "req-2"]


def test_a_list_price_that_never_comes_is_not_waited_for() -> None:
    """The screen sleeps again after a moment."""
    network = FakeNetwork()
    board = a_board(network, list_price=lambda state, sink: None)
    board.send("one")
    answer(network)
    board.drain(board.slots[0])
    network.clock.pass_ms(2_900)
    waiting = board.expecting
    network.clock.pass_ms(200)
    assert (waiting, board.expecting) == (True, False)


def test_nothing_is_stopped_or_retried_before_a_run() -> None:
    """An idle board refuses politely."""
    board = a_board(FakeNetwork())
    assert (board.stop(0), board.stop_all(), board.retry(0), board.rerun()) == (False, 0, False, False)


def test_the_picture_report_does_not_carry_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be kept by a build server."""
    monkeypatch.setenv("SOME_SECRET", "hush")
    fields = (False, "<svg/>", "<svg/>", None, tmp_path / "x.py", 1, "name", "", "", True)
    (tmp_path / "one").write_bytes(pickle.dumps(fields))
    diffs, _ = pytest_textual_snapshot.retrieve_svg_diffs(pytest_textual_snapshot.TemporaryDirectory(str(tmp_path)))
    assert [diff.environment for diff in diffs] == [{}]
