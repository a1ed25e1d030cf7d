"""One request sent twice, and the bundle for a ticket."""

from pathlib import Path

import pytest
from pytest_textual_snapshot import SVGImageExtension
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from anoman_tui.core.events import ServedJson
from anoman_tui.core.request import HttpRequest, Secret
from anoman_tui.core.target import Auth
from tests.ui.fakes import FakeNetwork, FakeStream, wait_until
from tests.ui.scenes import METADATA, ask, draw, frame, make_app, the_app
from tests.ui.test_snapshots import SIZES

KEY = "sk-this-is-a-secret-key"


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """Compares SVG pictures by their names."""
    return snapshot.use_extension(SVGImageExtension)


def rows(pilot: Pilot[None]) -> str:
    """All of the screen."""
    return "\n".join(frame(pilot))


async def answer(pilot: Pilot[None], network: FakeNetwork, stream: FakeStream, text: str = "Hello there.") -> None:
    """Let one stream answer whole."""
    stream.open()
    network.clock.pass_ms(200)
    stream.text(text)
    network.clock.pass_ms(100)
    stream.finish(9, METADATA)
    await draw(pilot)


async def answer_as_json(pilot: Pilot[None], network: FakeNetwork, stream: FakeStream, hit: bool) -> None:
    """Let one stream answer by a JSON document."""
    stream.open(content_type="application/json")
    network.clock.pass_ms(30)
    stream.push(ServedJson())
    stream.text("Hello there.")
    stream.finish(9, METADATA | {"cache": {"hit": hit}})
    await draw(pilot)


async def test_the_stream_twin_is_compared_with_the_pane() -> None:
    """Claim: the same request goes out once more without streaming; the sheet waits for it, and no pane changes."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("escape", "W")
        assert any("nothing was sent yet" in one.message for one in app._notifications)
        await ask(pilot)
        await pilot.press("escape", "W")
        assert any("still streams" in one.message for one in app._notifications)
        for stream in network.streams:
            await answer(pilot, network, stream)
        await pilot.press("W")
        await wait_until(pilot, lambda: "the second request runs" in rows(pilot))
        second = network.streams[3]
        assert second.request.stream is False
        assert (second.request.prompt, second.request.target) == (network.streams[0].request.prompt, network.streams[0].request.target)
        await answer_as_json(pilot, network, second, hit=False)
        await wait_until(pilot, lambda: "the same with and without streaming" in rows(pilot))
        assert "served as" in rows(pilot)
        await pilot.press("escape")
        await wait_until(pilot, lambda: app.screen is app.compare)
        board = app.compare.board
        assert not board.beside
        assert [slot.state.served_json for slot in board.slots if slot.state is not None] == [False] * 3
        await wait_until(pilot, lambda: not app.compare.board.expecting)


async def test_the_pair_says_whether_a_cache_was_hit_and_esc_stops_it() -> None:
    """Claim: the warm request is the same one; leaving before its end closes its connection."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        for stream in network.streams:
            await answer(pilot, network, stream)
        await pilot.press("escape", "H")
        await wait_until(pilot, lambda: len(network.streams) == 4)
        assert network.streams[3].request == network.streams[0].request
        await answer_as_json(pilot, network, network.streams[3], hit=True)
        await wait_until(pilot, lambda: "the gateway's cache answered the warm request" in rows(pilot))
        await pilot.press("escape")
        await wait_until(pilot, lambda: app.screen is app.compare)
        await pilot.press("H")
        await wait_until(pilot, lambda: len(network.streams) == 5)
        network.streams[4].open()
        await pilot.press("escape")
        await wait_until(pilot, lambda: network.streams[4].cancelled == 1)


async def test_the_bundle_is_copied_and_written_without_the_key(tmp_path: Path) -> None:
    """Claim: it holds the request id, the verdict and the command, and never the key."""
    network = FakeNetwork()
    app = make_app(network, state_dir=tmp_path, version="1.2.3")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("escape", "B")
        assert any("nothing was sent yet" in one.message for one in app._notifications)
        await ask(pilot)
        stream = network.streams[0]
        request = HttpRequest("POST", "http://h/v1/chat/completions", {"x-team": "blue"}, {"model": "m"}, Auth.BEARER, Secret(KEY))
        stream.sink.on_request(0, request)
        stream.sink.on_read(1, f"data: {KEY}\n\n".encode())
        stream.open(x_request_id="req_8f2c1b77")
        stream.cut()
        await draw(pilot)
        await pilot.press("escape", "B")
        folder = tmp_path / "exports"
        await wait_until(pilot, lambda: folder.is_dir() and any(folder.iterdir()))
        (file,) = folder.iterdir()
        for text in (file.read_text(), app.clipboard):
            assert "req_8f2c1b77" in text
            assert "1.2.3" in text
            assert "curl" in text
            assert KEY not in text
        assert file.name.startswith("bundle-")
        assert file.name.endswith("-pane-1.md")
        await pilot.press("Y")
        await wait_until(pilot, lambda: the_app(pilot).screen is not app.compare)
        await pilot.press("k", "enter")
        await wait_until(pilot, lambda: app.screen is app.compare)
        assert any("no folder" in one.message or "open" in one.message for one in app._notifications), "the last entry passes the run on"


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_pictures(picture: SnapshotAssertion, size: tuple[int, int]) -> None:
    """A twin that differs."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=size) as pilot:
        await ask(pilot)
        for stream in network.streams:
            await answer(pilot, network, stream)
        await pilot.press("escape", "W")
        await wait_until(pilot, lambda: len(network.streams) == 4)
        await answer_as_json(pilot, network, network.streams[3], hit=True)
        await wait_until(pilot, lambda: "they differ in" in rows(pilot))
        app.clear_notifications()
        await draw(pilot)
        assert app.export_screenshot() == picture
