"""What goes out with a prompt: the library, the values of its variables, and what holds for all panes."""

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot

from anoman_tui.core.request import Params
from anoman_tui.history.library import PromptLibrary
from anoman_tui.ui.app import AnomanApp
from anoman_tui.ui.memory import Memory, load, save
from anoman_tui.ui.screens.asking import SaveDialog, SharedDialog, ValuesDialog
from anoman_tui.ui.screens.library import LibraryScreen
from tests.ui.fakes import FakeNetwork, wait_until
from tests.ui.scenes import THREE, ask, frame, make_app, the_app
from tests.ui.test_snapshots import SIZES, picture, shot

__all__ = ["picture"]

SAMPLES = Path(__file__).parents[2] / "sample_prompts"


def an_app(network: FakeNetwork, tmp_path: Path, **fields: object) -> AnomanApp:
    """An app with the packaged samples and an own folder."""
    return make_app(network, fields.pop("panes", THREE), prompts=PromptLibrary([SAMPLES], tmp_path), **fields)  # type: ignore[arg-type]


def said(pilot: Pilot[None]) -> str:
    """The newest notice."""
    notices = list(the_app(pilot)._notifications)
    return str(notices[-1].message) if notices else ""


async def opened(pilot: Pilot[None], kind: type[object], *keys: str) -> None:
    """Press keys that open an overlay."""
    await pilot.press(*keys)
    await wait_until(pilot, lambda: isinstance(the_app(pilot).screen, kind))
    await pilot.pause()


async def closed(pilot: Pilot[None], *keys: str) -> None:
    """Press keys that close an overlay."""
    app = the_app(pilot)
    await pilot.press(*keys)
    await wait_until(pilot, lambda: app.screen is app.compare)
    await pilot.pause()


def shows(pilot: Pilot[None], text: str) -> bool:
    """Whether a text stands on the screen."""
    return any(text in row for row in frame(pilot))


async def test_the_library_is_browsed_filtered_and_taken_from(tmp_path: Path) -> None:
    """Claim: own prompts stand first, typing filters, bad files are named, Enter takes and keeps what stood in the prompt."""
    (tmp_path / "mine.md").write_text("---\nabout: watch the rhyme\ntemperature: 0.3\n---\nA limerick on tides.\n")
    (tmp_path / "bad.md").write_text("---\nnonsense\n")
    network = FakeNetwork()
    async with an_app(network, tmp_path, prompt="half typed").run_test(size=(120, 40)) as pilot:
        app = the_app(pilot)
        await opened(pilot, LibraryScreen, "escape", "f3")
        rows = [row for row in frame(pilot) if "Your own" in row or "Samples" in row]
        assert "Your own" in rows[0]
        assert shows(pilot, "watch the rhyme")
        assert shows(pilot, "! ")
        assert shows(pilot, "bad.md: line 2 is no `name: value`")
        burst(app, *"tsunami")
        await wait_until(pilot, lambda: shows(pilot, "no prompt holds these words"))
        await pilot.press("enter")
        assert isinstance(app.screen, LibraryScreen)
        await pilot.press("ctrl+u")
        burst(app, *"limerick")
        await wait_until(pilot, lambda: shows(pilot, "A limerick on tides."))
        await closed(pilot, "enter")
        assert (app.compare.editor.text, app.compare.focused) == ("A limerick on tides.", app.compare.editor)
        assert said(pilot) == "this prompt sets for all panes: temperature 0.3 (F6)"
        assert shows(pilot, "▸prompt · temperature 0.3")
        await pilot.press("enter")
        assert network.streams[0].request.params == Params(temperature=0.3)
        await pilot.press("up", "up")
        assert app.compare.editor.text == "half typed"
        await pilot.press("ctrl+c")
        await opened(pilot, LibraryScreen, "f3")
        await closed(pilot, *"gateway limit 24", "ctrl+o")
        assert [slot.spec.target.argument for slot in app.compare.board.slots] == [
            "local_anoman/chat/scripted-fast",
            "local_anypath/responses/scripted-fast",
            "local_anypath/gemini/scripted-fast",
        ]
        assert shows(pilot, "▸prompt · max 24 tokens"), "what the prompt before had set is gone with it"
        assert "u in a pane brings back the panes of before" in said(pilot)
        await opened(pilot, LibraryScreen, "f3")
        await closed(pilot, *"sky blue", "enter")
        assert app.compare.board.shared == Params()


async def test_a_prompt_is_kept_by_name(tmp_path: Path) -> None:
    """Claim: what stands in the editor is kept with or without the settings, and a name that is taken is asked about."""
    async with an_app(FakeNetwork(), tmp_path, prompt="My words", params=Params(max_tokens=9)).run_test(size=(80, 24)) as pilot:
        await opened(pilot, SaveDialog, "ctrl+s")
        await pilot.press("enter")
        assert shows(pilot, "give it a name")
        await pilot.press(*"../x", "enter")
        await wait_until(pilot, lambda: shows(pilot, "cannot be used"))
        await closed(pilot, *["backspace"] * 4, *"mine", "enter")
        assert (tmp_path / "mine.md").read_text() == "My words\n"
        assert "mine.md; F3 lists it" in said(pilot)
        the_app(pilot).compare.editor.text = "Other words"
        await opened(pilot, LibraryScreen, "f3")
        await opened(pilot, SaveDialog, "ctrl+s")
        await pilot.press(*"Mine", "tab", "down", "down", "enter")
        await wait_until(pilot, lambda: shows(pilot, "Enter again replaces it"))
        assert (tmp_path / "mine.md").read_text() == "My words\n"
        await closed(pilot, "enter")
        assert (tmp_path / "mine.md").read_text() == "---\nmax_tokens: 9\n---\nOther words\n"
        the_app(pilot).compare.editor.text = " "
        await pilot.press("ctrl+s")
        assert "type what is to be kept first" in said(pilot)


async def test_variables_are_asked_for_and_filled_in(tmp_path: Path) -> None:
    """Claim: the request holds the filled text, the history the template; Esc loses nothing, and r sends the same again."""
    network = FakeNetwork()
    template = "Write to {{reader}} about {{topic}}, {{reader}}."
    app = an_app(network, tmp_path, prompt=template, send=True, memory=Memory(values={"topic": "fog"}))
    async with app.run_test(size=(80, 24)) as pilot:
        editor = app.compare.editor
        await wait_until(pilot, lambda: isinstance(app.screen, ValuesDialog))
        await pilot.press("enter")
        await wait_until(pilot, lambda: shows(pilot, "reader has no value yet"))
        burst(app, *"Ann")
        await pilot.press("ctrl+j")
        burst(app, *"& {{Bo}}")
        await wait_until(pilot, lambda: shows(pilot, "& {{Bo}} about fog, Ann"))
        await closed(pilot, "escape")
        assert (editor.text, network.streams) == (template, [])
        await opened(pilot, ValuesDialog, "enter")
        await closed(pilot, "down", *"rain", "enter")
        filled = "Write to Ann\n& {{Bo}} about rain, Ann\n& {{Bo}}."
        assert [one.request.prompt.text for one in network.streams] == [filled] * 3
        assert app.compare.board.head is not None
        assert app.compare.board.head.prompt.text == filled
        for one in network.streams:
            one.finish()
        await pilot.press("escape", "r")
        assert network.streams[3].request.prompt.text == filled
        await pilot.press("x", "i", "up")
        assert editor.text == template
        assert app.compare.remembered().values == {"reader": "Ann\n& {{Bo}}", "topic": "rain"}
        await opened(pilot, ValuesDialog, "enter")
        await closed(pilot, "ctrl+t")
        assert network.streams[-1].request.prompt.text == template
        await pilot.press("ctrl+c")
        await ask(pilot, r"as it is: \{{reader}}")
        assert network.streams[-1].request.prompt.text == "as it is: {{reader}}"
        await pilot.press("ctrl+c")
        app.compare.editor.text = "{{nothing}}?"
        await opened(pilot, ValuesDialog, "enter")
        await pilot.press("enter")
        await closed(pilot, "enter")
        assert network.streams[-1].request.prompt.text == "?"


async def test_what_holds_for_all_panes(tmp_path: Path) -> None:
    """Claim: F6 sets it for the next prompts, names the panes with values of their own, refuses what is none, and it is remembered."""
    network = FakeNetwork()
    panes = (THREE[0], {"pane": THREE[1], "temperature": 1.5})
    app = an_app(network, tmp_path, panes=panes)
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot, SharedDialog, "f6")
        assert shows(pilot, "pane 2 has its own: temperature 1.5")
        burst(app, *"Be brief.", "tab", "9", "enter")
        await wait_until(pilot, lambda: shows(pilot, "temperature is no number from 0 to 2"))
        await pilot.press("backspace")
        burst(app, *"0.5", "tab", *"40", "tab", *"END", "enter")
        await closed(pilot)
        assert "system prompt, temperature 0.5, max 40 tokens, stop 'END'" in said(pilot)
        assert shows(pilot, "▸prompt · system prompt, temperature 0.5, max 40 tokens, stop 'END'")
        await ask(pilot, "one")
        assert [(one.request.params, one.request.prompt.system) for one in network.streams] == [
            (Params(0.5, 40, ("END",)), "Be brief."),
            (Params(1.5, 40, ("END",)), "Be brief."),
        ]
        left = app.compare.remembered()
        assert (left.params, left.system) == ({"temperature": 0.5, "max_tokens": 40, "stop": ["END"]}, "Be brief.")
        await opened(pilot, SharedDialog, "escape", "f6")
        await closed(pilot, "escape")
        assert app.compare.board.system == "Be brief."


def test_values_are_remembered(tmp_path: Path) -> None:
    """Claim: texts alone come back."""
    save(tmp_path, Memory(values={"a": "b\nc", "long": "x" * 30_000}))
    assert load(tmp_path).values == {"a": "b\nc"}
    (tmp_path / "screen.json").write_text('{"values": {"a": 1, "b": "c"}}')
    assert load(tmp_path).values == {"b": "c"}


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_pictures(picture: SnapshotAssertion, tmp_path: Path, size: tuple[int, int]) -> None:
    """The library, the dialogs, the search and a conversation."""
    (tmp_path / "release-notes.md").write_text("---\nabout: no word of the code\n---\nWrite release notes on {{change}}.\n")
    network = FakeNetwork()
    panes = (THREE[0], {"pane": THREE[1], "temperature": 1.5}, THREE[2])
    app = an_app(network, tmp_path, panes=panes, memory=Memory(history=("Why is the sky blue?", "Explain tides to a child.")))
    async with app.run_test(size=size) as pilot:
        await opened(pilot, LibraryScreen, "f3")
        still(app)
        assert await shot(pilot) == picture(name="library")
        burst(app, *"slow")
        await wait_until(pilot, lambda: shows(pilot, "slowly."))
        assert await shot(pilot) == picture(name="library-filtered")
        await closed(pilot, "escape")
        app.compare.editor.text = "Rewrite the text for {{reader}}.\n\n{{text}}"
        await opened(pilot, ValuesDialog, "enter")
        burst(app, *"a sailor", "tab", *"The tide comes twice a day.")
        await wait_until(pilot, lambda: shows(pilot, "twice a day."))
        still(app)
        assert await shot(pilot) == picture(name="variables")
        await closed(pilot, "enter")
        for one in network.streams:
            one.open()
            one.text("The sea rises and falls twice each day.")
            one.finish()
        app.compare.stage.frame()
        await opened(pilot, SharedDialog, "f6")
        still(app)
        assert await shot(pilot) == picture(name="for-all")
        await closed(pilot, "tab", *"0.2", "ctrl+s")
        await pilot.press("escape", "2", "c")
        await ask(pilot, "And why twice?")
        for one in network.last(3):
            one.open()
            one.text("Because the Earth turns under two bulges.")
            one.finish()
        await pilot.press("ctrl+r")
        burst(app, *"tide")
        await wait_until(pilot, lambda: app.compare.editor.text == "Explain tides to a child.")
        app.compare.historybar.cursor_blink = False
        assert await shot(pilot) == picture(name="search")
        await pilot.press("escape", "escape")
        assert await shot(pilot) == picture(name="conversation")


def still(app: AnomanApp) -> None:
    """No cursor blinks in a dialog."""
    for field in app.screen.query("TextArea, Input"):
        field.cursor_blink = False  # type: ignore[attr-defined]


async def test_keys_of_one_burst_go_where_those_before_them_lead(tmp_path: Path) -> None:
    """Claim: letters and the key behind them may come at once, and none is lost or goes elsewhere."""
    network = FakeNetwork()
    app = an_app(network, tmp_path, prompt="{{a}} and {{b}}", memory=Memory(history=("one tide", "two boats")))
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot, ValuesDialog, "enter")
        burst(app, *"salt", "tab", *"sand", "enter")
        await wait_until(pilot, lambda: len(network.streams) == 3)
        assert network.streams[0].request.prompt.text == "salt and sand"
        await closed(pilot, "ctrl+c")
        await pilot.press("ctrl+r")
        burst(app, *"tide", "enter")
        await wait_until(pilot, lambda: app.compare.editor.text == "one tide")
        await pilot.pause()
        assert not app.compare.historybar.display
        await opened(pilot, LibraryScreen, "f3")
        burst(app, *"sky is blue", "enter")
        await wait_until(pilot, lambda: "sky blue" in app.compare.editor.text)
        await opened(pilot, SharedDialog, "f6")
        burst(app, *"Be odd.", "tab", *"0.5", "tab", *"9", "enter")
        await wait_until(pilot, lambda: app.compare.board.shared == Params(0.5, 9))
        assert app.compare.board.system == "Be odd."


def burst(app: AnomanApp, *keys: str) -> None:
    """Press keys without letting anything happen between them."""
    for key in keys:
        letter = len(key) == 1
        app.post_message(events.Key(_character_to_key(key) if letter else key, key if letter else None))
