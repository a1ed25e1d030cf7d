"""One frame of the wire lanes in full."""

from collections.abc import Callable
from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content

from anoman_tui.ui.cells import Row
from anoman_tui.ui.screens.sheet import SheetScreen
from anoman_tui.ui.widgets.line import content_of
from anoman_tui.ui.wire_bindings import FRAME_KEYS


class FrameScreen(SheetScreen):
    """Shows a frame of a pane; other frames of the pane are one key away."""

    BINDINGS: ClassVar[list[BindingType]] = list(FRAME_KEYS)

    def __init__(self, read: Callable[[int, bool], tuple[str, list[Row]]]) -> None:
        super().__init__("", Content(""))
        self._read = read
        self._raw = False

    def on_mount(self) -> None:
        """Show the frame that was asked for."""
        self.sheet.border_subtitle = Content("h l other frames · v as it stood · Esc closes")
        self._draw(0)

    def action_go(self, step: int) -> None:
        """Show another frame."""
        self._draw(step)
        self.sheet.scroll_home(animate=False)

    def action_raw(self) -> None:
        """Lay the JSON out, or not."""
        self._raw = not self._raw
        self._draw(0)

    def _draw(self, step: int) -> None:
        title, rows = self._read(step, self._raw)
        self.sheet.border_title = Content(title)
        self.text.update(content_of(rows))
