"""While names are hidden, nothing on the screen tells whose an answer is."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import pytest
from textual.binding import Binding
from textual.pilot import Pilot

from anoman_tui.core.events import ErrorInfo, FailureKind, RefusalDelta
from anoman_tui.ui.app import AnomanApp
from anoman_tui.ui.blind import REFUSED
from anoman_tui.ui.judging import Stage
from anoman_tui.ui.screens.compare import CompareScreen
from anoman_tui.ui.screens.help import HelpScreen
from anoman_tui.ui.widgets.pane import Pane
from tests.ui.fakes import FakeNetwork, wait_until
from tests.ui.scenes import answer_of, ask, draw, frame, make_app, the_app

PANES = (
    "chat/zebra-model@http://quagga-host.example:8081/v1",
    {"pane": "anypath/responses/okapi-model", "temperature": 0.77, "system": "be an ibex"},
    "openrouter/messages/tapir/tapir-model",
)
TOLD = ("zebra", "quagga", "okapi", "tapir", "anypath", "openrouter", "responses", "messages", "0.77", "ibex")
"""Of the targets."""
CAME = (
    "98765",
    "98k",
    "0.4242",
    "req_lemur",
    "moth-region",
    "gnat_guard",
    "bison broke",
    "weevil",
    "finish reason",
    "7.7",
    "eland reasoned",
)
"""Of what the servers sent, and of its times."""
METADATA: dict[str, Any] = {
    "guardrails": {"gnat_guard": {"status": "pass", "score": Decimal("0.02")}},
    "routing": {"mode": "auto", "region": "moth-region"},
    "cost_usd": Decimal("0.4242"),
}
ERROR = ErrorInfo(FailureKind.HTTP, "bison broke at okapi", type="weevil", http_status=529, request_id="req_lemur")


def backwards(slots: list[Any]) -> None:
    """An order of chance that a test knows."""
    slots.reverse()


def hidden_app(network: FakeNetwork, **fields: Any) -> AnomanApp:
    """An app over panes whose names stand nowhere else."""
    return make_app(network, PANES, shuffle=backwards, gateway_note=lambda: "engine: okapi", **fields)


def betrayals(app: AnomanApp, pilot: Pilot[None]) -> list[str]:
    """All that tells, in the rows of the screen, in notices and in titles."""
    rows = [*frame(pilot), *(str(one.message) for one in app._notifications), app.title, app.sub_title]
    return [f"{word} in {row.strip()}" for row in rows for word in (*TOLD, *CAME) if word in row.lower()]


def notices(app: AnomanApp) -> list[str]:
    """What was shown as notices."""
    return [str(one.message) for one in app._notifications]


def texts(pilot: Pilot[None], count: int = 3) -> list[str]:
    """What the panes hold."""
    return [answer_of(pilot, number).replace("\n", " ") for number in range(1, count + 1)]


def stage_of(app: AnomanApp) -> Stage:
    """How far judging has come."""
    return app.compare.judging.stage


async def begin(network: FakeNetwork, pilot: Pilot[None]) -> None:
    """Ask blind; every pane streams, each at its own pace."""
    await pilot.press("escape", "b")
    await ask(pilot, "Who are you?")
    for at, one in enumerate(network.streams):
        one.open(x_request_id="req_lemur")
        network.clock.pass_ms(7_700)
        one.reason("eland reasoned")
        for _ in range(at + 1):
            one.text("some words ")
    await draw(pilot)
    app = the_app(pilot)
    app.compare.frame()


async def end(network: FakeNetwork, pilot: Pilot[None]) -> None:
    """One completes, one fails, one is cut."""
    first, second, third = network.streams[-3:]
    first.finish(98_765, METADATA)
    second.fail(ERROR)
    third.cut()
    the_app(pilot).compare.frame()
    await draw(pilot)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_no_row_tells_who_answers(size: tuple[int, int]) -> None:
    """Claim: idle, streaming, one in, all ended, zoomed, in lanes, resized; and the same words are there once blind ends."""
    network = FakeNetwork()
    app = hidden_app(network)
    async with app.run_test(size=size) as pilot:
        assert betrayals(app, pilot)
        await pilot.press("escape", "b")
        await draw(pilot)
        assert betrayals(app, pilot) == []
        await pilot.press("b")
        await begin(network, pilot)
        assert betrayals(app, pilot) == []
        assert all("answers are shown together: 0 of 3 in" in text for text in texts(pilot))
        network.streams[1].fail(ERROR)
        app.compare.frame()
        await draw(pilot)
        assert betrayals(app, pilot) == []
        assert all("1 of 3 in" in text for text in texts(pilot)), "an answer that failed is told no sooner than the others"
        network.streams[0].finish(98_765, METADATA)
        network.streams[2].cut()
        app.compare.frame()
        for keys in ((), ("escape",), ("z",), ("z", "vertical_line"), ("2",), ("vertical_line", "3"), ("t",), ("v",)):
            await pilot.press(*keys)
            await draw(pilot)
            assert betrayals(app, pilot) == [], keys
        for other in ((100, 30), (60, 12), (50, 10), size):
            await pilot.resize_terminal(*other)
            await draw(pilot)
            assert betrayals(app, pilot) == [], other
        await pilot.press("b")
        await draw(pilot)
        assert betrayals(app, pilot)


def keys_of(bindings: Iterable[object]) -> list[tuple[str, str]]:
    """Each binding's first key, and what it does."""
    return [(one.key.split(",")[0], one.action) for one in bindings if isinstance(one, Binding)]


@pytest.mark.parametrize("ready", [False, True], ids=["waiting", "ready"])
async def test_no_key_tells_who_answers(ready: bool) -> None:
    """Claim: whatever key is pressed, no overlay, notice or row tells; what could is refused in one sentence, and nothing is lost by it."""
    network = FakeNetwork()
    app = hidden_app(network)
    leaving = {"app.quit", "quit", "screen.blind", "screen.rerun_all", "screen.stop_all", "screen.retry_pane", "copy_or_stop", "send"}
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(network, pilot)
        if ready:
            await end(network, pilot)
        stage = stage_of(app)
        await pilot.press("escape", "2")
        refused = set()
        for key, action in keys_of((*Pane.BINDINGS, *CompareScreen.BINDINGS, *AnomanApp.BINDINGS)):
            if action in leaving:
                continue
            app.clear_notifications()
            app.compare.action_focus_pane(2)
            await pilot.press(key)
            await pilot.pause()
            assert betrayals(app, pilot) == [], (key, action)
            if any(REFUSED in notice for notice in notices(app)):
                refused.add(action.removeprefix("screen."))
            for _ in range(3):
                if app.screen is not app.compare or app.compare.votebar.has_focus or app.compare.findbar.has_focus:
                    await pilot.press("escape")
                    await pilot.pause()
            assert app.screen is app.compare, (key, action)
        assert {"details", "wire", "race", "copy_menu", "save", "recordings", "continue_pane"} <= refused
        assert stage_of(app) is stage
        assert len(network.streams) == 3
        assert app.clipboard == ("" if not ready else app.clipboard)


async def test_the_palette_the_help_and_a_click_do_not_tell() -> None:
    """Claim: neither the palette's entries nor the help name a target, and a click on a pane's lines explains nothing."""
    network = FakeNetwork()
    app = hidden_app(network)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(network, pilot)
        await end(network, pilot)
        entries = [f"{one.title} {one.help}".lower() for one in app.get_system_commands(app.screen)]
        assert not [entry for entry in entries for word in ("zebra", "quagga", "okapi", "tapir", "anypath", "openrouter") if word in entry]
        await pilot.press("f1")
        await wait_until(pilot, lambda: isinstance(app.screen, HelpScreen))
        await pilot.press("G")
        assert not [row for row in frame(pilot) if "okapi" in row]
        await pilot.press("escape")
        for row in range(5):
            await pilot.click(app.compare.stage.panes[1], offset=(6, row))
            await pilot.pause()
            assert app.screen is app.compare


async def test_answers_show_all_at_once_without_reasoning_and_in_another_order() -> None:
    """Claim: an order of chance for each run; a refusal counts as the answer; what ended badly says only that."""
    network = FakeNetwork()
    app = hidden_app(network)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(network, pilot)
        network.streams[1].push(RefusalDelta("I will not"))
        await end(network, pilot)
        shown = texts(pilot)
        assert [text.count("some words") for text in shown] == [3, 2, 1], "the last pane stands first"
        assert ["no whole answer" in text for text in shown] == [True, True, False]
        assert [slot.request for slot in app.compare.board.slots] == [one.request for one in reversed(network.streams)]
        await pilot.press("escape", "b")
        await draw(pilot)
        assert [text.count("some words") for text in texts(pilot)] == [1, 2, 3], "back in their order"
        assert "eland reasoned" in texts(pilot)[0]
        assert "bison broke" in texts(pilot)[1]


async def test_runs_are_asked_and_remembered_in_the_panes_own_order() -> None:
    """Claim: the order of a blind run is no order of the panes: not of the next prompt's requests, nor of what is remembered."""
    network = FakeNetwork()
    app = hidden_app(network)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(network, pilot)
        await end(network, pilot)
        await pilot.press("escape", "R")
        await pilot.pause()
        asked = [one.request.target.model for one in network.streams]
        assert asked == ["zebra-model", "okapi-model", "tapir/tapir-model"] * 2
        assert [slot.target.model for slot in app.compare.board.slots] == asked[2::-1]
        assert stage_of(app) is Stage.WAITING
    assert [slot.target.model for slot in app.compare.board.slots] == asked[:3]
    assert app.compare.remembered().panes == app.session.memory.panes


async def test_what_was_seen_with_names_is_not_judged() -> None:
    """Claim: b over answers, or while they stream, covers them; R asks again, blind. With one pane there is nothing to choose."""
    network = FakeNetwork()
    app = hidden_app(network)
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        network.streams[0].open()
        network.streams[0].text("seen")
        await draw(pilot)
        await pilot.press("escape", "b")
        assert stage_of(app) is Stage.EMPTY
        assert all("seen with its name" in text for text in texts(pilot))
        for one in network.streams:
            one.cancel()
        app.compare.frame()
        assert stage_of(app) is Stage.EMPTY
        await pilot.press("V")
        assert any("nothing to vote on" in notice for notice in notices(app))
        await pilot.press("b")
        assert "seen" in texts(pilot)[0]
        await pilot.press("b", "R")
        assert stage_of(app) is Stage.WAITING
    alone = make_app(FakeNetwork(), PANES[:1])
    async with alone.run_test(size=(80, 24)) as pilot:
        await pilot.press("escape", "b")
        assert not alone.compare.judging.on
        assert any("at least two panes" in notice for notice in notices(alone))


async def test_stopping_and_retrying_blind() -> None:
    """Claim: x and Esc do not tell which pane streams, X stops all; a pane that is asked again hides again, and the others stay."""
    network = FakeNetwork()
    app = hidden_app(network)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(network, pilot)
        network.streams[0].finish(5)
        app.compare.frame()
        for key in ("x", "escape", "r", "y"):
            app.clear_notifications()
            app.compare.action_focus_pane(3)  # the one that is done
            await pilot.press(key)
            done = notices(app)
            app.clear_notifications()
            app.compare.action_focus_pane(1)  # one that streams
            await pilot.press(key)
            assert done == notices(app), key
            assert len(done) == 1, key
        assert [one.cancelled for one in network.streams] == [0, 0, 0]
        await pilot.press("X")
        app.compare.frame()
        assert stage_of(app) is Stage.READY
        await pilot.press("2", "r")
        app.compare.frame()
        await draw(pilot)
        assert stage_of(app) is Stage.WAITING
        assert "asked for again" in texts(pilot)[1]
        assert "some words" in texts(pilot)[0]
        assert betrayals(app, pilot) == []
        network.streams[-1].open()
        network.streams[-1].text("once more")
        app.compare.frame()
        assert "once more" not in texts(pilot)[1]
        network.streams[-1].finish(3)
        app.compare.frame()
        assert "once more" in texts(pilot)[1]
        assert stage_of(app) is Stage.READY


async def test_messages_that_could_tell_wait() -> None:
    """Claim: a notice that names a target or a pane by its number is shown once names are; others at once."""
    app = hidden_app(FakeNetwork())
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("escape", "b")
        app.compare.say("okapi-model was slow")
        app.compare.say("pane 2 has no answer")
        app.compare.say("a sentence")
        await pilot.pause()
        assert [notice for notice in notices(app) if "okapi" in notice or "pane 2" in notice] == []
        assert "a sentence" in notices(app)
        await pilot.press("b")
        await pilot.pause()
        assert "okapi-model was slow" in notices(app)
        assert "pane 2 has no answer" in notices(app)


async def test_other_panes_end_blind_mode() -> None:
    """Claim: after a vote a change of panes first puts them back into their order; while names are hidden other panes end it, too."""
    network = FakeNetwork()
    app = hidden_app(network)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(network, pilot)
        await end(network, pilot)
        await pilot.press("escape", "V", "1")
        assert stage_of(app) is Stage.REVEALED
        await pilot.press("1", "shift+left")
        await pilot.pause()
        assert stage_of(app) is Stage.OFF
        assert [slot.target.model for slot in app.compare.board.slots] == ["zebra-model", "tapir/tapir-model", "okapi-model"]
        await pilot.press("b")
        assert stage_of(app) is Stage.EMPTY
        app.compare.board.slots.pop()
        await app.compare.fit_panes()
        await pilot.pause()
        assert stage_of(app) is Stage.OFF
        assert any("blind is ended" in notice for notice in notices(app))
        assert any("zebra" in row for row in frame(pilot))
