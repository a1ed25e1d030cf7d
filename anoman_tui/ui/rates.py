"""The table of win rates as rows: what was voted, what that shows, and what it does not."""

from collections.abc import Callable, Sequence

from anoman_tui.core.sanitize import clean_line
from anoman_tui.core.stats import Vote, VotedPane, WinRate, by_model, by_pane, win_rates
from anoman_tui.ui.cells import Cell, Row, Tone, shortened
from anoman_tui.ui.document.lines import wrap_ranges

NONE_YET = "no votes yet: b hides the names, and once all answers are in, V votes"
FEW = 10
"""Votes of one model below which the table says nothing of it, whatever its interval: small numbers are above chance by luck too often."""
FIXED = 56
"""Cells that the numbers take beside the name."""
VERDICT = 7
LEAST = 24
"""Cells that a long name needs; with fewer, the numbers stand in a row of their own."""

BY: dict[str, Callable[[VotedPane], str]] = {"model": by_model, "pane": by_pane}


def table(votes: Sequence[Vote], by: str, width: int) -> list[Row]:
    """The table in at most `width` cells; by model, or by pane."""
    rates = win_rates(votes, BY[by])
    if not rates:
        return _told(
            NONE_YET if not votes else f"{_votes(len(votes))}, but none between two {by}s: p changes what a row is", Tone.TEXT, width
        )
    names = [clean_line(rate.name, 200) for rate in rates]
    longest = max(len(by), *(Cell(name).width for name in names))
    beside = min(60, width - FIXED, longest)
    apart = len({shortened(name, beside) for name in names}) == len(names)
    wide = apart and width >= FIXED + min(longest, LEAST)
    room = beside if wide else min(max(1, width - VERDICT), longest)
    names = _told_apart(names, room)
    rows: list[Row] = []
    head = f"{'votes':>7}{'wins':>6}{'ties':>6}{'rate':>7}{'95 % interval':>15}{'chance':>8}"
    rows.append((Cell(f"{by:<{room}}" if wide else by, Tone.MUTED), Cell(head if wide else "", Tone.MUTED)))
    if not wide:
        rows.append((Cell(head, Tone.MUTED),))
    for name, rate in zip(names, rates, strict=True):
        rows += _row(name, rate, room, wide=wide)
    return [*rows, (), *_verdict(votes, rates, width)]


def _told_apart(names: Sequence[str], room: int) -> list[str]:
    """The names in at most `room` cells: cut at the end, or at the beginning where that would leave two of them the same."""
    shown = [shortened(name, room) for name in names]
    if len(set(shown)) == len(names):
        return shown
    return [name if Cell(name).width <= room else "…" + shortened(name[::-1], room).rstrip("…")[::-1].lstrip() for name in names]


def _row(name: str, rate: WinRate, room: int, *, wide: bool) -> list[Row]:
    interval = f"{_percent(rate.low)} to {_percent(rate.high)}"
    numbers = (
        f"{rate.votes:>7}{rate.wins:>6}{rate.ties:>6}{_percent(rate.rate) + ' %':>7}{interval + ' %':>15}{_percent(rate.chance) + ' %':>8}"
    )
    told = "" if rate.votes < FEW else rate.verdict
    verdict = Cell(f"  {told}" if told else "", Tone.GOOD if told == "above" else Tone.WARN)
    padded = Cell(name + " " * (room - Cell(name).width), Tone.STRONG)
    return [(padded, Cell(numbers), verdict)] if wide else [(Cell(name, Tone.STRONG), verdict), (Cell(numbers),)]


def _verdict(votes: Sequence[Vote], rates: Sequence[WinRate], width: int) -> list[Row]:
    most = max(rate.votes for rate in rates)
    clear = [rate for rate in rates if rate.votes >= FEW and rate.verdict]
    if most < FEW:
        said = f"{_votes(len(votes))}: this shows nothing yet; from {FEW} votes on a model the intervals say something"
    elif not clear:
        said = f"{_votes(len(votes))}: no clear difference yet, each interval holds what chance would give"
    else:
        said = f"{_votes(len(votes))}: above or below chance is said where the interval leaves chance out"
    means = (
        "rate: a win counts 1, a tie of k answers 1/k, anything else 0; the interval holds in 95 of 100 cases",
        "chance: the rate that picking an answer blindly would give; only blind votes are counted",
    )
    return [*_told(said, Tone.ACCENT, width), (), *(row for text in means for row in _told(text, Tone.MUTED, width))]


def _told(text: str, tone: Tone, width: int) -> list[Row]:
    return [(Cell(text[start:end], tone),) for start, end, _ in wrap_ranges(text, max(8, width))]


def _votes(count: int) -> str:
    return "1 vote" if count == 1 else f"{count} votes"


def _percent(share: float) -> str:
    return f"{100 * share:.0f}"
