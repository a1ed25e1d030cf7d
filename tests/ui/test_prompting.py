"""Other texts in the prompt: out of the history, and out of the user's own editor program."""

import signal
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from anoman_tui.ui import signals
from anoman_tui.ui.external import NONE_NAMED, EditorError, editor_command
from anoman_tui.ui.memory import Memory
from anoman_tui.ui.widgets.historybar import HistorySearch
from tests.ui.fakes import FakeNetwork, wait_until
from tests.ui.scenes import ask, frame, make_app

SENT = ("one tide", "a lighthouse\nkeeper", "Tide tables", "one tide", "the last")


def test_a_search_walks_back_through_each_prompt_once() -> None:
    """Claim: the newest comes first, more letters stay at what is shown, and fewer letters keep it, too."""
    search = HistorySearch(SENT, "draft")

    def seen() -> tuple[str | None, str]:
        return search.shown, search.place

    assert seen() == (None, "4 found")
    search.type("ti")
    assert (*seen(), search.span()) == ("one tide", "1 of 2", (4, 6))
    search.step(1)
    assert (*seen(), search.span()) == ("Tide tables", "2 of 2", (0, 2))
    search.step(1)
    assert seen()[1] == "2 of 2"
    search.type("tide")
    assert seen()[0] == "Tide tables"
    search.type("zz")
    assert seen() == (None, "not found")
    search.type("")
    assert seen()[0] is None
    search.step(1)
    assert seen()[0] == "the last"
    assert HistorySearch(("draft",), "draft").place == "no other prompt was sent yet"


async def test_searching_shows_takes_and_restores() -> None:
    """Claim: the editor previews what is found; Esc brings back text and cursor, Enter takes it and keeps what stood there."""
    app = make_app(FakeNetwork(), memory=Memory(history=SENT, prompt="half a thought"))
    async with app.run_test(size=(80, 24)) as pilot:
        editor = app.compare.editor
        await pilot.press("left", "left", "ctrl+r", *"keep")
        await wait_until(pilot, lambda: editor.text == SENT[1])
        assert editor.selected_text == "keep"
        assert any("▸prompt" not in row and "history: 1 of 1" in row for row in frame(pilot))
        await pilot.press("escape")
        assert (editor.text, editor.cursor_location, app.compare.focused) == ("half a thought", (0, 12), editor)
        assert not app.compare.historybar.display
        await pilot.press("ctrl+r", *"tide", "ctrl+r", "enter")
        await wait_until(pilot, lambda: editor.text == "Tide tables")
        await pilot.press("up")
        assert editor.text == "half a thought"
        await pilot.press("down", "ctrl+r", *"last")
        await wait_until(pilot, lambda: editor.text == "the last")
        await pilot.press("tab")
        assert (editor.text, app.compare.historybar.display) == ("the last", False)


def an_editor(tmp_path: Path, code: str) -> str:
    """A command that runs Python over the file it is given as `sys.argv[1]`."""
    script = tmp_path / "an editor.py"
    script.write_text(f"import os, pathlib, sys\nfile = pathlib.Path(sys.argv[-1])\n{code}\n", "utf-8")
    return f"{sys.executable} '{script}' --wait"


async def test_the_editor_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: it gets the text in a private file that is gone afterwards, streams go on, and a failure keeps the prompt."""
    network = FakeNetwork()
    app = make_app(network)
    handed_over: list[bool] = []

    @contextmanager
    def suspend() -> Iterator[None]:
        handed_over.append(signals._held)
        yield

    async with app.run_test(size=(80, 24)) as pilot:
        editor = app.compare.editor
        monkeypatch.delenv("VISUAL", raising=False)
        monkeypatch.setenv("EDITOR", f"{sys.executable} -c pass")
        await ask(pilot, "one")
        editor.text = "two"
        await pilot.press("f4")
        await wait_until(pilot, lambda: "cannot be opened here" in last_notice(app))
        monkeypatch.setattr(app, "suspend", suspend)
        seen = tmp_path / "seen"
        monkeypatch.setenv(
            "EDITOR",
            an_editor(
                tmp_path,
                f"pathlib.Path({str(seen)!r}).write_text(f'{{file}} {{file.stat().st_mode}} {{sys.argv[1:-1]}} {{file.read_text()!r}}')\n"
                "file.write_text('edited\\n漢字\\n\\n', 'utf-8')\nfile.with_suffix('.md~').write_text('left over')",
            ),
        )
        await pilot.press("f4")
        network.streams[0].text("meanwhile")
        await wait_until(pilot, lambda: editor.text == "edited\n漢字")
        path, mode, arguments, text = seen.read_text().split(" ", 3)
        assert (stat.S_IMODE(int(mode)), arguments, text) == (0o600, "['--wait']", r"'two\n'")
        assert not Path(path).parent.exists()
        assert [signals._held, *handed_over] == [False, False]
        monkeypatch.setenv("EDITOR", an_editor(tmp_path, "file.write_text('lost'); sys.exit(3)"))
        await pilot.press("f4")
        await wait_until(pilot, lambda: "ended with code 3: the prompt stays as it was" in last_notice(app))
        monkeypatch.setenv("VISUAL", "no-such-editor --wait")
        await pilot.press("f4")
        await wait_until(pilot, lambda: "VISUAL: there is no program no-such-editor" in last_notice(app))
        assert editor.text == "edited\n漢字"


def last_notice(app: object) -> str:
    """The newest notice."""
    notices = list(getattr(app, "_notifications", []))
    return str(notices[-1].message) if notices else ""


def test_which_editor(tmp_path: Path) -> None:
    """Claim: VISUAL goes before EDITOR, each may have arguments, and without both a usual one is taken."""
    usual = tmp_path / "vi"
    usual.write_text("#!/bin/sh\n")
    usual.chmod(0o755)
    path = {"PATH": str(tmp_path)}
    assert editor_command({**path, "VISUAL": f"'{usual}' -x", "EDITOR": "other"}) == [str(usual), "-x"]
    assert editor_command(path) == ["vi"]
    with pytest.raises(EditorError, match="EDITOR: 'unclosed is no command"):
        editor_command({**path, "EDITOR": "'unclosed"})
    usual.unlink()
    with pytest.raises(EditorError, match=NONE_NAMED[:20]):
        editor_command(path)


def test_an_interrupt_for_the_editor_is_not_for_us() -> None:
    """Claim: only SIGINT is held, and only for that long."""
    left: list[int] = []
    with signals.interrupts_held():
        signals._leave(left.append, 128 + signal.SIGINT)
    assert left == []
