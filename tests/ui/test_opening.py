"""The start of the screen: one paint with everything in it, and nothing loaded before it that it does not need."""

import json
import os
import sys
from pathlib import Path

import pytest
from textual import events

from tests.ui.fakes import FakeNetwork, wait_until
from tests.ui.scenes import make_app

SLOW = ("typer", "click", "pydantic", "pydantic_settings", "httpx", "httpx_sse", "starlette", "uvicorn", "genai_prices", "pygments")
MARKDOWN = ("markdown_it", "linkify_it")
WATCHED = """
import json, os, sys
from anoman_tui.__main__ import main
from anoman_tui.ui.screens.opening import OpeningScreen

opened = OpeningScreen._open

def watch(self):
    if self.painted:
        return
    opened(self)
    names = sorted(name for name, module in sys.modules.items() if module is not None)
    with open(os.environ["MODULES_TO"] + ".part", "w") as file:
        json.dump(names, file)
    os.rename(os.environ["MODULES_TO"] + ".part", os.environ["MODULES_TO"])

OpeningScreen._open = watch
main()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="a pseudo terminal is needed")
def test_nothing_slow_is_loaded_before_the_first_paint(tmp_path: Path) -> None:
    """Claim: a plain start with settings, panes and what was remembered loads neither validators nor network, colours nor Markdown."""
    from benchmarks.terminal import Terminal

    config = tmp_path / "config.toml"
    config.write_text('theme = "harbour"\nidle_timeout_s = 9\n[providers.mine]\nbase_url = "http://127.0.0.1:9"\n', "utf-8")
    state = tmp_path / "state" / "anoman-tui"
    state.mkdir(parents=True)
    (state / "screen.json").write_text('{"prompt": "half", "history": ["one"]}', "utf-8")
    found = tmp_path / "modules.json"
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "TERM": "xterm-256color",
        "MODULES_TO": str(found),
        "ANOMAN_TUI_CONFIG": str(config),
        "ANOMAN_TUI_MOUSE": "false",
    }
    panes = ["--pane", "chat/a@http://127.0.0.1:9", "--pane", "mine/chat/b", "--system", "Be brief."]
    terminal = Terminal([sys.executable, "-c", WATCHED, *panes], env)
    try:
        for _ in range(300):
            if found.exists() or not terminal.alive:
                break
            terminal.pump(0.1)
        loaded = {name.partition(".")[0] for name in json.loads(found.read_text("utf-8"))}
    finally:
        terminal.close()
    assert "textual" in loaded
    assert not loaded & {*SLOW, *MARKDOWN}


async def test_the_first_paint_is_the_only_one() -> None:
    """Claim: the first thing painted is the whole screen, and the screen stays as it is until something happens."""
    seen: list[str] = []

    app = make_app(FakeNetwork())
    app.post_display_hook = lambda: seen.append("\n".join(strip.text for strip in app.screen._compositor.render_strips()))  # type: ignore[method-assign]
    async with app.run_test(size=(120, 40)) as pilot:
        await wait_until(pilot, lambda: bool(seen))
        first = seen[0]
        await pilot.pause()
        for word in ("anoman-tui", "Send", *(slot.target.model for slot in app.compare.board.slots)):
            assert word in first
        assert seen[-1] == first


async def test_what_is_typed_before_the_prompt_is_there_arrives_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: letters and a paste that come while the screen is made stand in the prompt once it is there, in their order."""
    app = make_app(FakeNetwork())
    forward, early = app.compare._forward_event, [events.Key("z", "z"), events.Paste("qx"), events.Key("j", "j")]

    def hold() -> None:
        original()
        for event in early:
            forward(event)  # as the app does where nothing has the focus yet

    original = app.compare.hold_first_paint
    monkeypatch.setattr(app.compare, "hold_first_paint", hold)
    async with app.run_test() as pilot:
        await wait_until(pilot, lambda: app.compare.editor.text == "zqxj")


async def test_a_screen_that_cannot_load_ahead_sends_all_the_same() -> None:
    """Claim: where loading ahead fails, that is said, and the prompt of `--send` goes out."""

    def warm() -> None:
        raise OSError("no room")

    network = FakeNetwork()
    app = make_app(network, prompt="Hello", send=True, warm=warm)
    async with app.run_test() as pilot:
        await wait_until(pilot, lambda: len(network.streams) == 3)
        await wait_until(pilot, lambda: any("no room" in notice.message for notice in app._notifications))
