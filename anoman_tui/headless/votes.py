"""`anoman-tui votes`: how often each model won, with what chance alone would give beside it."""

from collections.abc import Callable, Sequence
from typing import Any, TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from anoman_tui.core.jsonish import dumps
from anoman_tui.core.sanitize import clean_line
from anoman_tui.core.stats import Vote, VotedPane, WinRate, by_model, by_pane, win_rates

SCHEMA, VERSION = "anoman-tui/votes", "1.0"
BY: dict[str, Callable[[VotedPane], str]] = {"model": by_model, "pane": by_pane}
"""What a row of the table may be: a model through whatever shapes and gateways, or one pane as it was set up."""
EMPTY = "no votes yet: b on the screen hides the names, and a vote shows them again"
WIDE = 500


def print_votes(votes: Sequence[Vote], out: TextIO, *, by: str = "model", as_json: bool = False) -> None:
    """Print the win rates, the best first, as a table or as one JSON document."""
    rates = win_rates(votes, BY[by])
    if as_json:
        document = {"schema": SCHEMA, "schema_version": VERSION, "votes": len(votes), "by": by, "rates": [_fields(rate) for rate in rates]}
        out.write(dumps(document, indent=2) + "\n")
        return
    console = Console(file=out, highlight=False, markup=False, emoji=False, soft_wrap=True, width=WIDE)
    if not rates:
        console.print(
            Text(EMPTY if not votes else f"{len(votes)} votes, but none between two {by}s; --by pane tells shapes and parameters apart")
        )
        return
    console.print(_table(rates, by))
    console.print(Text(f"{len(votes)} votes; a tie of k answers counts 1/k; intervals hold in 95 of 100 cases", style="dim"))


def _fields(rate: WinRate) -> dict[str, Any]:
    shares = {name: round(getattr(rate, name), 6) for name in ("rate", "low", "high", "chance")}
    return {
        "name": rate.name,
        "votes": rate.votes,
        "wins": rate.wins,
        "ties": rate.ties,
        **shares,
        "against_chance": rate.verdict or None,
    }


def _table(rates: Sequence[WinRate], by: str) -> Table:
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1))
    for name in (by, "votes", "wins", "ties", "win rate", "95 % interval", "chance", ""):
        table.add_column(name, justify="left" if name in (by, "") else "right", no_wrap=True)
    for rate in rates:
        interval = f"{_percent(rate.low)} to {_percent(rate.high)}"
        verdict = f"{rate.verdict} chance" if rate.verdict else "no clear difference"
        counts = (str(rate.votes), str(rate.wins), str(rate.ties))
        cells = (clean_line(rate.name, 200), *counts, _percent(rate.rate), interval, _percent(rate.chance), verdict)
        table.add_row(*(Text(cell) for cell in cells))
    return table


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
