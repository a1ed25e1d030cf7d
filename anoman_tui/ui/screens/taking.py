"""Taking out what the panes hold: to the clipboard, and to files of one's own."""

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

from anoman_tui.core.chunks import mend_surrogates
from anoman_tui.core.panes import Setup
from anoman_tui.files import shown_path, write_private
from anoman_tui.ui.screens.paying import PayingScreen
from anoman_tui.ui.session import Share
from anoman_tui.ui.sharing.clipboard import takes_copies

if TYPE_CHECKING:
    from anoman_tui.ui.screens.menu import Choice
    from anoman_tui.ui.sharing.exports import Exported

NOTHING_YET = {
    "answer": "there is no answer to copy yet",
    "curl": "there is no request yet: it is made when a prompt is sent",
    "frames": "no bytes of an answer came yet",
}
OWN_ACTIONS = {"share": "share", "bundle": "bug_bundle"}
"""What is not made of the panes alone: an Export, and the action that makes it."""


class TakingScreen(PayingScreen, layer=True):
    """Copies and saves."""

    def action_copy_or_stop(self) -> None:
        """Copy what is selected, else stop all, else say how to quit."""
        selected = self.get_selected_text()
        if selected:
            self.copy(selected)
        elif self.live() and not self.board.stop_all():
            self.say("nothing streams and nothing is selected; Ctrl+Q quits")

    def action_copy_answer(self) -> None:
        """Copy the current pane's answer."""
        from anoman_tui.ui.screens.menu import Choice
        from anoman_tui.ui.sharing.exports import Export

        self._take(Choice(Export.ANSWER, to_file=False))

    def action_copy_menu(self) -> None:
        """Ask what to copy."""
        from anoman_tui.ui.screens.menu import CopyMenu

        if self.app.screen is self:
            self.app.push_screen(CopyMenu(self.stage.current + 1, clipboard=takes_copies(os.environ)), self._take)

    def action_save(self) -> None:
        """Write the run as JSON to a file."""
        from anoman_tui.ui.screens.menu import Choice
        from anoman_tui.ui.sharing.exports import Export

        self._take(Choice(Export.DOCUMENT, to_file=True))

    def _take(self, choice: "Choice | None") -> None:
        if choice is None:
            return
        if choice.what in OWN_ACTIONS:
            self.call_later(self.run_action, OWN_ACTIONS[choice.what])
            return
        from anoman_tui.ui.sharing.exports import Source, export

        sources = [
            Source(number, slot.target, slot.state, *((None, b"", False) if slot.mailbox is None else slot.mailbox.kept()))
            for number, slot in enumerate(self.board.slots, 1)
        ]
        taken = export(choice.what, sources, self.stage.current, self.board.head, self.session.version)
        if not taken.text:
            self.say(NOTHING_YET.get(choice.what, "nothing was sent yet: type a prompt and press Enter"))
        elif choice.to_file:
            self._to_file(taken, "")
        else:
            self.copy(taken.text, taken)

    def action_share(self) -> None:
        """Write the file that another person opens: the panes, the prompt and the run."""
        share = self.session.share
        if share is None:
            self.say("there is no folder to write to", warning=True)
            return
        board = self.board
        setup = Setup(tuple(slot.spec for slot in board.slots), board.shared, board.system)
        prompt = self.editor.text or ("" if board.head is None else board.head.prompt.text)
        self.run_worker(self._share(share, setup, prompt), exit_on_error=False)

    async def _share(self, share: Share, setup: Setup, prompt: str) -> None:
        try:
            path, dropped = await asyncio.to_thread(share, setup, prompt, self.board.head)
        except (ValueError, OSError) as wrong:
            self.say(str(wrong), warning=True)
        else:
            without = f"; left out as secrets: {', '.join(dropped)}" if dropped else ""
            self.say(f"`anoman-tui open` shows {shown_path(path)} to others{without}")

    def copy(self, text: str, taken: "Exported | None" = None) -> None:
        """Copy a text, and write it to a file where the terminal is known not to take copies."""
        self.app.copy_to_clipboard(mend_surrogates(text))
        said = f"{len(text)} characters copied"
        if takes_copies(os.environ):
            self.say(f"{said}, where the terminal takes OSC 52{taken.limit if taken is not None else ''}")
        elif taken is None or self.session.state_dir is None:
            self.say(f"{said}, but this terminal is known to pass no copies on (OSC 52)", warning=True)
        else:
            self._to_file(taken, "this terminal may pass no copies on; ")

    def _to_file(self, taken: "Exported", before: str) -> None:
        folder = self.session.state_dir
        if folder is None:
            self.say("there is no folder to write to", warning=True)
        else:
            self.run_worker(self._write(folder / "exports" / taken.name, taken, before), exit_on_error=False)

    async def _write(self, path: Path, taken: "Exported", before: str) -> None:
        from anoman_tui.ui.sharing.exports import WORDS

        try:
            await asyncio.to_thread(write_private, path, taken.content)
        except OSError as wrong:
            self.say(f"{shown_path(path)}: cannot be written ({wrong.strerror or type(wrong).__name__})", warning=True)
        else:
            title = WORDS[taken.what][0]
            self.say(f"{before}{title[:1].lower()}{title[1:]} is in {shown_path(path)}{taken.limit}")
