"""A pane's answer against that of the base, word by word; drawn anew while either of them grows."""

import asyncio
from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen

from anoman_tui.core.records import dataclass
from anoman_tui.ui.cells import Cell, Tone
from anoman_tui.ui.difference import Difference, Laid, compare, lay
from anoman_tui.ui.overlays import OVERLAYS
from anoman_tui.ui.widgets.diff_view import MARGIN, DiffView
from anoman_tui.ui.widgets.line import Line

AT_ONCE = 20_000
"""Characters of both texts up to which they are compared where the screen draws; longer ones take a thread."""
LEGEND = "[-only in the base-] {+only here+} · n N next, before · Esc"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two answers as they are at a moment."""

    title: str
    base: str
    other: str
    growing: bool
    """Whether more of either is to come."""


class DiffScreen(ModalScreen[None]):
    """Shows the difference. `redraw` is called as often as something may have come."""

    CSS_PATH = OVERLAYS
    AUTO_FOCUS = "#diff"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,d", "dismiss", "Close", id="close-diff", tooltip="Close this"),
        Binding("n", "step(1)", "Next", id="diff-next", tooltip="Go to the next change"),
        Binding("N", "step(-1)", "Before", id="diff-previous", tooltip="Go to the change before"),
        Binding("j", "scroll(1)", "Down", id="diff-down", show=False, tooltip="Scroll down"),
        Binding("k", "scroll(-1)", "Up", id="diff-up", show=False, tooltip="Scroll up"),
        Binding("space", "pages(1)", "Page down", id="diff-page-down", show=False, tooltip="Scroll down a page"),
        Binding("b", "pages(-1)", "Page up", id="diff-page-up", show=False, tooltip="Scroll up a page"),
        Binding("g", "end(-1)", "Top", id="diff-top", show=False, tooltip="Go to the beginning"),
        Binding("G", "end(1)", "End", id="diff-bottom", show=False, tooltip="Go to the end"),
    ]

    def __init__(self, read: Callable[[], Pair]) -> None:
        super().__init__()
        self._read = read
        self.view = DiffView()
        self.head = Line(id="diff-head")
        self.difference: Difference | None = None
        self._compared: Pair | None = None
        self._working = False
        self._shown = False

    def compose(self) -> ComposeResult:
        """Counts, and the text below."""
        with Vertical(id="diff-frame") as around:
            around.border_subtitle = Content(LEGEND)
            yield self.head
            yield self.view

    def on_mount(self) -> None:
        """Draw, once the width is known."""
        self.call_after_refresh(self.redraw)

    def on_resize(self, event: events.Resize) -> None:
        """Drop a size that is no longer the terminal's, as the main screen does; else lay out for it."""
        if event.size != self.app.size:
            event.stop()
            event.prevent_default()
            return
        self.call_after_refresh(self._lay)

    @property
    def _width(self) -> int:
        return self.view.size.width - MARGIN - 1  # the scrollbar comes and goes

    def redraw(self) -> None:
        """Compare anew where something came. While a comparison is on its way nothing else is begun."""
        pair = self._read()
        if pair == self._compared or self._working or not self.is_mounted:
            return
        self._compared, self.difference = pair, None
        self.query_one("#diff-frame").border_title = Content(pair.title)
        self._update(pair)

    def _update(self, pair: Pair) -> None:
        """Compare where that is not done yet, and lay out for the present width."""
        width = self._width
        if width < 8 or self._working:
            return
        if len(pair.base) + len(pair.other) <= AT_ONCE:
            self._put(*_work(pair, self.difference, width), width)
        else:
            self._working = True
            self.run_worker(self._update_slowly(pair, width), exit_on_error=False)

    async def _update_slowly(self, pair: Pair, width: int) -> None:
        if not self._shown:
            self.head.show([Cell("comparing…", Tone.MUTED)])
        try:
            made = await asyncio.to_thread(_work, pair, self.difference, width)
        finally:
            self._working = False
        self._put(*made, width)
        self.redraw()

    def _put(self, difference: Difference, laid: Laid, width: int) -> None:
        self.difference = difference
        self.view.put(laid)
        if not self._shown:
            self._shown = True
            self.call_after_refresh(self.view.go_to, 0)
        self._draw_head()
        if width != self._width and self._compared is not None:
            self._update(self._compared)

    def _lay(self) -> None:
        if self._compared is not None:
            self._update(self._compared)

    def _draw_head(self) -> None:
        if self.difference is None or self._compared is None:
            return
        found, changes = self.difference.diff, len(self.view.laid.places)
        row = [
            Cell(f"{found.same}", Tone.STRONG),
            Cell(" word the same   " if found.same == 1 else " words the same   "),
            Cell(f"{found.only_base}", Tone.BAD if found.only_base else Tone.STRONG),
            Cell(" only in the base   "),
            Cell(f"{found.only_other}", Tone.GOOD if found.only_other else Tone.STRONG),
            Cell(" only here"),
        ]
        row.append(Cell(f"   change {self.view.at + 1} of {changes}" if changes else "   the texts are the same", Tone.ACCENT))
        if self._compared.growing:
            row.append(Cell("   still growing", Tone.MUTED))
        self.head.show(row)

    def action_step(self, step: int) -> None:
        """Go to another change, round the ends."""
        self.view.go_to(self.view.at + step)
        self._draw_head()

    def action_scroll(self, step: int) -> None:
        """Scroll by a line."""
        self.view.scroll_relative(y=step, animate=False)

    def action_pages(self, step: int) -> None:
        """Scroll by a page less a line."""
        self.action_scroll(step * max(1, self.view.size.height - 1))

    def action_end(self, where: int) -> None:
        """Go to the beginning, or to the end."""
        if where < 0:
            self.view.scroll_home(animate=False)
        else:
            self.view.scroll_end(animate=False)


def _work(pair: Pair, difference: Difference | None, width: int) -> tuple[Difference, Laid]:
    """Compare, unless that is done, and lay out."""
    found = compare(pair.base, pair.other) if difference is None else difference
    return found, lay(found, width)
