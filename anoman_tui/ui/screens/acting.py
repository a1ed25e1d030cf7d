"""The acts of the main screen: sending, stopping and retrying, each answered by a notice where nothing can be done."""

from anoman_tui.core.sanitize import clean_line
from anoman_tui.ui.frames import FrameClock
from anoman_tui.ui.painting import Surface
from anoman_tui.ui.run import Board, RunMode
from anoman_tui.ui.screens.opening import OpeningScreen
from anoman_tui.ui.session import Session
from anoman_tui.ui.stage import Stage
from anoman_tui.ui.widgets.prompt import PromptEditor


class ActingScreen(OpeningScreen):
    """Turns keys into acts on the board. The current pane is the stage's."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.surface = Surface(self)
        self.board = Board(session)
        self.board.mode = RunMode.SERIAL if session.memory.serial else RunMode.PARALLEL
        self.stage = Stage(session, self.board)
        self.editor = PromptEditor(session.prompt or session.memory.prompt, session.memory.history, enter_sends=session.enter_sends)

    def on_mount(self) -> None:
        """The clock sleeps until something is sent."""
        self.clock = FrameClock(self, self.session.frames_per_second, self.frame)

    def on_unmount(self) -> None:
        """Close every connection on the way out."""
        self.clock.stop()
        self.board.close()

    def say(self, text: str, *, warning: bool = False) -> None:
        """Show a notice of one line."""
        self.notify(clean_line(text, 300), severity="warning" if warning else "information", timeout=5, markup=False)

    def on_prompt_editor_submitted(self) -> None:
        """Enter in the prompt."""
        self.action_send()

    def action_send(self) -> None:
        """Send the prompt to all panes. Nothing is sent over panes that still stream, and nothing typed is lost."""
        busy = self.board.busy
        if not self.editor.text.strip():
            self.say("the prompt is empty: type something first", warning=True)
        elif busy:
            self.say(f"{_panes(busy)} still streaming: Ctrl+C stops all of them (X in a pane), then send again", warning=True)
        else:
            self.board.send(self.editor.text)
            self.editor.sent()
            self.wake()

    def wake(self) -> None:
        """Draw at once and from now on."""
        self.frame()
        self.clock.wake()

    def frame(self) -> bool:
        """Take what has arrived and draw it. False once nothing is to come any more."""
        with self.surface:
            return self.stage.frame()

    def action_stop_pane(self) -> None:
        """Stop the current pane."""
        if not self.board.stop(self.stage.current):
            self.say(f"pane {self.stage.current + 1} does not stream")

    def action_stop_all(self) -> None:
        """Stop every pane that streams."""
        if not self.board.stop_all():
            self.say("no pane streams")

    def action_retry_pane(self) -> None:
        """Send the current pane's prompt again."""
        number = self.stage.current + 1
        if self.board.retry(self.stage.current):
            self.wake()
        elif self.board.slots[self.stage.current].streaming:
            self.say(f"pane {number} still streams: x stops it, then r sends it again", warning=True)
        else:
            self.say("nothing was sent yet: type a prompt and press Enter")

    def action_switch_mode(self) -> None:
        """Send to all panes at once, or to one after another, from the next run on."""
        serial = self.board.mode is RunMode.PARALLEL
        self.board.mode = RunMode.SERIAL if serial else RunMode.PARALLEL
        self.stage.draw_lines()
        self.say("serial: each pane starts when the one before has closed" if serial else "parallel: all panes start at once")

    def action_rerun_all(self) -> None:
        """Send the last prompt to all panes again."""
        if self.board.rerun():
            self.wake()
        elif busy := self.board.busy:
            self.say(f"{_panes(busy)} still streaming: X stops all, then R runs them again", warning=True)
        else:
            self.say("nothing was sent yet: type a prompt and press Enter")


def _panes(count: int) -> str:
    return "1 pane is" if count == 1 else f"{count} panes are"
