"""What must hold while text flows: nothing is lost, nothing stale is shown, nothing breaks the frame."""

import threading
import unicodedata
from decimal import Decimal

import pytest
from rich.cells import cell_len
from textual.events import Key, Resize
from textual.geometry import Size

from anoman_tui.core.events import ErrorInfo, FailureKind, MetadataReported, RefusalDelta, TextDelta, ToolDelta
from anoman_tui.core.panes import PaneSpec
from anoman_tui.core.target import Provider, Shape, Target
from anoman_tui.ui.app import AnomanApp
from anoman_tui.ui.cells import Cell
from anoman_tui.ui.guard import Guard, guarded
from anoman_tui.ui.screens.compare import CompareScreen
from anoman_tui.ui.session import Session
from tests.ui.fakes import FakeNetwork, wait_until
from tests.ui.scenes import answer_of, ask, draw, frame, make_app, the_app

HOSTILE = (
    "[bold]x[/] [/nope] [@click=app.quit]here[/] \x1b[31mred\x1b]52;c;aGk=\x07 \x9b31m \u202eevil\u2066 \u200b\x00 "
    "漢字 👩\u200d👩\u200d👧 e\u0301\u0301\u0301\u0301\u0301\u0301 \ud83d"
)


async def test_the_timer_draws_by_itself_and_sleeps_again() -> None:
    """Text that arrives is drawn without a key or a call, and the timer stops with the last stream."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(102, 26)) as pilot:
        before = app.compare.clock.awake
        await ask(pilot)
        assert (before, app.compare.clock.awake) == (False, True)
        network.streams[0].open()
        network.streams[0].text("arrived by itself")
        await wait_until(pilot, lambda: "arrived by itself" in answer_of(pilot, 1))
        for one in network.streams:
            one.cut()
        await wait_until(pilot, lambda: not app.compare.clock.awake)
        assert [state.closed is not None for state in app.compare.board.states] == [True] * 3


async def test_typing_while_streaming_loses_nothing() -> None:
    """200 characters typed in ten seconds while three panes stream 200 tokens a second each."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(102, 26)) as pilot:
        await ask(pilot)
        for one in network.streams:
            one.open()
        typed, sent = "the quick brown fox jumps " * 8, []
        for at in range(200):
            for number in range(10):
                network.clock.pass_ms(5)
                sent.append(f"word{10 * at + number} ")
                for one in network.streams:
                    one.text(sent[-1])
            app.post_message(Key("space" if typed[at] == " " else typed[at], typed[at]))
            if at % 2:
                app.compare.stage.frame()
            if at % 40 == 39:
                await pilot.pause()
        await draw(pilot)
        assert app.compare.editor.text == typed[:200]
        wanted = "".join(sent)
        assert [state.text.text for state in app.compare.board.states] == [wanted] * 3
        assert "".join(answer_of(pilot, 2).split()) == wanted.replace(" ", "")


async def test_keys_in_one_burst_go_where_the_ones_before_lead() -> None:
    """As a slow connection delivers them: nothing is retried or stopped by letters that were meant to be typed."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(102, 26)) as pilot:
        await ask(pilot)
        for one in network.streams:
            one.open()
            one.text("xrx")
        await draw(pilot)
        for key in ("escape", "slash", "x", "r", "enter", "2", "x", "i", "x", "r", "tab", "x"):
            app.post_message(Key(key, key if len(key) == 1 else None))
        await wait_until(pilot, lambda: network.streams[0].cancelled + network.streams[2].cancelled > 0 or app.compare.stage.current == 1)
        await pilot.pause()
        assert (app.compare.findbar.value, app.compare.editor.text) == ("xr", "xr")
        assert [one.cancelled for one in network.streams] == [1, 1, 0]
        assert len(network.streams) == 3


async def test_resizing_while_streaming_loses_nothing() -> None:
    """Through columns, lanes and a terminal that is too small, and back."""
    network = FakeNetwork()
    app = make_app(network)
    words = []
    async with app.run_test(size=(80, 24)) as pilot:
        await ask(pilot)
        for one in network.streams:
            one.open()
        for step, (width, height) in enumerate([(120, 40), (200, 60), (50, 10), (80, 24), (119, 30), (120, 40)]):
            words.append(f"before{step} after{step}")
            for one in network.streams:
                one.text(f"before{step} ")
            await pilot.resize_terminal(width, height)
            for one in network.streams:
                one.text(f"after{step} ")
            await draw(pilot)
            await wait_until(pilot, lambda size=(width, height): (len(frame(pilot)[0]), len(frame(pilot))) == size)  # type: ignore[misc]
        for number in (1, 2, 3):
            assert answer_of(pilot, number).split() == " ".join(words).split()
        assert "after5" in "\n".join(frame(pilot))


async def test_two_sizes_at_once_settle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Resizes that overtake the layout do not chase each other; the last one stays."""
    app = make_app(FakeNetwork())
    fits: list[Size] = []
    refit = CompareScreen.refit

    def counted(screen: CompareScreen) -> None:
        fits.append(screen.size)
        refit(screen)

    monkeypatch.setattr(CompareScreen, "refit", counted)
    async with app.run_test(size=(102, 26)) as pilot:
        await pilot.resize_terminal(100, 30)
        fits.clear()
        for width, height in [(120, 40), (100, 30), (90, 30), (100, 30)]:
            size = Size(width, height)
            app.compare.post_message(Resize(size, size))
        for _ in range(10):
            await pilot.pause()
        assert len(fits) <= 4
        assert app.compare.size == (100, 30)


async def test_a_small_terminal_says_so() -> None:
    """Below 60x12 one sentence, and the streams go on."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(59, 24)) as pilot:
        await ask(pilot)
        network.streams[0].open()
        network.streams[0].text("still taken")
        await draw(pilot)
        assert "too small" in " ".join(row.strip() for row in frame(pilot))
        assert app.compare.board.states[0].text.text == "still taken"


async def test_a_small_terminal_takes_no_key_away() -> None:
    """What had the focus keeps it, so that a stream can be stopped and typing goes on after growing again."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        for stream in network.streams:
            stream.open()
        await pilot.press("escape", "2")
        await pilot.resize_terminal(50, 20)
        await pilot.press("x")
        assert [stream.cancelled for stream in network.streams] == [0, 1, 0]
        await pilot.resize_terminal(120, 40)
        await pilot.press("X", "i")
        await pilot.resize_terminal(50, 10)
        await pilot.press("h", "e", "y")
        await pilot.resize_terminal(120, 40)
        assert app.compare.editor.text == "hey"
        assert [stream.cancelled for stream in network.streams] == [1, 1, 1]


async def test_retry_drops_what_the_earlier_run_sends() -> None:
    """Each run has its own mailbox."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(102, 26)) as pilot:
        await ask(pilot)
        old = network.streams[0]
        old.obey = False
        old.open()
        old.text("first run ")
        await draw(pilot)
        app.compare.board.send("next")
        old.text("ghost ")
        network.streams[3].open()
        network.streams[3].text("second run")
        await draw(pilot)
        assert old.cancelled == 1
        assert answer_of(pilot, 1).strip() == "second run"


async def test_a_stream_that_cannot_start_fails_alone() -> None:
    """An exception of the network becomes the pane's error."""
    network = FakeNetwork(refuse=ValueError("the proxy variable [/] is wrong"))
    app = make_app(network)
    async with app.run_test(size=(102, 26)) as pilot:
        await ask(pilot)
        await wait_until(pilot, lambda: not app.compare.clock.awake)
        assert "the proxy variable [/] is wrong" in " ".join(answer_of(pilot, 1).split())
        assert "FAIL" in "\n".join(frame(pilot))


def unsafe(text: str) -> set[str]:
    """Characters that must never reach a terminal."""
    return {
        char
        for char in text
        if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") or char in "\u200b\u200e\u200f\u202a\u202e\u2066\u2069\ufeff"
    }


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=str)
async def test_hostile_text_everywhere(size: tuple[int, int]) -> None:
    """In answer, reasoning, refusal, tools, errors, metadata, model, label and notices: the frame keeps its shape."""
    network = FakeNetwork()
    provider = Provider(
        name="evil", label=HOSTILE, base_url="http://h", shapes={Shape.CHAT: "/" + HOSTILE}, needs_key=False, cancel_note=HOSTILE
    )
    target = Target(provider, Shape.CHAT, HOSTILE * 3, "http://other\x1b[0m/")
    session = Session(
        (PaneSpec(target),) * 3, network, clock=network.clock, notices=(HOSTILE,), gateway_note=lambda: HOSTILE, prompt=HOSTILE
    )
    app = AnomanApp(session)
    digits = "9" * 40
    async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
        await ask(pilot, HOSTILE)
        one, two, three = network.streams
        for stream in network.streams:
            stream.open(x_request_id=HOSTILE)
            stream.reason(HOSTILE)
            stream.text(HOSTILE + "\n\n" + "漢" * 300)
        metadata = {
            "guardrails": {HOSTILE: {"status": HOSTILE, "score": Decimal(digits)}, **{f"check{n}": "fail" for n in range(40)}},
            "routing": {"mode": HOSTILE, "region": "\u202e" * 50},
            "cache": {"hit": True},
            "cost_usd": Decimal(f"0.{digits}"),
            "weighted_tokens": Decimal(digits),
        }
        one.push(MetadataReported(metadata), RefusalDelta(HOSTILE), ToolDelta("0", "id", HOSTILE, HOSTILE), TextDelta(HOSTILE))
        one.finish(10**15, {"cost_usd": Decimal(digits)}, reason=HOSTILE)
        two.fail(ErrorInfo(FailureKind.HTTP, HOSTILE * 50, HOSTILE, HOSTILE, 599, HOSTILE, 5, HOSTILE, 1e9, HOSTILE))
        three.cancel()
        for _ in range(2):
            await draw(pilot)
            rows = frame(pilot)
            assert len(rows) == size[1]
            assert not unsafe("".join(rows))
            assert {cell_len(row) for row in rows} == {size[0]}
            await pilot.press("escape", "2")
        await pilot.press("y", "slash", "e", "enter", "T")
        for keys in (["f1"], ["escape", "m"], ["G"], ["escape", "Y"]):
            await pilot.press(*keys)
            app.clear_notifications()
            await pilot.pause()
            assert not unsafe("".join(frame(pilot)))
            assert {cell_len(row) for row in frame(pilot)} == {size[0]}
        await pilot.press("escape")
        await pilot.resize_terminal(200, 60)
        await draw(pilot)
        assert {cell_len(row) for row in frame(pilot)} == {200}
        assert app.is_running


async def test_the_guard_holds_for_a_widget_that_forgot() -> None:
    """A widget that draws raw text does not get it to the terminal."""
    app = make_app(FakeNetwork())
    async with app.run_test(size=(102, 26)) as pilot:
        stage = the_app(pilot).compare.stage
        stage.titlebar.show([Cell("a\x1b]0;evil\x07b\u202ec")])
        await pilot.pause()
        assert not unsafe("".join(frame(pilot)))
        assert "ab" not in frame(pilot)[0]
        assert any(isinstance(one, Guard) for one in app.get_line_filters())


def test_guarded_keeps_widths() -> None:
    """Each unsafe character becomes blanks of its own width; the rest is untouched."""
    for text in ("plain", "a\x1bb", "漢\u202e字", "\ud800"):
        assert cell_len(guarded(text)) == cell_len(text)
    assert guarded("plain 漢 👩‍👩‍👧") == "plain 漢 👩‍👩‍👧"


async def test_what_the_first_answer_needs_is_loaded_once_the_screen_stands() -> None:
    """On a thread of its own, so that neither the screen nor the first prompt waits for it."""
    loaded = threading.Event()
    names: list[str] = []

    def warm() -> None:
        names.append(threading.current_thread().name)
        loaded.set()

    app = make_app(FakeNetwork(), warm=warm)
    async with app.run_test() as pilot:
        await wait_until(pilot, loaded.is_set)
    assert names == ["warm"]
