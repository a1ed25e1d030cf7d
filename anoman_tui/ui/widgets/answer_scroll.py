"""Scrolling for a widget that draws lines by itself: keys, wheel and a scrollbar in the last column."""

from typing import ClassVar, Final

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from anoman_tui.ui.document.viewport import Viewport
from anoman_tui.ui.painting import Painted

WHEEL_LINES: Final = 3


class LineScroller(Painted, can_focus=True):
    """Moves a `Viewport` and follows the end of what it shows. What is drawn is the subclass's matter."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "lines(-1)", "Up", show=False, id="scroll-up", tooltip="Scroll up"),
        Binding("down,j", "lines(1)", "Down", show=False, id="scroll-down", tooltip="Scroll down"),
        Binding("pageup", "pages(-1)", "Page up", show=False, id="scroll-page-up", tooltip="Scroll up a page"),
        Binding("pagedown,space", "pages(1)", "Page down", show=False, id="scroll-page-down", tooltip="Scroll down a page"),
        Binding("home,g", "home", "Top", show=False, id="scroll-home", tooltip="Go to the beginning"),
        Binding("end,G", "follow", "Follow", show=False, id="scroll-follow", tooltip="Go to the end and follow it"),
    ]

    class Moved(Message):
        """The user moved the text."""

        def __init__(self, view: "LineScroller") -> None:
            super().__init__()
            self.view = view

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(name=name, id=id, classes=classes)
        self._view = Viewport()
        self._thumb = (0, 0)  # rows of the scrollbar's thumb as last drawn

    @property
    def follow(self) -> bool:
        """Whether the end of the text stays in view."""
        return self._view.following

    @follow.setter
    def follow(self, follow: bool) -> None:
        if follow:
            self.scroll_to_end()
        else:
            self._view.following = False

    @property
    def top(self) -> int:
        """The document line in the first row."""
        return self._view.top

    @property
    def max_top(self) -> int:
        """The first row's line when the end is in view."""
        return self._view.max_top

    def scroll_lines(self, count: int) -> None:
        """Scroll down by lines, up where negative; reaching the end follows again, going up from it does not."""
        self._view.step(count)
        self._moved()

    def page(self, count: int) -> None:
        """Scroll by pages, less a line."""
        self.scroll_lines(count * max(1, self.size.height - 1))

    def home(self) -> None:
        """Show the beginning."""
        self._view.move(0)
        self._moved()

    def scroll_to_end(self) -> None:
        """Show the end and follow it."""
        self._view.follow()
        self._moved()

    def _moved(self) -> None:
        self.refresh()
        if self.is_attached:
            self.post_message(self.Moved(self))

    def go_along(self, other: "LineScroller") -> None:
        """Show the same part of the text as another one does of its own: its end, or as far down in proportion."""
        if other.follow or other.max_top == 0:
            self._view.follow()
        else:
            self._view.move(round(other.top * self.max_top / other.max_top))
        self.refresh()

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

    @property
    def allow_select(self) -> bool:
        """Whether the mouse selects text: not while it is on the scrollbar."""
        x, _ = self.app.mouse_position
        return super().allow_select and not (self._thumb[1] and x == self.region.right - 1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll down."""
        event.stop()
        self.scroll_lines(WHEEL_LINES)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll up."""
        event.stop()
        self.scroll_lines(-WHEEL_LINES)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold of the scrollbar."""
        if self._thumb[1] and event.x == self.size.width - 1:
            event.stop()
            self.capture_mouse()
            self._drag_to(event.y)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drag the scrollbar."""
        if self.app.mouse_captured is self:
            self._drag_to(event.y)

    def on_mouse_up(self) -> None:
        """Let go of the scrollbar."""
        if self.app.mouse_captured is self:
            self.release_mouse()

    def _drag_to(self, row: int) -> None:
        self._view.move(self._view.line_at(row))
        if self._view.top >= self._view.max_top:
            self._view.follow()
        self._moved()
