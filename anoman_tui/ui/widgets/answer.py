"""The pane's text: reasoning, answer and notes, drawn line by line.

The widget answers `render_lines` itself, with its own scrollbar and without border or padding. Nothing of it takes part in
the layout of the screen: what changes is the region that is drawn again.
"""

from collections.abc import Sequence
from typing import ClassVar, Final

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget

from anoman_tui.ui.document import styles as s
from anoman_tui.ui.document.copying import copied_text
from anoman_tui.ui.document.document import AnswerDocument
from anoman_tui.ui.document.lines import BLANK
from anoman_tui.ui.document.paint import MARGIN, Painter
from anoman_tui.ui.document.styles import Palette

WHEEL_LINES: Final = 3
_HINT: Final = " ↓ new text "

_CSS: Final = """
AnswerView {
    width: 1fr;
    height: 1fr;
    background: $background;
    color: $foreground;
    & > .answer--text, & > .answer--image { color: $foreground; }
    & > .answer--heading { color: $text-primary; text-style: bold; }
    & > .answer--quote, & > .answer--mark { color: $text-secondary; }
    & > .answer--code { color: $text-warning; background: $surface; }
    & > .answer--link { color: $text-accent; }
    & > .answer--url, & > .answer--rule, & > .answer--border { color: $text-muted; }
    & > .answer--reasoning { color: $text-muted; text-style: italic; }
    & > .answer--reasoning-head { color: $text-muted; }
    & > .answer--note { color: $foreground; }
    & > .answer--note-muted { color: $text-muted; }
    & > .answer--note-success { color: $text-success; }
    & > .answer--note-warning { color: $text-warning; }
    & > .answer--note-error { color: $text-error; text-style: bold; }
    & > .answer--scrollbar { color: $panel; }
    & > .answer--scrollbar-thumb { color: $text-muted; }
    & > .answer--hint { color: $text-accent; background: $surface; text-style: bold; }
    & > .answer--fence, & > .answer--operator { color: $foreground; background: $surface; }
    & > .answer--fence-info { color: $text-muted; background: $surface; text-style: italic; }
    & > .answer--comment { color: $text-muted; background: $surface; text-style: italic; }
    & > .answer--keyword { color: $text-accent; background: $surface; text-style: bold; }
    & > .answer--string { color: $text-success; background: $surface; }
    & > .answer--number { color: $text-warning; background: $surface; }
    & > .answer--name { color: $text-primary; background: $surface; }
    & > .answer--type { color: $text-secondary; background: $surface; }
    & > .answer--inserted { color: $text-success; background: $surface; }
    & > .answer--deleted { color: $text-error; background: $surface; }
}
"""


class AnswerView(Widget, can_focus=True):
    """Shows an `AnswerDocument`. Text is only collected by the `append_*` methods; `flush` lays it out and draws it."""

    ALLOW_SELECT = True
    COMPONENT_CLASSES: ClassVar[set[str]] = set(s.CLASSES.values())
    DEFAULT_CSS = _CSS
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "lines(-1)", "Up", show=False, id="answer.up"),
        Binding("down,j", "lines(1)", "Down", show=False, id="answer.down"),
        Binding("pageup,b", "pages(-1)", "Page up", show=False, id="answer.page_up"),
        Binding("pagedown,space", "pages(1)", "Page down", show=False, id="answer.page_down"),
        Binding("home,g", "home", "Top", show=False, id="answer.home"),
        Binding("end,G", "follow", "Follow", show=False, id="answer.follow"),
    ]

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(name=name, id=id, classes=classes)
        self.document = AnswerDocument()
        self._answer: list[str] = []
        self._reasoning: list[str] = []
        self._notes: Sequence[tuple[str, int]] | None = None
        self._top = 0
        self._follow = True
        self._unseen = False  # text came below what is shown since following ended
        self._painter: Painter | None = None
        self._thumb = (0, 0)  # rows of the scrollbar's thumb as last drawn

    # -- text ----------------------------------------------------------------------------------------------------

    def append_answer(self, text: str) -> None:
        """Collect foreign text for the answer."""
        self._answer.append(text)

    def append_reasoning(self, text: str) -> None:
        """Collect foreign text for the reasoning."""
        self._reasoning.append(text)

    def set_notes(self, notes: Sequence[tuple[str, int]]) -> None:
        """Replace the notes below the answer by (foreign text, style id of a note) at the next flush."""
        self._notes = tuple(notes)

    def clear(self) -> None:
        """Drop all text, collected or shown, and follow again."""
        self._answer.clear()
        self._reasoning.clear()
        self._notes = None
        self.document.clear()
        self._top, self._follow, self._unseen = 0, True, False
        if self.is_attached and self.text_selection is not None:
            self.screen.clear_selection()
        self._redraw()

    def flush(self) -> None:
        """Lay out what was collected and draw what changed; without news this does nothing."""
        document = self.document
        if self._reasoning:
            document.push_reasoning("".join(self._reasoning))
            self._reasoning.clear()
        if self._answer:
            document.push_answer("".join(self._answer))
            self._answer.clear()
        if self._notes is not None:
            document.set_notes(self._notes)
            self._notes = None
        dirty = document.take_dirty()
        if dirty is not None:
            self._update(dirty)

    def finish(self) -> None:
        """Flush and lay out what was still open."""
        self.flush()
        self.document.finish()
        dirty = self.document.take_dirty()
        if dirty is not None:
            self._update(dirty)

    @property
    def raw(self) -> bool:
        """Whether the answer's source is shown in place of its Markdown."""
        return self.document.raw

    @raw.setter
    def raw(self, raw: bool) -> None:
        with_place = self.document.anchor(self._top)
        self.document.raw = raw
        self._move_to(self.document.locate(with_place))

    @property
    def folded(self) -> bool:
        """Whether only the head of the reasoning is shown."""
        return self.document.folded

    @folded.setter
    def folded(self, folded: bool) -> None:
        with_place = self.document.anchor(self._top)
        self.document.folded = folded
        self._move_to(self.document.locate(with_place))

    # -- scrolling -----------------------------------------------------------------------------------------------

    @property
    def follow(self) -> bool:
        """Whether the end of the text stays in view."""
        return self._follow

    @follow.setter
    def follow(self, follow: bool) -> None:
        if follow:
            self.scroll_to_end()
        else:
            self._follow = False

    @property
    def top(self) -> int:
        """The document line in the first row."""
        return self._top

    @property
    def max_top(self) -> int:
        """The first row's line when the end is in view."""
        return max(0, len(self.document) - self.size.height)

    def scroll_lines(self, count: int) -> None:
        """Scroll down by lines, up where negative; reaching the end follows again, going up from it does not."""
        self._follow = False
        self._move_to(self._top + count)
        if count > 0 and self._top >= self.max_top:
            self.scroll_to_end()

    def page(self, count: int) -> None:
        """Scroll by pages, less a line."""
        self.scroll_lines(count * max(1, self.size.height - 1))

    def home(self) -> None:
        """Show the beginning."""
        self._follow = False
        self._move_to(0)

    def scroll_to_end(self) -> None:
        """Show the end and follow it."""
        self._follow, self._unseen = True, False
        self._move_to(self.max_top)

    def action_lines(self, count: int) -> None:
        """Scroll by lines."""
        self.scroll_lines(count)

    def action_pages(self, count: int) -> None:
        """Scroll by pages."""
        self.page(count)

    def action_home(self) -> None:
        """Go to the beginning."""
        self.home()

    def action_follow(self) -> None:
        """Go to the end and follow it."""
        self.scroll_to_end()

    def _move_to(self, top: int) -> None:
        """Put a line into the first row, and draw everything again where something changed."""
        if self._follow:
            top = self.max_top
        self._top = max(0, min(top, self.max_top))
        self.document.take_dirty()
        self.refresh()

    def _redraw(self) -> None:
        self.document.take_dirty()
        self.refresh()

    def _update(self, dirty: int) -> None:
        """The document changed from a line on: draw the rows that show it."""
        width, height = self.size
        before = self._top
        if self._follow or self._top > self.max_top:
            self._top = self.max_top
        hint = not self._follow and not self._unseen and len(self.document) > self._top + height
        self._unseen = self._unseen or hint
        if self._top != before:
            self.refresh()
            return
        first = max(0, dirty - self._top)
        regions = [Region(0, first, width, height - first)] if first < height else []
        if self._thumb_rows() != self._thumb:
            regions.append(Region(width - 1, 0, 1, height))
        if hint:
            regions.append(Region(0, height - 1, width, 1))
        if regions:
            self.refresh(*regions)

    # -- events --------------------------------------------------------------------------------------------------

    def on_resize(self, event: events.Resize) -> None:
        """Lay out for the new width; keep the end, or else the place in the text, in view."""
        place = self.document.anchor(self._top)
        self._painter = None
        self.document.resize(event.size.width - MARGIN - 1)
        self._move_to(self.document.locate(place))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll down."""
        event.stop()
        self.scroll_lines(WHEEL_LINES)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll up."""
        event.stop()
        self.scroll_lines(-WHEEL_LINES)

    def notify_style_update(self) -> None:
        """Colours may have changed."""
        super().notify_style_update()
        self._painter = None

    # -- drawing -------------------------------------------------------------------------------------------------

    def _get_painter(self) -> Painter:
        if self._painter is None:
            kinds = {kind: self.get_component_rich_style(name) for kind, name in s.CLASSES.items()}
            self._painter = Painter(self.size.width, Palette(kinds), self._filtered)
        return self._painter

    def _filtered(self, strip: Strip) -> Strip:
        """The strip after the app's line filters, which the widget's own rendering goes around."""
        for line_filter in self.get_line_filters():
            strip = strip.apply_filter(line_filter, self.background_colors[1])
        return strip

    def _thumb_rows(self) -> tuple[int, int]:
        height, total = self.size.height, len(self.document)
        if total <= height or height < 1:
            return (0, 0)
        length = max(1, height * height // total)
        start = self._top * (height - length) // (total - height)
        return (start, start + length)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The strips of the rows in a region."""
        painter, document, top = self._get_painter(), self.document, self._top
        width, height = self.size
        total = len(document)
        start, end = self._thumb = self._thumb_rows()
        selection = self.text_selection
        chosen = self.screen.get_component_rich_style("screen--selection") if selection is not None else Style.null()
        out: list[Strip] = []
        for row in range(crop.y, crop.bottom):
            y = top + row
            line = document.line(y) if y < total else BLANK
            bar = "" if not end else "thumb" if start <= row < end else "rail"
            span = selection.get_span(y) if selection is not None and y < total else None
            strip = painter.strip(y, line, bar) if span is None else painter.selected(line, *span, bar, chosen)
            if row == height - 1 and self._unseen and not self._follow:
                strip = painter.overlay(strip, _HINT, s.HINT)
            out.append(strip)
        if crop.x or crop.width != width:
            return [strip.crop(crop.x, crop.right) for strip in out]
        return out

    def render_line(self, y: int) -> Strip:
        """The strip of a row with the offsets of its text; the screen asks for it to find what the mouse points at."""
        at = self._top + y
        return self._get_painter().with_offsets(at, self.document.line(at))

    # -- selection -----------------------------------------------------------------------------------------------

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The clean text of a selection."""
        total = len(self.document)
        first = selection.start.y if selection.start is not None else 0
        last = min(selection.end.y if selection.end is not None else total, total - 1)
        parts = [(self.document.line(y), *span) for y in range(first, last + 1) if (span := selection.get_span(y)) is not None]
        return copied_text(parts), "\n"
