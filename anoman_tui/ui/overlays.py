"""The styles of what lies over the comparison. They are read once that stands, so that no start waits for them."""

from pathlib import Path

from textual.app import App

OVERLAYS = Path(__file__).with_name("overlays.tcss")
"""The `CSS_PATH` of every screen but the comparison."""


def read_styles(app: App[None]) -> None:
    """Read the styles before a screen needs them. A screen that comes earlier brings them along, and all styles are read again."""
    if not app.stylesheet.has_source(str(OVERLAYS)):
        app.stylesheet.read(OVERLAYS)
        app.stylesheet.parse()
