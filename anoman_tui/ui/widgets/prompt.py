"""The prompt editor: Enter sends, Ctrl+J breaks the line, Up and Down walk through what was sent."""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import TextArea
from textual.widgets.text_area import Selection

from anoman_tui.core.sanitize import clean_line
from anoman_tui.ui.memory import MAX_HISTORY
from anoman_tui.ui.parts import LateParts

HINTS = {
    True: "Ask all panes: Enter sends, Ctrl+J starts a new line, F3 lists prompts",
    False: "Ask all panes: Ctrl+J sends, Enter starts a new line, F3 lists prompts",
}
"""By whether Enter sends."""


class PromptHistory:
    """Prompts sent, and a place among them; the draft is kept while walking."""

    def __init__(self, sent: Sequence[str] = ()) -> None:
        self._sent: list[str] = [*sent]
        self._at = len(self._sent)
        self._draft = ""

    @property
    def sent(self) -> tuple[str, ...]:
        """All prompts, the newest last."""
        return tuple(self._sent)

    @property
    def last(self) -> str:
        """The newest prompt, empty where none was sent."""
        return self._sent[-1] if self._sent else ""

    def add(self, text: str) -> None:
        """Remember a prompt; a repeated one once."""
        if not self._sent or self._sent[-1] != text:
            self._sent = [*self._sent[1 - MAX_HISTORY :], text]
        self._at, self._draft = len(self._sent), ""

    def older(self, shown: str) -> str | None:
        """The prompt before the shown one."""
        if self._at == 0:
            return None
        if self._at == len(self._sent):
            self._draft = shown
        self._at -= 1
        return self._sent[self._at]

    def newer(self) -> str | None:
        """The prompt after the shown one, at last the draft."""
        if self._at >= len(self._sent):
            return None
        self._at += 1
        return self._draft if self._at == len(self._sent) else self._sent[self._at]


class PromptEditor(TextArea, LateParts):
    """A text area that sends."""

    BINDING_GROUP_TITLE = "Prompt"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Send", id="send-prompt", tooltip="Send the prompt to all panes", priority=True),
        Binding("ctrl+j", "newline", "New line", id="prompt-newline", tooltip="Start a new line", priority=True),
        Binding("ctrl+r", "screen.search_history", "Search", id="search-history", tooltip="Search the prompts sent before", show=False),
        Binding("f4", "screen.edit_prompt", "Editor", id="edit-prompt", tooltip="Open the prompt in $VISUAL or $EDITOR", show=False),
        Binding("ctrl+s", "screen.keep_prompt", "Keep", id="keep-prompt", tooltip="Keep this text as a prompt of your own", show=False),
        Binding("escape", "screen.leave", "Panes", id="leave-prompt", tooltip="Leave the prompt for the panes", priority=True),
    ]

    class Submitted(Message):
        """The user wants the text to be sent."""

    def __init__(self, text: str = "", history: Sequence[str] = (), *, enter_sends: bool = True) -> None:
        hint = Content(HINTS[enter_sends])
        super().__init__(text, id="prompt", soft_wrap=True, show_line_numbers=False, tab_behavior="focus", placeholder=hint)
        self.highlight_cursor_line = False
        self.history_of_prompts = PromptHistory(history)
        self._here = False
        self._notes: dict[str, str] = {"search": "", "talk": "", "shared": ""}  # in the order in which they are shown

    def on_mount(self) -> None:
        """Start behind the text."""
        self.move_cursor(self.document.end)
        self._mark_place(here=self.has_focus)

    def on_focus(self) -> None:
        """Mark the place where keys type."""
        self._mark_place(here=True)

    def on_blur(self) -> None:
        """Unmark it."""
        self._mark_place(here=False)

    def _mark_place(self, *, here: bool) -> None:
        self._here = here
        self.border_title = Content(" · ".join(["▸prompt" if here else " prompt", *filter(None, self._notes.values())]))

    def note(self, about: str, words: str) -> None:
        """Say beside the prompt's name what goes with it; empty words say nothing."""
        self._notes[about] = words
        self._mark_place(here=self._here)

    def action_submit(self) -> None:
        """Ask the screen to send."""
        self.post_message(self.Submitted())

    def action_newline(self) -> None:
        """Break the line."""
        self.insert("\n")

    def sent(self) -> None:
        """The text went out: remember it and make room for the next."""
        self.history_of_prompts.add(self.text)
        self.placeholder = Content(f"↑ {clean_line(self.text, 200)}")
        self.clear()

    def action_cursor_up(self, select: bool = False) -> None:
        """Up a line; on the first one to the prompt sent before."""
        at_top = self.get_cursor_up_location()[0] == 0 and self.wrapped_document.location_to_offset(self.cursor_location).y == 0
        if select or not at_top:
            super().action_cursor_up(select)
        elif (older := self.history_of_prompts.older(self.text)) is not None:
            self.put(older)

    def action_cursor_down(self, select: bool = False) -> None:
        """Down a line; on the last one to the prompt sent after."""
        bottom = self.wrapped_document.location_to_offset(self.document.end).y
        at_bottom = self.wrapped_document.location_to_offset(self.cursor_location).y == bottom
        if select or not at_bottom:
            super().action_cursor_down(select)
        elif (newer := self.history_of_prompts.newer()) is not None:
            self.put(newer)

    def put(self, text: str) -> None:
        """Show another text, with the cursor behind it."""
        self.text = text
        self.move_cursor(self.document.end)

    def take(self, text: str) -> None:
        """Put a text in the place of what stands here, which stays within reach of the Up key."""
        if self.text.strip() and self.text != text:
            self.history_of_prompts.add(self.text)
        self.put(text)

    def mark(self, start: int, end: int) -> None:
        """Select a part of the text, by offsets, and show it."""
        first, last = ((before.count("\n"), len(before) - before.rfind("\n") - 1) for before in (self.text[:start], self.text[:end]))
        self.selection = Selection(first, last)
