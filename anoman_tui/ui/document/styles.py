"""Style ids of the document, and the palette that turns them into colours.

A style id is a kind (the low six bits) with attribute flags above it. Lines keep ids alone, so another theme colours the
same lines anew without laying them out again.
"""

from collections.abc import Callable
from typing import Final

from rich.style import Style

StyleId = int
"""A kind, with any of the flags."""

KIND_MASK: Final = 0x3F

TEXT: Final = 0
HEADING: Final = 1
QUOTE: Final = 2
MARK: Final = 3
CODE: Final = 4
LINK: Final = 5
URL: Final = 6
IMAGE: Final = 7
RULE: Final = 8
BORDER: Final = 9
REASONING: Final = 10
REASONING_HEAD: Final = 11
NOTE: Final = 12
NOTE_MUTED: Final = 13
NOTE_SUCCESS: Final = 14
NOTE_WARNING: Final = 15
NOTE_ERROR: Final = 16
SCROLLBAR: Final = 17
SCROLLBAR_THUMB: Final = 18
HINT: Final = 19
FOUND: Final = 20
FOUND_HERE: Final = 21

FENCE: Final = 32
FENCE_INFO: Final = 33
COMMENT: Final = 34
KEYWORD: Final = 35
STRING: Final = 36
NUMBER: Final = 37
NAME: Final = 38
TYPE: Final = 39
OPERATOR: Final = 40
INSERTED: Final = 41
DELETED: Final = 42

STRONG: Final = 0x40
EMPHASIS: Final = 0x80
STRIKE: Final = 0x100
UNDERLINE: Final = 0x200


def is_fenced(style: StyleId) -> bool:
    """Whether this style stands on the background of a code block."""
    return style & KIND_MASK >= FENCE


class Palette:
    """Rich styles by style id, each made once, when it is first drawn. A kind without a style looks like text."""

    __slots__ = ("_of_kind", "_styles")

    def __init__(self, of_kind: Callable[[int], Style | None]) -> None:
        self._of_kind = of_kind
        self._styles: dict[int, Style] = {}

    def __getitem__(self, style: StyleId) -> Style:
        found = self._styles.get(style)
        if found is None:
            found = self._styles[style] = self._make(style)
        return found

    def _make(self, style: StyleId) -> Style:
        base = self._of_kind(style & KIND_MASK) or self._of_kind(TEXT) or Style.null()
        if style <= KIND_MASK:
            return base
        return base + Style(
            bold=True if style & STRONG else None,
            italic=True if style & EMPHASIS else None,
            strike=True if style & STRIKE else None,
            underline=True if style & UNDERLINE else None,
        )
