"""Pictures of judging at three sizes: hidden, all in, the vote, what it reveals, the win rates, and the word diff."""

import pytest
from syrupy.assertion import SnapshotAssertion

from anoman_tui.core.stats import Vote
from anoman_tui.ui.screens.diff import DiffScreen
from anoman_tui.ui.screens.rates import RatesScreen
from tests.ui.fakes import FakeNetwork, wait_until
from tests.ui.scenes import ANSWER, METADATA, THREE, UPSTREAM_ERROR, ask, frame, make_app
from tests.ui.test_blind import backwards
from tests.ui.test_snapshots import SIZES, picture, shot
from tests.ui.test_voting import Votes, a_vote, moment

__all__ = ["picture"]

OTHER = ANSWER.replace("a bug where", "an error in which").replace("small random wait", "pause").replace("one step", "a single step")


def votes() -> list[Vote]:
    """Enough of them to say something of one model."""
    return [a_vote("abc", 0)] * 14 + [a_vote("abc", 1)] * 4 + [a_vote("abc", 0, 2)] * 2 + [a_vote("abd")]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_judging(picture: SnapshotAssertion, size: tuple[int, int]) -> None:
    """One app is led from the hidden names to the win rates."""
    network = FakeNetwork()
    app = make_app(network, THREE, shuffle=backwards, votes=Votes(votes()), wall_clock=moment, gateway_note=lambda: "engine: a model")
    async with app.run_test(size=size) as pilot:
        await pilot.press("escape", "b")
        assert await shot(pilot) == picture(name="idle")
        await ask(pilot)
        for one in network.streams:
            one.open()
        network.streams[0].text(ANSWER)
        network.streams[0].finish(96, METADATA)
        app.compare.frame()
        assert await shot(pilot) == picture(name="waiting")
        network.clock.pass_ms(900)
        network.streams[1].text(ANSWER[:120])
        network.streams[1].fail(UPSTREAM_ERROR)
        network.streams[2].text(OTHER)
        network.streams[2].finish(99)
        app.compare.frame()
        await pilot.press("escape", "3")
        assert await shot(pilot) == picture(name="ready")
        await pilot.press("V", "t", "2")
        assert await shot(pilot) == picture(name="tie")
        await pilot.press("escape", "3")
        await pilot.pause()
        assert await shot(pilot) == picture(name="revealed")
        await pilot.press("V")
        await wait_until(pilot, lambda: isinstance(app.screen, RatesScreen))
        await wait_until(pilot, lambda: any("votes:" in row for row in frame(pilot)))
        assert await shot(pilot) == picture(name="rates")
        await pilot.press("escape", "1", "equals_sign", "3", "d")
        await wait_until(pilot, lambda: isinstance(app.screen, DiffScreen))
        await wait_until(pilot, lambda: any("words the same" in row for row in frame(pilot)))
        await pilot.press("n")
        assert await shot(pilot) == picture(name="diff")
