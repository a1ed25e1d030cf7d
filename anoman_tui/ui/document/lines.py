"""Lines of the document, and the wrapping of text into them.

A line is a tuple of (text, style id) pieces: plain immutable values, which the garbage collector stops visiting. A last
piece without text says how the line goes on in the next one.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from rich.cells import cell_len, split_graphemes

Piece = tuple[str, int]
"""Text without line feeds, and its style id."""
Line = tuple[Piece, ...]
Range = tuple[int, int, int]
"""Start and end in a text, and how the line ends there: 0, SOFT or CUT."""

SOFT: Final = -1
CUT: Final = -2
SOFT_END: Final[Piece] = ("", SOFT)
"""The next line belongs to this one; a space stood between."""
CUT_END: Final[Piece] = ("", CUT)
"""The next line belongs to this one; nothing stood between."""
BLANK: Final[Line] = ()
_ENDS: Final[dict[int, Line]] = {0: (), SOFT: (SOFT_END,), CUT: (CUT_END,)}

TAB: Final = 4
MIN_WIDTH: Final = 4

# Every character outside of this class takes exactly one cell and can stand alone.
_NOT_SIMPLE: Final = re.compile(
    "[^\n -~\xa0-\xac\xae-\u02ff\u0370-\u0377\u037a-\u0482\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u25fc]"
)


def is_simple(text: str) -> bool:
    """Whether each character is one cell wide, so that cells can be counted as characters."""
    return text.isascii() or _NOT_SIMPLE.search(text) is None


def pieces_width(pieces: Iterable[Piece]) -> int:
    """Width of pieces, in cells."""
    return sum([len(text) if text.isascii() and text.isprintable() else cell_len(text) for text, _ in pieces])


def line_text(line: Line) -> str:
    """The text of a line, as drawn."""
    return "".join([text for text, _ in line])


def graphemes(text: str) -> list[tuple[int, int, int]]:
    """What must not be cut, as (start, end, cells): emoji sequences, flags, and characters with their marks."""
    out: list[tuple[int, int, int]] = []
    flag = False
    for start, end, cells in split_graphemes(text)[0]:
        first = text[start]
        if out and ("\U0001f3fb" <= first <= "\U0001f3ff" or (flag and "\U0001f1e6" <= first <= "\U0001f1ff")):
            before = out[-1]
            out[-1] = (before[0], end, before[2] + cells)
            flag = False
            continue
        flag = "\U0001f1e6" <= first <= "\U0001f1ff"
        out.append((start, end, cells))
    return out


def wrap_ranges(text: str, width: int) -> list[Range]:
    """Where to break a text into rows of at most `width` cells, at spaces where there are some."""
    out: list[Range] = []
    simple = is_simple(text)
    start = 0
    while True:
        end = text.find("\n", start)
        stop = len(text) if end < 0 else end
        if simple:
            _wrap_simple(text, start, stop, width, out)
        else:
            _wrap_wide(text, start, stop, width, out)
        if end < 0:
            return out
        start = end + 1


def _wrap_simple(text: str, start: int, stop: int, width: int, out: list[Range]) -> None:
    while stop - start > width:
        cut = text.rfind(" ", start, start + width + 1)
        end = cut
        while end > start and text[end - 1] == " ":
            end -= 1
        if end <= start:  # one word longer than the row, perhaps behind spaces
            out.append((start, start + width, CUT))
            start += width
            continue
        start_next = cut + 1
        while start_next < stop and text[start_next] == " ":
            start_next += 1
        if start_next >= stop:
            out.append((start, end, 0))
            return
        out.append((start, end, SOFT))
        start = start_next
    out.append((start, stop, 0))


def _wrap_wide(text: str, start: int, stop: int, width: int, out: list[Range]) -> None:
    """The same for text with wide or joined characters; a row may also end beside a wide character."""
    row = start
    used = 0
    brk: tuple[int, int, int, int] | None = None  # end of row, start of the next, cells up to there, how
    was_wide = was_space = False
    for at, end, cells in graphemes(text[start:stop]):
        at, end = at + start, end + start
        space = text[at] == " "
        wide = cells > 1
        if not space and at > row:
            if was_space:
                brk = (_trim(text, row, at), at, used, SOFT)
            elif wide or was_wide:
                brk = (at, at, used, CUT)
        if used + cells > width and not space and at > row:
            if brk is None or brk[0] <= row:
                brk = (at, at, used, CUT)
            out.append((row, brk[0], brk[3]))
            row, used = brk[1], used - brk[2]
            brk = None
        used += cells
        was_wide, was_space = wide, space
    end = stop
    if used > width:  # only trailing spaces reach beyond
        end = _trim(text, row, stop)
    out.append((row, end, 0))


def _trim(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1] == " ":
        end -= 1
    return end


def cut_ranges(text: str, width: int) -> list[Range]:
    """Where to cut a line of code into rows of at most `width` cells, wherever that is."""
    size = len(text)
    if is_simple(text):
        if size <= width:
            return [(0, size, 0)]
        return [(at, min(at + width, size), CUT if at + width < size else 0) for at in range(0, size, width)]
    out: list[Range] = []
    row = used = 0
    for at, _, cells in graphemes(text):
        if used + cells > width and at > row:
            out.append((row, at, CUT))
            row, used = at, 0
        used += cells
    out.append((row, size, 0))
    return out


def fill(runs: Sequence[Piece], ranges: Sequence[Range], first: Line = (), rest: Line = ()) -> list[Line]:
    """Lines of the styled runs cut at the ranges of their joined text; `first` and `rest` stand before each line."""
    out: list[Line] = []
    lead = first
    if len(runs) == 1:
        text, style = runs[0]
        for start, end, how in ranges:
            out.append((*lead, (text[start:end], style), *_ENDS[how]) if end > start else (*lead, *_ENDS[how]))
            lead = rest
        return out
    at = 0  # run
    base = 0  # where this run starts in the joined text
    for start, end, how in ranges:
        pieces: list[Piece] = list(lead)
        lead = rest
        while at < len(runs) and base + len(runs[at][0]) <= start:
            base += len(runs[at][0])
            at += 1
        here, offset = at, base
        while here < len(runs) and offset < end:
            text, style = runs[here]
            part = text[max(0, start - offset) : end - offset]
            if part:
                pieces.append((part, style))
            offset += len(text)
            here += 1
        out.append((*pieces, *_ENDS[how]))
    return out


def wrap(runs: Sequence[Piece], width: int, first: Line = (), rest: Line = ()) -> list[Line]:
    """Word-wrapped lines of styled runs, at least one; `width` is without the pieces before each line."""
    if any("\t" in text for text, _ in runs):
        runs = [(text.replace("\t", " " * TAB), style) for text, style in runs]
    text = runs[0][0] if len(runs) == 1 else "".join([text for text, _ in runs])
    return fill(runs, wrap_ranges(text, max(width, MIN_WIDTH)), first, rest)
