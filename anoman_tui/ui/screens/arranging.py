"""How the main screen is laid out: for the terminal's size, and as the user chose."""

from dataclasses import replace

from textual import events
from textual.content import Content
from textual.widgets import Static

from anoman_tui.ui.layout import MIN_HEIGHT, MIN_WIDTH, Layout, Mode, layout_for
from anoman_tui.ui.memory import Memory
from anoman_tui.ui.run import RunMode
from anoman_tui.ui.screens.reading import ReadingScreen
from anoman_tui.ui.session import Session
from anoman_tui.ui.widgets.pane import PaneGrid

TOO_SMALL = f"This terminal is too small: at least {MIN_WIDTH} columns and {MIN_HEIGHT} rows are needed. What streams goes on."


class ArrangingScreen(ReadingScreen, layer=True):
    """Lays out the panes."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.too_small = Static(Content(TOO_SMALL), id="too-small", markup=False)
        self.grid = PaneGrid(id="panes")
        self.zoomed = False
        self._prefer = Mode(session.memory.layout) if session.memory.layout else None
        self._race = session.memory.race
        self._mode = Mode.COLUMNS
        self._laid_out: tuple[Layout, int, int] | None = None

    def on_resize(self, event: events.Resize) -> None:
        """Fit the panes to the new size.

        A size that is no longer the terminal's is dropped: laying out for it would tell the screen of another change, and two
        such sizes on their way at once would chase each other for ever.
        """
        if event.size != self.app.size:
            event.stop()
            event.prevent_default()
            return
        self.refit()

    def draw_first(self) -> None:
        """The lines are laid for the widths that have just been told."""
        self.stage.draw_lines()

    def on_lanes_fitted(self) -> None:
        """The lanes or the race got another size."""
        self.stage.draw_lines()

    async def fit_panes(self) -> None:
        """Show the panes that the board has now."""
        await self.stage.fit_panes()
        self.refit()

    def refit(self) -> None:
        """Lay out for the present size and choice."""
        width, height = self.app.size
        layout = layout_for(width, height, len(self.stage.panes), zoomed=self.zoomed, prefer=self._prefer, race=self._race_wanted)
        if self.painted:
            self.call_after_refresh(self.stage.draw_lines)
        laid_out = (layout, self.stage.current, len(self.stage.panes))
        if laid_out == self._laid_out:
            return
        self._laid_out = laid_out
        self._mode = layout.mode
        self.set_class(layout.mode is Mode.SMALL, "-too-small")
        self.grid.styles.grid_size_columns = layout.columns
        self.editor.styles.max_height = layout.prompt_rows + 1
        self.stage.arrange(layout)

    def go_to(self, index: int) -> None:
        """Make a pane the one that keys act on."""
        if index != self.stage.current:
            self.stage.current = index
            if self._mode is not Mode.COLUMNS:
                self.refit()
            elif self.painted:
                self.stage.draw_lines()

    def action_zoom(self) -> None:
        """Show the current pane alone, or all again."""
        self.zoomed = not self.zoomed
        self.refit()

    def action_switch_layout(self) -> None:
        """Change between lanes and columns."""
        self.zoomed = False
        self._prefer = Mode.COLUMNS if self._mode is Mode.LANES else Mode.LANES
        self.refit()

    @property
    def _race_wanted(self) -> bool | None:
        """Before the first prompt there is nothing to race."""
        return self._race if self.board.run_number else False

    def wake(self) -> None:
        """Make room for the race, and draw."""
        self.refit()
        super().wake()

    def action_race(self) -> None:
        """Show or hide the race lane."""
        if not self.board.run_number:
            self.say("nothing was sent yet: the race lane shows up with the first prompt")
            return
        shown = self.stage.race.display or self.stage.lane_bars
        self._race = not shown
        self.refit()
        if not (shown or self.stage.race.display or self.stage.lane_bars):
            self.say("there is no room for the race lane here: enlarge the terminal, or press | for lanes")

    def _remembered_panes(self) -> Memory:
        """The panes come back where they were chosen, on the command line or here."""
        memory, session, board = self.session.memory, self.session, self.board
        specs = tuple(slot.spec for slot in board.slots)
        if specs != session.panes or board.shared != session.params or board.system != session.system:
            return replace(memory, panes=tuple(spec.saved for spec in specs), params=board.shared.as_dict(), system=board.system)
        return memory

    def remembered(self) -> Memory:
        """What is worth to come back next time."""
        return replace(
            self._remembered_panes(),
            prompt=self.editor.text,
            history=self.editor.history_of_prompts.sent,
            layout=self._prefer.value if self._prefer is not None else None,
            race=self._race,
            serial=self.board.mode is RunMode.SERIAL,
        )
