"""Help for the prompt: searching what was sent before, and one's own editor program."""

import os
from functools import cached_property
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported
from textual.widgets.text_area import Selection

from anoman_tui.ui import signals
from anoman_tui.ui.screens.talking import TalkingScreen
from anoman_tui.ui.session import Session

if TYPE_CHECKING:
    from anoman_tui.ui.widgets.historybar import HistoryBar, HistorySearch


class PromptingScreen(TalkingScreen, layer=True):
    """Turns keys into other texts in the prompt."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._search: HistorySearch | None = None
        self._selection = Selection()
        self._editing = False

    @cached_property
    def historybar(self) -> "HistoryBar":
        """The line to type into what is looked for among the prompts that were sent."""
        from anoman_tui.ui.widgets.historybar import HistoryBar

        return HistoryBar()

    # -- searching -------------------------------------------------------------------------------------------------

    def action_search_history(self) -> None:
        """Open the line to type into what is looked for."""
        if self._search is None:
            from anoman_tui.ui.widgets.historybar import HistorySearch

            self._search = HistorySearch(self.editor.history_of_prompts.sent, self.editor.text)
            self._selection = self.editor.selection
            self.historybar.value = ""
            self.historybar.display = True
        self.set_focus(self.historybar)
        self._show_search()

    def on_history_bar_typed(self, event: "HistoryBar.Typed") -> None:
        """Search with each letter."""
        if self._search is not None:
            self._search.type(event.query)
            self._show_search()

    def on_history_bar_stepped(self, event: "HistoryBar.Stepped") -> None:
        """Go to an older or a newer prompt."""
        if self._search is not None:
            self._search.step(event.step)
            self._show_search()

    def _show_search(self) -> None:
        if self._search is None:
            return
        found, span = self._search.shown, self._search.span()
        self.editor.put(self._search.draft if found is None else found)
        if span is not None:
            self.editor.mark(*span)
        self.editor.note("search", f"history: {self._search.place}")

    def on_history_bar_left(self, event: "HistoryBar.Left") -> None:
        """Back to the prompt, with what was found or with what stood there."""
        if self._end_search(event.take):
            self.set_focus(self.editor)

    def on_descendant_focus(self) -> None:
        """Who goes elsewhere takes what was found."""
        if self._search is not None and self.focused is not None and self.focused is not self.historybar:
            self._end_search(take=True)

    def _end_search(self, take: bool) -> bool:
        search, self._search = self._search, None
        if search is None:
            return False
        self.historybar.display = False
        self.editor.note("search", "")
        found = search.shown
        if take and found is not None:
            self.editor.put(search.draft)
            self.editor.take(found)
        else:
            self.editor.put(search.draft)
            self.editor.selection = self._selection
        return True

    # -- the editor program ------------------------------------------------------------------------------------------

    def action_edit_prompt(self) -> None:
        """Open the prompt in the user's editor; what streams goes on."""
        if not self._editing:
            self._editing = True
            self.run_worker(self._edit(), exit_on_error=False)

    async def _edit(self) -> None:
        from anoman_tui.ui.external import EditorError, edit, editor_command

        try:
            command = editor_command(os.environ)
            with self.app.suspend(), signals.interrupts_held():
                text = await edit(command, self.editor.text)
        except SuspendNotSupported:
            self.say("an editor cannot be opened here: this terminal cannot be handed over", warning=True)
        except EditorError as wrong:
            self.say(str(wrong), warning=True)
        else:
            if text != self.editor.text:
                self.editor.put(text)
        finally:
            self._editing = False
