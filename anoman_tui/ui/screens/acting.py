"""The acts of the main screen: sending, stopping and retrying, each answered by a notice where nothing can be done."""

from asyncio import get_running_loop
from collections.abc import Callable, Sequence
from functools import partial

from anoman_tui.core.request import Request
from anoman_tui.core.sanitize import clean_line
from anoman_tui.ui import collecting
from anoman_tui.ui.frames import HEARTBEAT_S, MOST_FRAMES, SPARING_FRAMES, FrameClock
from anoman_tui.ui.painting import Surface, terminal_lags
from anoman_tui.ui.playing import Player
from anoman_tui.ui.run import Board, RunMode
from anoman_tui.ui.screens.opening import OpeningScreen
from anoman_tui.ui.session import Session
from anoman_tui.ui.stage import Stage
from anoman_tui.ui.widgets.prompt import PromptEditor


class ActingScreen(OpeningScreen, layer=True):
    """Turns keys into acts on the board. The current pane is the stage's."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.surface = Surface(self, sparing=session.sparing)
        self.board = Board(session)
        self.board.mode = RunMode.SERIAL if session.memory.serial else RunMode.PARALLEL
        self.stage = Stage(session, self.board)
        self.player: Player | None = None
        """The recording that is on the screen."""
        self._warned = False
        """Whether the last notice was a warning."""
        self.editor = PromptEditor(session.prompt or session.memory.prompt, session.memory.history, enter_sends=session.enter_sends)

    def on_mount(self) -> None:
        """The clock sleeps until something is sent."""
        app = self.app
        self.clock = FrameClock(
            get_running_loop(),
            min(self.session.frames_per_second, SPARING_FRAMES if self.session.sparing else MOST_FRAMES),
            self.frame,
            busy=lambda: terminal_lags(app),
            failed=app._handle_exception,
            parts=self.frame_parts,
            heartbeat_s=1.0 if self.session.sparing else HEARTBEAT_S,
        )
        self.board.news = self.clock.news

    def on_unmount(self) -> None:
        """Close every connection on the way out."""
        self.clock.stop()
        if self.player is not None:
            self.player.leave()
        self.board.close()
        collecting.pace(streaming=False)

    def on_screen_suspend(self) -> None:
        """What lies over this screen now asks for something, and no older notice may cover that."""
        self.app.clear_notifications()

    def say(self, text: str, *, warning: bool = False) -> None:
        """Show a notice of one line. What was said last gives way, as it is not true any more; a warning stays beside others."""
        said = clean_line(text, 300)
        if any(shown.message == said for shown in self.app._notifications):
            return
        if not warning and not self._warned:
            self.app.clear_notifications()
        self._warned = warning
        self.notify(said, severity="warning" if warning else "information", timeout=5, markup=False)

    def live(self) -> bool:
        """Whether panes can be sent to and changed; in a recording they cannot, and a notice says so."""
        if self.player is not None:
            self.say("this is a recording: Esc in a pane goes back to your panes", warning=True)
        return self.player is None

    def on_prompt_editor_submitted(self) -> None:
        """Enter in the prompt."""
        self.action_send()

    def action_send(self) -> None:
        """Send the prompt to all panes. Nothing is sent over panes that still stream, and nothing typed is lost."""
        busy = self.board.busy
        if not self.live():
            return
        if not self.editor.text.strip():
            self.say("the prompt is empty: type something first", warning=True)
        elif busy:
            self.say(f"{_panes(busy)} still streaming: Ctrl+C stops all of them (X in a pane), then send again", warning=True)
        else:
            self.submit(self.editor.text)

    def submit(self, text: str) -> None:
        """Send a text to all panes, once what that may cost is agreed to."""

        def send() -> None:
            self.board.send(text)
            self.editor.sent()
            self.wake()

        self.agree(self.board.requests(text), send)

    def agree(self, requests: Sequence[Request], send: Callable[[], None]) -> None:  # noqa: ARG002  for those who ask
        """Send these requests if the user agrees to what they may cost."""
        send()

    def wake(self) -> None:
        """Draw at once and from now on."""
        self.frame()
        self.clock.wake()

    def frame_parts(self) -> list[Callable[[], None]]:
        """What a frame does before its end, pane by pane."""
        self.surface.begin()
        return [partial(self._draw_part, index) for index in range(len(self.board.slots))]

    def _draw_part(self, index: int) -> None:
        self.stage.part(index)
        self.surface.draw()

    def frame(self) -> bool:
        """Take what has arrived and draw it. False once nothing is to come any more."""
        with self.surface:
            expecting = self.stage.frame()
        self.clock.leaping = self.stage.leapt
        collecting.pace(streaming=expecting)
        return expecting

    def action_stop_pane(self) -> None:
        """Stop the current pane."""
        if self.live() and not self.board.stop(self.stage.current):
            self.say(f"pane {self.stage.current + 1} does not stream")

    def action_stop_all(self) -> None:
        """Stop every pane that streams."""
        if self.live() and not self.board.stop_all():
            self.say("no pane streams")

    def action_retry_pane(self) -> None:
        """Send the current pane's prompt again."""
        number = self.stage.current + 1
        if not self.live():
            return
        slot = self.board.slots[self.stage.current]
        again = self.board.again(slot)

        def send() -> None:
            if slot in self.board.slots and self.board.retry(self.board.slots.index(slot)):
                self.wake()

        if again is not None and not slot.streaming and not slot.queued:
            self.agree([again], send)
        elif slot.streaming:
            self.say(f"pane {number} still streams: x stops it, then r sends it again", warning=True)
        else:
            self.say("nothing was sent yet: type a prompt and press Enter")

    def action_switch_mode(self) -> None:
        """Send to all panes at once, or to one after another, from the next run on."""
        if not self.live():
            return
        serial = self.board.mode is RunMode.PARALLEL
        self.board.mode = RunMode.SERIAL if serial else RunMode.PARALLEL
        self.stage.draw_lines()
        self.say("serial: each pane starts when the one before has closed" if serial else "parallel: all panes start at once")

    def action_rerun_all(self) -> None:
        """Send the last prompt to all panes again."""
        if not self.live():
            return
        again = [request for slot in self.board.slots if (request := self.board.again(slot)) is not None]

        def send() -> None:
            if self.board.rerun():
                self.wake()

        if again and not self.board.busy:
            self.agree(again, send)
        elif busy := self.board.busy:
            self.say(f"{_panes(busy)} still streaming: X stops all, then R runs them again", warning=True)
        else:
            self.say("nothing was sent yet: type a prompt and press Enter")


def _panes(count: int) -> str:
    return "1 pane is" if count == 1 else f"{count} panes are"
