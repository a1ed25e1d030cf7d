"""Pictures of the screen at three sizes, with a clock that stands still."""

from collections.abc import Awaitable, Callable

import pytest
from textual.pilot import Pilot

from tests.ui.fakes import FakeNetwork
from tests.ui.scenes import SIX, THREE, end_mixed, make_app, stream, the_app

Compare = Callable[..., bool]
SIZES = [(80, 24), (120, 40), (200, 60)]


def note() -> str:
    """What the embedded gateway would say."""
    return "engine: SmolLM2 135M on llama.cpp, one thread"


def scene(name: str, network: FakeNetwork) -> Callable[[Pilot[None]], Awaitable[None]]:
    """Bring the app into the named state."""

    async def run(pilot: Pilot[None]) -> None:
        the_app(pilot).compare.editor.cursor_blink = False
        if name != "idle":
            await stream(pilot, network)
        if name in ("done", "help"):
            await end_mixed(pilot, network)
            await pilot.press("escape", "2")
        if name == "help":
            await pilot.press("f1")
        await pilot.pause()

    return run


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", ["idle", "streaming", "done", "help"])
def test_screen(snap_compare: Compare, name: str, size: tuple[int, int]) -> None:
    """Idle, streaming, mixed outcomes and the keys."""
    network = FakeNetwork()
    app = make_app(network, THREE, gateway_note=note)
    assert snap_compare(app, terminal_size=size, run_before=scene(name, network))


def test_six_panes(snap_compare: Compare) -> None:
    """Six panes on a large screen."""
    network = FakeNetwork()
    assert snap_compare(make_app(network, SIX), terminal_size=(200, 60), run_before=scene("streaming", network))


@pytest.mark.parametrize("theme", ["amber", "contrast", "orchid", "paper", "signal"])
def test_theme(snap_compare: Compare, theme: str) -> None:
    """Each theme with mixed outcomes."""
    network = FakeNetwork()
    app = make_app(network, THREE, theme=theme, gateway_note=note)
    assert snap_compare(app, terminal_size=(108, 32), run_before=scene("done", network))


def test_too_small(snap_compare: Compare) -> None:
    """Below the least size a sentence stands in place of the panes."""
    network = FakeNetwork()
    assert snap_compare(make_app(network), terminal_size=(50, 10), run_before=scene("streaming", network))
