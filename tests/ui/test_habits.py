"""Keys of one's own, what is remembered, and Enter as a new line."""

import json
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from textual.binding import Binding

from anoman_tui.ui.app import AnomanApp
from anoman_tui.ui.keymap import Keymap, read_keymap
from anoman_tui.ui.layout import Mode
from anoman_tui.ui.memory import FILE, MAX_BYTES, MAX_HISTORY, Memory, load, save
from anoman_tui.ui.places import contexts
from anoman_tui.ui.screens.compare import CompareScreen
from anoman_tui.ui.screens.help import HelpScreen
from anoman_tui.ui.widgets.answer_scroll import LineScroller
from anoman_tui.ui.widgets.pane import Pane
from anoman_tui.ui.widgets.prompt import PromptEditor
from tests.ui.fakes import FakeNetwork, wait_until
from tests.ui.scenes import ask, draw, frame, make_app


def keymap(enter_sends: bool = True, **wanted: str) -> Keymap:
    """What can be used of these keys; underscores stand for hyphens."""
    app = make_app(FakeNetwork())
    named = {name.replace("_", "-"): keys for name, keys in wanted.items()}
    return read_keymap(named, contexts(app, app.compare), enter_sends=enter_sends)


def test_the_built_in_keys_do_not_clash() -> None:
    """No key is given twice where both would act, but for Esc, which the inner place takes first."""
    app = make_app(FakeNetwork())
    for context in contexts(app, app.compare):
        pairs = [(key, one.id) for one in context.bindings for key in one.key.split(",") if key != "escape"]
        keys = [key for key, _ in pairs]
        assert len(keys) == len(set(keys)), sorted(pairs)


def test_good_keys_are_taken() -> None:
    """Several keys, signs in place of their names, and two actions that change places."""
    assert keymap(stop_pane="K, f8", find="?", pane_keys="slash").keys == {
        "stop-pane": "K,f8",
        "find": "question_mark",
        "pane-keys": "slash",
    }
    assert keymap(zoom_pane="t", fold_reasoning="z") == Keymap({"zoom-pane": "t", "fold-reasoning": "z"}, ())


@pytest.mark.parametrize(
    ("name", "keys", "says"),
    [
        ("stop_panes", "x", "keys.stop-panes: there is no such action"),
        ("stop_pane", "bogus+key", "bogus+key is no key"),
        ("stop_pane", "K,nonsense", "nonsense is no key"),
        ("stop_pane", "", "no key is given"),
        ("stop_pane", "K,,", "no key is given"),
        ("stop_pane", "ctrl+i", "sends ctrl+i as Tab"),
        ("stop_pane", "r", "r is the key of retry-pane, too"),
        ("stop_pane", "f1", "f1 is the key of keys, too"),
        ("send_anywhere", "g", "g is typed into the prompt"),
        ("send_prompt", "s", "s is typed into the prompt"),
        ("quit", "space", "space is typed into the prompt"),
        ("send_anywhere", "ctrl+w", "ctrl+w edits the prompt"),
        ("send_anywhere", "f6", "f6 edits the prompt"),
        ("find_keep", "a", "a is typed"),
        ("[/]" * 40, "x", "there is no such action"),
    ],
)
def test_bad_keys_are_named(name: str, keys: str, says: str) -> None:
    """One sentence with the id, and the default stays."""
    found = keymap(True, **{name: keys})
    assert found.keys == {}
    assert len(found.problems) == 1
    assert found.problems[0].startswith("keys.")
    assert says in found.problems[0]


def test_two_entries_with_one_key() -> None:
    """The first that clashes goes; then the other one can stay."""
    found = keymap(stop_pane="K", retry_pane="K")
    assert (len(found.keys), len(found.problems)) == (1, 1)


async def test_rebound_keys_act_and_are_shown() -> None:
    """In the last line, in the help and in the palette; the old key does nothing; problems are said once each."""
    network = FakeNetwork()
    app = make_app(network, keymap={"stop-pane": "K", "keys": "f9", "retry-pane": "m", "nothing": "x"})
    async with app.run_test(size=(102, 26)) as pilot:
        assert sum("keys.retry-pane" in str(one.message) for one in app._notifications) == 1
        assert sum("keys.nothing" in str(one.message) for one in app._notifications) == 1
        await ask(pilot)
        await pilot.press("escape", "x")
        assert [one.cancelled for one in network.streams] == [0, 0, 0]
        assert frame(pilot)[-1].startswith(" K Stop")
        await pilot.press("K")
        assert [one.cancelled for one in network.streams] == [1, 0, 0]
        assert any(one.help == "K, in a pane" for one in app.get_system_commands(app.screen))
        await pilot.press("f9")
        await wait_until(pilot, lambda: isinstance(app.screen, HelpScreen))
        await wait_until(pilot, lambda: any("│    K  " in row for row in frame(pilot)) or any(" K    " in row for row in frame(pilot)))


async def test_enter_as_a_new_line() -> None:
    """The two keys change places, in what they do and in what is said."""
    network = FakeNetwork()
    app = make_app(network, enter_sends=False)
    async with app.run_test(size=(102, 26)) as pilot:
        assert any("Ctrl+J sends" in row for row in frame(pilot))
        assert frame(pilot)[-1].startswith(" ^J Send")
        await pilot.press("a", "enter", "b", "ctrl+j")
        assert [one.request.prompt.text for one in network.streams] == ["a\nb"] * 3


def test_memory_comes_back(tmp_path: Path) -> None:
    """All of it, in a file of one's own; what is too long or too much is left out."""
    panes = ("chat/m@http://h", {"pane": "chat/n@http://h", "temperature": 0.5})
    memory = Memory(panes, {"max_tokens": 9}, "Be brief.", "half a 漢字", ("one", "two \ud800"), "lanes", False, True, "paper")
    save(tmp_path / "deep", memory)
    assert stat.S_IMODE((tmp_path / "deep" / FILE).stat().st_mode) == 0o600
    assert load(tmp_path / "deep") == replace(memory, history=("one", "two \ufffd"))
    save(tmp_path, Memory(prompt="x" * 30_000, history=tuple(map(str, range(500)))))
    back = load(tmp_path)
    assert (back.prompt, len(back.history), back.history[-1]) == ("", MAX_HISTORY, "499")
    (tmp_path / "file").write_text("")
    save(tmp_path / "file", memory)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[1]",
        "null",
        "[" * 100_000,
        '{"panes": 1, "prompt": [], "history": {"a": 1}, "layout": "x", "race": 2, "serial": "y", "theme": 3}',
        "\0\ud7ff",
    ],
)
def test_a_damaged_memory_is_no_memory(tmp_path: Path, text: str) -> None:
    """Whatever stands in the file."""
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    assert load(tmp_path) == Memory()


def test_a_huge_or_binary_memory_is_no_memory(tmp_path: Path) -> None:
    """It is not even read."""
    (tmp_path / FILE).write_bytes(b"\xff\xfe")
    assert load(tmp_path) == Memory()
    (tmp_path / FILE).write_bytes(b" " * (MAX_BYTES + 1))
    assert load(tmp_path) == Memory()
    assert load(tmp_path / "nowhere") == Memory()


async def test_the_screen_comes_back_as_it_was() -> None:
    """Layout, order of the panes, prompt and history; the theme too, where it still exists."""
    network = FakeNetwork()
    memory = Memory(prompt="half", history=("older",), layout="lanes", race=True, serial=True, theme="paper")
    app = make_app(network, memory=memory)
    async with app.run_test(size=(120, 40)) as pilot:
        assert app.theme == "paper"
        assert app.compare.stage.lanes.display
        assert app.compare.editor.text == "half"
        await pilot.press("up")
        assert app.compare.editor.text == "older"
        await pilot.press("down", "enter", *"next", "escape", "vertical_line", "p")
        assert len(network.streams) == 1
        await draw(pilot)
        left = app.compare.remembered()
    assert left == replace(memory, prompt="next", history=("older", "half"), layout="columns", serial=False)
    assert json.loads(json.dumps(left.history)) == ["older", "half"]


@pytest.mark.parametrize("given", [{"theme": "amber", "prompt": "new"}, {}])
async def test_the_command_line_wins(given: dict[str, str]) -> None:
    """Over what is remembered; a theme that is gone is said and not used."""
    app: AnomanApp = make_app(FakeNetwork(), memory=Memory(prompt="old", theme="gone"), **given)
    async with app.run_test(size=(80, 24)):
        assert (app.theme, app.compare.editor.text) == (given.get("theme", "harbour"), given.get("prompt", "old"))
        assert any("there is no theme gone" in str(one.message) for one in app._notifications) is not bool(given)


def test_layouts_have_the_names_that_are_remembered() -> None:
    """The file holds words."""
    assert {Mode.LANES.value, Mode.COLUMNS.value} == {"lanes", "columns"}


def test_the_readme_names_every_action() -> None:
    """Claim: whoever changes keys finds the names of all actions in the README."""
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    places = (PromptEditor.BINDINGS, Pane.BINDINGS, LineScroller.BINDINGS, CompareScreen.BINDINGS, AnomanApp.BINDINGS)
    names = {one.id for place in places for one in place if isinstance(one, Binding) and one.id}
    assert {name for name in names if not name.startswith("focus-pane-") and f"`{name}`" not in readme} == set()
