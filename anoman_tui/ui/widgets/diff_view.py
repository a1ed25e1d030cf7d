"""The rows of a word diff, scrolled, with a margin that marks the changes."""

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from anoman_tui.ui.difference import GONE, NEW, SAME, Laid

MARGIN = 2
FIRST, HERE, ANY = "1", "▸", "·"
"""Signs of the margin: the first change, the one that n and N went to, and any other."""


class DiffView(ScrollView, can_focus=True):
    """Shows a difference that was laid out for its width."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"diff--same", "diff--gone", "diff--new", "diff--margin", "diff--here"}
    DEFAULT_CSS = """
    DiffView { height: 1fr; scrollbar-size-vertical: 1; overflow-x: hidden; }
    DiffView > .diff--gone { color: $text-error; text-style: strike; }
    DiffView > .diff--new { color: $text-success; text-style: bold; }
    DiffView > .diff--margin { color: $text-muted; }
    DiffView > .diff--here { color: $text-accent; text-style: bold; }
    """

    def __init__(self) -> None:
        super().__init__(id="diff")
        self.laid = Laid((), ())
        self.at = 0
        """Which change the keys went to, from 0."""

    def put(self, laid: Laid) -> None:
        """Show another difference, at the same place."""
        self.laid = laid
        self.at = min(self.at, max(0, len(laid.places) - 1))
        self.virtual_size = Size(self.size.width, len(laid.lines))
        self.refresh()

    def go_to(self, at: int) -> None:
        """Show a change, round the ends."""
        if self.laid.places:
            self.at = at % len(self.laid.places)
            row = self.laid.places[self.at]
            self.scroll_to(y=max(0, row - max(1, self.size.height // 3)), animate=False, immediate=True, force=True)
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """One row: the margin and the text."""
        width, at = self.size.width, y + round(self.scroll_y)
        base = self.rich_style
        if at >= len(self.laid.lines):
            return Strip.blank(width, base)
        styles = {kind: base + self._look(name) for kind, name in ((SAME, "same"), (GONE, "gone"), (NEW, "new"))}
        sign, name = self._sign(at)
        margin = Segment(f"{sign:<{MARGIN}}", base + self._look(name))
        return Strip([margin, *(Segment(text, styles[kind]) for text, kind in self.laid.lines[at])]).adjust_cell_length(width, base)

    def _look(self, name: str) -> Style:
        return self.get_component_rich_style(f"diff--{name}", partial=True)

    def _sign(self, row: int) -> tuple[str, str]:
        places = self.laid.places
        if places and places[self.at] == row:
            return HERE, "here"
        if places and places[0] == row:
            return FIRST, "here"
        return (ANY, "margin") if row in places else ("", "margin")
