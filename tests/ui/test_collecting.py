"""The garbage collector and streams."""

import gc
from collections.abc import Iterator

import pytest

from anoman_tui.ui import collecting
from tests.ui.fakes import FakeNetwork
from tests.ui.scenes import ask, make_app


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    """Whatever a test does, the collector works afterwards."""
    yield
    gc.enable()


async def test_the_collector_rests_while_answers_stream() -> None:
    """Claim: it is off from the first frame of a run until the last stream has ended, and on again when the screen goes."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(102, 26)) as pilot:
        assert gc.isenabled()
        await ask(pilot)
        for one in network.streams:
            one.open()
        app.compare.frame()
        during = gc.isenabled()
        for one in network.streams:
            one.cut()
        app.compare.frame()
        after = gc.isenabled()
        await ask(pilot)
        network.streams[-1].open()
        app.compare.frame()
        again = gc.isenabled()
    assert (during, after, again, gc.isenabled()) == (False, True, False, True)


def test_a_bound_keeps_garbage_from_growing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: with very many new objects the young ones are collected in spite of streams, and never the old ones."""
    collected: list[int] = []
    monkeypatch.setattr(gc, "collect", collected.append)
    monkeypatch.setattr(gc, "get_count", lambda: (collecting.MOST_OBJECTS, 0, 0))
    collecting.pace(streaming=True)
    assert collected == []
    monkeypatch.setattr(gc, "get_count", lambda: (collecting.MOST_OBJECTS + 1, 0, 0))
    collecting.pace(streaming=True)
    assert (collected, gc.isenabled()) == ([0], False)
    collecting.pace(streaming=False)
    assert gc.isenabled()
