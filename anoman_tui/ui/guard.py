"""The last look at what goes to the terminal: no control character and no mark that turns the reading direction.

Text is made safe where it enters the display; this filter holds for every widget, also those that were forgotten.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
)


def guarded(text: str) -> str:
    """The text with each unsafe character replaced by blanks of its own width."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE.sub(lambda found: " " * cell_len(found[0]), text)


@lru_cache(1024)
def _without_link(style: Style) -> Style:
    return style.update_link(None)


class Guard(LineFilter):
    """Replaces unsafe characters in every rendered line."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002  the base class names it
        """Return the segments made safe; the same list where nothing is wrong."""
        if not _wrong(segments):
            return segments
        return [_safe(segment) for segment in segments]


def _wrong(segments: Sequence[Segment]) -> bool:
    return any(
        not segment.control
        and not (segment.text.isascii() and segment.text.isprintable() and not (segment.style and segment.style.link))
        and (_UNSAFE.search(segment.text) or (segment.style and segment.style.link and _UNSAFE.search(segment.style.link)))
        for segment in segments
    )


def _safe(segment: Segment) -> Segment:
    text, style, control = segment
    if control:
        return segment
    if style is not None and style.link and _UNSAFE.search(style.link):
        style = _without_link(style)
    return Segment(guarded(text), style)
