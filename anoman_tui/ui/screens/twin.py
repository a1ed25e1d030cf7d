"""How a second answer stands to the first, while it comes and afterwards."""

from collections.abc import Callable, Sequence

from anoman_tui.core.twin import Comparison, Remark
from anoman_tui.ui.screens.comparison import ComparisonScreen


class TwinScreen(ComparisonScreen):
    """Shows how a second answer stands to the first; while it runs, how long it does."""

    def __init__(self, title: str, names: Sequence[str], read: Callable[[], Comparison | str]) -> None:
        super().__init__(title, names, ())
        self._read = read
        self._told: Comparison | str | None = None

    def on_mount(self) -> None:
        """Draw what is known."""
        self.redraw()

    def redraw(self) -> None:
        """Draw what changed since the last call."""
        told = self._read()
        if told == self._told:
            return
        self._told = told
        if isinstance(told, str):
            self._rows, self._notes = (), (told,)
        else:
            self._rows = told.rows
            self._notes = (told.verdict, *(_said(remark) for remark in told.remarks))
        self._draw_rows()

    def _draw_rows(self) -> None:
        if self._rows or self._notes:
            super()._draw_rows()


def _said(remark: Remark) -> str:
    return f"{remark.text} ({remark.page})" if remark.page else remark.text
