"""The race lane: what came when, on one scale, readable without colour."""

from dataclasses import replace

import pytest

from anoman_tui.core.events import BodyRead, Closed, Ending, HeadersReceived, HeadersSent, ReasoningDelta, Stamped, StreamEvent, TextDelta
from anoman_tui.core.pane import PaneState, fold
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.target import parse_pane
from anoman_tui.ui.cells import plain_text, width_of
from anoman_tui.ui.layout import Mode, layout_for
from anoman_tui.ui.race import Racer, bar, lane, scale_of
from anoman_tui.ui.timeline import BUCKETS, Timeline
from tests.ui.fakes import MS, FakeNetwork, wait_until
from tests.ui.scenes import ask, draw, frame, make_app, race

TARGET = parse_pane("anoman/chat/claude-sonnet-4-6", BUILT_IN)


def a_racer(*happened: tuple[int, StreamEvent]) -> Racer:
    """A pane to which these events happened, by milliseconds."""
    events = [Stamped(ms * MS, event) for ms, event in ((0, HeadersSent()), *happened)]
    timeline = Timeline()
    timeline.take(events)
    return Racer(timeline, fold(PaneState(TARGET), events))


def row(racer: Racer, now_ms: int, scale_s: int = 1, cells: int = 20) -> str:
    """The row of a racer as bare text."""
    return plain_text([bar(racer, scale_s * 1000 * MS, cells, now_ms * MS)])


def test_a_row_tells_what_came() -> None:
    """Waiting, bytes, reasoning, text, a gap, and that it goes on."""
    happened: list[tuple[int, StreamEvent]] = [
        (200, HeadersReceived(200, ())),
        (300, ReasoningDelta("a")),
        *((at, TextDelta("a")) for at in range(400, 500, 10)),
        *((at, TextDelta("a")) for at in range(800, 950, 10)),
    ]
    text = row(a_racer(*happened), 950)
    assert text.startswith("....oott##")
    assert "      ###>" in text
    assert len(text) == 20


@pytest.mark.parametrize(
    ("ending", "sign"),
    [(Ending.CUT, "!"), (Ending.CANCELLED, "x"), (Ending.REFUSED, "!"), (Ending.IDLE, "!")],
)
def test_the_end_has_a_sign(ending: Ending, sign: str) -> None:
    """How it ended is a letter, not a colour, and stands where it ended."""
    text = row(a_racer((100, HeadersReceived(200, ())), (200, TextDelta("a")), (500, Closed(ending))), 900)
    assert text.rstrip()[-1] == sign
    assert text.index(sign) == 10


def test_silence_before_the_first_byte_is_waiting() -> None:
    """Also while nothing came at all."""
    assert row(a_racer(), 500) == ".........." + ">" + " " * 9


def test_memory_and_cost_are_bounded() -> None:
    """An hour takes as many buckets as a second, and keeps what was there first."""
    timeline = Timeline()
    timeline.take([Stamped(0, HeadersSent()), Stamped(500 * MS, BodyRead(1))])
    for second in range(1, 3_600):
        timeline.take([Stamped(second * 1000 * MS, TextDelta("a"))])
    assert len(timeline._buckets) == BUCKETS
    assert timeline.width_ns < 2 * 3_600_000 * MS / BUCKETS
    shown = timeline.shown(3_600_000 * MS, 60)
    assert shown.count(3) == 60


def test_the_scale_is_round_and_stands_still() -> None:
    """It changes in steps only."""
    racer = a_racer((10, TextDelta("a")))
    scales = [scale_of([racer], ms * MS) // (1000 * MS) for ms in (0, 900, 1_100, 1_900, 2_900, 4_000, 7_200_000)]
    assert scales == [1, 1, 2, 2, 3, 5, 10_800]


@pytest.mark.parametrize("width", [40, 60, 118, 198])
def test_rows_fit(width: int) -> None:
    """The lane is as wide as the screen, with a scale on top."""
    racer = a_racer((10, TextDelta("a")))
    rows = lane([racer, replace(racer, state=None)], 0, width, 400 * MS)
    assert {width_of(one) for one in rows} == {width}
    assert plain_text(rows[:1]).startswith("    0s")


def test_where_it_is_shown() -> None:
    """In rows of its own where there is room, in the lanes where it was asked for; never on request where it cannot be."""
    assert layout_for(120, 40, 3).race
    assert not layout_for(120, 30, 3).race
    assert layout_for(120, 30, 3, race=True).race
    assert not layout_for(120, 40, 3, race=False).race
    assert layout_for(80, 24, 3, race=True).bars
    assert not layout_for(80, 24, 3).bars
    assert layout_for(120, 40, 3, prefer=Mode.LANES).bars
    assert not layout_for(50, 10, 3, race=True).bars


async def test_the_race_key() -> None:
    """`T` says that there is nothing yet, hides the lane, shows it again, and follows a smaller terminal into the lanes."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("escape", "T")
        assert any("nothing was sent yet" in str(one.message) for one in app._notifications)
        assert not app.compare.stage.race.display
        await race(pilot, network)
        text = frame(pilot)
        assert any(one.startswith(" 2") and "tttt" in one and one.rstrip().endswith("0.50s") for one in text)
        shown = []
        for keys in (["escape", "T"], ["T"]):
            await pilot.press(*keys)
            shown.append(app.compare.stage.race.display)
        assert shown == [False, True]
        await pilot.pause()
        await pilot.click("#race", offset=(10, 3))
        assert app.compare.stage.current == 1
        await pilot.resize_terminal(80, 24)
        await draw(pilot)
        assert any("####!" in one or "###!" in one for one in frame(pilot))


async def test_no_room_for_the_race() -> None:
    """In zoom on a low screen it is said."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(80, 24)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "z", "T")
        assert any("no room for the race lane" in str(one.message) for one in app._notifications)


async def test_what_is_shown_later_is_drawn_at_once() -> None:
    """The lanes and the race have no size while they are hidden, and nothing streams that would draw them again."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(120, 40)) as pilot:
        await race(pilot, network)
        await pilot.press("escape", "vertical_line")
        await wait_until(pilot, lambda: any(one.startswith(" 2 LOCAL AnyPath responses") for one in frame(pilot)))
        await pilot.press("vertical_line", "T")
        await pilot.pause()
        app.compare.stage.race.show(())
        await pilot.press("T")
        await wait_until(pilot, lambda: any(one.startswith(" 2") and "tttt" in one for one in frame(pilot)))


async def test_the_mark_goes_with_the_focus_once_all_is_over() -> None:
    """Claim: the lane marks the pane that has the focus, also where no frame is to come any more."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(120, 40)) as pilot:
        await race(pilot, network)
        for one in network.streams:
            one.cancel()
        await wait_until(pilot, lambda: not app.compare.board.expecting and not app.compare.clock.awake)
        await pilot.press("escape", "3")
        shown = app.compare.stage.race.region
        await wait_until(pilot, lambda: [line[:2] for line in frame(pilot)[shown.y : shown.bottom] if line[:1] == "▸"] == ["▸3"])
