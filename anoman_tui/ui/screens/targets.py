"""Which panes there are: setting them up, adding, removing, moving, and bringing back what was before."""

from typing import TYPE_CHECKING

from anoman_tui.core.panes import PaneSpec
from anoman_tui.ui.panes import Kept, add_pane, bring_back, keep, move_pane, remove_pane, set_spec
from anoman_tui.ui.screens.replaying import ReplayingScreen
from anoman_tui.ui.session import MAX_PANES, Session

if TYPE_CHECKING:
    from anoman_tui.ui.screens.editor import PaneEditor

MAX_STEPS = 20
"""Changes of the panes that can be undone."""


class TargetsScreen(ReplayingScreen, layer=True):
    """Changes the panes."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._before: list[Kept] = []
        """The panes before each of the last changes, the latest last."""
        self._after: list[Kept] = []
        """Those that were undone, the one to bring back first last."""

    def may_change(self) -> bool:
        """Whether the panes can be changed now; a notice says why not."""
        return self.app.screen is self and self.live()

    def remember(self, kept: Kept) -> None:
        """A change was made: the panes before it can be brought back."""
        self._before = [*self._before[1 - MAX_STEPS :], kept]
        self._after.clear()

    # -- setting up --------------------------------------------------------------------------------------------------

    def action_edit_pane(self) -> None:
        """Set the current pane up anew."""
        if not self.may_change():
            return
        slot = self.board.slots[self.stage.current]

        async def take(spec: PaneSpec | None) -> None:
            if spec is None or spec == slot.spec or slot not in self.board.slots:
                return
            self.remember(keep(self.board))
            index = self.board.slots.index(slot)
            set_spec(self.board, index, spec)
            await self.show_panes(index)
            if slot.state is not None:
                self.say(f"pane {index + 1} is changed: r sends its last prompt there")

        self.app.push_screen(self._editor(f"Pane {self.stage.current + 1}", slot.spec), take)

    def action_add_pane(self) -> None:
        """Set up one more pane, which begins as the current one is."""
        if not self.may_change():
            return
        if len(self.board.slots) >= MAX_PANES:
            self.say(f"there are {MAX_PANES} panes, and no room for more: D removes the current one", warning=True)
            return
        at = self.stage.current + 1

        async def take(spec: PaneSpec | None) -> None:
            if spec is None:
                return
            kept = keep(self.board)
            if add_pane(self.board, min(at, len(self.board.slots)), spec):
                self.remember(kept)
                await self.show_panes(at)

        self.app.push_screen(self._editor("New pane", self.board.slots[self.stage.current].spec), take)

    def _editor(self, title: str, spec: PaneSpec) -> "PaneEditor":
        from anoman_tui.ui.screens.editor import PaneEditor, Shared

        return PaneEditor(title, spec, self.session, Shared(self.board.shared, self.board.system))

    # -- removing and moving -----------------------------------------------------------------------------------------

    async def action_remove_pane(self) -> None:
        """Take the current pane away; what it holds comes back with `u`."""
        if not self.may_change():
            return
        kept, index = keep(self.board), self.stage.current
        if not remove_pane(self.board, index):
            self.say("this is the only pane: e sets it up anew", warning=True)
            return
        self.remember(kept)
        await self.show_panes(min(index, len(self.board.slots) - 1))
        self.say(f"pane {index + 1} is removed: u brings it back")

    async def action_move_pane(self, step: int) -> None:
        """Move the current pane by a place."""
        if not self.may_change():
            return
        kept, to = keep(self.board), self.stage.current + step
        if move_pane(self.board, self.stage.current, to):
            self.remember(kept)
            await self.show_panes(to)

    async def action_undo_panes(self) -> None:
        """Bring the panes back as they were before the last change, and with each further press before the one before that."""
        await self._step(self._before, self._after, "undone", "the panes were not changed before that: there is nothing to bring back")

    async def action_redo_panes(self) -> None:
        """Make the change again that was undone last."""
        await self._step(self._after, self._before, "made again", "no change of the panes was undone: there is nothing to make again")

    async def _step(self, source: list[Kept], other: list[Kept], done: str, nothing: str) -> None:
        if not self.may_change():
            return
        if not source:
            self.say(nothing)
            return
        other.append(keep(self.board))
        bring_back(self.board, source.pop())
        await self.show_panes(min(self.stage.current, len(self.board.slots) - 1))
        more = f"; {len(self._before)} more with u" if self._before else ""
        again = "; U makes it again" if done == "undone" else ""
        self.say(f"the last change of the panes is {done}{again}{more}")

    async def show_panes(self, current: int) -> None:
        """Show the panes that the board has now, and go to one of them."""
        in_pane = any(pane.answer is self.focused for pane in self.stage.panes)
        await self.fit_panes()
        self.go_to(current)
        if in_pane:
            self.set_focus(self.answer)
        self.wake()
