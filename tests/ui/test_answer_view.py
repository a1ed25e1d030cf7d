"""The answer view in a running app."""

import unicodedata
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.geometry import Offset, Region
from textual.pilot import Pilot
from textual.selection import SELECT_ALL, Selection

from anoman_tui.ui.document import styles as s
from anoman_tui.ui.document.contrast import ENOUGH, contrast
from anoman_tui.ui.widgets.answer import AnswerView

SIZE = (40, 10)
LONG = "".join(f"Paragraph {n} with a few words.\n\n" for n in range(40))


class Host(App[None]):
    """An app with nothing but the view."""

    def compose(self) -> ComposeResult:
        """One view."""
        yield AnswerView()


class Stage:
    """A running view, with a count of what it was asked to draw again."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.pilot = pilot
        self.view = pilot.app.query_one(AnswerView)
        self.drawn: list[tuple[Region, ...]] = []
        self.layouts = 0
        refresh = self.view.refresh

        def counted(*regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False) -> AnswerView:
            self.drawn.append(regions)
            self.layouts += layout
            refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
            return self.view

        self.view.refresh = counted  # type: ignore[method-assign]

    def add(self, text: str) -> None:
        """Append to the answer and flush."""
        self.view.append_answer(text)
        self.view.flush()

    @property
    def rows(self) -> list[str]:
        """The text of all rows as drawn, without margin, scrollbar and trailing blanks."""
        width, height = self.view.size
        return [strip.text[1:-1].rstrip() for strip in self.view.render_lines(Region(0, 0, width, height))]

    @property
    def bar(self) -> str:
        """The column of the scrollbar."""
        width, height = self.view.size
        return "".join(strip.text[-1] for strip in self.view.render_lines(Region(0, 0, width, height)))

    async def until(self, condition: Callable[[], bool]) -> None:
        """Let the app work until a condition holds."""
        for _ in range(50):
            if condition():
                return
            await self.pilot.pause()
        raise AssertionError("the condition never held")


@asynccontextmanager
async def stage(size: tuple[int, int] = SIZE) -> AsyncIterator[Stage]:
    """A running app of a size."""
    app = Host()
    async with app.run_test(size=size) as pilot:
        found = Stage(pilot)
        found.view.focus()
        await found.until(lambda: found.view.has_focus and found.view.size.width == size[0])
        found.drawn.clear()
        found.layouts = 0
        yield found


async def test_text_is_drawn_at_the_next_flush_only() -> None:
    """Appending wakes nothing up; the flush draws once, and only when there is something new."""
    async with stage() as on:
        on.view.append_answer("Hello ")
        on.view.append_answer("*you*")
        assert not on.drawn
        on.view.flush()
        assert on.rows[0] == "Hello you"
        assert len(on.drawn) == 1
        on.view.flush()
        assert len(on.drawn) == 1
        assert not on.layouts


async def test_only_the_rows_that_changed_are_drawn() -> None:
    """Neither finished blocks above the open one nor the rows of it that stay as they are."""
    async with stage() as on:
        on.add("one\n\ntwo\n\nthree\n")
        assert on.rows[4] == "three"
        on.drawn.clear()
        on.add("more")
        assert on.drawn == [(Region(0, 4, 40, 1),)]
        assert on.rows[:5] == ["one", "", "two", "", "three more"]


async def test_all_parts_are_shown() -> None:
    """Reasoning, answer and notes are drawn below each other; clearing drops them all."""
    async with stage((40, 12)) as on:
        on.view.append_reasoning("let me see")
        on.view.set_notes([("HTTP 500", s.NOTE_ERROR)])
        on.add("# Yes")
        assert on.rows[:6] == ["▾ thinking", "┊ let me see", "", "Yes", "", "HTTP 500"]
        on.view.folded = True
        assert on.rows[:5] == ["▸ thinking", "", "Yes", "", "HTTP 500"]
        on.view.raw = True
        assert on.rows[2] == "# Yes"
        on.view.clear()
        assert not any(on.rows)


async def test_the_end_stays_in_view() -> None:
    """While following, new text pushes the old one up."""
    async with stage() as on:
        for n in range(40):
            on.add(f"line {n}\n\n")
        on.view.finish()
        assert on.view.follow
        assert on.rows[-1] == "line 39"
        assert on.view.top == on.view.max_top == 69


@pytest.mark.parametrize(("keys", "top"), [(["up"], -1), (["k", "k"], -2), (["pageup"], -9), (["home"], -10_000), (["g"], -10_000)])
async def test_going_up_stops_following(keys: list[str], top: int) -> None:
    """Keys move up from the end; new text then no longer moves the view, but is announced."""
    async with stage() as on:
        on.add(LONG)
        end = on.view.max_top
        await on.pilot.press(*keys)
        await on.until(lambda: on.view.top == max(0, end + top))
        assert not on.view.follow
        before = on.rows
        on.add("the end\n\n")
        assert on.rows[:-1] == before[:-1]
        assert on.rows[-1].endswith("↓ new text")
        await on.pilot.press("G")
        await on.until(lambda: on.view.follow)
        assert on.rows[-1] == "the end"


async def test_reaching_the_end_follows_again() -> None:
    """Down to the last line is as good as End; the wheel does the same."""
    async with stage() as on:
        on.add(LONG)
        await on.pilot.press("up", "up", "down")
        await on.until(lambda: on.view.top == on.view.max_top - 1)
        assert not on.view.follow
        await on.pilot.press("down")
        await on.until(lambda: on.view.follow)


async def test_following_can_be_switched() -> None:
    """The screen can stop it and start it again."""
    async with stage() as on:
        on.add(LONG)
        on.view.scroll_lines(-3)
        on.view.scroll_lines(3)
        assert on.view.follow
        on.view.follow = False
        on.view.page(-1)
        assert on.view.top == on.view.max_top - 9
        on.view.follow = True
        assert on.view.top == on.view.max_top


async def test_a_short_text_always_follows() -> None:
    """Nothing can be scrolled, so nothing can be missed."""
    async with stage() as on:
        on.add("short")
        await on.pilot.press("up", "down")
        await on.until(lambda: on.view.follow)
        on.add(LONG)
        assert on.view.top == on.view.max_top


async def test_the_scrollbar_shows_where_one_is_and_can_be_dragged() -> None:
    """It is there only when the text is longer than the view, and a press on it goes there without selecting text."""
    async with stage() as on:
        on.add("short\n\n")
        assert on.bar == " " * 10
        on.add(LONG)
        assert on.bar.endswith("┃")
        assert on.bar.count("┃") == 1
        await on.pilot.mouse_down(on.view, offset=(39, 0))
        await on.until(lambda: on.view.top == 0)
        assert on.bar.startswith("┃")
        await on.pilot.hover(on.view, offset=(39, 5))
        await on.until(lambda: on.view.top > 20)
        assert not on.view.follow
        await on.pilot.hover(on.view, offset=(39, 9))
        await on.until(lambda: on.view.follow)
        await on.pilot.mouse_up(on.view, offset=(39, 9))
        assert on.pilot.app.screen.get_selected_text() is None


async def test_resizing_while_text_comes_loses_nothing() -> None:
    """Each size shows the end while following, and all of the text is there."""
    async with stage() as on:
        for n, width in enumerate((40, 25, 60, 33)):
            on.add(f"Paragraph {n} with a few words that wrap.\n\n" * 10)
            await on.pilot.resize_terminal(width, 10 + n)
            await on.until(lambda width=width, n=n: on.view.size == (width, 10 + n))  # type: ignore[misc]
            assert on.view.follow
            assert on.view.top == on.view.max_top
        on.view.finish()
        text = " ".join(strip for y in range(len(on.view.document)) for strip, _ in on.view.document.line(y))
        assert text.count("Paragraph") == 40


async def test_resizing_keeps_the_reading_place() -> None:
    """The paragraph at the top stays at the top."""
    async with stage() as on:
        on.add("".join(f"Paragraph {n} with a few words that will have to wrap in a narrow pane.\n\n" for n in range(60)))
        on.view.home()
        on.view.scroll_lines(60)
        assert on.rows[0].startswith("Paragraph 20 ")
        for width in (20, 70, 40):
            await on.pilot.resize_terminal(width, 10)
            await on.until(lambda width=width: on.view.size.width == width)  # type: ignore[misc]
            assert on.rows[0].startswith("Paragraph 20 ")
        assert not on.view.follow


async def test_text_can_be_selected_with_the_mouse() -> None:
    """What is selected is highlighted, and copied clean."""
    async with stage() as on:
        on.add("> quoted words that wrap over the end of a line\n\n- item\n\n```\ncode  here\n```\n")
        await on.until(lambda: not on.pilot.app.screen._dirty_widgets)
        await on.pilot.mouse_down(on.view, offset=(3, 0))
        await on.pilot.hover(on.view, offset=(4, 5))
        await on.pilot.mouse_up(on.view, offset=(4, 5))
        await on.until(lambda: bool(on.pilot.app.screen.selections))
        text = on.pilot.app.screen.get_selected_text()
        assert text == "quoted words that wrap over the end of a line\n\n• item\n\ncod"
        chosen = on.pilot.app.screen.get_component_rich_style("screen--selection").bgcolor
        strips = on.view.render_lines(Region(0, 0, *SIZE))
        marked = ["".join(part.text for part in strip if part.style and part.style.bgcolor == chosen) for strip in strips]
        assert marked[0].startswith("quoted")
        assert marked[3] == "• item"
        assert not any(marked[6:])


async def test_selected_text_by_offsets() -> None:
    """A selection counts lines and characters of the document, whatever is in view."""
    async with stage() as on:
        on.add(LONG)
        start, end = on.view.document.anchor(4), on.view.document.anchor(6)
        assert start != end
        found = on.view.get_selection(Selection.from_offsets(_offset(10, 4), _offset(11, 6)))
        assert found == ("2 with a few words.\n\nParagraph 3", "\n")
        whole = on.view.get_selection(SELECT_ALL)
        assert whole is not None
        assert whole[0] == LONG.rstrip("\n")


def _offset(x: int, y: int) -> Offset:
    """offset."""
    return Offset(x, y)


HOSTILE = "[/] [@click=app.quit]x[/] "
HOSTILE += "\x1b[31mred \x1b]52;c;aGk=\x07 \x9b2J \u202eabc \ud83d \x00 \r\n\n```\n\x1b[2J\n```\n\n| \x1b[0m |\n|---|\n| \x07 |\n"


async def test_hostile_text_is_only_shown() -> None:
    """Markup stays text, and no control character gets into what is drawn, whatever part it came for."""
    async with stage((60, 30)) as on:
        on.view.append_reasoning(HOSTILE)
        on.view.set_notes([(HOSTILE, s.NOTE)])
        for char in HOSTILE:
            on.add(char)
        on.view.finish()
        strips = on.view.render_lines(Region(0, 0, 60, 30))
        segments: list[Segment] = [segment for strip in strips for segment in strip]
        shown = "".join(segment.text for segment in segments)
        assert "[/] [@click=app.quit]x[/]" in shown
        assert all(unicodedata.category(char) not in ("Cc", "Cs", "Cf") for char in shown)
        assert all(segment.style is None or not (segment.style.meta or segment.style.link) for segment in segments)
        assert all(strip.cell_length == 60 for strip in strips)


async def test_another_theme_colours_the_same_lines() -> None:
    """A theme switch lays nothing out again."""
    async with stage() as on:
        on.add("# Head\n\ntext")
        lines = [on.view.document.line(y) for y in range(3)]
        before = on.view.render_lines(Region(0, 0, *SIZE))[0]
        on.pilot.app.theme = "textual-light"
        await on.until(lambda: on.view.render_lines(Region(0, 0, *SIZE))[0] != before)
        assert all(now is then for now, then in zip((on.view.document.line(y) for y in range(3)), lines, strict=True))
        assert on.rows[0] == "Head"


async def test_every_theme_has_all_colours() -> None:
    """Every theme that comes with the toolkit draws every style, and all text can be read."""
    async with stage() as on:
        on.add("# H\n\n`c` [l](u)\n\n```python\nx = 1\n```\n")
        for name in on.pilot.app.available_themes:
            on.pilot.app.theme = name
            await on.pilot.pause()
            assert on.rows[0] == "H"
            colours = [segment.style for strip in on.view.render_lines(Region(0, 0, *SIZE)) for segment in strip if segment.text.strip()]
            pairs = [(style.color.triplet, style.bgcolor.triplet) for style in colours if style and style.color and style.bgcolor]
            assert all(contrast(front, back) >= ENOUGH for front, back in pairs if front and back)


async def test_line_filters_of_the_app_apply(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the app filters from every line is filtered here too."""
    monkeypatch.setenv("NO_COLOR", "1")
    async with stage() as on:
        on.add("**bold** `code` text")
        strip = on.view.render_lines(Region(0, 0, *SIZE))[0]
        styles = {segment.text: segment.style for segment in strip if segment.text.strip()}
        colours = [style.color.get_truecolor() for style in styles.values() if style and style.color]
        assert all(colour.red == colour.green == colour.blue for colour in colours)
        assert styles["bold"] is not None
        assert styles["bold"].bold
        assert styles["code"] is not None
        assert styles["code"].reverse
