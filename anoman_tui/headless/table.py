"""A run as text for a terminal or a log: the answers, then one table. What a server sent is sanitised first."""

from collections.abc import Sequence
from typing import TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from anoman_tui.core.contract import findings
from anoman_tui.core.document import shown_error
from anoman_tui.core.jsonish import plain
from anoman_tui.core.metrics import Source, output_tokens, timing
from anoman_tui.core.outcome import Outcome, outcome, phase
from anoman_tui.core.pane import PaneState
from anoman_tui.core.provenance import source
from anoman_tui.core.report import gateway_cost
from anoman_tui.core.sanitize import clean, clean_line

WIDE = 500
"""Cells; more than any table of ours needs."""


def print_run(states: Sequence[PaneState], out: TextIO) -> None:
    """Print the answers and the table."""
    for number, state in enumerate(states, 1):
        print_pane(state, number, out)
    print_table(states, out)


def print_pane(state: PaneState, number: int, out: TextIO, *, lines: bool = True) -> None:
    """Print one pane: a header line and its text."""
    console = _console(out)
    name, word = clean_line(state.target.name, 100), phase(state).value
    console.print(Text(f"── {number} {name} ── {word}" if lines else f"{number} {name}: {word}", style="bold"))
    console.print(Text(clean(state.text.text)))
    for line in _notes(state):
        console.print(Text(line, style="dim"))
    console.print()
    out.flush()


def print_table(states: Sequence[PaneState], out: TextIO, *, lines: bool = True) -> None:
    """Print the numbers of all panes, with or without lines drawn."""
    # As wide as its numbers need, whatever the terminal has: a number that is cut looks like another number.
    _console(out, WIDE).print(_table(states, lines=lines))
    out.flush()


def _console(out: TextIO, width: int | None = None) -> Console:
    return Console(file=out, highlight=False, markup=False, emoji=False, soft_wrap=True, width=width)


def _notes(state: PaneState) -> list[str]:
    """What there is to say beside the answer."""
    lines = []
    if state.refusal:
        lines.append(f"refusal: {clean(state.refusal.text)}")
    lines += [f"tool call: {clean_line(call.name or '?', 60)}({clean_line(call.arguments.text, 200)})" for call in state.tools]
    error = shown_error(state)
    if error is not None:
        labels = " ".join(clean_line(str(part), 60) for part in (error.http_status, error.type, error.code) if part is not None)
        lines.append(f"{error.kind.value}: {clean_line(error.message, 400)}" + (f" [{labels}]" if labels else ""))
    if outcome(state) not in (Outcome.COMPLETED, None) and state.text:
        lines.append("the answer above is partial")
    if outcome(state) is Outcome.CANCELLED:
        lines.append(state.target.provider.cancel_note)
    lines += [f"{found.severity}: {found.rule}: {clean_line(found.message, 300)}" for found in findings(state)]
    return lines


COLUMNS = (("", False), ("state", False), ("finish", False), ("TTFT ms", True), ("tok/s", True), ("in", True), ("out", True))
MONEY = (("total ms", True), ("cost", True))


def _table(states: Sequence[PaneState], *, lines: bool) -> Table:
    table = Table(box=box.SIMPLE if lines else None, pad_edge=False, padding=(0, 1))
    for name, right in (*COLUMNS, *MONEY):
        table.add_column(name, justify="right" if right else "left", no_wrap=True, overflow="ellipsis")
    for number, state in enumerate(states, 1):
        table.add_row(*(Text(cell) for cell in _row(number, state)))
    return table


def _row(number: int, state: PaneState) -> list[str]:
    times, out, cost = timing(state), output_tokens(state), gateway_cost(state)
    spent = state.usage.input_tokens if state.usage is not None else None
    word = phase(state).value + (" json" if state.served_json else "")
    return [
        str(number),
        word,
        clean_line(state.finish_reason or Source.NOT_SENT, 17),
        _ms(times.ttft_ms),
        f"{times.output_tps:.1f}{Source.REPORTED}" if times.output_tps is not None else Source.NOT_SENT,
        f"{spent}{source(state, 'input_tokens')}" if spent is not None else Source.NOT_SENT,
        f"{out.value}{out.source}" if out.value is not None else Source.NOT_SENT,
        _ms(times.e2e_ms),
        f"${plain(cost)}{source(state, 'cost')}" if cost is not None else Source.NOT_SENT,
    ]


def _ms(value: float | None) -> str:
    return Source.NOT_SENT if value is None else f"{value:,.0f}"
