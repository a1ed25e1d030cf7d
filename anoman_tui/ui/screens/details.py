"""All numbers of one pane with their definitions; they change while it streams."""

from collections.abc import Callable
from dataclasses import replace

from textual import events
from textual.content import Content

from anoman_tui.ui.cells import Cell, Tone
from anoman_tui.ui.details import Section
from anoman_tui.ui.details.facts import lay
from anoman_tui.ui.screens.sheet import SheetScreen
from anoman_tui.ui.widgets.line import content_of

WIDTH = 110
"""Cells that the sheet takes at most."""
AROUND = 8
"""Cells of its border, its padding, the scrollbar, and the mark before a fact that was asked for."""


class DetailsScreen(SheetScreen):
    """Shows what a function says about a pane, as often as `redraw` is called."""

    def __init__(self, title: str, read: Callable[[], tuple[Section, ...]], about: str = "") -> None:
        super().__init__(title, Content(""))
        self._read = read
        self._about = about
        self._drawn: tuple[tuple[Section, ...], int] | None = None
        self._place: int | None = None

    def on_mount(self) -> None:
        """Draw, and go to what was asked for."""
        self.redraw()
        if self._place is not None:
            at = max(0, self._place - 3)
            self.call_after_refresh(lambda: self.sheet.scroll_to(y=at, animate=False))

    def on_resize(self, event: events.Resize) -> None:  # noqa: ARG002  the base class names it
        """Lay out for the new width."""
        self.redraw()

    def redraw(self) -> None:
        """Draw what changed since the last call."""
        width = min(WIDTH, self.app.size.width * 96 // 100) - AROUND
        new = (self._read(), width)
        if new == self._drawn:
            return
        self._drawn = new
        rows, places = lay(*new)
        self._place = places.get(self._about)
        if self._place is not None:
            first, *rest = rows[self._place]
            rows[self._place] = (Cell("▸ ", Tone.ACCENT), replace(first, text=first.text[2:], tone=Tone.STRONG), *rest)
        self.text.update(content_of(rows))
