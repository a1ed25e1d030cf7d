"""The clean text of selected lines: soft breaks joined, decoration left out."""

from collections.abc import Iterable
from typing import Final

from anoman_tui.ui.document import styles as s
from anoman_tui.ui.document.lines import CUT, SOFT, Line

_DECORATION: Final = frozenset({("▌ ", s.QUOTE), ("┊ ", s.REASONING_HEAD)})
_PAD: Final = (" ", s.FENCE)


def copied_text(parts: Iterable[tuple[Line, int, int]]) -> str:
    """The text of lines, each from one character to another of its drawn text (-1: to its end)."""
    out: list[str] = []
    before: int | None = None  # how the line before went on; nothing at the start
    for line, start, end in parts:
        how = line[-1][1] if line and line[-1][1] < 0 else 0
        if before is not None:
            out.append({SOFT: " ", CUT: ""}.get(before, "\n"))
        text = _part(line, start, end, continued=bool(before))
        out.append(text if how else text.rstrip(" "))
        before = how if end < 0 else 0
    return "".join(out)


def _part(line: Line, start: int, end: int, *, continued: bool) -> str:
    """A slice of one line; of a line that continues another also the indentation is left out."""
    out: list[str] = []
    at = 0
    leading = True
    for piece in line:
        text = piece[0]
        stop = at + len(text)
        skip = leading and (piece in _DECORATION or piece == _PAD or (continued and text.isspace()))
        leading = leading and (piece in _DECORATION or text.isspace()) and piece != _PAD
        if not skip:
            out.append(text[max(0, start - at) : len(text) if end < 0 else max(0, end - at)])
        at = stop
    return "".join(out)
