"""Other panes in the place of the present ones: pane sets, and one model through its shapes."""

from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input

from anoman_tui.core.panes import PaneSpec, read_spec
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.request import Params
from anoman_tui.history.sets import PaneSets
from anoman_tui.ui.app import AnomanApp
from anoman_tui.ui.screens.comparison import ComparisonScreen
from anoman_tui.ui.screens.dialog import Ask
from anoman_tui.ui.screens.sets import SetsScreen
from tests.ui.fakes import FakeNetwork, wait_until
from tests.ui.scenes import METADATA, THREE, ask, draw, frame, make_app, the_app


def screen_text(pilot: Pilot[None]) -> str:
    """What is on the screen."""
    return "\n".join(frame(pilot))


def specs(app: AnomanApp) -> list[PaneSpec]:
    """The panes as they are set up."""
    return [slot.spec for slot in app.compare.board.slots]


def said(app: AnomanApp, words: str) -> bool:
    """Whether a notice has these words."""
    return any(words in note.message for note in app._notifications)


async def open_sets(pilot: Pilot[None]) -> SetsScreen:
    """Open the list from a pane."""
    app = the_app(pilot)
    await pilot.press("O")
    await wait_until(pilot, lambda: isinstance(app.screen, SetsScreen) and app.screen.focused is not None)
    assert isinstance(app.screen, SetsScreen)
    return app.screen


async def save_as(pilot: Pilot[None], name: str) -> None:
    """Type a name into the line and press Enter."""
    screen = the_app(pilot).screen
    line = screen.query_one("#sets-name", Input)
    screen.set_focus(line)
    line.value = name
    await pilot.press("enter")


async def on_main(pilot: Pilot[None]) -> None:
    """Wait for the main screen."""
    app = the_app(pilot)
    await wait_until(pilot, lambda: app.screen is app.compare)
    await pilot.pause()


PANES: list[dict[str, object]] = [
    {"pane": "local_anoman/chat/a", "temperature": 0.1, "system": "Be brief."},
    {"pane": "local_anypath/responses/b", "max_tokens": 50},
    {"pane": "chat/c@http://127.0.0.1:8080", "stop": ["\n\n"], "effort": "low", "headers": {"x-team": "blue"}},
]


async def test_a_set_is_saved_and_opened_again(tmp_path: Path) -> None:
    """All that panes are made of comes back from the file; overwriting and removing are asked about first."""
    sets = PaneSets(tmp_path, {"mine": ["openai/chat/m"]})
    app = make_app(FakeNetwork(), PANES, sets=sets, params=Params(temperature=0.7), system="For all.")
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("escape")
        await open_sets(pilot)
        assert "in config.toml" in screen_text(pilot)
        await pilot.press("D")
        assert "stands in config.toml" in screen_text(pilot)
        await save_as(pilot, "../x")
        assert "cannot be used" in screen_text(pilot)
        await save_as(pilot, "Three kinds")
        assert 'anoman-tui --set "Three kinds"' in screen_text(pilot)
        await save_as(pilot, "three KINDS")
        await wait_until(pilot, lambda: isinstance(app.screen, Ask))
        assert "There is a pane set Three kinds already" in screen_text(pilot)
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, SetsScreen))
        await pilot.press("escape")
        await on_main(pilot)
    later = make_app(FakeNetwork(), THREE, sets=sets)
    async with later.run_test(size=(100, 30)) as pilot:
        await pilot.press("escape")
        await open_sets(pilot)
        assert "temp 0.1, system 'Be brief.'" in screen_text(pilot), "panes with values of their own are listed with them"
        await pilot.press("j", "enter")
        await on_main(pilot)
        await wait_until(pilot, lambda: specs(later) == [read_spec(one, BUILT_IN) for one in PANES])
        assert (later.compare.board.shared, later.compare.board.system) == (Params(temperature=0.7), "For all.")
        await pilot.press("u")
        await wait_until(pilot, lambda: [spec.target.name for spec in specs(later)] == list(THREE))
        assert later.compare.board.system is None
        await open_sets(pilot)
        await pilot.press("j", "delete")
        await wait_until(pilot, lambda: isinstance(later.screen, Ask))
        await pilot.press("enter")
        await wait_until(pilot, lambda: "Three kinds is removed" in screen_text(pilot))
        assert sets.names() == ["mine"]


async def test_what_stands_in_the_way_of_a_set(tmp_path: Path) -> None:
    """Panes that stream are stopped only after a question, a set that cannot be read is named, and without a folder that is said."""
    sets = PaneSets(tmp_path)
    sets.save("a", [THREE[0], "openai/chat/x"])
    sets.save("b", ["nobody/chat/x"])
    network = FakeNetwork()
    app = make_app(network, THREE, sets=sets)
    async with app.run_test(size=(80, 24)) as pilot:
        await ask(pilot)
        await pilot.press("escape")
        await open_sets(pilot)
        await pilot.press("down", "enter")
        await on_main(pilot)
        await wait_until(pilot, lambda: said(app, "the set b cannot be opened"))
        await open_sets(pilot)
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(app.screen, Ask))
        assert "2 panes still stream" in screen_text(pilot)
        await pilot.press("enter")
        await on_main(pilot)
        await wait_until(pilot, lambda: len(specs(app)) == 2)
        assert [stream.cancelled for stream in network.streams] == [0, 1, 1]
    bare = make_app(FakeNetwork(), THREE)
    async with bare.run_test(size=(80, 24)) as pilot:
        await pilot.press("escape", "O")
        await wait_until(pilot, lambda: said(bare, "no folder for pane sets"))


async def test_one_model_through_its_shapes() -> None:
    """`S` opens them and asks the last prompt in all; once all have ended `S` shows what differs."""
    network = FakeNetwork()
    app = make_app(network, [{"pane": "local_anypath/chat/m", "temperature": 0.2}, "openai/chat/x"])
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot, "hello")
        await pilot.press("escape", "1", "S")
        await wait_until(pilot, lambda: said(app, "2 panes still stream"))
        for stream in network.streams:
            stream.open()
            stream.finish()
        await draw(pilot)
        await pilot.press("S")
        await wait_until(pilot, lambda: len(network.streams) == 5)
        assert [spec.target.shape.value for spec in specs(app)] == ["responses", "chat", "messages"]
        assert {spec.params.temperature for spec in specs(app)} == {0.2}
        assert {stream.request.prompt.text for stream in network.streams[2:]} == {"hello"}
        await pilot.press("S")
        await wait_until(pilot, lambda: said(app, "the shapes still stream"))
        for number, stream in enumerate(network.streams[2:]):
            stream.open()
            stream.text("Hello" if number else "Hello there")
            stream.finish(12 + number, METADATA)
        await draw(pilot)
        await wait_until(pilot, lambda: said(app, "S in a pane shows what differs"))
        await pilot.press("S")
        await wait_until(pilot, lambda: isinstance(app.screen, ComparisonScreen))
        rows = frame(pilot)
        assert any("responses" in row and "chat" in row and "messages" in row for row in rows)
        assert any("output tokens" in row and "12=" in row and "14=" in row for row in rows)


async def test_one_shape_alone() -> None:
    """A provider with one shape has nothing to compare, and shapes without an answer are told so."""
    app = make_app(FakeNetwork(), ["anthropic/messages/m"])
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("escape", "S")
        await wait_until(pilot, lambda: said(app, "Anthropic offers the shape messages alone"))
    app = make_app(FakeNetwork(), ["anoman/chat/m", "anoman/messages/m"])
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("escape", "S")
        await wait_until(pilot, lambda: said(app, "S then shows what differs"))
