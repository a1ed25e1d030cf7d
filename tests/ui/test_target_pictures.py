"""Pictures of the editor of a pane, of the pane sets and of the comparison of shapes, at three sizes."""

from pathlib import Path

import pytest
from pytest_textual_snapshot import SVGImageExtension
from syrupy.assertion import SnapshotAssertion

from anoman_tui.history.sets import PaneSets
from anoman_tui.ui.screens.comparison import ComparisonScreen
from anoman_tui.ui.screens.editor import PaneEditor
from anoman_tui.ui.screens.sets import SetsScreen
from anoman_tui.ui.widgets.fields import PickField
from tests.ui.fakes import FakeNetwork, wait_until
from tests.ui.scenes import METADATA, THREE, ask, draw, make_app

SIZES = [(80, 24), (120, 40), (200, 60)]
OWN = {
    "pane": "local_anypath/responses/b",
    "temperature": 1.2,
    "stop": ["END"],
    "system": "Answer in French.",
    "headers": {"x-team": "blue"},
}
MODELS = ("claude-haiku-4-5", "claude-opus-4-6", "claude-sonnet-4-6", "gpt-4o", "gpt-4o-mini", "gemini-2.5-flash", "gemini-2.5-pro")


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """Compares SVG pictures by their names."""
    return snapshot.use_extension(SVGImageExtension)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_pictures(picture: SnapshotAssertion, size: tuple[int, int], tmp_path: Path) -> None:
    """The editor with a search and something doubtful, the sets, and what differs between three shapes."""
    sets = PaneSets(tmp_path, {"gateways": ["anoman/chat/gpt-4o-mini", "anypath/chat/gpt-4o-mini"]})
    sets.save("three kinds", [THREE[0], OWN, "chat/qwen3@http://127.0.0.1:8080"])
    network = FakeNetwork()
    app = make_app(network, [OWN], sets=sets, list_models=lambda _: MODELS)
    async with app.run_test(size=size) as pilot:
        await pilot.press("escape", "e")
        await wait_until(pilot, lambda: isinstance(app.screen, PaneEditor))
        editor = app.screen
        assert isinstance(editor, PaneEditor)
        model = editor.fields["model"]
        assert isinstance(model, PickField)
        model.line.cursor_blink = False
        await wait_until(pilot, lambda: "7 models" in str(model.note.content))
        await pilot.press(*"clau")
        await pilot.pause()
        assert app.export_screenshot() == picture(name="editor")
        await pilot.press("escape", "O")
        await wait_until(pilot, lambda: isinstance(app.screen, SetsScreen) and app.screen.focused is not None)
        await pilot.pause()
        assert app.export_screenshot() == picture(name="sets")
        await pilot.press("escape", "S")
        await wait_until(pilot, lambda: len(app.compare.board.slots) == 3)
        await ask(pilot)
        for number, stream in enumerate(network.streams):
            stream.open()
            network.clock.pass_ms(300 + 100 * number)
            stream.text("A race condition is" if number else "A data race is")
            stream.finish(12 + number, METADATA if number else None)
        await draw(pilot)
        await pilot.press("escape", "S")
        await wait_until(pilot, lambda: isinstance(app.screen, ComparisonScreen))
        app.clear_notifications()
        await pilot.pause()
        assert app.export_screenshot() == picture(name="shapes")
