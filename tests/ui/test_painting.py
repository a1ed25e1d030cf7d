"""Frames that go past the compositor: they show what it would show, at a counted cost, and leave to it what lies under something."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from textual.geometry import Region
from textual.pilot import Pilot
from textual.widget import Widget

from anoman_tui.ui.app import AnomanApp
from anoman_tui.ui.document.viewport import Viewport
from anoman_tui.ui.painting import Painted, Rows
from anoman_tui.ui.widgets.answer import AnswerView
from anoman_tui.ui.widgets.line import Line
from tests.ui.fakes import FakeNetwork
from tests.ui.scenes import ANSWER, ask, frame, make_app, race, stream, the_app

NOTHING = re.compile(r"\x1b\[[0-9;]*m\x1b\[0m")
"""A style around no text."""
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


class Terminal:
    """Takes what an app draws in frames, and keeps the text of each row."""

    def __init__(self, app: AnomanApp, monkeypatch: pytest.MonkeyPatch) -> None:
        self.updates: list[list[tuple[int, int, str]]] = []
        self.rows: list[str] = []
        real = app._display

        def display(screen: Any, update: Any) -> None:
            if isinstance(update, Rows):
                self.updates.append(update.rows)
                for x, y, text in update.rows:
                    self.put(x, y, ESCAPE.sub("", text))
            real(screen, update)

        monkeypatch.setattr(app, "_display", display)

    def put(self, x: int, y: int, text: str) -> None:
        """Write over a row, if what was there before is known."""
        if self.rows:
            row = self.rows[y]
            self.rows[y] = row[:x] + text + row[x + len(text) :]


@contextmanager
def refreshes(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Widget]]:
    """The painted widgets that Textual is asked to draw."""
    asked: list[Widget] = []
    real = Painted.refresh

    def refresh(self: Painted, *regions: Region, **options: bool) -> Painted:
        asked.append(self)
        return real(self, *regions, **options)

    with monkeypatch.context() as patch:
        patch.setattr(Painted, "refresh", refresh)
        yield asked


async def streaming(pilot: Pilot[None], network: FakeNetwork) -> None:
    """Three panes in the middle of their answers, all of it drawn."""
    await ask(pilot)
    for one in network.streams:
        one.open()
        one.text(ANSWER)
    the_app(pilot).compare.frame()
    await pilot.pause()


@pytest.mark.parametrize("size", [(80, 24), (102, 26), (200, 40)], ids=str)
async def test_frames_show_what_the_compositor_would_show(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: after any frames each row of the terminal is what a full update draws; one update a frame, and none where nothing is new."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=size) as pilot:
        await streaming(pilot, network)
        terminal = Terminal(app, monkeypatch)
        terminal.rows = frame(pilot)
        with refreshes(monkeypatch) as asked:
            for at in range(60):
                network.clock.pass_ms(40)
                for one in network.streams[: 1 + at % 3]:
                    one.text(f"word{at} " if at % 7 else "\n\n- `item`\n")
                before = len(terminal.updates)
                app.compare.frame()
                assert len(terminal.updates) == before + 1
            assert asked == []
        updates = len(terminal.updates)
        app.compare.frame()
        assert len(terminal.updates) == updates
        assert terminal.rows == frame(pilot)


async def test_frames_in_parts_show_what_the_compositor_would_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: a frame that is made pane by pane draws each row once, whatever comes meanwhile waits for the next, and nothing is missed."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(200, 40)) as pilot:
        await streaming(pilot, network)
        terminal = Terminal(app, monkeypatch)
        terminal.rows = frame(pilot)
        with refreshes(monkeypatch) as asked:
            for at in range(40):
                network.clock.pass_ms(40)
                for one in network.streams:
                    one.text(f"word{at} " if at % 7 else "\n\n- `item`\n")
                terminal.updates.clear()
                for part in app.compare.frame_parts():
                    part()
                    network.streams[0].text("meanwhile ")
                app.compare.frame()
                places = [(x, y) for update in terminal.updates for x, y, _ in update]
                assert len(places) == len(set(places))
                assert 3 <= len(terminal.updates) <= 4
            app.compare.frame()
            network.streams[1].finish()
            app.compare.frame()
            assert asked == []
        assert terminal.rows == frame(pilot)


async def test_a_frame_draws_each_row_of_a_pane_once_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: a token costs no more than the rows it changes, and a scroll no more than the pane's rows, at any length."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(102, 26)) as pilot:
        await streaming(pilot, network)
        terminal = Terminal(app, monkeypatch)
        app.compare.frame()
        for length in (1, 50, 400):
            network.streams[0].text("A line of its own.\n\n" * length + "The end")
            app.compare.frame()
            network.streams[0].text(" of")
            terminal.updates.clear()
            app.compare.frame()
            (one_word,) = terminal.updates
            assert len(one_word) <= 2
            network.streams[0].text(" it.\n\nMore.")
            terminal.updates.clear()
            app.compare.frame()
            (scrolled,) = terminal.updates
            places = [(x, y) for x, y, _ in scrolled]
            assert len(places) == len(set(places)) <= app.compare.stage.panes[0].answer.size.height


async def test_what_lies_under_something_is_left_to_textual(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: under a sheet nothing is drawn past it; under a notice only the panes that it does not touch."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(160, 40), notifications=True) as pilot:
        await streaming(pilot, network)
        terminal = Terminal(app, monkeypatch)
        app.compare.say("a notice that covers the top of the last pane " * 6)
        await pilot.pause()
        answers = [pane.answer for pane in app.compare.stage.panes]
        with refreshes(monkeypatch) as asked:
            for one in network.streams:
                one.text("\n\nnew" * 40)
            app.compare.frame()
        assert answers[2] in asked
        assert answers[0] not in asked
        assert {x for x, _, _ in terminal.updates[-1]} >= {0}
        app.action_show_keys()
        await pilot.pause()
        terminal.updates.clear()
        with refreshes(monkeypatch) as asked:
            network.streams[0].text(" under the sheet")
            app.compare.frame()
        assert answers[0] in asked
        assert terminal.updates == []


async def test_rows_go_out_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: where the terminal draws at once what stands between two marks, rows and marks are one write, and the cursor is put back."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(160, 40)) as pilot:
        await streaming(pilot, network)
        written: list[str] = []
        with monkeypatch.context() as patch:
            patch.setattr(type(app), "is_headless", False)
            patch.setattr(app, "_sync_available", True)
            patch.setattr(app._driver, "write", written.append)
            network.streams[0].text("a new word")
            app.compare.frame()
        (update,) = written
        x, y = app.cursor_position
        assert update.startswith("\x1b[?2026h\x1b[")
        assert update.endswith(f"\x1b[{y + 1};{x + 1}H\x1b[?2026l")
        assert "a new word" in ESCAPE.sub("", update)


async def test_a_frame_tells_whether_it_moved_a_page() -> None:
    """Claim: as long as every frame shows another page there are fewer; the first frame that does not ends that."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(102, 26)) as pilot:
        await streaming(pilot, network)
        for text, leapt in (("A line.\n\n" * 60, True), ("one word", False), ("A line.\n\n" * 60, True)):
            network.streams[0].text(text)
            app.compare.frame()
            assert app.compare.clock.leaping is leapt
        network.streams[1].text("elsewhere")
        app.compare.frame()
        assert not app.compare.clock.leaping


async def test_rows_go_out_as_strips_would(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: the short way makes the same escape sequences as the strips, styles and guard included."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(160, 40)) as pilot:
        await stream(pilot, network)
        network.streams[0].text("**bold** `code` [link](http://x) ~~gone~~ 漢字 👩‍👩‍👧\n\n```python\nx = 1\n```\n> quote")
        app.compare.frame()
        for pane in app.compare.stage.panes:
            answer = pane.answer
            whole = answer.size.region
            assert answer.painted(whole, app.console) == [strip.render(app.console) for strip in answer.render_lines(whole)]
        lines = [line for line in app.compare.query(Line) if line.display and line.region]
        assert len(lines) >= 8
        for line in lines:
            whole = line.outer_size.region
            for region in (whole, whole.shrink((line.gutter.top, 0, 0, 0))):
                strips = [NOTHING.sub("", strip.render(app.console)) for strip in line.render_lines(region)]
                assert [NOTHING.sub("", row) for row in line.painted(region, app.console)] == strips


async def test_few_bytes_where_the_line_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: numbers once a second, a race that stands still between changes of state, and text that scrolls by a part of a page."""
    sizes = []
    for sparing in (False, True):
        network = FakeNetwork()
        app = make_app(network, sparing=sparing)
        async with app.run_test(size=(200, 60)) as pilot:
            await race(pilot, network)
            second = network.streams[1]
            terminal = Terminal(app, monkeypatch)
            for at in range(300):
                network.clock.pass_ms(10)
                second.text(f"w{at}\n\n")
                app.compare.frame()
            sizes.append(sum(len(text) for update in terminal.updates for _, _, text in update))
            lanes = app.compare.stage.race.region
            drawn = [y for update in terminal.updates for _, y, _ in update if y >= lanes.y]
            assert bool(drawn) is not sparing
            second.finish()
            app.compare.frame()
            answer = app.compare.stage.panes[1].answer
            assert answer.top == answer.max_top
    assert sizes[1] < sizes[0] / 3


def test_a_view_with_a_lead_moves_seldom() -> None:
    """Claim: following, the end stays in view, and the top moves once in so many lines."""
    view, tops = Viewport(), []
    for total in range(100):
        view.fit(total, 20, 5)
        assert view.top + 20 >= total
        tops.append(view.top)
    assert len(set(tops)) <= 1 + 80 // 6 + 1
    view.fit(100, 20)
    assert view.top == view.max_top


def test_a_view_without_a_screen_takes_text() -> None:
    """Claim: a pane that is not mounted yet, or no longer, keeps what it is given, and draws it when it is shown."""
    view = AnswerView()
    view.append_answer("before it stands")
    view.flush()
    view.finish()
    assert len(view.document) == 1
