"""The race lane: what every pane's stream did, on one scale."""

from collections.abc import Sequence

from textual import events

from anoman_tui.ui.race import Racer, lane
from anoman_tui.ui.widgets.lanes import Lanes, PaneRows


class Race(PaneRows):
    """A scale and one row per pane; a click on a row goes to its pane."""

    def __init__(self, count: int) -> None:
        super().__init__(count, id="race", around=2)  # the scale, and the line above

    def show_race(self, racers: Sequence[Racer], current: int, now_ns: int) -> None:
        """Draw all rows."""
        width = self.content_size.width
        if width >= 20:
            self.show(*lane(racers, current, width, now_ns))

    def on_resize(self) -> None:
        """As for the lanes."""
        self.post_message(Lanes.Fitted())

    def on_click(self, event: events.Click) -> None:
        """Go to the pane of the row."""
        event.stop()
        event.prevent_default()
        row = event.y - self.gutter.top
        if row > 0:
            self.post_message(Lanes.Chosen(row - 1, self.about_at(event)))
