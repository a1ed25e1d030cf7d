"""Blind mode on the main screen: what is hidden, what may be done meanwhile, and how far judging has come."""

from functools import cached_property
from typing import TYPE_CHECKING, Final

from anoman_tui.ui.blind import REFUSED, betrays
from anoman_tui.ui.cells import Row
from anoman_tui.ui.judging import Judging, Stage, progress
from anoman_tui.ui.screens.choosing import ChoosingScreen
from anoman_tui.ui.session import Session
from anoman_tui.ui.widgets.prompt import PromptEditor

if TYPE_CHECKING:
    from anoman_tui.ui.widgets.votebar import VoteBar

BLIND_ACTIONS: Final = frozenset(
    {
        *("blind", "vote", "send", "submit", "rerun_all", "stop_all", "copy_or_stop", "copy_text", "switch_mode"),
        *("focus_pane", "step_pane", "next_place", "focus_prompt", "leave", "zoom", "switch_layout", "lock_scrolling"),
        *("raw_text", "fold_reasoning", "find", "find_on", "leave_find"),
        *("search_history", "leave_search", "edit_prompt", "library", "keep_prompt"),
        *("replay_toggle", "replay_step", "replay_speed", "replay_jump"),
        *("show_keys", "command_palette", "change_theme", "quit", "notify", "bell", "back"),
    }
)
"""What can be done while names are hidden. All else is refused, whatever it is: it might tell."""
CHANGES: Final = frozenset(
    {
        *("add_pane", "remove_pane", "move_pane", "undo_panes", "redo_panes", "pane_sets", "triad", "library"),
        *("recordings", "stream_twin", "cache_pair"),
    }
)
"""What changes the panes or takes their place: done after a vote, it ends blind mode first, so that they stand in their own order."""
READY_ACTIONS: Final = frozenset({"copy_answer", "diff", "base", "retry_pane"})
"""What can be done as well once all answers are shown."""
WHICH: Final = "blind: which pane still streams is hidden; X stops all that do"
KEPT: Final = "blind: a message that could tell is shown after the vote"


class BlindScreen(ChoosingScreen, layer=True):
    """Hides names."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.judging = Judging(self.board, session.shuffle)
        self.board.starts = self.judging.restore
        self._stage_shown = Stage.OFF
        self._later: list[tuple[str, bool]] = []  # messages that could tell

    @cached_property
    def votebar(self) -> "VoteBar":
        """The line of blind mode."""
        from anoman_tui.ui.widgets.votebar import VoteBar

        return VoteBar()

    def on_unmount(self) -> None:
        """What is remembered of the panes is their own order."""
        self.judging.restore()

    # -- what is hidden ----------------------------------------------------------------------------------------------

    def gate(self, action: str) -> bool:
        """Whether an action of this screen or of the app is not to be done, since it could tell who answered; says so."""
        stage = self.judging.stage
        if stage is Stage.REVEALED and action in CHANGES:
            self._end_blind()
        if not self.judging.hides or (action in BLIND_ACTIONS and not (action == "leave" and stage is Stage.WAITING)):
            return False
        if action in READY_ACTIONS and stage is Stage.READY:
            return False
        if action == "leave":
            return self._leave_waiting()
        if action == "stop_pane":
            super().say(WHICH, warning=True)
        elif action in READY_ACTIONS:
            super().say("blind: this works once all answers are in", warning=True)
        else:
            super().say(REFUSED, warning=True)
        return True

    def _leave_waiting(self) -> bool:
        """Esc in a pane stops it; whether it streams must not be found out so."""
        if isinstance(self.focused, PromptEditor) or self.answer.finder.query:
            return False
        if self.zoomed:
            self.action_zoom()
        else:
            super().say(WHICH, warning=True)
        return True

    def action_details(self, about: str = "") -> None:
        """Not while names are hidden, be it by a key or by a click."""
        if not self.gate("details"):
            super().action_details(about)

    def say(self, text: str, *, warning: bool = False) -> None:
        """Show a notice; one that could tell is kept until names are shown."""
        targets = [target for slot in self.board.slots for target in (slot.target, slot.spec.target)]
        if self.judging.hides and betrays(text, targets):
            self._later.append((text, warning))
            super().say(KEPT)
        else:
            super().say(text, warning=warning)

    @property
    def _race_wanted(self) -> bool | None:
        return False if self.judging.hides else super()._race_wanted

    def _show_talk(self) -> None:
        """Whose answer a conversation goes on from is hidden, too."""
        if self.judging.hides:
            self.editor.note("talk", "goes on from an answer" if self.talk.on else "")
        else:
            super()._show_talk()

    # -- turning -----------------------------------------------------------------------------------------------------

    async def action_blind(self) -> None:
        """Hide names from the next prompt on, or show them again."""
        if self.judging.on:
            self._end_blind()
        elif not self.live():
            return
        elif len(self.board.slots) < 2:
            self.say("blind needs at least two panes to choose between", warning=True)
        else:
            self.app.clear_notifications()
            for pane in self.stage.panes:
                pane.answer.find("")
            self.judging.begin()
            self.show_stage()

    def _end_blind(self) -> None:
        slot = self.board.slots[self.stage.current]
        self.judging.end()
        self.show_stage()
        place = self.board.slots.index(slot)
        if self._in_answer():
            self.set_focus(self.stage.panes[place].answer)
        self.go_to(place)
        self.say_kept()

    async def fit_panes(self) -> None:
        """Other panes than those that were shuffled cannot be judged."""
        was_on = self.judging.on
        if was_on:
            self.judging.end(restore=False)
            self.stage.veil = None
        self.stage.base = self.judging.marked
        await super().fit_panes()
        if was_on:
            self.show_stage()
            self.say("the panes are others now, so blind is ended")
            self.say_kept()

    def wake(self) -> None:
        """Hide the run that has just begun, and draw."""
        if self.judging.deal():
            self.show_stage()
        super().wake()

    def frame(self) -> bool:
        """Draw, and follow how far judging has come."""
        expecting = super().frame()
        if self.judging.on and (self.judging.veil() != self.stage.veil or self.judging.stage is not self._stage_shown):
            self.show_stage()
        return expecting

    def show_stage(self) -> None:
        """Draw all that depends on what is hidden."""
        judging, stage = self.judging, self.judging.stage
        self.stage.veil, self.stage.base = judging.veil(), judging.marked
        self._stage_shown = stage
        if self.votebar.has_focus and stage is not Stage.READY:
            self.set_focus(self.answer)
        self.votebar.display = judging.on
        self.votebar.tell(self._words())
        self.refit()
        with self.surface:
            self.stage.redraw()
        self._show_talk()

    def on_descendant_focus(self) -> None:
        """The keys to vote differ by where the focus is."""
        if self.judging.on:
            self.votebar.tell(self._words())

    def _words(self) -> Row:
        return progress(self.judging, self.board, in_prompt=isinstance(self.focused, PromptEditor))

    def say_kept(self) -> None:
        """Show the messages that waited for the names."""
        later, self._later = self._later, []
        for text, warning in later:
            self.say(text, warning=warning)

    def _in_answer(self) -> bool:
        return any(pane.answer is self.focused for pane in self.stage.panes)
