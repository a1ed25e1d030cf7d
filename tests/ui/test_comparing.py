"""Two answers word by word."""

import pytest
from textual.pilot import Pilot

from anoman_tui.ui.app import AnomanApp
from anoman_tui.ui.difference import GONE, NEW, SAME, compare, lay
from anoman_tui.ui.document.lines import pieces_width
from anoman_tui.ui.screens.diff import AT_ONCE, DiffScreen
from tests.ui.fakes import FakeNetwork, wait_until
from tests.ui.scenes import ask, draw, frame, make_app
from tests.ui.test_blind import hidden_app, notices

BASE = "A race condition is a bug where the result depends on timing.\n\nUse a lock."
OTHER = "A race condition is an error where the result depends on timing.\n\nUse a queue."


def rows(base: str, other: str, width: int = 80) -> list[str]:
    """The difference as text."""
    return ["".join(text for text, _ in line) for line in lay(compare(base, other), width).lines]


def test_signs_tell_what_colours_do() -> None:
    """Claim: what only the base says and what only this pane says stand in signs, in place, and each change is one place."""
    laid = lay(compare(BASE, OTHER), 80)
    assert rows(BASE, OTHER) == [
        "A race condition is [-a bug-]{+an error+} where the result depends on timing.",
        "",
        "Use a [-lock-]{+queue+}.",
    ]
    assert laid.places == (0, 2)
    assert {kind for line in laid.lines for _, kind in line} == {SAME, GONE, NEW}
    assert lay(compare(BASE, BASE), 80).places == ()


@pytest.mark.parametrize("width", [8, 20, 41, 80])
def test_rows_keep_their_width_and_places_are_where_changes_begin(width: int) -> None:
    """Claim: long lines wrap, wide letters and tabs too, and each place is the row in which its change begins."""
    base, other = "漢字 and\twords " * 20 + BASE, "漢字 and\tword " * 20 + OTHER
    laid = lay(compare(base, other), width)
    assert all(pieces_width(line) <= width for line in laid.lines)
    begins = [n for n, line in enumerate(laid.lines) for text, _ in line for _ in range(text.count("[-"))]
    assert list(laid.places) == begins


def test_line_ends_that_one_lacks_are_seen() -> None:
    """Claim: a paragraph's end in one of them is a sign; foreign control characters are made visible, and do nothing."""
    assert rows("one two", "one\ntwo") == ["one[- -]{+⏎", "+}two"]
    assert rows("a \x1b[31mred", "a \x1b[31mblue") == ["a ␛[[-31mred-]{+31mblue+}"]


async def answered(network: FakeNetwork, pilot: Pilot[None], *texts: str, ends: bool = True) -> None:
    """Ask, and let each pane answer its text."""
    await ask(pilot)
    for one, text in zip(network.streams[-len(texts) :], texts, strict=True):
        one.open()
        one.text(text)
        if ends:
            one.finish(9)
    await draw(pilot)
    await pilot.press("escape")


def head_of(pilot: Pilot[None]) -> str:
    """The counts of the overlay."""
    return next((row for row in frame(pilot) if "words the same" in row), "")


async def opened(app: AnomanApp, pilot: Pilot[None]) -> DiffScreen:
    """The overlay, once it shows its counts."""
    await wait_until(pilot, lambda: isinstance(app.screen, DiffScreen) and bool(head_of(pilot)))
    assert isinstance(app.screen, DiffScreen)
    return app.screen


async def test_d_compares_with_the_base_and_n_walks() -> None:
    """Claim: pane 1 is the base until = chooses another; counts, the first change marked and in view, n and N go round."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(120, 30)) as pilot:
        long = "\n".join(f"line {n} is the same in both" for n in range(80))
        await answered(network, pilot, f"{long}\n{BASE}\n{long}", f"{long}\n{OTHER}\n{long}", "")
        await pilot.press("1", "d")
        await pilot.pause()
        assert any("this pane is the base" in notice for notice in notices(app))
        await pilot.press("3", "d")
        await pilot.pause()
        assert any("this pane has no answer" in notice for notice in notices(app))
        await pilot.press("2", "d")
        screen = await opened(app, pilot)
        await wait_until(pilot, lambda: any("[-a bug-]{+an error+}" in row for row in frame(pilot)))
        assert any("▸ A race condition" in row for row in frame(pilot))
        assert "change 1 of 2" in head_of(pilot)
        assert "3 only in the base" in head_of(pilot)
        assert any("pane 2 against the base, pane 1" in row for row in frame(pilot))
        await pilot.press("n")
        await pilot.pause()
        assert "change 2 of 2" in head_of(pilot)
        assert any("1 A race condition" in row for row in frame(pilot)), "the first change keeps its mark"
        await pilot.press("n")
        assert screen.view.at == 0
        await pilot.press("N", "G", "g", "space", "b", "j", "k")
        await pilot.resize_terminal(60, 20)
        await wait_until(pilot, lambda: screen.view.laid.lines[0] == (("line 0 is the same in both", SAME),))
        await pilot.press("escape")
        assert app.screen is app.compare


async def test_the_base_is_marked_and_moves_with_its_pane() -> None:
    """Claim: = stands in the title, in lanes too; while names are hidden it is not shown, since it would tell."""
    network = FakeNetwork()
    app = hidden_app(network)
    async with app.run_test(size=(120, 30)) as pilot:
        await answered(network, pilot, BASE, OTHER, BASE)
        await pilot.press("3", "equals_sign")
        await draw(pilot)
        assert any("▸3 = " in row for row in frame(pilot))
        await pilot.press("vertical_line")
        await draw(pilot)
        assert any("▸3 = " in row for row in frame(pilot))
        await pilot.press("vertical_line", "b", "R")
        await draw(pilot)
        assert not any(f"{n} = " in row for row in frame(pilot) for n in (1, 2, 3))
        for one, text in zip(network.streams[-3:], (BASE, OTHER, BASE), strict=True):
            one.open()
            one.text(text)
            one.finish(9)
        app.compare.frame()
        await pilot.press("2", "d")
        await opened(app, pilot)
        assert any("answer B against the base, answer A" in row for row in frame(pilot))
        await pilot.press("escape", "equals_sign")
        await draw(pilot)
        assert any("▸2 = answer B" in row for row in frame(pilot))
        await pilot.press("V", "1")
        await draw(pilot)
        assert any("▸1 = " in row for row in frame(pilot)), "the own base is the third pane, which stands first"
        await pilot.press("b")
        await draw(pilot)
        assert any("▸3 = " in row for row in frame(pilot))


async def test_the_difference_grows_with_the_answers() -> None:
    """Claim: an open overlay follows what streams, long answers are compared on another thread, and one pane alone says so."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(120, 30)) as pilot:
        await answered(network, pilot, BASE, "A race", BASE, ends=False)
        await pilot.press("2", "d")
        await opened(app, pilot)
        assert "still growing" in head_of(pilot)
        network.streams[1].text(" condition is")
        await draw(pilot)
        await wait_until(pilot, lambda: "4 words the same" in head_of(pilot))
        network.streams[1].text(" word" * AT_ONCE)
        for one in network.streams:
            one.finish(3)
        await draw(pilot)
        await wait_until(pilot, lambda: f"{AT_ONCE} only here" in head_of(pilot), rounds=1_000)
        assert "still growing" not in head_of(pilot)
    alone = make_app(network, ["chat/a@http://127.0.0.1:1"])
    async with alone.run_test(size=(80, 24)) as pilot:
        await answered(network, pilot, BASE)
        await pilot.press("d")
        await pilot.pause()
        assert any("one pane only" in notice for notice in notices(alone))
