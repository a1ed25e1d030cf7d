"""The styles of what is not shown at the start. They are read once the first screen stands, so that none waits for them."""

from pathlib import Path

from textual.app import App

OVERLAYS = Path(__file__).with_name("overlays.tcss")
"""The `CSS_PATH` of every screen but the comparison."""


def read_styles(app: App[object]) -> None:
    """Read the styles before a screen needs them. A screen that comes earlier brings them along, and all styles are read again."""
    if not app.stylesheet.has_source(str(OVERLAYS)):
        app.stylesheet.read(OVERLAYS)
        app.stylesheet.parse()
