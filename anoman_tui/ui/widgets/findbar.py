"""The line to type into what is to be found."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from anoman_tui.ui.parts import LateParts


class FindBar(Input, LateParts):
    """Searches while one types."""

    BINDING_GROUP_TITLE = "Find"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter",
            "screen.leave_find(True)",
            "Keep",
            id="find-keep",
            tooltip="Back to the pane, where n and N walk on",
            priority=True,
        ),
        Binding("down", "step(1)", "Next", id="find-next-typed", tooltip="Go to the next place while typing"),
        Binding("up", "step(-1)", "Before", id="find-previous-typed", tooltip="Go to the place before while typing"),
        Binding("escape", "screen.leave_find(False)", "Close", id="find-close", tooltip="Close the search", priority=True),
    ]

    class Typed(Message):
        """Another text is looked for."""

        def __init__(self, query: str) -> None:
            super().__init__()
            self.query = query

    class Stepped(Message):
        """Another place is wanted."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def __init__(self) -> None:
        super().__init__(id="findbar", compact=True, select_on_focus=True)
        self.display = False

    def open(self, number: int) -> None:
        """Show the line for a pane."""
        self.placeholder = f"find in pane {number}: Enter keeps, ↑ ↓ walk, Esc closes"
        self.display = True

    def watch_value(self, value: str) -> None:
        """Search with each letter."""
        if self.is_attached:
            self.post_message(self.Typed(value))

    def action_step(self, step: int) -> None:
        """Walk on."""
        self.post_message(self.Stepped(step))
