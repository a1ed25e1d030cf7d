"""A short list to choose from: what to copy, and whether it goes to the clipboard or to a file."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from anoman_tui.core.records import dataclass
from anoman_tui.ui.overlays import OVERLAYS
from anoman_tui.ui.sharing.exports import WORDS, Export


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen, and where it goes."""

    what: Export
    to_file: bool


class CopyMenu(ModalScreen[Choice | None]):
    """Asks what to copy."""

    CSS_PATH = OVERLAYS
    AUTO_FOCUS = "#choices"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Close", id="close-menu", tooltip="Close this"),
        Binding("f", "to_file", "To a file", id="menu-file", tooltip="Write the chosen text to a file"),
        Binding("j", "step(1)", "Down", id="menu-down", show=False, tooltip="Go down"),
        Binding("k", "step(-1)", "Up", id="menu-up", show=False, tooltip="Go up"),
    ]

    def __init__(self, number: int, *, clipboard: bool) -> None:
        super().__init__()
        self._number = number
        self._clipboard = clipboard

    def compose(self) -> ComposeResult:
        """The list."""
        options = [
            Option(Content.assemble((f"{title}\n", "bold"), f"  {means}"), id=what.value) for what, (title, means, _) in WORDS.items()
        ]
        choices = OptionList(*options, id="choices", markup=False)
        choices.border_title = Content(f"Copy · pane {self._number}")
        also = "copies" if self._clipboard else "copies, and writes a file"
        choices.border_subtitle = Content(f"Enter {also} · f only a file · Esc")
        yield choices

    def on_resize(self, event: events.Resize) -> None:
        """Drop a size that is no longer the terminal's, as the main screen does."""
        if event.size != self.app.size:
            event.stop()
            event.prevent_default()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter, or a click."""
        self.dismiss(Choice(Export(event.option_id or ""), to_file=False))

    def action_to_file(self) -> None:
        """Write the marked one to a file."""
        option = self._choices.highlighted_option
        if option is not None:
            self.dismiss(Choice(Export(option.id or ""), to_file=True))

    def action_step(self, step: int) -> None:
        """Go up or down."""
        if step > 0:
            self._choices.action_cursor_down()
        else:
            self._choices.action_cursor_up()

    def action_close(self) -> None:
        """Choose nothing."""
        self.dismiss(None)

    @property
    def _choices(self) -> OptionList:
        return self.query_one("#choices", OptionList)
