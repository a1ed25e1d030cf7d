"""The word diff of two answers, laid into rows: what only one of them says is told by signs, and colours only underline it."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from anoman_tui.core.records import dataclass
from anoman_tui.core.sanitize import clean
from anoman_tui.core.worddiff import Diff, Run, diff
from anoman_tui.ui.document import lines

SAME, GONE, NEW = range(3)
"""Kinds of text: in both, only in the base, only here."""
SIGNS = {"base": ("[-", "-]", GONE), "other": ("{+", "+}", NEW)}
LINE_END = "⏎"
"""A line end that only one of the texts has."""

Line = tuple[tuple[str, int], ...]
"""Pieces of text with their kinds."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Two texts against each other."""

    diff: Diff

    @property
    def is_empty(self) -> bool:
        """Whether the texts are the same."""
        return self.diff.first is None


@dataclass(frozen=True, slots=True)
class Laid:
    """A difference in rows of a width."""

    lines: tuple[Line, ...]
    places: tuple[int, ...]
    """The row where each change begins; what stands only in the base and what stands only here, side by side, are one change."""


def compare(base: str, other: str) -> Difference:
    """Compare two answers as they are shown: foreign text that could do harm is made visible first."""
    return Difference(diff(clean(base), clean(other)))


def lay(difference: Difference, width: int) -> Laid:
    """The difference in rows of at most `width` cells. Cost in proportion to the text."""
    laid: list[Line] = []
    places: list[int] = []
    row: list[tuple[str, int]] = []
    begins: list[int] = []  # offsets in the row at which a change begins
    changed, at = False, 0
    for piece in (*_pieces(difference.diff.runs), None):
        if piece is None:  # a line end
            ranges = lines.wrap_ranges("".join(text for text, _ in row), max(width, lines.MIN_WIDTH))
            starts = [start for start, _, _ in ranges]
            places += [len(laid) + bisect_right(starts, offset) - 1 for offset in begins]
            laid += [tuple(part for part in line if part[0]) for line in lines.fill(row, ranges)] if row else [()]
            row, begins, at = [], [], 0
            continue
        text, kind, begin = piece
        if begin and not changed:
            begins.append(at)
        changed = kind != SAME
        row.append((text, kind))
        at += len(text)
    return Laid(tuple(laid), tuple(places))


def _pieces(runs: Sequence[Run]) -> Iterator[tuple[str, int, bool] | None]:
    """Pieces without line ends, and None for each line end; a piece that begins a run of only one text says so."""
    for run in runs:
        before, after, kind = SIGNS.get(run.kind, ("", "", SAME))
        parts = run.text.split("\n")
        for number, part in enumerate(parts):
            first, last = number == 0, number == len(parts) - 1
            end = LINE_END if not last and kind != SAME else ""
            shown = (before if first else "") + part.replace("\t", " " * lines.TAB) + end + (after if last else "")
            if shown:
                yield shown, kind, first and kind != SAME
            if not last:
                yield None
