"""One entry as a row of cells in a given width: when it came, how large it is, and what it means."""

from typing import Final

from anoman_tui.core.sanitize import clean_line
from anoman_tui.core.target import Shape
from anoman_tui.ui.cells import Cell, Row, Tone, fitted
from anoman_tui.ui.wire.log import Entry
from anoman_tui.ui.wire.meaning import meaning

NUMBER_FROM: Final = 56
"""Cells from which a column has room for the numbers of frames."""
NAMED_FROM, NAME_FROM = 46, 72
"""Cells from which a column has room for a frame's name beside its meaning, and beside a piece of the answer."""
SIZE_FROM: Final = 30
LONG_NS: Final = 2_000_000_000
"""A silence this long stands out."""


def moment(ns: int) -> str:
    """A time on the clock of a screen, in at most seven characters up to a day: `+412ms`, `+12.34s`."""
    ms = ns / 1e6
    if abs(ms) < 9.95:
        return f"{ms:+.1f}ms"
    if abs(ms) < 9_999.5:
        return f"{ms:+.0f}ms"
    return f"{ms / 1000:+.2f}s" if abs(ms) < 999_995 else f"{ms / 1000:+.0f}s"


def span(ns: int) -> str:
    """A length of time: `412 ms`, `1.2 s`."""
    ms = ns / 1e6
    if ms < 10:
        return f"{ms:.1f} ms"
    if ms < 999.5:
        return f"{ms:.0f} ms"
    return f"{ms / 1000:.1f} s" if ms < 99_950 else f"{ms / 1000:,.0f} s"


def size(count: int) -> str:
    """A number of bytes in at most six characters up to a hundred megabytes."""
    if count < 10_000:
        return f"{count}B"
    return f"{count / 1000:.0f}kB" if count < 999_500 else f"{count / 1e6:.1f}MB"


def entry_row(entry: Entry, shape: Shape, zero_ns: int, width: int, *, join: str = " ", broken: bool = False) -> Row:
    """The cells of an entry, cut to a width. `join` is its sign in a read of several frames; `broken` marks a broken rule."""
    mark = Cell("!", Tone.BAD) if broken else Cell(" ")
    frame = entry.frame
    if frame is None:
        return fitted((mark, Cell(" "), *_mark(entry, zero_ns)), width)
    # Few cells, since each is a segment of its own on the screen, and in a fast stream every row is new.
    told = f"{moment(entry.t_ns - zero_ns):>7} "
    if width >= SIZE_FROM:
        told += f"{size(frame.size):>5} "
    if width >= NUMBER_FROM:
        told += f"{'' if frame.number is None else f'#{frame.number}':<6}"
    signs = () if join == " " and not broken else (mark, Cell(join, Tone.ACCENT))
    head = [*signs, Cell(told if signs else f"  {told}", Tone.MUTED)]
    said = meaning(frame, shape, named=width >= NAMED_FROM)
    if width >= NAME_FROM and frame.event and said and said[0].tone is Tone.MUTED and frame.kind == "data":
        head.append(Cell(f"{clean_line(frame.event, 28)} ", Tone.MUTED))
    return fitted((*head, *said), width)


def _mark(entry: Entry, zero_ns: int) -> Row:
    at = Cell(f"{moment(entry.t_ns - zero_ns):>7} ", Tone.MUTED)
    said = clean_line(entry.said, 240)
    match entry.kind:
        case "gap":
            return (Cell(f"        … {span(entry.ns)} silent", Tone.WARN if entry.ns >= LONG_NS else Tone.MUTED),)
        case "head":
            return (at, Cell(said, Tone.STRONG))
        case "lost":
            return (at, Cell(said, Tone.WARN))
        case _:
            return (at, Cell("■ ", Tone.STRONG), Cell(said, Tone.STRONG))
