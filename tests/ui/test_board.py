"""The board's recordings, and panes that come, go and move."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from anoman_tui.core.pane import PaneState
from anoman_tui.core.panes import PaneSpec, read_spec
from anoman_tui.core.ports import Sink
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.request import Params, Prompt
from anoman_tui.core.run import RunHead
from anoman_tui.ui.panes import add_pane, move_pane, remove_pane, set_panes, set_spec
from anoman_tui.ui.run import Board, RunMode
from anoman_tui.ui.session import Session
from anoman_tui.ui.widgets.pane import Pane
from tests.ui.fakes import FakeNetwork
from tests.ui.scenes import THREE, make_app, the_app


@dataclass
class FakeTape:
    """Passes everything on, and knows when it was closed."""

    head: RunHead
    states: Sequence[PaneState]
    panes: list[int] = field(default_factory=list)
    closed: int = 0
    problem: str = ""

    def sink(self, pane: int, inner: Sink) -> Sink:
        """The sink itself."""
        self.panes.append(pane)
        return inner

    def close(self) -> None:
        """Count it."""
        self.closed += 1


@dataclass
class FakeDeck:
    """Makes tapes."""

    tapes: list[FakeTape] = field(default_factory=list)

    def __call__(self, head: RunHead, states: Sequence[PaneState]) -> FakeTape:
        """A tape for one run."""
        self.tapes.append(FakeTape(head, states))
        return self.tapes[-1]


def specs(*panes: str) -> tuple[PaneSpec, ...]:
    """Panes with nothing of their own."""
    return tuple(read_spec(pane, BUILT_IN) for pane in panes)


def a_board(network: FakeNetwork, deck: FakeDeck | None = None, panes: Sequence[PaneSpec] = specs(*THREE)) -> Board:
    """A board of three panes."""
    return Board(Session(tuple(panes), network, clock=network.clock, start_tape=deck))


def take(board: Board) -> None:
    """What the screen does each frame."""
    for slot in board.slots:
        board.drain(slot)
    board.settle()


def problem(board: Board) -> str:
    """What is wrong with a recording."""
    return board.tapes.problem


def ended(tape: FakeTape) -> bool:
    """Whether a tape is closed, which happens on a thread of its own."""
    import threading

    for thread in threading.enumerate():
        if thread.name == "tape":
            thread.join(5)
    return tape.closed == 1


def test_every_run_is_recorded_until_its_last_stream_has_closed() -> None:
    """Claim: one recording a run, with all its panes; a retry is a recording of its own."""
    network, deck = FakeNetwork(), FakeDeck()
    board = a_board(network, deck)
    board.send("hello")
    assert deck.tapes[0].panes == [1, 2, 3]
    assert deck.tapes[0].head is board.head
    for stream in network.streams[:2]:
        stream.open()
        stream.finish()
    take(board)
    assert board.tapes.rolling
    network.streams[2].cut()
    take(board)
    assert ended(deck.tapes[0])
    take(board)
    assert not board.expecting
    board.retry(2)
    assert [state.target.shape.value for state in deck.tapes[1].states] == ["messages"]
    network.streams[3].finish()
    take(board)
    assert ended(deck.tapes[1])


def test_a_run_that_another_takes_the_place_of_is_recorded_to_its_end() -> None:
    """Claim: its streams are stopped, and what they still say is waited for, though not for ever."""
    network, deck = FakeNetwork(), FakeDeck()
    board = a_board(network, deck)
    board.send("one")
    network.streams[1].obey = False
    board.send("two")
    take(board)
    assert not deck.tapes[0].closed
    network.clock.pass_ms(2_100)
    take(board)
    assert ended(deck.tapes[0])
    assert not deck.tapes[1].closed


def test_a_pane_that_was_taken_out_of_the_queue_does_not_keep_the_recording_open() -> None:
    """Claim: nothing is waited for that was never sent."""
    network, deck = FakeNetwork(), FakeDeck()
    board = a_board(network, deck)
    board.mode = RunMode.SERIAL
    board.send("one")
    board.stop(1)
    board.stop(2)
    network.streams[0].finish()
    take(board)
    network.clock.pass_ms(2_100)
    take(board)
    assert ended(deck.tapes[0])
    assert len(network.streams) == 1


def test_a_recording_that_fails_says_so_once_and_the_run_goes_on() -> None:
    """Claim: the sentence is kept for whoever shows it."""
    network, deck = FakeNetwork(), FakeDeck()
    board = a_board(network, deck)
    board.send("one")
    deck.tapes[0].problem = "the disk is full"
    take(board)
    assert board.tapes.problem == "the disk is full"
    board.tapes.problem = ""
    take(board)
    assert not problem(board), "it is said once"
    board.send("two")
    for stream in network.streams:
        stream.cut()
    take(board)
    assert all(ended(tape) for tape in deck.tapes)
    deck.tapes[1].problem = "no room for the end"
    waited = board.expecting
    for thread in [thread for _, thread in board.tapes._ending]:
        thread.join(5)
    take(board)
    assert problem(board) == "no room for the end"
    assert (waited, board.expecting) == (True, False), "the end of the file is waited for, and nothing after it"
    board.close()
    assert deck.tapes[0].closed == 1


def test_own_parameters_go_into_the_request_and_the_record() -> None:
    """Claim: what is for all holds where a pane has nothing of its own."""
    network = FakeNetwork()
    board = a_board(network, None, (*specs(THREE[0]), read_spec({"pane": THREE[1], "temperature": 0.5, "system": "Be odd."}, BUILT_IN)))
    board.shared, board.system = Params(max_tokens=9), "Be even."
    board.send("one")
    assert [(one.request.params, one.request.prompt.system) for one in network.streams] == [
        (Params(max_tokens=9), "Be even."),
        (Params(0.5, 9), "Be odd."),
    ]
    states = [slot.state for slot in board.slots]
    assert [(state.params, state.system) for state in states if state] == [(None, None), (Params(0.5, 9), "Be odd.")]


def test_panes_come_go_move_and_change() -> None:
    """Claim: a pane keeps its answer when others change; a new or a changed one gets the last prompt by a retry."""
    network = FakeNetwork()
    board = a_board(network)
    board.send("hello")
    for stream in network.streams:
        stream.text(stream.request.target.shape.value)
        stream.finish()
    take(board)
    extra, other = specs("local_anoman/chat/extra", "local_anypath/gemini/other")
    assert add_pane(board, 1, extra)
    assert move_pane(board, 3, 0)
    assert not move_pane(board, 0, 4)
    texts = [slot.state.text.text if slot.state else None for slot in board.slots]
    assert texts == ["messages", "chat", None, "responses"]
    assert board.retry(2)
    assert network.streams[-1].request.prompt == Prompt("hello")
    assert network.streams[-1].request.target.model == "extra"
    set_spec(board, 1, other)
    changed = [board.slots[1].changed]
    assert board.slots[1].target.shape.value == "chat", "the title says where the answer came from"
    assert board.retry(1)
    assert [*changed, board.slots[1].changed] == [True, False]
    assert network.streams[-1].request.target == other.target
    set_panes(board, [board.slots[0].spec, *specs("local_anoman/chat/new")])
    assert [slot.state is not None for slot in board.slots] == [True, False]
    assert [stream.cancelled for stream in network.streams] == [0, 0, 0, 1, 1]
    assert remove_pane(board, 1)
    assert not remove_pane(board, 0)
    for _ in range(5):
        assert add_pane(board, 1, extra)
    assert not add_pane(board, 1, extra)


async def test_the_screen_follows_the_board() -> None:
    """Claim: panes are shown, hidden and shown again with what belongs to them."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(200, 60)) as pilot:
        compare = the_app(pilot).compare
        await pilot.press(*"hi", "enter")
        network.streams[2].text("the third answer")
        compare.stage.frame()
        move_pane(compare.board, 2, 0)
        add_pane(compare.board, 3, specs("local_anoman/chat/fourth")[0])
        await compare.fit_panes()
        await pilot.pause()

        def shown() -> list[str]:
            return ["".join(text for text, _ in pane.answer.document.line(0)) if pane.display else "-" for pane in compare.query(Pane)]

        assert shown()[0] == "the third answer"
        assert len(shown()) == 4
        while len(compare.board.slots) > 1:
            remove_pane(compare.board, len(compare.board.slots) - 1)
        await compare.fit_panes()
        await pilot.pause()
        assert shown() == ["the third answer", "-", "-", "-"]
        add_pane(compare.board, 1, specs("local_anoman/chat/again")[0])
        await compare.fit_panes()
        await pilot.pause()
        assert [text == "-" for text in shown()] == [False, False, True, True]
