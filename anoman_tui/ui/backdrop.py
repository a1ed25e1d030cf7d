"""Widgets that only hold others: all their rows look alike, and are made once."""

from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget


def equal_rows(widget: Widget, crop: Region) -> list[Strip]:
    """The strips of a region of a widget with nothing above and below its content, and nothing in it but its background."""
    return Widget.render_lines(widget, Region(crop.x, crop.y, crop.width, 1)) * crop.height
