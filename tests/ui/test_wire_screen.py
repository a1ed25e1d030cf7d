"""The wire lanes on the screen: what they show, how one walks through them, and that they live."""

import pytest
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot
from textual.widgets import Static

from anoman_tui.core.events import BodyRead, ErrorInfo, ErrorReported, FailureKind
from anoman_tui.ui.screens.frame import FrameScreen
from anoman_tui.ui.screens.help import HelpScreen
from anoman_tui.ui.screens.wire import WireScreen
from anoman_tui.ui.wire.model import AT_ONCE
from tests.ui.fakes import FakeNetwork, FakeStream, wait_until
from tests.ui.scenes import SIX, THREE, ask, draw, frame, make_app, the_app
from tests.ui.test_snapshots import SIZES, picture  # noqa: F401  a fixture

HELLO = '{"choices":[{"index":0,"delta":{"content":"%s"}}]}'


def arrive(stream: FakeStream, *frames: str, event: str = "") -> None:
    """Frames of one read arrive now."""
    name = f"event: {event}\n" if event else ""
    data = "".join(f"{name}data: {one}\n\n" for one in frames).encode()
    stream.sink.on_read(stream.clock(), data)
    stream.push(BodyRead(len(data)))


def comment(stream: FakeStream, text: str) -> None:
    """A comment arrives now."""
    stream.sink.on_read(stream.clock(), f": {text}\n\n".encode())


async def scene(pilot: Pilot[None], network: FakeNetwork) -> None:
    """A chat that streams, a Responses stream that is silent, and a Messages stream whose frames came at once."""
    await ask(pilot)
    clock = network.clock
    for one in network.streams:
        one.open(content_type="text/event-stream")
    chat, responses, messages = network.streams[:3]
    clock.pass_ms(300)
    arrive(chat, '{"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}')
    arrive(responses, '{"type":"response.created","sequence_number":0}', event="response.created")
    for at, word in enumerate(("A", " race", " condition", " is", " a", " bug\\nwhere", " the", " result", " depends")):
        clock.pass_ms(23)
        arrive(chat, HELLO % word)
        if at == 3:
            comment(chat, "keep-alive")
        if at < 3:
            arrive(
                responses,
                f'{{"type":"response.output_text.delta","sequence_number":{at + 1},"delta":"{word}"}}',
                event="response.output_text.delta",
            )
    clock.pass_ms(400)
    delta = '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"%s"}}'
    arrive(messages, *(delta % word for word in ("All", " at", " once", " 漢字", ".")), event="content_block_delta")
    arrive(chat, '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":9}}', "[DONE]")
    for one in network.streams[3:]:
        arrive(one, '{"error":{"message":"overloaded, try later","code":"overloaded_error"}}')
        one.push(ErrorReported(ErrorInfo(FailureKind.STREAM, "overloaded, try later")))
    chat.finish(9)
    await draw(pilot)


async def lanes(pilot: Pilot[None], *keys: str) -> WireScreen:
    """Open the wire lanes by these keys, from the prompt where there are none."""
    await pilot.press(*(keys or ("escape", "w")))
    app = the_app(pilot)
    await wait_until(pilot, lambda: isinstance(app.screen, WireScreen) and "wire lanes" in frame(pilot)[0])
    await pilot.pause()
    assert isinstance(app.screen, WireScreen)
    return app.screen


def place(screen: WireScreen) -> tuple[int, int, bool]:
    """The row in the first line, that of the keys, and whether the end is followed."""
    return screen.view.top, screen.view.row, screen.view.follow


def text(pilot: Pilot[None]) -> str:
    """All that is on the screen."""
    return "\n".join(frame(pilot))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_pictures(picture: SnapshotAssertion, size: tuple[int, int]) -> None:  # noqa: F811
    """All panes where there is room, one alone where there is not, a frame in full, and finding."""
    network = FakeNetwork()
    app = make_app(network, THREE if size[0] < 200 else SIX)
    async with app.run_test(size=size) as pilot:
        await scene(pilot, network)
        await lanes(pilot)
        assert app.export_screenshot() == picture(name="lanes")
        await pilot.press("slash", *"race", "enter")
        await pilot.pause()
        assert app.export_screenshot() == picture(name="found")
        await pilot.press("slash", *"finish_reason", "enter", "enter")
        await wait_until(pilot, lambda: isinstance(app.screen, FrameScreen) and "came in read" in text(pilot))
        assert app.export_screenshot() == picture(name="frame")


async def test_walking_and_opening() -> None:
    """Rows line up, keys move and follow, a frame opens and steps to its neighbours, and Esc stops nothing."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(120, 20)) as pilot:
        await scene(pilot, network)
        screen = await lanes(pilot)
        rows = screen.wire.rows
        assert place(screen)[1:] == (len(rows) - 1, True)
        await pilot.press("g")
        line = next(row for row in frame(pilot) if "response.created" in row)
        assert "role assistant" in line
        assert place(screen) == (0, 0, False)
        await pilot.press("j", "j", "l")
        assert (place(screen)[1], screen.pane) == (2, 1)
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(app.screen, FrameScreen) and "Pane 2" in text(pilot))
        await wait_until(pilot, lambda: "came in read 2" in text(pilot))
        assert '"sequence_number": 1' in text(pilot)
        await pilot.press("right")
        await wait_until(pilot, lambda: '"sequence_number": 2' in text(pilot))
        await pilot.press("v")
        await wait_until(pilot, lambda: '"sequence_number":2' in text(pilot))
        await pilot.press("escape", "G")
        await wait_until(pilot, lambda: app.screen is screen and place(screen)[2])
        await pilot.press("b")
        assert not place(screen)[2]
        await pilot.press("space", "space")
        assert place(screen)[2]
        await pilot.press("escape")
        await wait_until(pilot, lambda: app.screen is app.compare)
        assert app.compare.stage.watch is None
        assert app.compare.is_current
        assert not any(one.cancelled for one in network.streams)


async def test_finding_filtering_and_one_pane_alone() -> None:
    """A text is found in time order in all columns, kinds and texts leave rows out, digits and z show a pane alone."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(120, 40)) as pilot:
        await scene(pilot, network)
        screen = await lanes(pilot)
        wire, view = screen.wire, screen.view
        await pilot.press("g", "slash", *"race")
        await wait_until(pilot, lambda: "/race 1 of 2" in text(pilot))
        await pilot.press("enter", "n")
        assert view.row == wire.rows.row_of(1, 3)
        before = view.row
        await pilot.press("n", "N")
        assert view.row == before
        await pilot.press("slash", "escape", "n")
        assert not wire.query
        everything = len(wire.rows)
        await pilot.press("f")
        assert "only all but deltas" in text(pilot)
        assert "condition" not in text(pilot)
        assert "finish stop" in text(pilot)
        await pilot.press("f", "f")
        assert [wire.rows.columns[0].entries[at].kind for at in wire.rows.columns[0].passed] == ["comment", "gap"]
        await pilot.press("f", "ampersand", *"once")
        await wait_until(pilot, lambda: len(wire.rows) == 1)
        await pilot.press("enter", "ampersand", *"zzz", "enter")
        await wait_until(pilot, lambda: "nothing passes the filter" in text(pilot))
        await pilot.press("enter", "ampersand", "escape")
        assert len(wire.rows) == everything
        await pilot.press("3")
        assert list(wire.shown) == [2]
        assert "pane 3 alone" in text(pilot)
        assert "╭" in text(pilot)
        await pilot.press("3", "1", "z")
        assert list(wire.shown) == [0, 1, 2]
        await pilot.resize_terminal(80, 24)
        await wait_until(pilot, lambda: list(wire.shown) == [0])
        await pilot.press("h")
        await wait_until(pilot, lambda: list(wire.shown) == [2])
        await pilot.press("c")
        assert wire.own_clocks
        await pilot.press("f1")
        await wait_until(pilot, lambda: isinstance(app.screen, HelpScreen))
        sheet = str(app.screen.query_one(Static).content)
        assert sheet.startswith("In the wire lanes")
        assert "Show the pane of that number alone" in sheet


async def test_it_lives_and_a_new_run_begins_anew() -> None:
    """Frames show up while they come, also those that a rule forbids; a silence is told; reading above, one is told of new ones."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(120, 14)) as pilot:
        screen = await lanes(pilot)
        assert "nothing was sent yet" in text(pilot)
        assert "READY" in text(pilot)
        await pilot.press("escape", "i")
        await ask(pilot)
        screen = await lanes(pilot)
        wire = screen.wire
        for one in network.streams:
            one.open(content_type="text/event-stream")
        arrive(network.streams[2], '{"type":"message_start","message":{"id":"m"}}', event="message_start")
        stray = '{"type":"content_block_delta","index":4,"delta":{"type":"text_delta","text":"x"}}'
        arrive(network.streams[2], stray, event="content_block_delta")
        await draw(pilot)
        assert "message_start" in text(pilot)
        assert not app.compare.is_current  # nothing is drawn below
        for _ in range(12):
            network.clock.pass_ms(20)
            arrive(network.streams[0], HELLO % "again")
        network.clock.pass_ms(900)
        await draw(pilot)
        await wait_until(pilot, lambda: "silent for 900 ms" in text(pilot))
        assert "▸1" in text(pilot)
        await pilot.press("k", "k")
        for _ in range(3):
            network.clock.pass_ms(20)
            arrive(network.streams[0], HELLO % "more")
        await draw(pilot)
        await wait_until(pilot, lambda: "new frames" in text(pilot))
        for one in network.streams:
            one.finish()
        await draw(pilot)
        screen = await lanes(pilot, "escape", "R", "w")
        wire = screen.wire
        assert len(network.streams) == 6
        network.last(3)[0].open(content_type="text/event-stream")
        await draw(pilot)
        assert [entry.kind for entry in wire.rows.columns[0].entries] == ["head"]


async def test_a_long_run_is_caught_up_with_in_steps() -> None:
    """Opened late, it takes a bounded part at a time, and only what is in view is laid out."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(120, 30)) as pilot:
        await ask(pilot)
        for one in network.streams:
            one.open(content_type="text/event-stream")
        data = f"data: {HELLO % 'word'}\n\n".encode()
        for _ in range(3 * AT_ONCE):
            network.clock.pass_ms(1)
            network.streams[0].sink.on_read(network.clock(), data)
        await draw(pilot)
        screen = await lanes(pilot)
        await wait_until(pilot, lambda: len(screen.wire.rows) == 3 * AT_ONCE + 1)
        await wait_until(pilot, lambda: screen.view.row == 3 * AT_ONCE)
        assert len(screen.view._painter._strips) < 200
