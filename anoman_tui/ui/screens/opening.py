"""The first paint of the main screen: one, with everything in it, as soon as its widgets know their sizes.

Textual lays a new screen out several times, and paints it each time: before the widgets know how wide they are, once more for
each size that is told to them, and again for the lines that they then draw. All but the last paint show half a screen, and
each of them costs as much as the last.
"""

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from textual import events
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from anoman_tui.ui.backdrop import equal_rows

LATEST_S = 0.5
"""The screen is painted by then at the latest, whatever its widgets do."""


class OpeningScreen(Screen[None]):
    """Paints nothing until its widgets have been told their sizes."""

    def __init_subclass__(cls, *, layer: bool = False, **options: Any) -> None:
        """A `layer` is a class that no screen is made of, but only further classes; Textual prepares those, with all in them."""
        if not layer:
            super().__init_subclass__(**options)

    def __init__(self) -> None:
        super().__init__()
        self._held = ExitStack()
        self.painted = False
        """Whether the screen stands."""
        self._afterwards: list[Callable[[], object]] = []
        self._typed: list[events.Key | events.Paste] = []
        self._awaited = 0

    def hold_first_paint(self) -> None:
        """Hold every paint back; to be called while the screen is mounted."""
        self._held.enter_context(self.app.batch_update())
        self.set_timer(LATEST_S, self._open)

    def after_first_paint(self, callback: Callable[[], object]) -> None:
        """Call this once the screen stands; soon, where it stands already."""
        if self.painted:
            self.call_later(callback)
        else:
            self._afterwards.append(callback)

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        """The first layout is made right after this, and tells the widgets their sizes."""
        if not self.painted:
            event.refresh_styles = False  # each widget was given its styles when it was mounted, a moment ago
            self.call_later(self._await_sizes)

    def draw_first(self) -> None:
        """Draw what depends on the sizes of widgets; called once they are known."""

    def sized(self) -> list[Widget]:
        """The widgets that do something of their own once they know their size; all that are shown, where a screen knows no better."""
        return [widget for widget in self.query("*") if widget.display]

    def complete(self) -> None:
        """Add what is not shown at the start; called once the screen stands, and before any key has its turn."""

    def _await_sizes(self) -> None:
        """Messages are handled in order, so what comes back from a widget comes after it has been told its size."""
        widgets = self.sized()
        self._awaited = len(widgets)
        for widget in widgets:
            widget.call_later(self._came_back)

    def _came_back(self) -> None:
        self._awaited -= 1
        if self._awaited == 0:
            self.call_later(self._open)

    def _open(self) -> None:
        if self.painted:
            return
        self.draw_first()
        self._held.close()
        self._on_timer_update()  # at once: the next frame may be a sixtieth of a second away
        self.painted = True
        if self.is_current:
            self._compositor_refresh()
        if self.is_attached:
            self.complete()
        for typed in self._typed:
            self.app.post_message(typed)
        self._typed.clear()
        for callback in self._afterwards:
            self.call_later(callback)
        self._afterwards.clear()

    def _forward_event(self, event: events.Event) -> None:
        """What is typed before the prompt is there waits until the screen stands."""
        if not self.painted and isinstance(event, events.Key | events.Paste):
            self._typed.append(event)
        else:
            super()._forward_event(event)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The background."""
        return equal_rows(self, crop)

    def _compositor_refresh(self) -> None:
        """Regions that are not painted now stay marked, and are painted with the next ones."""
        if self.painted:
            super()._compositor_refresh()
