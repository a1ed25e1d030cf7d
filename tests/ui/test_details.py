"""The sheet of numbers: what it says, how it fits, and that it lives."""

from dataclasses import replace
from decimal import Decimal

import pytest
from rich.cells import cell_len

from anoman_tui.core.events import HeadersReceived, Stamped
from anoman_tui.core.metrics import timing
from anoman_tui.core.pane import PaneState, fold
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.target import parse_pane
from anoman_tui.ui.cells import plain_text
from anoman_tui.ui.details import details
from anoman_tui.ui.details.facts import lay
from anoman_tui.ui.details.sections import TIMES
from anoman_tui.ui.screens.details import DetailsScreen
from tests.ui.fakes import FakeNetwork, wait_until
from tests.ui.scenes import METADATA, ask, draw, frame, make_app, stream

TARGET = parse_pane("anoman/chat/claude-sonnet-4-6", BUILT_IN)


def sheet(state: PaneState | None, width: int = 100) -> str:
    """The sheet as bare text."""
    rows, _ = lay(details(TARGET, state, 0), width)
    return plain_text(rows)


def test_every_time_of_the_run_document_has_a_definition() -> None:
    """A time that is measured is also explained."""
    told = {field for _, field, _ in TIMES} | {"tpot_ms", "output_tps"}
    assert told == set(timing(PaneState(TARGET)).__dataclass_fields__) - {"clock", "degraded"}


def test_an_idle_pane_says_where_it_will_send() -> None:
    """Before the first prompt there are the target, the words on stopping, and the marks."""
    text = sheet(None)
    assert "Nothing was sent yet" in text
    assert TARGET.url in text
    assert "Anoman cancels" in text
    assert "our estimate" in text


def test_secrets_are_not_shown_and_metadata_is_verbatim() -> None:
    """Fields that nobody knows are there too; a cookie is not."""
    head = (("set-cookie", "hush"), ("x-request-id", "req_1"))
    state = fold(PaneState(TARGET), [Stamped(5, HeadersReceived(200, head))])
    state = replace(state, metadata={**METADATA, "new": {"list": [1, {"deep": None}]}}, list_usd=Decimal("0.00005"), served_model="other")
    text = sheet(state)
    assert "hush" not in text
    for wanted in ("guardrails.pii.score", "new.list.1.deep", "null", "$0.000041=", "$0.00005~", "req_1", "1 that may hold"):
        assert wanted in text, wanted
    for wanted in ("other≠", "contradicted: other was served", "cost_usd of the gateway's metadata", "no usage came yet"):
        assert wanted in " ".join(text.split()), wanted


@pytest.mark.parametrize("width", [20, 44, 68, 102])
def test_no_row_is_too_wide(width: int) -> None:
    """Whatever a server sends, in wide letters too."""
    wild = {"漢" * 80: {"b" * 300: "漢字" * 300}, "n": Decimal("9" * 40), "empty": {}, "e": ""}
    state = replace(PaneState(TARGET), metadata=wild, headers=(("x" * 90, "y" * 900),), finish_reason="👩‍👩‍👧" * 50)
    rows, places = lay(details(TARGET, state, 0), width)
    if width >= 60:
        assert max(cell_len(row) for row in plain_text(rows).split("\n")) <= width
    assert {"ttft_ms", "output_tokens", "cost", "gateway", "elapsed"} <= set(places)


async def test_m_and_clicks_open_the_numbers_which_live() -> None:
    """`m` opens them, a click goes to what was clicked, they follow the stream, and Esc stops nothing."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(102, 26)) as pilot:
        await stream(pilot, network)
        await pilot.press("escape", "m")
        await wait_until(pilot, lambda: isinstance(app.screen, DetailsScreen))
        await wait_until(pilot, lambda: any("response head" in row for row in frame(pilot)))
        network.streams[0].finish(96, METADATA)
        await draw(pilot)
        await wait_until(pilot, lambda: any("DONE" in row for row in frame(pilot)))
        await pilot.press("G")
        await wait_until(pilot, lambda: any("contradicted" in row for row in frame(pilot)))
        await pilot.press("g", "j", "k", "space", "b", "escape")
        await wait_until(pilot, lambda: app.screen is app.compare)
        assert [one.cancelled for one in network.streams] == [0, 0, 0]
        at = frame(pilot)[3].index("~t ", 35) - 34
        await pilot.click("#pane-2 .pane-meta", offset=(at, 1))
        await wait_until(pilot, lambda: any("▸ output" in row for row in frame(pilot)))
        await pilot.press("q")
        await wait_until(pilot, lambda: app.screen is app.compare)
        assert app.compare.stage.current == 1


async def test_a_click_on_a_lane_explains_its_number() -> None:
    """Lanes carry numbers too."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(80, 24)) as pilot:
        await ask(pilot)
        await draw(pilot)
        at = frame(pilot)[3].index("tok")
        await pilot.click("#lanes", offset=(at, 2))
        await wait_until(pilot, lambda: any("▸ output" in row for row in frame(pilot)))
        assert app.compare.stage.current == 2
