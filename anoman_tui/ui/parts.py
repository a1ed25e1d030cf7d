"""Styles of a widget's parts, found when a part is first drawn.

Textual finds the styles of all component classes of a widget whenever it is given its own, also of one that is not shown.
"""

from functools import cache
from typing import TYPE_CHECKING

from textual.css.styles import RenderStyles
from textual.dom import DOMNode
from textual.widget import Widget

if TYPE_CHECKING:
    Base = Widget
else:
    Base = object  # Textual would have to prepare a widget


class LateParts(Base):
    """Finds the style of a component class at its first use. To be named behind the class that gives the widget its style sheet."""

    @classmethod
    @cache
    def _get_component_classes(cls) -> frozenset[str]:
        """Those that are to be found at once."""
        return frozenset()

    def get_component_styles(self, *names: str) -> RenderStyles:
        """The styles of some component classes, one over the other."""
        for name in names:
            if name not in self._component_styles:
                part = DOMNode(classes=name)
                part._attach(self)
                self.app.stylesheet.apply(part)
                self._component_styles[name] = part.styles
        return super().get_component_styles(*names)

    def notify_style_update(self) -> None:
        """The style sheet may be another one, or what the widget is."""
        self._component_styles.clear()
        super().notify_style_update()
