"""The last line: the keys that act where the focus is. It is one line of text, so that moving the focus costs no layout."""

from textual import events
from textual.binding import ActiveBinding
from textual.screen import Screen

from anoman_tui.ui.cells import Cell, Tone, fitted, width_of
from anoman_tui.ui.keys import key_name, rank
from anoman_tui.ui.widgets.line import Line


class KeyBar(Line):
    """Shows the bindings that are meant to be shown; a click on one presses its key."""

    def __init__(self) -> None:
        super().__init__(id="keybar")
        self._spans: list[tuple[int, int, str]] = []

    def on_mount(self) -> None:
        """Follow the focus."""
        self.screen.bindings_updated_signal.subscribe(self, self._changed)

    def on_resize(self) -> None:
        """Fit the keys to the new width."""
        self._changed(self.screen)

    def on_click(self, event: events.Click) -> None:
        """Press the key that was clicked."""
        event.stop()
        event.prevent_default()
        at = event.x - self.styles.padding.left
        key = next((key for start, end, key in self._spans if start <= at < end), None)
        if key is not None:
            self.app.simulate_key(key)

    def _changed(self, screen: Screen[object]) -> None:
        """Before the screen stands there is nothing to see of it."""
        if screen is self.screen and self.is_attached and getattr(screen, "painted", True):
            self.draw()

    def draw(self) -> None:
        """Show the keys that act now."""
        width = self.content_size.width
        if width < 1:
            return
        items = [
            (active.binding.key, [Cell(key_name(active.binding.key), Tone.KEY), Cell(f" {active.binding.description}")])
            for active in _shown(self.screen)
        ]
        bare = sum(width_of(item) for _, item in items)
        gap = next((size for size in (3, 2) if bare + size * (len(items) - 1) <= width), 1)
        row: list[Cell] = []
        self._spans = []
        for key, item in items:
            start = width_of(row)
            self._spans.append((start, start + width_of(item), key))
            row += [*item, Cell(" " * gap)]
        self.show(fitted(row, width))


def _shown(screen: Screen[object]) -> list[ActiveBinding]:
    """The bindings to show, each action once by its first key."""
    shown: dict[str, ActiveBinding] = {}
    for active in screen.active_bindings.values():
        if active.binding.show and active.enabled:
            shown.setdefault(active.binding.action, active)
    return sorted(shown.values(), key=lambda active: rank(active.binding))
