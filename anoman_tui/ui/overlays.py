"""The styles of what is not shown at the start. They are read once the first screen stands, so that none waits for them."""

from pathlib import Path

from textual.app import App

BARS = Path(__file__).with_name("bars.tcss")
"""Of the parts of the first screen that it does not show at its start."""
OVERLAYS = Path(__file__).with_name("overlays.tcss")
"""The `CSS_PATH` of every other screen. One that comes before they are read brings them along, and all styles are read again."""


def read_styles(app: App[object], file: Path) -> None:
    """Read a file of styles before anything that it styles is mounted."""
    if not app.stylesheet.has_source(str(file)):
        app.stylesheet.read(file)
        app.stylesheet.parse()
