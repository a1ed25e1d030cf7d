"""Conversations on the main screen: going on from an answer, and ending that."""

from anoman_tui.ui.screens.setups import SetupsScreen
from anoman_tui.ui.session import Session
from anoman_tui.ui.talk import Talk, is_partial, turns_of


class TalkingScreen(SetupsScreen, layer=True):
    """Puts answers before the next prompt."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.talk = Talk(self.board)
        self._was_busy = False

    async def action_continue_pane(self) -> None:
        """Go on from the current pane's answer in all panes; once more ends it."""
        slot, number = self.board.slots[self.stage.current], self.stage.current + 1
        if self.player is not None:
            await self._resume(self.stage.current)
        elif self.talk.leader is slot:
            self._end_talk()
        elif turns_of(slot) is None and not slot.streaming:
            self.say(f"pane {number} has no answer to continue" + (": r sends its prompt again" if slot.request else ""), warning=True)
        else:
            everywhere = "" if len(self.board.slots) == 1 else " in all panes"
            partial = "partial " if is_partial(slot) else ""
            self._follow(f"the next prompt goes on from pane {number}'s {partial}answer{everywhere}; c in that pane ends it", pane=True)

    async def action_continue_all(self) -> None:
        """Go on from its own answer in each pane; once more ends it."""
        slots = self.board.slots
        if self.player is not None:
            await self._resume(None)
        elif self.talk.own:
            self._end_talk()
        elif not any(turns_of(slot) or slot.streaming for slot in slots):
            self.say("no pane has an answer to continue: type a prompt and press Enter", warning=True)
        else:
            partial = any(is_partial(slot) for slot in slots if turns_of(slot))
            new = [str(number) for number, slot in enumerate(slots, 1) if turns_of(slot) is None and not slot.streaming]
            without = f"; {_panes(new)} no answer and begin{'s' if len(new) == 1 else ''} anew" if new else ""
            said = f"the next prompt goes on from its own answer in each pane{', some of them partial' if partial else ''}{without}"
            self._follow(f"{said}; C ends it", pane=False)

    def _follow(self, said: str, *, pane: bool) -> None:
        self.talk.follow(self.board.slots[self.stage.current] if pane else None)
        self._show_talk()
        self.set_focus(self.editor)
        self.say(said)

    async def _resume(self, chosen: int | None) -> None:
        """Leave the recording, and go on from what was said in it."""
        slots = self.board.slots
        wanted = slots if chosen is None else [slots[chosen]]
        recorded = [(slot.target, turns_of(slot) or ()) for slot in slots]
        if any(slot.streaming for slot in wanted):
            self.say("this recording still plays: c goes on from it once it has ended", warning=True)
        elif not any(turns_of(slot) for slot in wanted):
            self.say("there is no answer to continue in this recording", warning=True)
        else:
            await self.leave_replay()
            self.talk.resume(recorded, chosen)
            self._show_talk()
            self.set_focus(self.editor)
            own = "its own recorded answer in each pane; C ends it"
            all_panes = "the recorded answer in all panes; c in the pane that the prompt's line names ends it"
            self.say(f"the next prompt goes on from {own if chosen is None else all_panes}")

    def _end_talk(self) -> None:
        self.talk.end()
        self._show_talk()
        self.say("the conversation is ended: the next prompt begins anew")

    def action_send(self) -> None:
        """Send behind what was said before, where a conversation goes on."""
        if self.talk.on and not self.board.busy and self.editor.text.strip():
            problem = self.talk.advance()
            self._show_talk()
            if problem:
                self.say(problem, warning=True)
                return
            if behind := [str(number) for number in self.talk.behind()]:
                go = "goes" if len(behind) == 1 else "go"
                self.say(f"{_panes(behind)} no answer to the last prompt and {go} on without it", warning=True)
        super().action_send()

    def frame(self) -> bool:
        """Draw, and count the turn once its answers are there."""
        expecting = super().frame()
        busy = self.talk.on and self.board.busy > 0
        if busy is not self._was_busy:
            self._was_busy = busy
            if self.talk.on and not busy and self.board.source.live:
                self.talk.advance()
                self._show_talk()
        return expecting

    async def fit_panes(self) -> None:
        """Panes may have another number, or be gone."""
        await super().fit_panes()
        self._show_talk()

    def _show_talk(self) -> None:
        self.editor.note("talk", self.talk.words())


def _panes(numbers: list[str]) -> str:
    return f"pane {numbers[0]} has" if len(numbers) == 1 else f"panes {', '.join(numbers)} have"
