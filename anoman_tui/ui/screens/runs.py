"""The recorded runs, to choose one that is played again."""

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from anoman_tui.core.ports import Recording
from anoman_tui.core.sanitize import clean_line
from anoman_tui.ui.overlays import OVERLAYS

NONE_YET = "no run is recorded yet: each one is, unless `record = false` is set"


class RunsScreen(ModalScreen[Recording | None]):
    """Asks which one."""

    CSS_PATH = OVERLAYS
    AUTO_FOCUS = "#runs"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="close-runs", tooltip="Close this"),
        Binding("delete,D", "remove", "Remove", id="remove-run", tooltip="Remove the marked recording for good; asks first"),
        Binding("j", "step(1)", "Down", id="runs-down", show=False, tooltip="Go down"),
        Binding("k", "step(-1)", "Up", id="runs-up", show=False, tooltip="Go up"),
    ]

    def __init__(self, recordings: Sequence[Recording]) -> None:
        super().__init__()
        self._recordings = list(recordings)
        self._asked: Recording | None = None
        self.removed: list[Recording] = []
        """What the user wants to be removed."""

    def compose(self) -> ComposeResult:
        """The list."""
        runs = OptionList(*[self._option(one) for one in self._recordings], id="runs", markup=False)
        runs.border_title = Content(f"Recorded runs · {len(self._recordings)}" if self._recordings else NONE_YET)
        runs.border_subtitle = Content("Enter plays · D removes · Esc closes")
        yield runs

    def _option(self, one: Recording) -> Option:
        panes = ", ".join(f"{count} × {pane}" if count > 1 else pane for pane, count in Counter(one.panes).items())
        head = f"{one.started_at[:10]} {one.started_at[11:19]}  {clean_line(one.prompt, 200)}"
        return Option(Content.assemble((f"{clean_line(head, 240)}\n", "bold"), f"  {clean_line(panes, 240)} · {size(one.size)}"))

    def on_resize(self, event: events.Resize) -> None:
        """Drop a size that is no longer the terminal's, as the main screen does."""
        if event.size != self.app.size:
            event.stop()
            event.prevent_default()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter, or a click."""
        self.dismiss(self._recordings[event.option_index])

    def on_option_list_option_highlighted(self) -> None:
        """Another one is marked: nothing is asked any more."""
        self._asked = None
        self._list.border_subtitle = Content("Enter plays · D removes · Esc closes")

    def action_remove(self) -> None:
        """Ask, and at the second time remove."""
        at = self._list.highlighted
        if at is None:
            return
        one = self._recordings[at]
        if self._asked is not one:
            self._asked = one
            self._list.border_subtitle = Content("D again removes this recording for good")
            return
        self.removed.append(self._recordings.pop(at))
        self._list.remove_option_at_index(at)
        self._list.border_title = Content(f"Recorded runs · {len(self._recordings)}")

    def action_step(self, step: int) -> None:
        """Go up or down."""
        if step > 0:
            self._list.action_cursor_down()
        else:
            self._list.action_cursor_up()

    def action_close(self) -> None:
        """Choose nothing."""
        self.dismiss(None)

    @property
    def _list(self) -> OptionList:
        return self.query_one("#runs", OptionList)


def size(count: int) -> str:
    """Bytes in words."""
    return f"{count} B" if count < 1_000 else f"{count / 1_000:.0f} kB" if count < 1_000_000 else f"{count / 1e6:.1f} MB"
