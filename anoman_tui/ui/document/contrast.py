"""Colours that can be read: WCAG contrast of a style, and more of it where a theme has too little."""

from functools import lru_cache
from typing import Final

from rich.color import Color
from rich.color_triplet import ColorTriplet
from rich.style import Style

ENOUGH: Final = 4.5
"""The contrast that WCAG AA asks for text."""
_BLACK: Final = ColorTriplet(0, 0, 0)
_WHITE: Final = ColorTriplet(255, 255, 255)
_STEPS: Final = 20


def _luminance(colour: ColorTriplet) -> float:
    red, green, blue = ((part / 12.92) if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: ColorTriplet, other: ColorTriplet) -> float:
    """The contrast of two colours, from 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@lru_cache(maxsize=512)
def readable(style: Style) -> Style:
    """The style with its colour moved towards black or white until it stands out enough from its own background.

    Colours of the terminal's own palette are left alone: what they look like is not known.
    """
    front = style.color.triplet if style.color else None
    back = style.bgcolor.triplet if style.bgcolor else None
    if front is None or back is None or contrast(front, back) >= ENOUGH:
        return style
    goal = max((_BLACK, _WHITE), key=lambda end: contrast(end, back))
    colour = goal
    for step in range(1, _STEPS):
        mixed = ColorTriplet(*(round(a + (b - a) * step / _STEPS) for a, b in zip(front, goal, strict=True)))
        if contrast(mixed, back) >= ENOUGH:
            colour = mixed
            break
    return style + Style(color=Color.from_triplet(colour))
