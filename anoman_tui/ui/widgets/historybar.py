"""The line to type into what is looked for among the prompts that were sent."""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from anoman_tui.ui.parts import LateParts

HINT = "search the prompts sent: ^R goes further back, Enter takes, Esc restores"


class HistorySearch:
    """Walks back through the prompts that hold a text, each of them once, the newest first."""

    def __init__(self, sent: Sequence[str], draft: str) -> None:
        self._newest_first = tuple(dict.fromkeys(text for text in reversed(sent) if text != draft))
        self.draft = draft
        """What stood in the editor before."""
        self.query = ""
        self._found: Sequence[str] = self._newest_first
        self._at: int | None = None

    @property
    def shown(self) -> str | None:
        """The prompt that was found; None where the draft stays."""
        return None if self._at is None else self._found[self._at]

    @property
    def place(self) -> str:
        """Where it stands among those found."""
        if not self._newest_first:
            return "no other prompt was sent yet"
        if not self._found:
            return "not found"
        return f"{len(self._found)} found" if self._at is None else f"{self._at + 1} of {len(self._found)}"

    def type(self, query: str) -> None:
        """Look for another text. The prompt that is shown stays where it holds that, too."""
        if query == self.query:
            return
        before, self.query = self.shown, query
        sought = query.casefold()
        self._found = tuple(text for text in self._newest_first if sought in text.casefold())
        if not self._found or not query:
            self._at = None
        else:
            self._at = self._found.index(before) if before in self._found else 0

    def step(self, step: int) -> None:
        """Go to an older prompt, or back to a newer one."""
        if self._found:
            at = (-1 if self._at is None else self._at) + step
            self._at = max(0, min(len(self._found) - 1, at))

    def span(self) -> tuple[int, int] | None:
        """Where the text stands in the prompt that is shown, as offsets."""
        text = self.shown
        if text is None or not self.query:
            return None
        start = text.casefold().find(self.query.casefold())
        return (start, start + len(self.query)) if text[start : start + len(self.query)].casefold() == self.query.casefold() else None


class HistoryBar(Input, LateParts):
    """Searches the prompts while one types; the editor above shows what was found."""

    BINDING_GROUP_TITLE = "History"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "leave(True)", "Take", id="history-take", tooltip="Take the prompt that is shown"),
        Binding("ctrl+r", "step(1)", "Older", id="history-older", tooltip="Go to an older prompt"),
        Binding("up", "step(1)", "Older", id="history-up", tooltip="Go to an older prompt", show=False),
        Binding("down", "step(-1)", "Newer", id="history-down", tooltip="Go to a newer prompt"),
        Binding("escape", "leave(False)", "Back", id="history-back", tooltip="Bring back what stood in the prompt"),
    ]

    class Typed(Message):
        """Another text is looked for."""

        def __init__(self, query: str) -> None:
            super().__init__()
            self.query = query

    class Stepped(Message):
        """An older or a newer prompt is wanted."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    class Left(Message):
        """The search is over. It comes behind the letters before it, as they are on their way."""

        def __init__(self, take: bool) -> None:
            super().__init__()
            self.take = take

    def __init__(self) -> None:
        super().__init__(id="historybar", compact=True, placeholder=HINT)
        self.display = False

    def watch_value(self, value: str) -> None:
        """Search with each letter."""
        if self.is_attached and self.display:
            self.post_message(self.Typed(value))

    def action_step(self, step: int) -> None:
        """Walk on."""
        self.post_message(self.Stepped(step))

    def action_leave(self, take: bool) -> None:
        """End the search."""
        self.post_message(self.Left(take))
