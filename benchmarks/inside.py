"""Measures that need a look inside the process: the screen's loop, the times that panes show, and the way of an event.

python -m benchmarks.inside screen FILE PROBE ARGUMENT…   the screen, watched while it streams; writes JSON to FILE
python -m benchmarks.inside decode PANE                   CPU µs per event of one stream, from the socket to the folded state
python -m benchmarks.inside micro [SIZE]                  the micro benchmarks as JSON
"""

import asyncio
import gc
import json
import string
import sys
import threading
import time
from pathlib import Path
from typing import Any

from anoman_tui.compose import Composition
from anoman_tui.config import Settings
from anoman_tui.core.metrics import timing
from anoman_tui.core.pane import PaneState, fold
from anoman_tui.core.request import Prompt, Request
from anoman_tui.core.target import parse_pane
from anoman_tui.headless.collect import Collector
from anoman_tui.ui.mailbox import Mailbox

BEAT_S = 0.005
FRAME_S = 0.025
LETTERS = 200
PROBES = 40


def screen(file: Path, probe: str, arguments: list[str]) -> None:
    """Run the command with a probe in the screen: of its loop, of letters that are typed, and of the times of a further pane."""
    from anoman_tui.__main__ import main
    from anoman_tui.ui.app import AnomanApp

    original = AnomanApp.on_mount

    def on_mount(self: AnomanApp) -> None:
        original(self)
        self._watching = asyncio.create_task(_watch(self, file, probe))  # type: ignore[attr-defined]

    AnomanApp.on_mount = on_mount  # type: ignore[method-assign]
    sys.argv = ["anoman-tui", *arguments]
    main()


async def _watch(app: Any, file: Path, probe: str) -> None:
    board = app.compare.board
    while not (board.states and all(state.text for state in board.states)):  # noqa: ASYNC110  another thread fills it
        await asyncio.sleep(BEAT_S)
    found: dict[str, list[float]] = {"lag_ms": [], "typing_ms": [], "ttft_ms": []}
    asked: threading.Thread | None = None
    if probe:
        asked = threading.Thread(target=_ask, args=(app.session.open_stream, probe, found["ttft_ms"]), daemon=True)
        asked.start()
    typing = None if probe else asyncio.create_task(_type(app, found["typing_ms"]))
    while board.streaming if asked is None else asked.is_alive():
        due = time.perf_counter() + BEAT_S
        await asyncio.sleep(BEAT_S)
        found["lag_ms"].append((time.perf_counter() - due) * 1000)
    if typing is not None:
        typing.cancel()
    file.write_text(json.dumps(found), "utf-8")  # noqa: ASYNC240  the streams are over
    app.leave(0)


async def _type(app: Any, late: list[float]) -> None:
    """Press letters; a letter's time is taken when the screen has been drawn with it in the prompt."""
    from textual.events import Key

    for number in range(LETTERS):
        drawn, letter, began = asyncio.Event(), string.ascii_lowercase[number % 26], time.perf_counter()
        app.compare.editor.post_message(Key(letter, letter))
        app.compare.editor.call_after_refresh(drawn.set)
        await drawn.wait()
        late.append((time.perf_counter() - began) * 1000)
        await asyncio.sleep(0.02)


def _ask(open_stream: Any, pane: str, times: list[float]) -> None:
    """Ask the same pane again and again; what the program says was the time to the first token."""
    target = parse_pane(pane, {})
    for _ in range(PROBES):
        (state,) = Collector(open_stream, [Request(target, Prompt("hi"))]).run()
        times.append(timing(state).ttft_ms or float("nan"))
        time.sleep(0.02)


def decode(pane: str) -> float:
    """CPU in µs per event of a whole stream, all threads, folded at every frame as the screen does."""
    composition = Composition(Settings(record=False), {})
    try:
        _follow(composition, pane.replace("-20000-", "-200-"))  # imports
        gc.disable()  # as the screen does while answers come
        began = time.process_time()
        state = _follow(composition, pane)
        spent = time.process_time() - began
    finally:
        composition.close()
    return spent * 1e6 / state.wire.frames


def _follow(composition: Composition, pane: str) -> PaneState:
    target, mailbox = parse_pane(pane, {}), Mailbox()
    state = PaneState(target)
    composition.open_stream(Request(target, Prompt("hi")), mailbox)
    while state.closed is None:
        time.sleep(FRAME_S)
        state = fold(state, mailbox.drain())
    return state


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["screen", file, probe, *arguments]:
            screen(Path(file), probe, arguments)
        case ["decode", pane]:
            sys.stdout.write(f"{decode(pane)}\n")
        case ["micro", *size]:
            from benchmarks.micro import micro

            sys.stdout.write(json.dumps(micro(int(size[0]) if size else 20_000)) + "\n")
        case _:
            sys.exit(__doc__)
