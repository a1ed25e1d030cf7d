"""Money on the screen: asked before, refused at the cap, and summed by where the figures come from."""

from decimal import Decimal
from functools import partial
from typing import Any

from textual.pilot import Pilot

from anoman_tui.core.events import ListPriced, Stamped
from anoman_tui.core.request import Params
from anoman_tui.core.target import Target
from tests.ui.fakes import FakeNetwork, wait_until
from tests.ui.scenes import ask, draw, frame, make_app

PAID = ("openai/chat/one", "anthropic/messages/two")


def price(target: Target, input_tokens: int, output_tokens: int) -> Decimal | None:
    """A cent per 100 tokens of output."""
    return None if target.model == "unlisted" else Decimal(output_tokens) / 10_000


def make(network: FakeNetwork, *panes: str, **fields: Any) -> Any:
    """An app with prices."""
    return make_app(network, panes or PAID, **{"price": price, "ask_above": Decimal("0.05"), **fields})


def rows(pilot: Pilot[None]) -> str:
    """All of the screen."""
    return "\n".join(frame(pilot))


async def test_a_send_above_the_threshold_is_asked_about() -> None:
    """Claim: the sentence says how many requests and about how much; Esc sends nothing and keeps the prompt; Enter sends."""
    network = FakeNetwork()
    app = make(network)
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot, "hello")
        await wait_until(pilot, lambda: "Before money is spent" in rows(pilot))
        assert "2 paid requests" in rows(pilot)
        assert "$0.10" in rows(pilot)
        await pilot.press("escape")
        await wait_until(pilot, lambda: app.screen is app.compare)
        assert (network.streams, app.compare.editor.text) == ([], "hello")
        await pilot.press("enter")
        await wait_until(pilot, lambda: app.screen is not app.compare)
        await pilot.press("enter")
        await wait_until(pilot, lambda: len(network.streams) == 2)
        for stream in network.streams:
            stream.open()
            stream.text("hi")
            stream.finish()
        await draw(pilot)
        await pilot.press("escape", "r")
        await wait_until(pilot, lambda: len(network.streams) == 3 or app.screen is not app.compare)
        assert len(network.streams) == 3, "one request of five cents is not above the threshold"


async def test_what_is_free_or_cheap_is_sent_at_once() -> None:
    """Claim: a local pane and a bare base URL cost nothing, and a limit of tokens makes a send cheap."""
    network = FakeNetwork()
    app = make(network, "local_anoman/chat/m", "chat/m@http://127.0.0.1:8080", ask_above=Decimal(0))
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot, "hello")
        assert len(network.streams) == 2
    network = FakeNetwork()
    app = make(network)
    async with app.run_test(size=(120, 40)) as pilot:
        app.compare.board.shared = Params(max_tokens=100)
        await ask(pilot, "hello")
        await wait_until(pilot, lambda: len(network.streams) == 2)


async def test_the_session_has_a_cap_and_its_sum_in_the_title() -> None:
    """Claim: reported and estimated sums stand apart, a retry adds to them, and at the cap nothing more is sent."""
    network = FakeNetwork()
    app = make(network, "anoman/chat/one", "openai/chat/two", ask_above=Decimal(1), cap=Decimal("0.16"))
    async with app.run_test(size=(120, 40)) as pilot:
        assert "session $0= of $0.16" in rows(pilot)
        await ask(pilot, "hello")
        await wait_until(pilot, lambda: len(network.streams) == 2)
        one, two = network.streams
        for stream in (one, two):
            stream.open()
            stream.text("hi")
        one.finish(metadata={"cost_usd": Decimal("0.04")})
        two.finish()
        two.sink.on_events([Stamped(network.clock(), ListPriced(Decimal("0.03")))])
        await draw(pilot)
        assert "session $0.04= $0.03~ of $0.16" in rows(pilot)
        await pilot.press("escape", "1", "r")
        await wait_until(pilot, lambda: len(network.streams) == 3)
        network.streams[2].open()
        network.streams[2].text("hi")
        network.streams[2].finish(metadata={"cost_usd": Decimal("0.05")})
        await draw(pilot)
        assert "session $0.09= $0.03~ of $0.16" in rows(pilot)
        await pilot.press("R")
        await wait_until(pilot, lambda: any("not sent" in one.message for one in app._notifications))
        assert len(network.streams) == 3
        assert "cap of $0.16" in [one.message for one in app._notifications][-1]


def _more_than(network: FakeNetwork, count: int) -> bool:
    return len(network.streams) > count


async def test_a_narrow_title_has_the_sessions_sum() -> None:
    """Claim: where there is no room for both, what the session spent stands in the title in the place of the program's name."""
    network = FakeNetwork()
    app = make(network, "anoman/chat/one", ask_above=Decimal(1), cap=Decimal("40.13"))
    async with app.run_test(size=(80, 24)) as pilot:
        while len(network.streams) < 2:
            before = len(network.streams)
            await ask(pilot, "hello")
            await wait_until(pilot, partial(_more_than, network, before))
            network.streams[-1].open()
            network.streams[-1].text("hi")
            network.streams[-1].finish(metadata={"cost_usd": Decimal("0.00064575")})
            await draw(pilot)
        assert "cost $0.00064575=" in frame(pilot)[0]
        assert "session $0.00129150= of $40.13" in frame(pilot)[0]
