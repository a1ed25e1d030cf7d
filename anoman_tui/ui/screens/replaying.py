"""Recordings on the main screen: choosing one, moving in its time, and going back to the panes."""

import asyncio
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from anoman_tui.core.ports import Playback, Recording
from anoman_tui.ui.playing import Player
from anoman_tui.ui.screens.arranging import ArrangingScreen

if TYPE_CHECKING:
    from anoman_tui.ui.widgets.replaybar import ReplayBar

REPLAY_ACTIONS = frozenset({"replay_toggle", "replay_step", "replay_speed", "replay_jump"})
"""They act while a recording is on the screen, and their keys are free otherwise."""


class ReplayingScreen(ArrangingScreen, layer=True):
    """Plays recordings."""

    @cached_property
    def replaybar(self) -> "ReplayBar":
        """The line of a recording."""
        from anoman_tui.ui.widgets.replaybar import ReplayBar

        return ReplayBar()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The keys of a replay act in a replay only."""
        if action in REPLAY_ACTIONS:
            return self.player is not None
        return super().check_action(action, parameters)

    def frame(self) -> bool:
        """Say it where a run could not be recorded."""
        expecting = super().frame()
        if problem := self.board.tapes.problem:
            self.board.tapes.problem = ""
            self.say(problem, warning=True)
        return expecting

    async def action_recordings(self) -> None:
        """Choose a recorded run."""
        shelf = self.session.recordings
        if shelf is None:
            self.say("no folder of recordings is known here", warning=True)
            return
        if self.app.screen is not self:
            return
        if busy := self.board.busy if self.player is None else 0:
            still = "1 pane still streams" if busy == 1 else f"{busy} panes still stream"
            self.say(f"{still}: X stops all, then o plays a recording in their place", warning=True)
            return
        from anoman_tui.ui.screens.runs import RunsScreen

        screen = RunsScreen(await asyncio.to_thread(shelf.list))

        async def chosen(one: Recording | None) -> None:
            for gone in screen.removed:
                try:
                    await asyncio.to_thread(shelf.remove, gone.file)
                except OSError as wrong:
                    self.say(f"{Path(gone.file).name} cannot be removed ({wrong.strerror or type(wrong).__name__})", warning=True)
            if one is not None:
                await self.play(one.file)

        self.app.push_screen(screen, chosen)

    async def play(self, file: str) -> None:
        """Play a run file. One that cannot be read is said to be so."""
        shelf = self.session.recordings
        if shelf is None:
            return
        try:
            playback = await asyncio.to_thread(shelf.open, file)
        except (ValueError, OSError) as wrong:
            self.say(str(wrong), warning=True)
            return
        await self.show_playback(playback)

    async def show_playback(self, playback: Playback) -> None:
        """Put a recording in the place of the panes."""
        if self.player is not None:
            self.player.leave()
        self.player = Player(self.board, playback)
        self.player.start()
        self.replaybar.display = True
        self.stage.on_lines = self._draw_bar
        await self.fit_panes()
        if self.player is not None and self.player.left_out:
            self.say(f"{self.player.left_out} more panes of this recording have no room here; `anoman-tui replay` shows all", warning=True)
        if playback.cut:
            self.say("this recording ends before its run did", warning=True)
        self.set_focus(self.answer)
        self.wake()

    async def leave_replay(self) -> None:
        """Back to the panes as they were."""
        if self.player is None:
            return
        self.player.leave()
        self.player = None
        self.replaybar.display = False
        self.stage.on_lines = None
        await self.fit_panes()

    def action_replay_toggle(self) -> None:
        """Stand still, or go on."""
        if self.player is not None:
            self.player.toggle()
            self.wake()

    def action_replay_step(self, step: int) -> None:
        """Go to what happened next, or before."""
        if self.player is not None:
            self.player.step(back=step < 0)
            self.wake()

    def action_replay_speed(self, step: int) -> None:
        """Faster, or slower."""
        if self.player is not None:
            self.player.faster(step)
            self.wake()

    def action_replay_jump(self, seconds: int) -> None:
        """Back or forth in time."""
        if self.player is not None:
            self.player.jump(seconds)
            self.wake()

    def on_replay_bar_sought(self, event: "ReplayBar.Sought") -> None:
        """Go to the place of the bar that was clicked."""
        if self.player is not None:
            playback = self.player.playback
            self.player.seek(playback.start_ns + round(event.part * (playback.end_ns - playback.start_ns)))
            self.wake()

    def _draw_bar(self) -> None:
        if self.player is not None:
            self.replaybar.show_player(self.player)
