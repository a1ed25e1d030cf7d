"""Status lanes: every pane as one line, for screens too narrow for columns."""

from collections.abc import Sequence

from textual import events
from textual.message import Message

from anoman_tui.core.target import Target
from anoman_tui.ui.cells import spread
from anoman_tui.ui.race import LaneBars
from anoman_tui.ui.titles import bar_cells, lane
from anoman_tui.ui.view import PaneView
from anoman_tui.ui.widgets.line import Line


class PaneRows(Line):
    """Rows of which one belongs to each pane."""

    def __init__(self, count: int, *, id: str, around: int = 0) -> None:  # noqa: A002
        super().__init__(id=id)
        self._around = around  # rows that belong to no pane
        self.count = count

    @property
    def count(self) -> int:
        """How many panes there are."""
        return self._count

    @count.setter
    def count(self, count: int) -> None:
        self._count = count
        self.styles.height = count + self._around


class Lanes(PaneRows):
    """One row per pane; a click on a row goes to its pane."""

    class Chosen(Message):
        """A row was clicked."""

        def __init__(self, index: int, about: str = "") -> None:
            super().__init__()
            self.index = index
            self.about = about

    class Fitted(Message):
        """The rows have another size than those they were drawn for."""

    def __init__(self, count: int) -> None:
        super().__init__(count, id="lanes")

    def show_panes(
        self,
        panes: Sequence[tuple[Target, PaneView, str]],
        current: int,
        bars: LaneBars | None = None,
        base: int | None = None,
    ) -> None:
        """Draw all rows, each with its part of the race where `bars` are given; `base` is the one that is marked as such.

        A pane is its target, its view, and what it has of its own, which is named where another pane has the same target.
        """
        width = self.content_size.width
        if width < 1:
            return
        cells = bar_cells(width) if bars is not None else 0
        rows = []
        targets = [target for target, _, _ in panes]
        for n, (target, seen, own) in enumerate(panes):
            row = bars.bar(n, cells) if bars is not None else ()
            told = own if own and targets.count(target) > 1 else ""
            rows.append(spread(*lane(target, seen, n + 1, n == current, width, row, base=n == base, own=told), width))
        self.show(*rows)

    def on_resize(self) -> None:
        """What is shown after a while has no size before, and nothing may come that draws it."""
        self.post_message(self.Fitted())

    def on_click(self, event: events.Click) -> None:
        """Go to the pane of the row."""
        event.stop()
        event.prevent_default()
        self.post_message(self.Chosen(event.y, self.about_at(event)))
