"""Comparing words on the main screen: the current pane's answer against that of the base."""

from anoman_tui.ui.blind import answer_name, is_over
from anoman_tui.ui.screens.voting import VotingScreen
from anoman_tui.ui.talk import answer_text


class ComparingScreen(VotingScreen, layer=True):
    """Shows word diffs."""

    def action_base(self) -> None:
        """Compare others with the current pane from now on."""
        at = self.stage.current
        self.judging.set_base(at)
        self.stage.base = self.judging.marked
        self.stage.draw_lines()
        self.say("this pane is the base now: d in another pane compares it with this one")

    def action_diff(self) -> None:
        """Show what the current pane says otherwise than the base."""
        slots, at, base = self.board.slots, self.stage.current, self.judging.base
        if self.app.screen is not self:
            return
        if len(slots) < 2:
            self.say("there is one pane only, and nothing to compare it with", warning=True)
        elif at == base:
            self.say("this pane is the base: press d in another pane, or = there to make that one the base", warning=True)
        elif not (answer_text(slots[base].state) and answer_text(slots[at].state)):
            which = "base" if not answer_text(slots[base].state) else "pane"
            self.say(f"there is nothing to compare yet: this {which} has no answer", warning=True)
        else:
            self._open_diff(at, base)

    def _open_diff(self, at: int, base: int) -> None:
        from anoman_tui.ui.screens.diff import DiffScreen, Pair

        here, there = self.board.slots[at], self.board.slots[base]
        names = [self._pane_name(place) for place in (at, base)]
        title = f"{names[0]} against the base, {names[1]}"

        def read() -> Pair:
            growing = not (is_over(here) and is_over(there))
            return Pair(title, answer_text(there.state), answer_text(here.state), growing)

        screen = DiffScreen(read)
        self.stage.watch = screen.redraw
        self.app.push_screen(screen, self._unwatch)

    def _pane_name(self, place: int) -> str:
        if self.judging.hides:
            return answer_name(place)
        return f"pane {place + 1}"
