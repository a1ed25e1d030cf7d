"""One request sent twice: as a stream and as one JSON answer, or cold and warm; and the bundle for a ticket."""

import os
import platform
from collections.abc import Callable
from typing import TYPE_CHECKING

from anoman_tui.core.chunks import mend_surrogates
from anoman_tui.core.pane import PaneState
from anoman_tui.core.request import Request
from anoman_tui.ui.figures import seconds
from anoman_tui.ui.screens.comparing import ComparingScreen
from anoman_tui.ui.sharing.clipboard import takes_copies
from anoman_tui.ui.slot import Slot

if TYPE_CHECKING:
    from anoman_tui.core.twin import Comparison

Compare = Callable[[PaneState, PaneState], "Comparison"]


class TwinningScreen(ComparingScreen, layer=True):
    """Sends the current pane's request a second time, and compares."""

    def action_stream_twin(self) -> None:
        """The current pane's request once more without streaming, compared with what it shows."""
        from anoman_tui.core.twin import compare_twin, twin

        self._second("Streamed and as one JSON answer", ("streamed", "single"), compare_twin, twin)

    def action_cache_pair(self) -> None:
        """The current pane's request once more as it is: was the second one served from a cache?"""
        from anoman_tui.core.twin import compare_pair

        self._second("The same request again: cold and warm", ("cold", "warm"), compare_pair, lambda request: request)

    def _second(self, title: str, names: tuple[str, str], compare: Compare, second: Callable[[Request], Request]) -> None:
        if self.app.screen is not self or not self.live():
            return
        first, number = self.board.slots[self.stage.current], self.stage.current + 1
        if first.request is None or first.state is None:
            self.say("nothing was sent yet: type a prompt and press Enter, and then this key")
        elif first.streaming or first.queued:
            self.say(f"pane {number} still streams: its answer is compared once it has ended", warning=True)
        elif first.changed:
            self.say(f"pane {number} was changed since its answer: r sends its prompt again, and then this key", warning=True)
        else:
            asked, state = second(first.request), first.state
            self.agree([asked], lambda: self._compare_second(f"Pane {number} · {title}", names, compare, asked, state))

    def _compare_second(self, title: str, names: tuple[str, str], compare: Compare, asked: Request, state: PaneState) -> None:
        slot = self.board.send_beside(asked)

        def read() -> "Comparison | str":
            now = slot.state
            if now is None or now.closed is None:
                return f"the second request runs: {seconds(self._runs_ms(slot))}; Esc stops it"
            return compare(state, now)

        from anoman_tui.ui.screens.twin import TwinScreen

        screen = TwinScreen(title, names, read)
        self.stage.watch = screen.redraw

        def closed(_: None) -> None:
            self.board.end_beside(slot)
            self._unwatch(None)

        self.app.push_screen(screen, closed)
        self.wake()

    def _runs_ms(self, slot: Slot) -> float | None:
        sent = slot.state.stamps.headers_sent if slot.state is not None else None
        return None if sent is None else (self.board.clock() - sent) // 100_000_000 * 100.0

    # -- the bundle --------------------------------------------------------------------------------------------------

    def action_bug_bundle(self) -> None:
        """Copy what a ticket about the current pane needs, and write it to a file."""
        from anoman_tui.core.bundle import Setting, bundle
        from anoman_tui.core.frames import frames_of
        from anoman_tui.ui.sharing.exports import Export, Exported

        slot, head = self.board.slots[self.stage.current], self.board.head
        if slot.state is None or slot.mailbox is None or head is None:
            self.say("nothing was sent yet: the bundle tells of a request and its answer")
            return
        setting = Setting(self.session.version, platform.python_version(), platform.platform(), head.run_id, head.started_at)
        request, _, _ = slot.mailbox.kept()
        frames = frames_of(tuple(slot.mailbox.all_reads()))
        text = mend_surrogates(bundle(slot.state, request, frames, setting))
        moment = "".join(char for char in head.started_at[:23] if char.isdigit() or char == "T")
        taken = Exported(Export.BUNDLE, text, f"bundle-{moment}-pane-{self.stage.current + 1}.md")
        self.app.copy_to_clipboard(text)
        self._to_file(taken, "copied, where the terminal takes OSC 52; " if takes_copies(os.environ) else "")
