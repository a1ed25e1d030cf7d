"""Every key does what the help says it does."""

from functools import partial

import pytest
from textual.binding import Binding
from textual.events import MouseScrollUp
from textual.widgets import Input

from anoman_tui.core.outcome import Phase, phase
from anoman_tui.ui.app import AnomanApp
from anoman_tui.ui.keys import key_name
from anoman_tui.ui.places import places
from anoman_tui.ui.run import Board
from anoman_tui.ui.screens.compare import CompareScreen
from anoman_tui.ui.screens.frame import FrameScreen
from anoman_tui.ui.screens.help import HelpScreen
from anoman_tui.ui.screens.menu import CopyMenu
from anoman_tui.ui.screens.sheet import SheetScreen
from anoman_tui.ui.screens.wire import WireScreen
from anoman_tui.ui.widgets.answer_scroll import LineScroller
from anoman_tui.ui.widgets.findbar import FindBar
from anoman_tui.ui.widgets.pane import Pane
from anoman_tui.ui.widgets.prompt import PromptEditor
from tests.ui.fakes import FakeNetwork, wait_until
from tests.ui.scenes import ANSWER, METADATA, SIX, ask, draw, end_mixed, frame, make_app, stream, the_app

SIZE = (102, 26)


def focused_pane(app: AnomanApp) -> int:
    """The number of the pane that has the focus, 0 for none."""
    return next((pane.number for pane in app.compare.stage.panes if pane.focused), 0)


def words(board: Board) -> list[str]:
    """The state words of the panes that ran."""
    return [phase(state).value for state in board.states]


def said(app: AnomanApp, text: str) -> bool:
    """Whether a notice is on the screen."""
    return text in notices(app)


def notices(app: AnomanApp) -> list[str]:
    """What was shown as notices."""
    return [str(one.message) for one in app._notifications]


async def test_enter_sends_to_all_panes() -> None:
    """One prompt, one request a pane; the editor is free for the next."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*"hello", "ctrl+j", *"there", "enter")
        await pilot.pause()
        assert [one.request.prompt.text for one in network.streams] == ["hello\nthere"] * 3
        assert [one.request.target for one in network.streams] == [spec.target for spec in app.session.panes]
        assert app.compare.editor.text == ""
        assert words(app.compare.board) == ["WAIT"] * 3


async def test_f5_sends_from_a_pane_and_an_empty_prompt_is_refused() -> None:
    """F5 works anywhere; there must be something to send."""
    network = FakeNetwork()
    app = make_app(network, prompt="from the start")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("escape", "f5")
        await pilot.pause()
        assert [one.request.prompt.text for one in network.streams] == ["from the start"] * 3
        for one in network.streams:
            one.open()
            one.text("x")
            one.finish()
        await draw(pilot)
        await pilot.press("i", "space", "enter")
        assert len(network.streams) == 3
        assert any("empty" in notice for notice in notices(app))


async def test_sending_while_streaming_keeps_the_text() -> None:
    """A prompt typed meanwhile is not lost, and the notice says how to go on."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press(*"next", "enter")
        assert len(network.streams) == 3
        assert app.compare.editor.text == "next"
        assert any("3 panes are still streaming" in notice for notice in notices(app))
        await pilot.press("ctrl+c", "enter")
        await pilot.pause()
        assert [one.cancelled for one in network.streams[:3]] == [1, 1, 1]
        await draw(pilot)
        await pilot.press("enter")
        assert [one.request.prompt.text for one in network.streams[3:6]] == ["next"] * 3


async def test_moving() -> None:
    """Digits, Tab, h and l, arrows, i and Esc."""
    app = make_app(FakeNetwork(), SIX)
    async with app.run_test(size=(120, 40)) as pilot:
        assert isinstance(app.focused, PromptEditor)
        await pilot.press("escape")
        assert focused_pane(app) == 1
        for keys, number in [("3", 3), ("6", 6), ("l", 1), ("h", 6), ("left", 5), ("right", 6), ("2", 2), ("tab", 3), ("shift+tab", 2)]:
            await pilot.press(keys)
            assert focused_pane(app) == number, keys
        await pilot.press("i")
        assert isinstance(app.focused, PromptEditor)
        await pilot.press("tab")
        assert focused_pane(app) == 1
        await pilot.press("shift+tab")
        assert isinstance(app.focused, PromptEditor)
        await pilot.press("shift+tab")
        assert focused_pane(app) == 6


async def test_a_number_beyond_the_panes_does_nothing() -> None:
    """4 with three panes."""
    app = make_app(FakeNetwork())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("escape", "4")
        assert focused_pane(app) == 1


async def test_stopping_one_leaves_the_others() -> None:
    """`x` and Esc stop the pane with the focus only."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=SIZE) as pilot:
        await stream(pilot, network)
        await pilot.press("escape")
        assert [one.cancelled for one in network.streams] == [0, 0, 0]
        await pilot.press("2", "x")
        assert [one.cancelled for one in network.streams] == [0, 1, 0]
        await pilot.press("3", "escape")
        assert [one.cancelled for one in network.streams] == [0, 1, 1]
        network.streams[0].text("goes on")
        await draw(pilot)
        assert words(app.compare.board) == ["LIVE", "STOP", "STOP"]
        await pilot.press("x")
        assert any("does not stream" in notice for notice in notices(app))


async def test_stop_all() -> None:
    """`X` closes every stream; again it says that none streams."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=SIZE) as pilot:
        await stream(pilot, network)
        await pilot.press("escape", "X")
        await draw(pilot)
        assert words(app.compare.board) == ["STOP"] * 3
        await pilot.press("X")
        assert "no pane streams" in notices(app)


async def test_ctrl_c_copies_stops_or_says_how_to_quit() -> None:
    """In that order."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("ctrl+c")
        assert any("Ctrl+Q quits" in notice for notice in notices(app))
        await pilot.press(*"ab")
        app.compare.editor.select_all()
        await pilot.press("ctrl+c")
        assert app.clipboard == "ab"
        await stream(pilot, network)
        await pilot.press("ctrl+c")
        assert [one.cancelled for one in network.streams] == [1, 1, 1]


async def test_retry_starts_the_pane_again() -> None:
    """The same request in the same shape; what the earlier run still sends goes nowhere."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("escape", "r")
        assert any("nothing was sent yet" in notice for notice in notices(app))
        await stream(pilot, network)
        await pilot.press("escape", "r")
        assert len(network.streams) == 3
        await end_mixed(pilot, network)
        await pilot.press("2", "r")
        await pilot.pause()
        assert network.streams[3].request == network.streams[1].request
        assert words(app.compare.board) == ["DONE", "WAIT", "STOP"]
        network.streams[1].text("a ghost")
        network.streams[3].open()
        network.streams[3].text("again")
        await draw(pilot)
        state = app.compare.board.slots[1].state
        assert state is not None
        assert state.text.text == "again"


async def test_rerun_all() -> None:
    """`R` sends the last prompt to all panes, once none streams."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=SIZE) as pilot:
        await stream(pilot, network)
        await pilot.press("escape", "R")
        assert len(network.streams) == 3
        await end_mixed(pilot, network)
        await pilot.press("R")
        assert len(network.streams) == 6
        assert app.compare.board.run_number == 2


async def test_copy_answer() -> None:
    """`y` copies the answer as it came, orphaned surrogates mended, and says how long it was."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("escape", "y")
        assert "there is no answer to copy yet" in notices(app)
        await ask(pilot)
        network.streams[0].open()
        network.streams[0].text("**bold** \ud83d")
        network.streams[0].text("\ude00 and \ud800")
        await draw(pilot)
        await pilot.press("escape", "y")
        assert app.clipboard == "**bold** 😀 and \ufffd"
        assert any("16 characters copied" in notice for notice in notices(app))


async def test_zoom_lanes_and_folding() -> None:
    """`z`, `|`, `t` and `v` change how things are shown, and back."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=SIZE) as pilot:
        await stream(pilot, network)
        await end_mixed(pilot, network)
        panes = app.compare.stage.panes
        await pilot.press("escape", "2", "z")
        assert [pane.display for pane in panes] == [False, True, False]
        await pilot.press("3")
        assert [pane.display for pane in panes] == [False, False, True]
        await pilot.press("escape")
        assert [pane.display for pane in panes] == [True, True, True]
        await pilot.press("vertical_line")
        assert app.compare.stage.lanes.display
        assert [pane.display for pane in panes] == [False, False, True]
        await pilot.press("vertical_line", "2", "t", "v")
        assert (panes[1].answer.folded, panes[1].answer.raw) == (True, True)
        await pilot.press("t", "v")
        assert (panes[1].answer.folded, panes[1].answer.raw) == (False, False)


async def test_scrolling_keys() -> None:
    """j, k, page keys, g and G; only G follows again."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        network.streams[0].open()
        network.streams[0].text("line\n\n" * 200)
        await draw(pilot)
        answer = app.compare.stage.panes[0].answer
        await pilot.press("escape")
        end = answer.top
        for key, moved in [("k", -1), ("k", -1), ("j", 1)]:
            before = answer.top
            await pilot.press(key)
            assert answer.top == before + moved
        await pilot.press("g")
        assert (answer.top, answer.follow) == (0, False)
        await pilot.press("pagedown")
        assert 0 < answer.top < end
        await pilot.press("pageup", "G")
        assert (answer.top, answer.follow) == (end, True)


async def test_help() -> None:
    """F1 anywhere and ? in a pane show the keys of the place; Esc closes and nothing is stopped."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        for keys, place in [(["f1"], "In the prompt"), (["escape", "f1"], "In a pane"), (["question_mark"], "In a pane")]:
            await pilot.press(*keys)
            await wait_until(pilot, lambda: isinstance(app.screen, HelpScreen))
            await wait_until(pilot, lambda place=place: any(place in row for row in frame(pilot)))  # type: ignore[misc]
            await pilot.press("j", "k", "escape")
            await wait_until(pilot, lambda: app.screen is app.compare)
        assert [one.cancelled for one in network.streams] == [0, 0, 0]


async def test_palette() -> None:
    """Any action can be found by name, and acts on the pane one was in; there is a second key."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("escape", "2", "f2")
        await wait_until(pilot, lambda: app.screen is not app.compare)
        await pilot.press("escape")
        await wait_until(pilot, lambda: app.screen is app.compare)
        await pilot.press("ctrl+p")
        await wait_until(pilot, lambda: app.screen is not app.compare)
        app.screen.query_one(Input).value = "stop this pane"
        await wait_until(pilot, lambda: any("Stop this pane; the" in row for row in frame(pilot)))
        await pilot.press("enter")
        await wait_until(pilot, lambda: app.screen is app.compare)
        await wait_until(pilot, lambda: network.streams[1].cancelled == 1)
        assert [one.cancelled for one in network.streams] == [0, 1, 0]


async def test_quit_closes_everything_at_once() -> None:
    """Ctrl+Q ends with code 0 and every handle is cancelled."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=SIZE) as pilot:
        await stream(pilot, network)
        for one in network.streams:
            one.obey = False
        await pilot.press("ctrl+q")
    assert app.return_code == 0
    assert all(one.cancelled for one in network.streams)


async def test_mouse() -> None:
    """A click on a pane, or on its lane, gives it the keys; the wheel scrolls what is under it."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        network.streams[1].open()
        network.streams[1].text("line\n\n" * 200)
        await draw(pilot)
        await pilot.click(".pane-title", offset=(3, 0))
        assert focused_pane(app) == 1
        panes = app.compare.stage.panes
        await pilot.click(panes[1].answer, offset=(5, 5))
        assert focused_pane(app) == 2
        before = panes[1].answer.top
        await pilot._post_mouse_events([MouseScrollUp], panes[1].answer)
        await wait_until(pilot, lambda: panes[1].answer.top < before)
        await pilot.press("vertical_line")
        await pilot.pause()
        await pilot.click("#lanes", offset=(4, 2))
        assert focused_pane(app) == 3


def test_every_binding_has_an_id_a_description_and_a_tooltip() -> None:
    """Ids are unique and in kebab case, so that they can be rebound."""
    bindings = [
        binding
        for source in (AnomanApp, CompareScreen, Pane, LineScroller, PromptEditor, FindBar, SheetScreen, CopyMenu, WireScreen, FrameScreen)
        for binding in source.BINDINGS
    ]
    ids = []
    for binding in bindings:
        assert isinstance(binding, Binding)
        assert binding.id is not None
        assert binding.description
        assert binding.tooltip
        assert len(binding.tooltip) <= 50, "the help shows it in one row at 80 columns"
        assert binding.id == binding.id.lower().replace("_", "-")
        ids.append(binding.id)
    assert len(ids) == len(set(ids))


async def test_every_action_is_in_the_palette() -> None:
    """All that a key can do can be found by name."""
    app = make_app(FakeNetwork())
    async with app.run_test(size=SIZE):
        titles = {command.title for command in app.get_system_commands(app.screen)}
        for place in places(app, app.compare, {}, in_prompt=True):
            for binding in place.bindings:
                beyond = binding.action.startswith("screen.focus_pane") and binding.key > "3"
                exempt = binding.id is None or binding.action in ("command_palette", "app.show_keys", "screen.leave")
                assert exempt or beyond or binding.tooltip in titles, binding


async def test_the_footer_is_short() -> None:
    """Nine keys at most, wherever one is."""
    app = make_app(FakeNetwork())
    async with app.run_test(size=(80, 24)) as pilot:
        for keys in ([], ["escape"]):
            await pilot.press(*keys)
            await pilot.pause()
            shown = {one.binding.action for one in app.compare.active_bindings.values() if one.binding.show}
            assert 5 <= len(shown) <= 9
            assert len(frame(pilot)[-1]) == 80
            assert "More" in frame(pilot)[-1]


@pytest.mark.parametrize(("key", "name"), [("ctrl+p", "^P"), ("shift+tab", "Shift+Tab"), ("f1", "F1"), ("x", "x"), ("X", "X"), ("f", "f")])
def test_key_names(key: str, name: str) -> None:
    """Keys as people write them."""
    assert key_name(key) == name


async def test_done_word_and_cost_are_on_the_screen() -> None:
    """After a run the state, the count, the cost and the gateway's verdicts can be read."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        for one in network.streams:
            one.open()
            one.text(ANSWER)
            network.clock.pass_ms(50)
            one.text("end")
            one.finish(96, METADATA)
        await draw(pilot)
        await wait_until(pilot, lambda: any("DONE" in row for row in frame(pilot)))
        text = "\n".join(frame(pilot))
        for wanted in (
            "DONE",
            "96=",
            "$0.000041=",
            "cache MISS",
            "pii pass 0.01",
            "auto eu-west-1",
            "weighted 44=",
            "3 done",
            "$0.000123=",
        ):
            assert wanted in text, wanted
        assert the_app(pilot).compare.clock.awake is False
        assert Phase.DONE in words(app.compare.board)


async def test_a_notice_is_true_and_covers_no_question() -> None:
    """Claim: what was said gives way to what is said next and to whatever opens; a warning stays until the next thing opens."""
    app = make_app(FakeNetwork())
    async with app.run_test(size=(80, 24)) as pilot:
        say = app.compare.say
        for text in ("it is on", "it is off"):
            say(text)
            await wait_until(pilot, partial(said, app, text))
        assert notices(app) == ["it is off"]
        for text in ("a set cannot be read", "nor can another", "nor can another"):
            say(text, warning=True)
            await wait_until(pilot, partial(said, app, text))
        assert notices(app)[1:] == ["a set cannot be read", "nor can another"]
        await pilot.press("f6")
        await wait_until(pilot, lambda: app.screen is not app.compare)
        await wait_until(pilot, lambda: not notices(app))
