"""The main screen: one prompt, one to six panes that stream side by side."""

import threading
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widget import Widget

from anoman_tui.ui.layout import Mode
from anoman_tui.ui.overlays import BARS, OVERLAYS, read_styles
from anoman_tui.ui.screens.twinning import TwinningScreen
from anoman_tui.ui.session import Session
from anoman_tui.ui.widgets.keybar import KeyBar
from anoman_tui.ui.widgets.pane import Pane
from anoman_tui.ui.widgets.prompt import PromptEditor

if TYPE_CHECKING:
    from anoman_tui.ui.widgets.lanes import Lanes

NOTE_EVERY_S = 1.0


class CompareScreen(TwinningScreen):
    """Composes the panes and moves between them."""

    AUTO_FOCUS = "#prompt"
    BINDING_GROUP_TITLE = "Screen"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f5", "send", "Send", id="send-anywhere", tooltip="Send the prompt from anywhere", show=False),
        Binding("f3", "library", "Prompts", id="library", tooltip="Choose from the library of prompts", show=False),
        Binding("f6", "shared", "For all", id="shared", tooltip="System prompt and parameters for all", show=False, priority=True),
        Binding(
            "escape",
            "leave",
            "Leave",
            id="leave",
            tooltip="End the search, else stop, else leave the zoom",
            show=False,
        ),
        Binding("ctrl+c", "copy_or_stop", "Stop all", id="copy-or-stop", tooltip="Copy what is selected, else stop all", show=False),
        Binding(
            "tab", "next_place(1)", "Next place", id="next-place", tooltip="Go to the next pane or the prompt", show=False, priority=True
        ),
        Binding(
            "shift+tab",
            "next_place(-1)",
            "Place before",
            id="previous-place",
            tooltip="Go to the pane before or the prompt",
            show=False,
            priority=True,
        ),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.keybar = KeyBar()

    def compose(self) -> ComposeResult:
        """What is shown at the start; arranged before it is mounted, so that it is given its styles once."""
        self.refit()
        mode = Mode.COLUMNS if self.stage.layout is None else self.stage.layout.mode
        if mode in (Mode.LANES, Mode.SMALL):
            read_styles(self.app, BARS)
        yield self.stage.titlebar
        if mode is Mode.LANES:
            yield self.stage.lanes
        with self.grid:
            yield from self.stage.panes
        yield self.editor
        yield self.keybar
        if mode is Mode.SMALL:
            yield self.too_small

    def draw_first(self) -> None:
        """The keys, and the lines that are laid for their widths."""
        super().draw_first()
        self.keybar.draw()

    def sized(self) -> list[Widget]:
        """Panes, answers and the prompt; the lines are laid afterwards."""
        return [*self.stage.panes, *(pane.answer for pane in self.stage.panes), self.editor]

    def complete(self) -> None:
        """Mount what is not shown yet, each in its place between the others."""
        read_styles(self.app, BARS)
        above, below = (self.stage.race, self.replaybar, self.votebar), (self.historybar, self.findbar)
        for widgets, before in (((self.stage.lanes,), self.grid), (above, self.editor), (below, self.keybar), ((self.too_small,), None)):
            if hidden := [widget for widget in widgets if not widget.is_attached]:
                self.mount(*hidden, before=before)
        for pane in self.stage.panes:
            pane.complete()

    def on_mount(self) -> None:
        """Say what there is to say, and send the prompt where that was asked for."""
        self.hold_first_paint()
        self.stage.poll_note()
        self.stage.draw_idle()
        if self.session.gateway_note is not None:
            self.set_interval(NOTE_EVERY_S, self.stage.poll_note)
        for notice in self.session.notices:
            self.say(notice)
        self.after_first_paint(lambda: read_styles(self.app, OVERLAYS))
        self.after_first_paint(threading.Thread(target=self._warm, name="warm", daemon=True).start)
        if self.session.first is not None:
            self.run_worker(self.show_playback(self.session.first))

    def _warm(self) -> None:
        """Load what answers need, off the screen's thread. What is to be sent at once waits for it: times taken meanwhile would be late."""
        try:
            if self.session.warm is not None:
                self.session.warm()
        except Exception as error:  # what cannot be loaded ahead is loaded, and told of, when it is needed
            self.call_later(self.say, f"not everything could be loaded ahead ({type(error).__name__}: {error})", warning=True)
        finally:
            if self.session.send:
                self.call_later(self.action_send)

    def on_descendant_focus(self) -> None:
        """Remember which pane the keys act on. The event may be late, and the focus elsewhere again."""
        pane = next((pane for pane in self.stage.panes if pane.answer is self.focused), None)
        if pane is not None:
            self.go_to(pane.number - 1)

    def on_lanes_chosen(self, event: "Lanes.Chosen") -> None:
        """A lane was clicked, perhaps on a number."""
        self.action_focus_pane(event.index + 1)
        if event.about:
            self.action_details(event.about)

    def on_pane_asked(self, event: Pane.Asked) -> None:
        """A number of a pane was clicked."""
        self.action_focus_pane(event.number)
        self.action_details(event.about)

    # -- moving ----------------------------------------------------------------------------------------------------

    def action_focus_pane(self, number: int) -> None:
        """Go to a pane by its number."""
        if 1 <= number <= len(self.stage.panes):
            self.go_to(number - 1)
            self.set_focus(self.stage.panes[number - 1].answer)

    def action_step_pane(self, step: int) -> None:
        """Go to a neighbour, round the ends."""
        self.action_focus_pane((self.stage.current + step) % len(self.stage.panes) + 1)

    def action_focus_prompt(self) -> None:
        """Go to the prompt."""
        self.set_focus(self.editor)

    def action_next_place(self, step: int) -> None:
        """Walk through the panes and the prompt."""
        count = len(self.stage.panes)
        at = self.stage.current if isinstance(self.focused, PromptEditor) is False else count
        to = (at + step) % (count + 1)
        if to == count:
            self.action_focus_prompt()
        else:
            self.action_focus_pane(to + 1)

    async def action_leave(self) -> None:
        """From the prompt to the panes; in a pane unmark what was found, else stop it while it streams, else leave zoom or recording."""
        if not self._in_pane():
            self.action_focus_pane(self.stage.current + 1)
        elif self.drop_found() or (self.player is None and self.board.stop(self.stage.current)):
            return
        elif self.zoomed:
            self.action_zoom()
        else:
            await self.leave_replay()

    def _in_pane(self) -> bool:
        return self.focused is not None and any(pane.answer is self.focused for pane in self.stage.panes)
