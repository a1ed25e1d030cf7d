"""The line of a replay: whether it plays, how fast, and where it stands; a click goes there."""

from textual import events
from textual.message import Message

from anoman_tui.ui.cells import Cell, Item, Tone, width_of
from anoman_tui.ui.playing import Player
from anoman_tui.ui.widgets.line import Line

LEAST_BAR = 8
HINTS = ("Space pauses  , . steps  < > speed  [ ] a second  Esc ends it", "Space , . < > [ ]  Esc ends it", "Esc ends it")


class ReplayBar(Line):
    """Shows a player."""

    class Sought(Message):
        """A place of the bar was clicked, as a part from 0 to 1."""

        def __init__(self, part: float) -> None:
            super().__init__()
            self.part = part

    def __init__(self) -> None:
        super().__init__(id="replaybar")
        self.display = False
        self._bar = (0, 0)

    def show_player(self, player: Player) -> None:
        """Draw it."""
        width = self.content_size.width
        if width < LEAST_BAR * 2:
            return
        cells, self._bar = replay_cells(player, width)
        self.show(cells)

    def on_click(self, event: events.Click) -> None:
        """Go to the place."""
        event.stop()
        start, length = self._bar
        at = event.x - self.gutter.left - start
        if length > 1 and 0 <= at < length:
            self.post_message(self.Sought(at / (length - 1)))


def replay_cells(player: Player, width: int) -> tuple[Item, tuple[int, int]]:
    """The line in `width` cells, and where its bar begins and how long it is."""
    at, whole = player.position
    state = "ended" if player.over else "paused" if player.playback.paused else "plays"
    speed = "as fast as it goes" if player.playback.speed is None else f"{player.playback.speed:g}x"
    left = (Cell("REPLAY", Tone.STRONG), Cell(f" {state} ", Tone.ACCENT), Cell(f"{speed} "))
    right = (Cell(f" {at:.2f} of {whole:.2f} s"),)
    room = width - width_of(left) - width_of(right)
    hint = next((one for one in HINTS if room - len(one) - 3 >= LEAST_BAR * 2), "")
    length = max(0, room - (len(hint) + 3 if hint else 0))
    if length < LEAST_BAR:
        return (*left, *right), (0, 0)
    done = min(length - 1, int(at / whole * (length - 1))) if whole > 0 else length - 1
    bar = (Cell("━" * done, Tone.ACCENT), Cell("●", Tone.STRONG), Cell("─" * (length - 1 - done), Tone.MUTED))
    told = (Cell(f"   {hint}", Tone.MUTED),) if hint else ()
    return (*left, *bar, *right, *told), (width_of(left), length)
