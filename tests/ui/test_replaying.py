"""Recordings on the screen."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pytest_textual_snapshot import SVGImageExtension
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from anoman_tui.core.events import Closed, Ending
from anoman_tui.core.pane import PaneState
from anoman_tui.core.ports import Recording
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.request import HttpRequest, Params, Prompt
from anoman_tui.core.run import RunHead
from anoman_tui.core.target import parse_pane
from anoman_tui.recording.recorder import FileTape, Keeping
from anoman_tui.recording.replay import Replay
from anoman_tui.recording.runfile import (
    Connecting,
    Connection,
    End,
    Fact,
    Head,
    HeadSent,
    Read,
    RecordedPane,
    RecordedRun,
    RunFileError,
    Sent,
)
from anoman_tui.transport.body import BodyReader
from anoman_tui.ui.playing import SPEEDS
from anoman_tui.ui.view import view
from tests.support import sse
from tests.ui.fakes import MS, FakeNetwork, wait_until
from tests.ui.scenes import answer_of, ask, draw, frame, make_app, the_app
from tests.ui.test_snapshots import SIZES

WORDS = ("A race ", "condition is ", "a bug whose ", "result depends ", "on timing.")


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """Compares SVG pictures by their names."""
    return snapshot.use_extension(SVGImageExtension)


def a_pane(number: int, pane: str, step_ms: int) -> RecordedPane:
    """A chat stream of five words, one each so many milliseconds."""
    target = parse_pane(pane, BUILT_IN)
    at = 10**9
    request = HttpRequest("POST", target.url, {}, {"model": target.model})
    facts = [Fact(at, Sent(request)), Fact(at, Connecting()), Fact(at, Connection()), Fact(at, HeadSent())]
    facts.append(Fact(at + 20 * MS, Head(200, (("content-type", "text/event-stream"), ("x-request-id", f"req-{number}")))))
    for count, word in enumerate(WORDS, 1):
        chunk = sse('{"model":"m","choices":[{"delta":{"content":"' + word + '"}}]}')
        facts.append(Fact(at + (20 + count * step_ms) * MS, Read(chunk)))
    last = at + (30 + len(WORDS) * step_ms) * MS
    end = sse('{"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":9}}', "[DONE]")
    facts += [Fact(last, Read(end)), Fact(last, End(Closed(Ending.CLEAN), None))]
    return RecordedPane(number, target, tuple(facts))


def a_run(panes: int = 3, step_ms: int = 100) -> RecordedRun:
    """A run of chat panes, each slower than the one before."""
    head = RunHead("r" * 32, "2026-11-28T09:30:00.000Z", Prompt("Explain race conditions"), Params(), "parallel")
    return RecordedRun(head, tuple(a_pane(n, f"openai/chat/model-{n}", step_ms * n) for n in range(1, panes + 1)))


@dataclass
class FakeShelf:
    """Recordings that are not in files. They play as fast as it goes."""

    panes: int = 3
    speed: float | None = None
    wrong: str = ""
    step_ms: int = 100
    gone: list[str] = field(default_factory=list)

    def list(self) -> list[Recording]:
        """Two of them."""
        names = tuple(pane.target.name for pane in a_run(self.panes).panes)
        return [
            Recording("/runs/new.jsonl", "2026-11-28T09:30:00.000Z", "Explain race\x1b[31m conditions", names, 56_123),
            Recording("/runs/old.jsonl", "2026-11-27T18:02:11.000Z", "Say hello", names[:1], 900),
        ]

    def open(self, file: str) -> Replay:
        """Any of them."""
        if self.wrong:
            raise RunFileError(self.wrong)
        return Replay(a_run(self.panes, self.step_ms), BodyReader, self.speed)

    def remove(self, file: str) -> None:
        """Take it away."""
        self.gone.append(file)


def make(shelf: FakeShelf, network: FakeNetwork, **fields: Any) -> Any:
    """An app with these recordings."""
    return make_app(network, recordings=shelf, **fields)


async def play(pilot: Pilot[None]) -> None:
    """Choose the first one."""
    app = the_app(pilot)
    await pilot.press("escape", "o")
    await wait_until(pilot, lambda: app.screen is not app.compare)
    await pilot.press("enter")
    await wait_until(pilot, lambda: app.screen is app.compare and app.compare.player is not None)


async def at_its_end(pilot: Pilot[None]) -> None:
    """Let it play to its end."""
    await wait_until(pilot, lambda: not the_app(pilot).compare.board.expecting)
    await draw(pilot)


def holds(pilot: Pilot[None], text: str) -> bool:
    """Whether the first pane holds just this."""
    state = the_app(pilot).compare.board.slots[0].state
    return state is not None and state.text.text == text


def numbers_are_drawn(pilot: Pilot[None]) -> bool:
    """Whether the first pane shows the tokens and the time of its state."""
    board = the_app(pilot).compare.board
    seen = view(board.slots[0].state, board.clock())
    return any(f"{seen.tokens} tok" in row for row in frame(pilot)) and any(seen.elapsed in row for row in frame(pilot))


def notices(pilot: Pilot[None]) -> list[str]:
    """What was said."""
    return [one.message for one in pilot.app._notifications]


async def test_a_recording_takes_the_place_of_the_panes_and_gives_it_back() -> None:
    """Claim: same panes, same numbers; nothing is sent while it is shown; Esc brings back what was there."""
    network, shelf = FakeNetwork(), FakeShelf()
    app = make(shelf, network)
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot, "mine")
        await pilot.press("escape", "o")
        assert any("3 panes still stream: X stops all" in one for one in notices(pilot))
        assert [stream.cancelled for stream in network.streams] == [0, 0, 0]
        for stream in network.streams:
            stream.open()
            stream.text("my own answer")
            stream.finish()
        await draw(pilot)
        await play(pilot)
        await at_its_end(pilot)
        rows = "\n".join(frame(pilot))
        assert answer_of(pilot, 1).replace("\n", " ").startswith("".join(WORDS))
        assert "model-3" in rows
        assert "9= tok" in rows
        assert "REPLAY ended" in rows
        assert "0.53 of 0.53 s" not in rows, "the last pane takes 1.53 s"
        assert "1.53 of 1.53 s" in rows
        head = app.compare.board.head
        assert head is not None
        assert head.prompt.text == "Explain race conditions"
        await pilot.press("r", "R", "p", "X", "i", *"again", "enter")
        assert len(network.streams) == 3
        assert any("this is a recording" in one for one in notices(pilot))
        assert app.compare.editor.text == "again", "nothing typed is lost"
        await pilot.press("escape", "escape")
        await wait_until(pilot, lambda: app.compare.player is None)
        assert "my own answer" in answer_of(pilot, 1)
        assert "REPLAY" not in "\n".join(frame(pilot))
        await pilot.press("R")
        assert [one.request.prompt.text for one in network.streams[3:]] == ["mine"] * 3


async def test_going_back_and_forth_in_time() -> None:
    """Claim: it stands still, goes on step by step, back as well, and to any place; a text is never shown twice."""
    network, shelf = FakeNetwork(), FakeShelf(panes=1)
    app = make(shelf, network)
    async with app.run_test(size=(120, 40)) as pilot:
        await play(pilot)
        await at_its_end(pilot)
        whole = "".join(WORDS)
        for fewer in (0, 1, 2, 3):
            await pilot.press("comma")
            text = "".join(WORDS[: len(WORDS) - fewer])
            await wait_until(pilot, partial(holds, pilot, text))
        assert "REPLAY paused" in "\n".join(frame(pilot))
        await pilot.press("full_stop")
        await wait_until(pilot, lambda: app.compare.board.slots[0].state.text.text == "".join(WORDS[:3]))
        player = app.compare.player
        assert player is not None
        assert player.position[0] == pytest.approx(0.32)
        await pilot.press("left_square_bracket")
        await wait_until(pilot, lambda: app.compare.board.slots[0].state.text.text == "")
        await pilot.press("right_square_bracket")
        await wait_until(pilot, lambda: app.compare.board.slots[0].state.text.text == whole)
        await pilot.press("greater_than_sign")
        assert player.playback.speed is None, "there is nothing faster"
        await pilot.press("less_than_sign")
        assert player.playback.speed == SPEEDS[-2]
        await draw(pilot)
        bar = app.compare.replaybar
        await pilot.click(bar, offset=(bar._bar[0] + 1, 0))
        await wait_until(pilot, lambda: app.compare.board.slots[0].state.text.text == "")
        await pilot.press("greater_than_sign", "space")
        await at_its_end(pilot)
        assert answer_of(pilot, 1).replace("\n", " ").startswith(whole)
        assert answer_of(pilot, 1).count("A race") == 1


async def test_the_numbers_follow_steps_that_take_no_time() -> None:
    """Claim: what a step brings shows in the numbers a moment later, however little of the recording's time went by."""
    network, shelf = FakeNetwork(), FakeShelf(panes=1, step_ms=5)
    async with make(shelf, network).run_test(size=(120, 40)) as pilot:
        await play(pilot)
        await at_its_end(pilot)
        await pilot.press("comma", "comma", "comma", "comma")
        await wait_until(pilot, partial(holds, pilot, "".join(WORDS[:2])))
        await pilot.press("full_stop")
        await wait_until(pilot, partial(holds, pilot, "".join(WORDS[:3])))
        network.clock.pass_ms(100)
        await wait_until(pilot, partial(numbers_are_drawn, pilot))


async def test_what_cannot_be_played_is_said() -> None:
    """Claim: a broken file, too many panes, no folder, removing one: each is answered by a sentence or an act."""
    network, shelf = FakeNetwork(), FakeShelf(panes=8, wrong="new.jsonl: line 3 is no recorded fact")
    app = make(shelf, network)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("escape", "o")
        await wait_until(pilot, lambda: app.screen is not app.compare)
        assert "\x1b" not in "".join(frame(pilot))
        await pilot.press("j", "D")
        await wait_until(pilot, lambda: any("D again removes" in row for row in frame(pilot)))
        assert not shelf.gone
        await pilot.press("D", "enter")
        await wait_until(pilot, lambda: any("no recorded fact" in one for one in notices(pilot)))
        assert shelf.gone == ["/runs/old.jsonl"]
        shelf.wrong = ""
        await play(pilot)
        await at_its_end(pilot)
        assert len(app.compare.board.slots) == 6
        assert any("2 more panes" in one for one in notices(pilot))
    app = make_app(network)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("escape", "o", "space", "comma")
        assert any("no folder of recordings" in one for one in notices(pilot))


async def test_a_run_that_cannot_be_recorded_says_so(tmp_path: Path) -> None:
    """Claim: the run goes on, and a notice says once what is wrong and how to mend it."""
    (tmp_path / "runs").write_text("in the way")
    network = FakeNetwork()

    def start_tape(head: RunHead, states: Sequence[PaneState]) -> FileTape:
        return FileTape(head, states, Keeping(tmp_path / "runs"), version="1")

    async with make_app(network, start_tape=start_tape).run_test(size=(80, 24)) as pilot:
        await ask(pilot, "mine")
        for stream in network.streams:
            stream.open()
            stream.text("my own answer")
            stream.finish()
        await wait_until(pilot, lambda: any("could not be recorded" in one for one in notices(pilot)))
        await at_its_end(pilot)
        assert "my own answer" in answer_of(pilot, 1)
        assert sum("could not be recorded" in one for one in notices(pilot)) == 1


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_pictures(picture: SnapshotAssertion, size: tuple[int, int]) -> None:
    """The list, and a recording that stands still in its middle."""
    app = make(FakeShelf(), FakeNetwork())
    async with app.run_test(size=size) as pilot:
        await pilot.press("escape", "o")
        await wait_until(pilot, lambda: app.screen is not app.compare)
        assert app.export_screenshot() == picture(name="list")
        await pilot.press("escape")
        await wait_until(pilot, lambda: app.screen is app.compare)
        await play(pilot)
        await at_its_end(pilot)
        player = app.compare.player
        assert player is not None
        player.playback.pause()
        player.seek(player.playback.start_ns + 700 * MS)
        await wait_until(pilot, lambda: len(app.compare.board.slots[1].state.text) == len("".join(WORDS[:3])))
        await wait_until(pilot, lambda: len(app.compare.board.slots[2].state.text) == len("".join(WORDS[:2])))
        app.compare.editor.cursor_blink = False
        await draw(pilot)
        assert app.export_screenshot() == picture(name="paused")
