"""The main screen: one prompt, one to six panes that stream side by side."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Grid
from textual.content import Content
from textual.widgets import Static

from anoman_tui.ui.layout import MIN_HEIGHT, MIN_WIDTH, Layout, Mode, layout_for
from anoman_tui.ui.screens.reading import ReadingScreen
from anoman_tui.ui.session import Session
from anoman_tui.ui.widgets.keybar import KeyBar
from anoman_tui.ui.widgets.lanes import Lanes
from anoman_tui.ui.widgets.pane import Pane
from anoman_tui.ui.widgets.prompt import PromptEditor

TOO_SMALL = f"This terminal is too small: at least {MIN_WIDTH} columns and {MIN_HEIGHT} rows are needed. What streams goes on."
NOTE_EVERY_S = 1.0


class CompareScreen(ReadingScreen):
    """Composes the panes, lays them out and moves between them."""

    AUTO_FOCUS = "#prompt"
    BINDING_GROUP_TITLE = "Screen"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f5", "send", "Send", id="send-anywhere", tooltip="Send the prompt from anywhere", show=False),
        Binding(
            "escape",
            "leave",
            "Leave",
            id="leave",
            tooltip="End the search, else stop this pane, else leave the zoom",
            show=False,
        ),
        Binding("ctrl+c", "copy_or_stop", "Stop all", id="copy-or-stop", tooltip="Copy what is selected, else stop all", show=False),
        Binding("tab", "next_place(1)", "Next place", id="next-place", tooltip="Go to the next pane or the prompt", show=False),
        Binding(
            "shift+tab", "next_place(-1)", "Place before", id="previous-place", tooltip="Go to the pane before or the prompt", show=False
        ),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._small = Static(Content(TOO_SMALL), id="too-small", markup=False)
        self._zoomed = False
        self._prefer: Mode | None = None
        self._race: bool | None = None
        self._mode = Mode.COLUMNS
        self._laid_out: tuple[Layout, int] | None = None

    def compose(self) -> ComposeResult:
        """Title line, lanes, panes, prompt, keys."""
        yield self.stage.titlebar
        yield self.stage.lanes
        with Grid(id="panes"):
            yield from self.stage.panes
        yield self.stage.race
        yield self.editor
        yield self.findbar
        yield KeyBar()
        yield self._small

    def on_mount(self) -> None:
        """Say what there is to say, and send the prompt where that was asked for."""
        self.stage.poll_note()
        self.stage.draw_idle()
        if self.session.gateway_note is not None:
            self.set_interval(NOTE_EVERY_S, self.stage.poll_note)
        for notice in self.session.notices:
            self.say(notice)
        if self.session.send:
            self.call_after_refresh(self.action_send)

    # -- layout ----------------------------------------------------------------------------------------------------

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

    def refit(self) -> None:
        """Lay out for the present size and choice."""
        width, height = self.app.size
        layout = layout_for(width, height, len(self.stage.panes), zoomed=self._zoomed, prefer=self._prefer, race=self._race_wanted)
        self.call_after_refresh(self.stage.draw_lines)
        if (layout, self.stage.current) == self._laid_out:
            return
        self._laid_out = (layout, self.stage.current)
        self._mode = layout.mode
        self.set_class(layout.mode is Mode.SMALL, "-too-small")
        self.query_one("#panes", Grid).styles.grid_size_columns = layout.columns
        self.editor.styles.max_height = layout.prompt_rows + 1
        self.stage.arrange(layout)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Remember which pane the keys act on."""
        pane = next((node for node in event.widget.ancestors if isinstance(node, Pane)), None)
        if pane is not None:
            self._go_to(pane.number - 1)

    def on_lanes_chosen(self, event: Lanes.Chosen) -> None:
        """A lane was clicked, perhaps on a number."""
        self.action_focus_pane(event.index + 1)
        if event.about:
            self.action_details(event.about)

    def on_pane_asked(self, event: Pane.Asked) -> None:
        """A number of a pane was clicked."""
        self.action_focus_pane(event.number)
        self.action_details(event.about)

    def _go_to(self, index: int) -> None:
        if index != self.stage.current:
            self.stage.current = index
            if self._mode is not Mode.COLUMNS:
                self.refit()

    # -- moving ----------------------------------------------------------------------------------------------------

    def action_focus_pane(self, number: int) -> None:
        """Go to a pane by its number."""
        if 1 <= number <= len(self.stage.panes):
            self._go_to(number - 1)
            self.stage.panes[number - 1].answer.focus()

    def action_step_pane(self, step: int) -> None:
        """Go to a neighbour, round the ends."""
        self.action_focus_pane((self.stage.current + step) % len(self.stage.panes) + 1)

    def action_focus_prompt(self) -> None:
        """Go to the prompt."""
        self.editor.focus()

    def action_next_place(self, step: int) -> None:
        """Walk through the panes and the prompt."""
        count = len(self.stage.panes)
        at = self.stage.current if isinstance(self.focused, PromptEditor) is False else count
        to = (at + step) % (count + 1)
        if to == count:
            self.action_focus_prompt()
        else:
            self.action_focus_pane(to + 1)

    def action_zoom(self) -> None:
        """Show the current pane alone, or all again."""
        self._zoomed = not self._zoomed
        self.refit()

    def action_switch_layout(self) -> None:
        """Change between lanes and columns."""
        self._zoomed = False
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

    def action_leave(self) -> None:
        """From the prompt to the panes; in a pane unmark what was found, else stop it while it streams, else leave the zoom."""
        if not self._in_pane():
            self.action_focus_pane(self.stage.current + 1)
        elif self.drop_found():
            return
        elif not self.board.stop(self.stage.current) and self._zoomed:
            self.action_zoom()

    def _in_pane(self) -> bool:
        return self.focused is not None and any(pane.answer is self.focused for pane in self.stage.panes)
