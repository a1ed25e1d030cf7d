"""Other panes in the place of the present ones: pane sets, and one model through the shapes of its provider."""

import asyncio

from anoman_tui.core.panes import Setup, read_setup
from anoman_tui.core.sanitize import clean_line
from anoman_tui.core.triad import is_triad, triad
from anoman_tui.ui.panes import keep, set_panes
from anoman_tui.ui.screens.targets import TargetsScreen
from anoman_tui.ui.session import MAX_PANES, Session


class SetupsScreen(TargetsScreen, layer=True):
    """Opens sets and triads."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._triad_runs = False

    # -- pane sets ---------------------------------------------------------------------------------------------------

    async def action_pane_sets(self) -> None:
        """Show the saved sets."""
        from anoman_tui.ui.screens.sets import SetsScreen, read_list

        sets = self.session.sets
        if not self.may_change():
            return
        if sets is None:
            self.say("no folder for pane sets is known here", warning=True)
            return
        listed = await asyncio.to_thread(read_list, sets)
        if self.app.screen is not self:
            return
        present = Setup(tuple(slot.spec for slot in self.board.slots), self.board.shared, self.board.system)

        async def chosen(name: str | None) -> None:
            if name is not None:
                await self._open_set(name)

        self.app.push_screen(SetsScreen(sets, present, listed), chosen)

    async def _open_set(self, name: str) -> None:
        sets = self.session.sets
        if sets is None:
            return
        shown = clean_line(name, 60)
        try:
            found = await asyncio.to_thread(sets.load, name)
            setup = read_setup(found.panes, found.params, found.system, self.session.providers)
        except ValueError as wrong:
            self.say(f"the set {shown} cannot be opened: {wrong}", warning=True)
            return
        keeps = [slot for slot in self.board.slots if slot.spec in setup.panes]
        stops = sum((slot.streaming or slot.queued) and slot not in keeps for slot in self.board.slots)

        async def take(sure: bool | None) -> None:
            if sure and self.live():
                await self._take_setup(setup, f"the set {shown} is open")

        if stops:
            from anoman_tui.ui.screens.dialog import Ask

            still = "1 pane still streams" if stops == 1 else f"{stops} panes still stream"
            self.app.push_screen(Ask("Open a pane set", f"{still}. Stop and open {shown}?", "opens it"), take)
        else:
            await take(sure=True)

    async def _take_setup(self, setup: Setup, said: str) -> None:
        self.remember(keep(self.board))
        set_panes(self.board, setup.panes[:MAX_PANES])
        self.board.shared, self.board.system = setup.params, setup.system
        await self.show_panes(0)
        over = f", the first {MAX_PANES} of its {len(setup.panes)} panes" if len(setup.panes) > MAX_PANES else ""
        self.say(f"{said}{over}: u in a pane brings back the panes of before")

    # -- one model through its shapes --------------------------------------------------------------------------------

    async def action_triad(self) -> None:
        """Open the current pane's model through the shapes of its provider; once they have ended, show what differs."""
        if not self.may_change():
            return
        slots = self.board.slots
        if is_triad([slot.spec for slot in slots]):
            self._compare()
            return
        spec = slots[self.stage.current].spec
        panes, target = triad(spec), spec.target
        label = target.provider.label or "this server"
        if len(panes) < 2:
            self.say(f"{label} offers the shape {target.shape} alone: there is nothing to compare it with", warning=True)
        elif busy := self.board.busy:
            still = "1 pane still streams" if busy == 1 else f"{busy} panes still stream"
            self.say(f"{still}: X stops all, then S opens the shapes", warning=True)
        else:
            shared, system = self.board.shared, self.board.system
            shapes = ", ".join(one.target.shape.value for one in panes)
            await self._take_setup(Setup(panes, shared, system), f"{clean_line(target.model, 60)} through {shapes}")
            self._triad_runs = True
            if self.board.head is not None:
                self.action_rerun_all()

    def _compare(self) -> None:
        slots = self.board.slots
        states = self.board.states
        if self.board.busy:
            self.say("the shapes still stream: S shows what differs once all have ended")
        elif len(states) < len(slots) or not all(slot.ended for slot in slots):
            self.say("these panes are one model through its shapes: send a prompt, and S then shows what differs")
        else:
            from anoman_tui.core.comparing import compare
            from anoman_tui.ui.screens.comparison import ComparisonScreen

            names = [slot.target.shape.value for slot in slots]
            changed = ["a pane was changed since its answer: R asks all again"] if any(slot.changed for slot in slots) else []
            title = f"{clean_line(slots[0].target.model, 60)} through {len(slots)} shapes"
            self.app.push_screen(ComparisonScreen(title, names, compare(states, names), changed))

    def frame(self) -> bool:
        """Draw, and offer the comparison once all shapes have ended."""
        expecting = super().frame()
        if self._triad_runs and self.board.states and not self.board.busy and all(slot.ended for slot in self.board.slots):
            self._triad_runs = False
            if is_triad([slot.spec for slot in self.board.slots]):
                self.say("all shapes have ended: S in a pane shows what differs")
        return expecting
