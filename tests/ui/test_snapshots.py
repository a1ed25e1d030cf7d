"""Pictures of the screen at three sizes, with a clock that stands still. One app is led through several states."""

from collections.abc import Sequence

import pytest
from pytest_textual_snapshot import SVGImageExtension
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from tests.ui.fakes import FakeNetwork, wait_until
from tests.ui.scenes import METADATA, SIX, THREE, draw, end_mixed, frame, make_app, race, stream, the_app

SIZES = [(80, 24), (120, 40), (200, 60)]
THEMES = ("amber", "contrast", "orchid", "paper", "signal")


@pytest.fixture
def picture(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """Compares SVG pictures by their names."""
    return snapshot.use_extension(SVGImageExtension)


def note() -> str:
    """What the embedded gateway would say."""
    return "engine: SmolLM2 135M on llama.cpp, one thread"


async def shot(pilot: Pilot[None]) -> str:
    """A picture without what changes by itself."""
    app = the_app(pilot)
    app.compare.editor.cursor_blink = False
    app.clear_notifications()
    await draw(pilot)
    return app.export_screenshot()


async def overlay(pilot: Pilot[None], keys: Sequence[str], shown: str) -> str:
    """A picture of what these keys open; Esc closes it again."""
    app = the_app(pilot)
    await pilot.press(*keys)
    await wait_until(pilot, lambda: any(shown in row for row in frame(pilot)))
    taken = await shot(pilot)
    await pilot.press("escape")
    await wait_until(pilot, lambda: app.screen is app.compare)
    return taken


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_screen(picture: SnapshotAssertion, size: tuple[int, int]) -> None:
    """Idle, streaming, mixed outcomes, the race in the lanes, finding, and what lies over the screen."""
    network = FakeNetwork()
    app = make_app(network, THREE, gateway_note=note)
    async with app.run_test(size=size) as pilot:
        assert await shot(pilot) == picture(name="idle")
        await stream(pilot, network)
        assert await shot(pilot) == picture(name="streaming")
        await end_mixed(pilot, network)
        await pilot.press("escape", "2")
        assert await shot(pilot) == picture(name="done")
        assert await overlay(pilot, ["f1"], "In a pane") == picture(name="help")
        assert await overlay(pilot, ["1", "m"], "first token") == picture(name="numbers")
        assert await overlay(pilot, ["Y"], "This pane as JSON") == picture(name="copy-menu")
        await pilot.press("slash", *"the")
        assert await shot(pilot) == picture(name="find")


async def test_race_in_the_lanes(picture: SnapshotAssertion) -> None:
    """Where there are no rows for it."""
    network = FakeNetwork()
    async with make_app(network, THREE).run_test(size=(80, 24)) as pilot:
        await race(pilot, network)
        await pilot.press("escape", "T")
        assert await shot(pilot) == picture
        await pilot.resize_terminal(120, 40)
        assert await shot(pilot) == picture(name="rows")


async def test_serial(picture: SnapshotAssertion) -> None:
    """One pane streams, and two wait."""
    network = FakeNetwork()
    app = make_app(network, THREE)
    async with app.run_test(size=(108, 26)) as pilot:
        await pilot.press("escape", "p", "i", *"hello", "enter")
        network.streams[0].open()
        network.streams[0].text("Hello")
        assert await shot(pilot) == picture


async def test_six_panes(picture: SnapshotAssertion) -> None:
    """Six panes on a large screen."""
    network = FakeNetwork()
    async with make_app(network, SIX).run_test(size=(200, 60)) as pilot:
        await stream(pilot, network)
        assert await shot(pilot) == picture


async def test_themes(picture: SnapshotAssertion) -> None:
    """Each theme with mixed outcomes."""
    network = FakeNetwork()
    app = make_app(network, THREE, gateway_note=note)
    async with app.run_test(size=(108, 32)) as pilot:
        await stream(pilot, network)
        await end_mixed(pilot, network)
        await pilot.press("escape", "2")
        for theme in THEMES:
            app.theme = theme
            await pilot.pause()
            assert await shot(pilot) == picture(name=theme)


async def test_too_small(picture: SnapshotAssertion) -> None:
    """Below the least size a sentence stands in place of the panes."""
    network = FakeNetwork()
    async with make_app(network).run_test(size=(50, 10)) as pilot:
        await stream(pilot, network)
        network.streams[0].finish(96, METADATA)
        assert await shot(pilot) == picture
