"""Voting on the main screen: which answer is the best, and how often each model won."""

import asyncio
from typing import TYPE_CHECKING

from anoman_tui.ui.judging import Pick, Stage
from anoman_tui.ui.screens.blinding import BlindScreen
from anoman_tui.ui.session import Session

if TYPE_CHECKING:
    from anoman_tui.core.stats import Vote
    from anoman_tui.ui.widgets.votebar import VoteBar


class VotingScreen(BlindScreen, layer=True):
    """Takes votes, keeps them and shows their table."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.unsaved: list[Vote] = []
        """Votes that are not written yet."""

    async def action_vote(self) -> None:
        """Ask for the vote, where there is one to give; else show the win rates. Keys that come meanwhile wait, so that they act there."""
        judging = self.judging
        match judging.stage:
            case Stage.OFF | Stage.REVEALED:
                await self._show_rates()
            case Stage.EMPTY:
                self.say("blind: nothing to vote on yet; type a prompt and press Enter", warning=True)
            case Stage.WAITING:
                self.say(f"blind: {judging.arrived} of {len(self.board.slots)} answers are in; X stops those that still come", warning=True)
            case Stage.READY if len(judging.candidates) < 2:
                self.say("blind: fewer than two panes gave an answer, so there is nothing to choose between; R asks again", warning=True)
            case Stage.READY:
                self.votebar.ask(judging.candidates)
                self.set_focus(self.votebar)

    def on_vote_bar_picked(self, event: "VoteBar.Picked") -> None:
        """Take the vote, show whose the answers are, and keep it."""
        event.stop()
        vote = self.judging.vote(Pick(event.winners), self.session.wall_clock())
        if vote is None:
            return
        self.show_stage()
        self.set_focus(self.stage.panes[event.winners[0] if event.winners else self.stage.current].answer)
        self.say_kept()
        self.unsaved.append(vote)
        self.run_worker(self._save_votes(), group="votes", exit_on_error=False)

    def on_vote_bar_looked(self, event: "VoteBar.Looked") -> None:
        """Show another answer, or more of this one; the vote is still asked for."""
        event.stop()
        if event.panes:
            self.go_to((self.stage.current + event.panes) % len(self.board.slots))
            self.stage.draw_lines()
        if event.lines:
            self.answer.scroll_lines(event.lines)

    def on_vote_bar_left(self, event: "VoteBar.Left") -> None:
        """Back to the pane."""
        event.stop()
        self.set_focus(self.answer)

    def on_vote_bar_refused(self, event: "VoteBar.Refused") -> None:
        """Say why nothing happened."""
        event.stop()
        self.say(event.sentence, warning=True)

    async def _save_votes(self) -> None:
        """Write the votes that wait for it, the oldest first. What cannot be written waits on."""
        votes = self.session.votes
        while self.unsaved and votes is not None:
            vote = self.unsaved.pop(0)
            try:
                await asyncio.to_thread(votes.add, vote)
            except OSError as wrong:
                self.unsaved.insert(0, vote)
                why = wrong.strerror or str(wrong) or type(wrong).__name__
                self.say(f"the vote cannot be saved ({why}); it counts in this sitting, and the next vote saves it, too", warning=True)
                return

    async def _show_rates(self) -> None:
        kept: list[Vote] = []
        if self.session.votes is not None:
            try:
                kept = await asyncio.to_thread(self.session.votes.all)
            except OSError as wrong:
                self.say(f"the votes cannot be read ({wrong.strerror or type(wrong).__name__})", warning=True)
        if self.app.screen is self and not self.judging.hides:
            from anoman_tui.ui.screens.rates import RatesScreen

            blind = [vote for vote in (*kept, *self.unsaved) if vote.blind]
            self.app.push_screen(RatesScreen(blind))
