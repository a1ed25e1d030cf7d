"""Looking closer at what the panes hold: folding, raw text, finding, scrolling together, and the sheet of all numbers."""

from functools import cached_property
from typing import TYPE_CHECKING

from anoman_tui.ui.cells import plain_text
from anoman_tui.ui.screens.taking import TakingScreen
from anoman_tui.ui.session import Session
from anoman_tui.ui.titles import title
from anoman_tui.ui.widgets.answer import AnswerView
from anoman_tui.ui.widgets.answer_scroll import LineScroller

if TYPE_CHECKING:
    from anoman_tui.ui.details import Section
    from anoman_tui.ui.widgets.findbar import FindBar
    from anoman_tui.ui.wire.model import Source


class ReadingScreen(TakingScreen, layer=True):
    """Turns keys into ways to read the current pane."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._find_in: AnswerView | None = None
        self._find_from = 0

    @cached_property
    def findbar(self) -> "FindBar":
        """The line to type into what is to be found."""
        from anoman_tui.ui.widgets.findbar import FindBar

        return FindBar()

    @property
    def is_current(self) -> bool:
        """Whether any of it is visible: Textual counts the screen below the top one in, even where that hides it all."""
        return super().is_current and not getattr(self.app.screen, "COVERS_ALL", False)

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
        from anoman_tui.ui.details import details
        from anoman_tui.ui.screens.details import DetailsScreen

        if self.app.screen is not self:
            return
        slot = self.board.slots[self.stage.current]

        def read() -> "tuple[Section, ...]":
            return details(slot.target, slot.state, self.board.clock())

        name = plain_text([title(slot.target, self.stage.current + 1, False, with_model=True)]).strip()
        sheet = DetailsScreen(name, read, about)
        self.stage.watch = sheet.redraw
        self.app.push_screen(sheet, self._unwatch)

    def action_wire(self) -> None:
        """Show what came over the wire, frame by frame, in all panes."""
        from anoman_tui.ui.screens.wire import WireScreen
        from anoman_tui.ui.wire.model import Source

        if self.app.screen is not self:
            return

        def read() -> "list[Source]":
            return [Source(slot.target, slot.state, slot.mailbox, slot.queued) for slot in self.board.slots]

        lanes = WireScreen(read, self.board.clock, self.stage.current)
        self.stage.watch = lanes.redraw
        self.app.push_screen(lanes, self._unwatch)

    # -- finding ---------------------------------------------------------------------------------------------------

    def action_find(self) -> None:
        """Open the line to type into what is to be found."""
        self._find_in, self._find_from = self.answer, self.answer.top
        self.findbar.open(self.stage.current + 1)
        self.set_focus(self.findbar)
        self.answer.find(self.findbar.value)

    def action_find_on(self, step: int) -> None:
        """Walk through what was found; in a pane where nothing was looked for, look for the same."""
        answer = self.answer
        if answer.finder.query:
            answer.find_on(step)
        elif self.findbar.value.strip():
            answer.find(self.findbar.value)
        else:
            self.say("nothing is looked for: / finds a text in this pane")

    def drop_found(self) -> bool:
        """Mark nothing any more in the current pane; whether something was marked."""
        if not self.answer.finder.query:
            return False
        self.answer.find("")
        return True

    def on_find_bar_typed(self, event: "FindBar.Typed") -> None:
        """Search with each letter."""
        if self._find_in is not None:  # letters may arrive when the line has been closed
            self._find_in.find(event.query, self._find_from)

    def on_find_bar_stepped(self, event: "FindBar.Stepped") -> None:
        """Walk on while typing."""
        self.answer.find_on(event.step)

    def action_leave_find(self, keep: bool) -> None:
        """Back to the pane; what was found stays marked where that is wanted."""
        self.set_focus(self.answer)
        self.findbar.display = False
        if not keep:
            self._find_in = None
            self.drop_found()

    # -- scrolling together ----------------------------------------------------------------------------------------

    def action_lock_scrolling(self) -> None:
        """Scroll all panes together, or each by itself again."""
        self.stage.locked = not self.stage.locked
        self.stage.draw_lines()
        self._pull_along(self.answer)

    def on_line_scroller_moved(self, event: LineScroller.Moved) -> None:
        """Pull the other panes along while they are locked together."""
        self._pull_along(event.view)

    def _pull_along(self, view: LineScroller) -> None:
        if self.stage.locked:
            for pane in self.stage.panes:
                if pane.answer is not view:
                    pane.answer.go_along(view)

    def _unwatch(self, _: None) -> None:
        self.stage.watch = None
