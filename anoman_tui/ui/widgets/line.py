"""Rows of text of fixed height that change often: no layout of the screen takes part in an update."""

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from anoman_tui.ui.cells import Cell, Tone, asked_at

STYLES: dict[Tone, str] = {
    Tone.TEXT: "",
    Tone.MUTED: "$text-muted",
    Tone.STRONG: "bold",
    Tone.GOOD: "bold $text-success",
    Tone.WARN: "bold $text-warning",
    Tone.BAD: "bold $text-error",
    Tone.ACCENT: "bold $text-accent",
    Tone.KEY: "bold $footer-key-foreground",
}
"""The look of each tone, in the theme's own text colours."""


def content_of(rows: Sequence[Sequence[Cell]]) -> Content:
    """The rows as styled content; their text is never read as markup."""
    lines = [Content.assemble(*((cell.text, STYLES[cell.tone]) for cell in row)) for row in rows]
    return Content("\n").join(lines)


class Line(Static, can_focus=False):
    """Shows rows of cells."""

    class Asked(Message):
        """A number was clicked."""

        def __init__(self, about: str) -> None:
            super().__init__()
            self.about = about

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    Line { height: 1; width: 1fr; text-wrap: nowrap; text-overflow: clip; }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes, markup=False)
        self._rows: tuple[tuple[Cell, ...], ...] = ()

    def show(self, *rows: Sequence[Cell]) -> None:
        """Draw these rows where they differ from the last ones."""
        new = tuple(tuple(row) for row in rows)
        if new != self._rows:
            self._rows = new
            self.update(content_of(new), layout=False)

    def about_at(self, event: events.Click) -> str:
        """What was clicked."""
        row, x = event.y - self.gutter.top, event.x - self.gutter.left
        return asked_at(self._rows[row], x) if 0 <= row < len(self._rows) else ""

    def on_click(self, event: events.Click) -> None:
        """Ask for what is under the mouse to be explained."""
        if about := self.about_at(event):
            self.post_message(self.Asked(about))
