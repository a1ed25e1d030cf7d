"""The win rates of all votes, as a sheet."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content

from anoman_tui.core.stats import Vote
from anoman_tui.ui.rates import BY, table
from anoman_tui.ui.screens.sheet import SheetScreen
from anoman_tui.ui.widgets.line import content_of

WIDTH = 110
"""Cells that the sheet takes at most."""
AROUND = 7
"""Cells of its border, its padding and the scrollbar."""


class RatesScreen(SheetScreen):
    """Shows the table by model, or by pane where one model was asked in several ways."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "switch", "By model or pane", id="rates-by", tooltip="One row a model, or one a pane"),
    ]

    def __init__(self, votes: Sequence[Vote]) -> None:
        super().__init__("Win rates", Content(""))
        self._votes = votes
        self.by = "model"

    def on_mount(self) -> None:
        """Where all votes were within one model, begin with its panes."""
        compared = any(len({pane.model for pane in vote.panes}) > 1 for vote in self._votes)
        self.by = "model" if compared or not self._votes else "pane"
        self._draw()

    def on_resize(self, event: events.Resize) -> None:  # noqa: ARG002  the base class names it
        """Lay out for the new width."""
        self._draw()

    def action_switch(self) -> None:
        """Another kind of row."""
        names = list(BY)
        self.by = names[(names.index(self.by) + 1) % len(names)]
        self._draw()

    def _draw(self) -> None:
        width = min(WIDTH, self.app.size.width * 96 // 100) - AROUND
        other = next(name for name in BY if name != self.by)
        self.sheet.border_title = Content(f"Win rates by {self.by}")
        self.sheet.border_subtitle = Content(f"p by {other} · j k scroll · Esc closes")
        self.text.update(content_of(table(self._votes, self.by, width)))
