"""Looking closer at what the panes hold: folding, raw text, and the sheet of all numbers."""

from anoman_tui.ui.cells import plain_text
from anoman_tui.ui.details import Section, details
from anoman_tui.ui.screens.details import DetailsScreen
from anoman_tui.ui.screens.taking import TakingScreen
from anoman_tui.ui.view import title
from anoman_tui.ui.widgets.answer import AnswerView


class ReadingScreen(TakingScreen):
    """Turns keys into ways to read the current pane."""

    @property
    def answer(self) -> AnswerView:
        """The current pane's text."""
        return self.stage.panes[self.stage.current].answer

    def action_fold_reasoning(self) -> None:
        """Fold or show the current pane's reasoning."""
        self.answer.folded = not self.answer.folded

    def action_raw_text(self) -> None:
        """Show the current pane's answer as it came, or as Markdown."""
        self.answer.raw = not self.answer.raw

    def action_details(self, about: str = "") -> None:
        """Show every number of the current pane, and go to the one that was asked for."""
        if self.app.screen is not self:
            return
        slot = self.board.slots[self.stage.current]

        def read() -> tuple[Section, ...]:
            return details(slot.target, slot.state, self.session.clock())

        name = plain_text([title(slot.target, slot.index + 1, False, with_model=True)]).strip()
        sheet = DetailsScreen(name, read, about)
        self.stage.watch = sheet.redraw
        self.app.push_screen(sheet, self._unwatch)

    def _unwatch(self, _: None) -> None:
        self.stage.watch = None
