"""An overlay that is one scrolling sheet of text."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from anoman_tui.ui.overlays import OVERLAYS


class SheetScreen(ModalScreen[None]):
    """Shows a text with a title; Esc closes it."""

    CSS_PATH = OVERLAYS
    AUTO_FOCUS = "#sheet"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss", "Close", id="close-sheet", tooltip="Close this"),
        Binding("j", "scroll(1)", "Down", id="sheet-down", show=False, tooltip="Scroll down"),
        Binding("k", "scroll(-1)", "Up", id="sheet-up", show=False, tooltip="Scroll up"),
        Binding("space", "pages(1)", "Page down", id="sheet-page-down", show=False, tooltip="Scroll down a page"),
        Binding("b", "pages(-1)", "Page up", id="sheet-page-up", show=False, tooltip="Scroll up a page"),
        Binding("g", "top", "Top", id="sheet-top", show=False, tooltip="Go to the beginning"),
        Binding("G", "bottom", "End", id="sheet-bottom", show=False, tooltip="Go to the end"),
    ]

    def __init__(self, title: str, content: Content) -> None:
        super().__init__()
        self._title = title
        self.text = Static(content, markup=False)

    def compose(self) -> ComposeResult:
        """One scrolling sheet."""
        with VerticalScroll(id="sheet") as sheet:
            sheet.border_title = Content(self._title)
            sheet.border_subtitle = Content("j k scroll · Esc closes")
            yield self.text

    def on_resize(self, event: events.Resize) -> None:
        """Drop a size that is no longer the terminal's, as the main screen does."""
        if event.size != self.app.size:
            event.stop()
            event.prevent_default()

    @property
    def sheet(self) -> VerticalScroll:
        """What scrolls."""
        return self.query_one("#sheet", VerticalScroll)

    def action_scroll(self, step: int) -> None:
        """Scroll by a line."""
        self.sheet.scroll_relative(y=step, animate=False)

    def action_pages(self, step: int) -> None:
        """Scroll by a page less a line."""
        self.action_scroll(step * max(1, self.sheet.size.height - 1))

    def action_top(self) -> None:
        """Go to the beginning."""
        self.sheet.scroll_home(animate=False)

    def action_bottom(self) -> None:
        """Go to the end."""
        self.sheet.scroll_end(animate=False)
