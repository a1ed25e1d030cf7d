"""Panes on the screen: editing, adding, removing, moving and bringing back, and what is said before sending."""

import threading
from collections.abc import Sequence

from textual.pilot import Pilot

from anoman_tui.core.events import ErrorInfo, FailureKind
from anoman_tui.core.model_list import NoModelsError
from anoman_tui.core.panes import PaneSpec, read_spec
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.request import Params
from anoman_tui.core.target import Target
from anoman_tui.ui.money import Purse
from anoman_tui.ui.panes import bring_back, keep, remove_pane, set_panes
from anoman_tui.ui.run import Board
from anoman_tui.ui.screens.editor import PaneEditor
from anoman_tui.ui.session import Session
from anoman_tui.ui.widgets.fields import LineField, PickField, TextField
from tests.ui.fakes import FakeNetwork, wait_until
from tests.ui.scenes import METADATA, THREE, answer_of, ask, draw, frame, make_app, the_app


def names(pilot: Pilot[None]) -> list[str]:
    """The panes as they are set up."""
    return [slot.spec.target.name for slot in the_app(pilot).compare.board.slots]


def screen_text(pilot: Pilot[None]) -> str:
    """What is on the screen."""
    return "\n".join(frame(pilot))


async def open_editor(pilot: Pilot[None], *keys: str) -> PaneEditor:
    """Open the editor by keys of a pane."""
    app = the_app(pilot)
    await pilot.press(*keys)
    await wait_until(pilot, lambda: isinstance(app.screen, PaneEditor) and app.screen.focused is not None)
    assert isinstance(app.screen, PaneEditor)
    return app.screen


async def fill(pilot: Pilot[None], editor: PaneEditor, **texts: str) -> None:
    """Put texts into fields, all at once."""
    for name, text in texts.items():
        field = editor.fields[name]
        if isinstance(field, TextField):
            field.text = text
        elif isinstance(field, LineField):
            field.value = text
        else:
            field.put(text)
    await pilot.pause()


def problem(editor: PaneEditor) -> str:
    """What stands below the fields."""
    return str(editor.problem.content)


async def back(pilot: Pilot[None]) -> None:
    """Wait for the main screen."""
    app = the_app(pilot)
    await wait_until(pilot, lambda: app.screen is app.compare)
    await pilot.pause()


class Lists:
    """Models as a test has them, handed out once they are let go."""

    def __init__(self, models: Sequence[str] | Exception) -> None:
        self.models = models
        self.go = threading.Event()
        self.asked: list[str] = []

    def __call__(self, target: Target) -> Sequence[str]:
        """Wait, then answer."""
        self.asked.append(f"{target.provider.name}@{target.base_url}")
        self.go.wait(5)
        if isinstance(self.models, Exception):
            raise self.models
        return self.models


async def test_editing_a_pane() -> None:
    """`e` changes one pane alone: its model by a search, its provider and shape, its parameters, headers and system prompt."""
    network = FakeNetwork()
    lists = Lists([f"model-{n}" for n in range(300)] + ["claude-sonnet-4-6"])
    app = make_app(network, THREE, list_models=lists, params=Params(temperature=0.5), system="Be brief.")
    async with app.run_test(size=(100, 40)) as pilot:
        editor = await open_editor(pilot, "escape", "2", "e")
        await wait_until(pilot, lambda: "asking LOCAL AnyPath for its models" in screen_text(pilot))
        lists.go.set()
        await wait_until(pilot, lambda: "301 models; Enter takes" in screen_text(pilot))
        await pilot.press(*"zq")
        await wait_until(pilot, lambda: "301 models; none is named so" in screen_text(pilot))
        await pilot.press("backspace", "backspace")
        await wait_until(pilot, lambda: "301 models; Enter takes" in screen_text(pilot))
        assert "as for all panes: 0.5" in screen_text(pilot)
        await pilot.press(*"sonn")
        assert "LOCAL AnyPath lists no model 'sonn'" in problem(editor)
        await pilot.press("enter")
        assert editor.text("model") == "claude-sonnet-4-6"
        assert problem(editor) == ""
        await pilot.press("shift+tab", "shift+tab", *"anyp", "tab", "m", "tab")
        assert (editor.text("provider"), editor.text("shape")) == ("anypath", "messages")
        await fill(pilot, editor, temperature="1.5")
        assert "POST https://api.anypath.dev/v1/messages" in screen_text(pilot)
        assert "the shape messages takes 0 to 1" in screen_text(pilot)
        await fill(pilot, editor, temperature="1", max_tokens="64", stop="END", headers="x-team: blue", system_text="Answer in French.")
        assert editor.text("system") == "its own"
        await pilot.press("ctrl+s")
        await back(pilot)
        spec = app.compare.board.slots[1].spec
        assert spec.target.argument == "anypath/messages/claude-sonnet-4-6"
        assert spec.params == Params(1.0, 64, ("END",))
        assert (spec.system, dict(spec.headers)) == ("Answer in French.", {"x-team": "blue"})
        assert names(pilot)[0] == THREE[0]
        await ask(pilot)
        sent = [stream.request for stream in network.streams]
        assert [request.params.temperature for request in sent] == [0.5, 1.0, 0.5]
        assert [request.prompt.system for request in sent] == ["Be brief.", "Answer in French.", "Be brief."]
        assert sent[1].target.provider.headers["x-team"] == "blue"
        assert lists.asked == ["local_anypath@", "anypath@https://api.anypath.dev"] or lists.asked == ["local_anypath@"]


async def test_an_edited_pane_keeps_its_answer_until_it_is_sent_again() -> None:
    """The answer stays, a line says what `r` does, and Esc in the editor changes nothing."""
    network = FakeNetwork()
    app = make_app(network, THREE)
    async with app.run_test(size=(100, 40)) as pilot:
        await ask(pilot)
        for stream in network.streams:
            stream.open()
            stream.text("first answer")
            stream.finish()
        await draw(pilot)
        await open_editor(pilot, "escape", "1", "e")
        await pilot.press(*"other", "escape")
        await back(pilot)
        assert names(pilot) == list(THREE)
        await open_editor(pilot, "e")
        await pilot.press(*"other", "enter")
        await back(pilot)
        await wait_until(pilot, lambda: "changed to local_anoman/chat/other" in answer_of(pilot, 1).replace("\n", " "))
        assert "first answer" in answer_of(pilot, 1)
        await pilot.press("r")
        await pilot.pause()
        assert network.streams[-1].request.target.model == "other"


async def test_what_cannot_be_used_keeps_the_editor_open() -> None:
    """Each mistake is one sentence, the focus goes to its field, and any server can be named by its address."""
    network = FakeNetwork()
    lists = Lists(NoModelsError("no model list (HTTP 404)"))
    lists.go.set()
    app = make_app(network, THREE[:1], list_models=lists)
    async with app.run_test(size=(80, 24)) as pilot:
        editor = await open_editor(pilot, "escape", "e")
        assert isinstance(editor.fields["model"], PickField)
        note = editor.fields["model"].note
        await wait_until(pilot, lambda: "no model list (HTTP 404); any name may be typed" in str(note.content))
        await fill(pilot, editor, provider="other server")
        await pilot.press("enter")
        assert "give its base URL" in problem(editor)
        await fill(pilot, editor, base_url="127.0.0.1:8080")
        await pilot.press("enter")
        assert "is no http:// or https:// address" in problem(editor)
        await fill(pilot, editor, base_url="http://127.0.0.1:8080")
        await pilot.press("enter")
        await back(pilot)
        assert app.compare.board.slots[0].spec.target.argument == "chat/SmolLM2-135M-Instruct@http://127.0.0.1:8080"
        editor = await open_editor(pilot, "e")
        await pilot.press("shift+tab", *"zzz", "enter")
        assert "does not offer the shape 'zzz'" in problem(editor)
        await fill(pilot, editor, shape="chat", model="")
        await pilot.press("enter")
        assert "give the name of a model" in problem(editor)
        await fill(pilot, editor, model="m", temperature="warm")
        await pilot.press("enter")
        assert "temperature is no number" in problem(editor)
        assert editor.focused is editor.fields["temperature"]


async def test_adding_removing_moving_and_bringing_back() -> None:
    """Panes come and go with what they hold, up to six and down to one, and `u` undoes each step."""
    network = FakeNetwork()
    app = make_app(network, THREE)
    async with app.run_test(size=(200, 40)) as pilot:
        await ask(pilot, "hello")
        for number, stream in enumerate(network.streams, 1):
            stream.open()
            stream.text(f"answer {number}")
        await draw(pilot)
        await open_editor(pilot, "escape", "1", "a")
        await pilot.press("escape")
        await back(pilot)
        assert len(names(pilot)) == 3
        await open_editor(pilot, "a")
        await pilot.press(*"second", "enter")
        await back(pilot)
        assert names(pilot) == [THREE[0], "local_anoman/chat/second", *THREE[1:]]
        assert app.compare.stage.current == 1
        await pilot.press("r")
        assert network.streams[-1].request.prompt.text == "hello"
        await pilot.press("shift+right")
        await wait_until(pilot, lambda: names(pilot)[2] == "local_anoman/chat/second")
        assert app.compare.stage.current == 2
        assert "answer 2" in answer_of(pilot, 2)
        await pilot.press("2", "D")
        await wait_until(pilot, lambda: len(names(pilot)) == 3)
        assert network.streams[1].cancelled == 1
        await pilot.press("u")
        await wait_until(pilot, lambda: len(names(pilot)) == 4)
        assert "answer 2" in answer_of(pilot, 2)
        four = names(pilot)
        await pilot.press("D", "delete", "D", "D")
        await wait_until(pilot, lambda: len(names(pilot)) == 1)
        await wait_until(pilot, lambda: any("only pane" in note.message for note in app._notifications))
        await pilot.press("u", "u", "u")
        await wait_until(pilot, lambda: names(pilot) == four)
        assert "answer 2" in answer_of(pilot, 2), "what a pane held comes back, however many changes ago it went"
        await pilot.press("U", "U", "U", "U")
        await wait_until(pilot, lambda: len(names(pilot)) == 1)
        assert any("nothing to make again" in note.message for note in app._notifications)
        await pilot.press(*"u" * 6)
        await wait_until(pilot, lambda: names(pilot) == list(THREE))


def needs_key(spec: PaneSpec) -> str:
    """What the composition says where there are no keys."""
    return f"{spec.target.provider.label}: there is no key; set $KEY" if spec.target.sends_key else ""


async def test_what_cannot_work_is_said_before_sending() -> None:
    """In the empty pane, in the editor, and again under the failure; the other panes go on."""
    network = FakeNetwork()
    app = make_app(network, [THREE[0], "openai/chat/m", "local_anypath/chat/gemini-2.5-flash"], problem_of=needs_key)
    async with app.run_test(size=(120, 30)) as pilot:
        assert "there is no key; set $KEY" in answer_of(pilot, 2).replace("\n", " ")
        assert "choose the shape gemini" in answer_of(pilot, 3).replace("\n", " ")
        await draw(pilot)
        assert (screen_text(pilot).count("READY"), screen_text(pilot).count("CHECK")) == (0, 3), "a pane that will not work is not ready"
        await open_editor(pilot, "escape", "2", "e")
        assert "OpenAI: there is no key; set $KEY" in screen_text(pilot)
        await pilot.press("escape")
        await back(pilot)
        await ask(pilot)
        assert len(network.streams) == 3
        for stream in network.streams[:2]:
            stream.open()
            stream.finish()
        network.streams[2].open(400)
        network.streams[2].fail(ErrorInfo(FailureKind.HTTP, "not supported", http_status=400))
        await draw(pilot)
        assert "choose the shape gemini" in answer_of(pilot, 3).replace("\n", " ")
        assert "there is no key" not in answer_of(pilot, 2)


def test_a_pane_that_comes_back_is_counted_once() -> None:
    """The session's sum is the same with a pane, without it, and with it again."""
    network = FakeNetwork()
    session = Session(tuple(read_spec(one, BUILT_IN) for one in ("anoman/chat/a", "anoman/chat/b")), network, clock=network.clock)
    board = Board(session)
    purse = Purse(board, None, None, None)
    board.send("hello")
    for stream in network.streams:
        stream.open()
        stream.finish(12, METADATA)
    for slot in board.slots:
        board.drain(slot)
    sums = [purse.spent.reported]
    kept = keep(board)
    assert remove_pane(board, 1)
    sums.append(purse.spent.reported)
    bring_back(board, kept)
    sums.append(purse.spent.reported)
    set_panes(board, [read_spec("anoman/chat/c", BUILT_IN)])
    sums.append(purse.spent.reported)
    bring_back(board, kept)
    board.send("again")
    sums.append(purse.spent.reported)
    assert sums == [2 * METADATA["cost_usd"]] * 5
