"""A recording on the board: it takes the place of the panes, and gives it back."""

from anoman_tui.core.panes import PaneSpec, differing
from anoman_tui.core.ports import Playback
from anoman_tui.core.records import dataclass
from anoman_tui.core.run import RunHead
from anoman_tui.ui.mailbox import Mailbox
from anoman_tui.ui.run import Board, RunMode
from anoman_tui.ui.session import MAX_PANES
from anoman_tui.ui.slot import Slot
from anoman_tui.ui.source import Source

SPEEDS: tuple[float | None, ...] = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, None)
"""None is as fast as it goes."""


@dataclass(frozen=True, slots=True)
class Aside:
    """What the board showed before."""

    slots: list[Slot]
    head: RunHead | None
    source: Source
    run_number: int
    mode: RunMode


class Player:
    """Plays one recording on the board."""

    def __init__(self, board: Board, playback: Playback) -> None:
        self._board = board
        self.playback = playback
        self._aside = Aside(list(board.slots), board.head, board.source, board.run_number, board.mode)
        self.left_out = max(0, len(playback.requests) - MAX_PANES)
        """Panes of the recording that have no room on the screen."""

    def start(self) -> None:
        """Show the recording from its beginning. What still streams is stopped: nobody would see it."""
        self._board.stop_all()
        self._show(self.playback)

    def leave(self) -> None:
        """Give the board back."""
        self.playback.close()
        board, aside = self._board, self._aside
        board.slots[:] = aside.slots
        board.head, board.source, board.run_number, board.mode = aside.head, aside.source, aside.run_number, aside.mode

    def _show(self, playback: Playback) -> None:
        board, head = self._board, playback.head
        board.source = Source(playback.open_stream, playback.now_ns, live=False)
        board.head, board.run_number = head, 1
        board.mode = RunMode(head.mode) if head.mode in RunMode.__members__.values() else RunMode.PARALLEL
        slots = []
        for request, state in list(zip(playback.requests, playback.states, strict=True))[:MAX_PANES]:
            system = None if request.prompt.system == head.prompt.system else request.prompt.system or ""
            slot = Slot(PaneSpec(request.target, differing(request.params, head.params), system))
            slot.clear(request)
            slot.state, slot.mailbox = state, Mailbox(board.news)
            slot.sink = slot.mailbox
            slots.append(slot)
        board.slots[:] = slots
        for slot in slots:
            if slot.request is not None and slot.sink is not None:
                slot.handle = playback.open_stream(slot.request, slot.sink)

    # -- moving in time ----------------------------------------------------------------------------------------------

    @property
    def position(self) -> tuple[float, float]:
        """Seconds since the beginning, and seconds in all."""
        playback = self.playback
        return (playback.now_ns() - playback.start_ns) / 1e9, (playback.end_ns - playback.start_ns) / 1e9

    @property
    def over(self) -> bool:
        """Whether it has come to its end."""
        return all(not slot.streaming for slot in self._board.slots)

    def toggle(self) -> None:
        """Stand still, or go on; at the end, begin again."""
        if self.over:
            self.playback.resume()
            self.seek(self.playback.start_ns)
        elif self.playback.paused:
            self.playback.resume()
        else:
            self.playback.pause()

    def step(self, back: bool) -> None:
        """Stand still, and go to what happened next or before."""
        self.playback.pause()
        if back:
            self.seek(self.playback.before(self.playback.now_ns()))
        elif not self.over:
            self.playback.step()

    def faster(self, step: int) -> None:
        """Another speed."""
        at = SPEEDS.index(self.playback.speed) if self.playback.speed in SPEEDS else SPEEDS.index(1.0)
        self.playback.speed = SPEEDS[min(max(at + step, 0), len(SPEEDS) - 1)]

    def jump(self, seconds: float) -> None:
        """Go back or forth."""
        self.seek(self.playback.now_ns() + round(seconds * 1e9))

    def seek(self, t_ns: int) -> None:
        """Go to a time; going back plays from the beginning to there at once."""
        playback = self.playback
        t_ns = min(max(t_ns, playback.start_ns), playback.end_ns)
        if t_ns >= playback.now_ns() and not self.over:
            playback.skip(t_ns)
            return
        again = playback.again()
        playback.close()
        self.playback = again
        again.skip(t_ns)
        self._show(again)
