"""Several panes side by side: a row for each thing that may differ, and what it means where it does.

What a pane did not send is `--`, and makes no difference by itself. Numbers keep their marks; times are measured and have none.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence

from anoman_tui.core.contract.contradictions import NATURAL, same_model
from anoman_tui.core.document import shown_error
from anoman_tui.core.jsonish import plain
from anoman_tui.core.metrics import Source, output_tokens, timing
from anoman_tui.core.outcome import Outcome, outcome, phase
from anoman_tui.core.pane import PaneState
from anoman_tui.core.provenance import source
from anoman_tui.core.records import dataclass
from anoman_tui.core.report import Guardrail, gateway_cost, read_report
from anoman_tui.core.sanitize import clean_line

UNKNOWN = Source.NOT_SENT.value
MAX_CHECKS = 20
"""Guardrails that get a row; what a server sends has no bound."""
MAX_CELL = 80
APART, APART_MS = 1.5, 50.0
"""Measured times are never equal; they differ where the longest is this many times the shortest, and by this many milliseconds."""
LIMITS = frozenset({"length", "max_tokens", "max_output_tokens"})
"""Finish reasons of a limit; compared in lower case."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that may differ. `cells` has a text per pane, with its mark; `says` is a sentence, or empty."""

    name: str
    cells: tuple[str, ...]
    differs: bool
    says: str = ""

    @property
    def known(self) -> bool:
        """Whether any pane tells something here; a row of `--` alone is for whoever wants all."""
        return any(cell != UNKNOWN for cell in self.cells)


@dataclass(frozen=True, slots=True)
class _Panes:
    """The panes that are compared, and what they are called in a sentence."""

    states: tuple[PaneState, ...]
    names: tuple[str, ...]

    def row(self, name: str, values: Sequence[Hashable], cells: Iterable[str], says: str = "") -> Row:
        """A row; it differs where the values that are known are not all the same."""
        return Row(name, tuple(cells), len({value for value in values if value is not None}) > 1, says)


def compare(states: Sequence[PaneState], names: Sequence[str] = ()) -> tuple[Row, ...]:
    """The panes side by side. `names` is what sentences call them; `pane 1` and so on where none are given."""
    panes = _Panes(tuple(states), tuple(names) or tuple(f"pane {at}" for at in range(1, len(states) + 1)))
    return tuple(row for make in _ROWS for row in make(panes))


# Who answered, and how it ended.


def _models(panes: _Panes) -> Iterable[Row]:
    asked, served = [state.target.model for state in panes.states], [state.served_model for state in panes.states]
    yield panes.row("asked model", asked, map(_line, asked))
    others = [name for name, one, other in zip(panes.names, asked, served, strict=True) if other is not None and not same_model(one, other)]
    says = f"{_list(others)}: the served model is another than the one asked for" if others else ""
    cells = [UNKNOWN if name is None else _line(name) + source(state, "model") for name, state in zip(served, panes.states, strict=True)]
    yield panes.row("served model", served, cells, says)


def _ends(panes: _Panes) -> Iterable[Row]:
    ended = [outcome(state) for state in panes.states]
    words = [phase(state).value for state in panes.states]
    wrong = [f"{name}: {_why(state)}" for name, state in zip(panes.names, panes.states, strict=True) if _why(state)]
    yield panes.row("outcome", words, words, "; ".join(wrong))
    reasons = [state.finish_reason for state in panes.states]
    kinds = [_kind(reason) if one is Outcome.COMPLETED else None for reason, one in zip(reasons, ended, strict=True)]
    says = ""
    if len(set(kinds) - {None}) > 1:
        says = ", ".join(f"{name} ended {kind}" for name, kind in zip(panes.names, kinds, strict=True) if kind is not None)
    elif len({reason for reason in reasons if reason is not None}) > 1 and kinds[0] is not None:
        says = "each shape has its own word for the same end"
    cells = [
        UNKNOWN if reason is None else _line(reason) + source(state, "finish_reason")
        for reason, state in zip(reasons, panes.states, strict=True)
    ]
    yield panes.row("finish reason", kinds, cells, says)
    served = [None if state.status is None else "JSON" if state.served_json else "stream" for state in panes.states]
    yield panes.row("served as", served, (word or UNKNOWN for word in served), _served(panes))


def _why(state: PaneState) -> str:
    error = shown_error(state)
    return "" if error is None else clean_line(error.message, 200)


def _kind(reason: str | None) -> str | None:
    """How an answer ended, whatever its shape calls it."""
    if reason is None:
        return None
    word = reason.lower()
    if word in LIMITS:
        return "at its limit"
    if word.startswith("tool"):
        return "with a tool call"
    return "by itself" if word in NATURAL else f"with {_line(reason)}"


def _served(panes: _Panes) -> str:
    unasked = [name for name, state in zip(panes.names, panes.states, strict=True) if state.served_json and state.streaming]
    return f"{_list(unasked)}: JSON came in place of the stream, as a cache hit does" if unasked else ""


# Counts.


def _tokens(panes: _Panes) -> Iterable[Row]:
    spent = _counts(panes, "input_tokens")
    yield panes.row("input tokens", spent, _told(panes, "input_tokens", spent), _input(panes, spent))
    for name, field in (("cached", "cached_tokens"), ("cache written", "cache_write_tokens")):
        counts = _counts(panes, field)
        hits = [f"{one} {count}" for one, count in zip(panes.names, counts, strict=True) if count]
        way = "read from" if field == "cached_tokens" else "written to"
        says = f"input tokens {way} the provider's cache: {', '.join(hits)}" if hits and len(set(counts)) > 1 else ""
        yield panes.row(name, counts, _told(panes, field, counts), says)
    made = [told.value if told.source is not Source.ESTIMATED else None for told in map(output_tokens, panes.states)]
    cells = [
        UNKNOWN if told.value is None else f"{told.value}{source(state, 'output_tokens')}"
        for told, state in zip(map(output_tokens, panes.states), panes.states, strict=True)
    ]
    yield panes.row("output tokens", made, cells, _output(panes, made))
    thought = _counts(panes, "reasoning_tokens")
    yield panes.row("reasoning tokens", thought, _told(panes, "reasoning_tokens", thought))


def _counts(panes: _Panes, field: str) -> list[int | None]:
    return [getattr(state.usage, field, None) for state in panes.states]


def _told(panes: _Panes, field: str, counts: Sequence[int | None]) -> list[str]:
    return [UNKNOWN if count is None else f"{count}{source(state, field)}" for count, state in zip(counts, panes.states, strict=True)]


def _input(panes: _Panes, counts: Sequence[int | None]) -> str:
    known = [count for count in counts if count is not None]
    if len(set(known)) < 2:
        return ""
    apart = f"input tokens differ by {max(known) - min(known)}"
    if _one(state.target.model.rpartition("/")[2] for state in panes.states):
        return f"{apart}: the template of the shape, or a hidden prompt"
    return f"{apart}: other models count in other ways"


def _output(panes: _Panes, counts: Sequence[int | None]) -> str:
    known = [count for count in counts if count is not None]
    hidden = any(state.usage is not None and state.usage.reasoning_tokens for state in panes.states)
    if len(set(known)) < 2 or hidden or len(known) < len(panes.states) or not _one(state.text.text for state in panes.states):
        return ""
    return f"the texts are the same, but output tokens differ by {max(known) - min(known)}: they were counted in other ways"


# Money, and what the gateway did.


def _money(panes: _Panes) -> Iterable[Row]:
    costs = [gateway_cost(state) for state in panes.states]
    known = [cost for cost in costs if cost is not None]
    says = ""
    if len(set(known)) > 1:
        usages = [(state.usage.input_tokens, state.usage.output_tokens) if state.usage is not None else None for state in panes.states]
        same = _one(usages) and usages[0] is not None and _one(state.target.model for state in panes.states)
        says = f"costs differ by ${plain(max(known) - min(known))}" + (", though the tokens are the same" if same else "")
    cells = [UNKNOWN if cost is None else f"${plain(cost)}{source(state, 'cost')}" for cost, state in zip(costs, panes.states, strict=True)]
    yield panes.row("cost", costs, cells, says)
    listed = [state.list_usd for state in panes.states]
    yield panes.row("list price", listed, (UNKNOWN if usd is None else f"${plain(usd)}{Source.ESTIMATED}" for usd in listed))
    weighted = [read_report(state.metadata).weighted_tokens for state in panes.states]
    yield panes.row("weighted tokens", weighted, (UNKNOWN if count is None else f"{plain(count)}{Source.REPORTED}" for count in weighted))


def _gateway(panes: _Panes) -> Iterable[Row]:
    reports = [read_report(state.metadata) for state in panes.states]
    hits = [report.cache_hit for report in reports]
    says = f"from the gateway's cache: {_list(name for name, hit in zip(panes.names, hits, strict=True) if hit)}" if any(hits) else ""
    yield panes.row("cache", hits, (UNKNOWN if hit is None else f"{'hit' if hit else 'miss'}{Source.REPORTED}" for hit in hits), says)
    checks = [{guard.name: guard for guard in report.guardrails} for report in reports]
    for name in list(dict.fromkeys(name for found in checks for name in found))[:MAX_CHECKS]:
        yield _check(panes, name, [found.get(name) for found in checks], [bool(found) for found in checks])
    routes = [" ".join(part for part in (report.routing_mode, report.region) if part) or None for report in reports]
    yield panes.row("routing", routes, (UNKNOWN if route is None else _line(route) + Source.REPORTED for route in routes))


def _check(panes: _Panes, name: str, guards: Sequence[Guardrail | None], checked: Sequence[bool]) -> Row:
    """One check. A pane that reports checks but not this one differs; one that reports none does not."""
    missing = [pane for pane, guard, any_ in zip(panes.names, guards, checked, strict=True) if guard is None and any_]
    stopped = [pane for pane, guard in zip(panes.names, guards, strict=True) if guard is not None and not guard.passed]
    says = [f"{_list(stopped)} did not pass"] if stopped and len(stopped) < sum(guard is not None for guard in guards) else []
    says += [f"{_list(missing)}: other checks are reported, but not this one"] if missing else []
    values = [None if guard is None else (guard.status or "").lower() for guard in guards]
    row = panes.row(f"guardrail {clean_line(name, 40)}", values, map(_guard, guards), "; ".join(says))
    return Row(row.name, row.cells, row.differs or bool(missing), row.says)


def _guard(guard: Guardrail | None) -> str:
    if guard is None:
        return UNKNOWN
    score = "" if guard.score is None else f" {plain(guard.score)}"
    return f"{clean_line(guard.status or UNKNOWN, 30)}{score}{Source.REPORTED}"


# The wire, and the times.


def _wire(panes: _Panes) -> Iterable[Row]:
    for name, counts in (
        ("events", [state.wire.frames for state in panes.states]),
        ("reads", [state.wire.reads for state in panes.states]),
    ):
        yield panes.row(name, counts, map(str, counts))


def _times(panes: _Panes) -> Iterable[Row]:
    times = [timing(state) for state in panes.states]
    for name, values in (
        ("headers", [time.ttfh_ms for time in times]),
        ("first token", [time.ttft_ms for time in times]),
        ("total time", [time.done_ms if time.done_ms is not None else time.e2e_ms for time in times]),
    ):
        known = [value for value in values if value is not None]
        apart = len(known) > 1 and max(known) - min(known) >= APART_MS and max(known) >= APART * min(known)
        yield Row(name, tuple(UNKNOWN if value is None else f"{value:,.0f} ms" for value in values), apart)


# The text.


def _text(panes: _Panes) -> Iterable[Row]:
    """Each text against the first that there is."""
    texts = [state.text.text for state in panes.states]
    base = next((at for at, text in enumerate(texts) if text), None)
    if base is None:
        yield Row("text", tuple(UNKNOWN for _ in texts), differs=False)
        return
    words = len(texts[base].split())
    cells = [f"{words} words" if at == base else UNKNOWN if not text else likeness(texts[base], text) for at, text in enumerate(texts)]
    yield Row("text", tuple(cells), any(cell.startswith(("differs", "same up")) for cell in cells))


def likeness(base: str, other: str) -> str:
    """How a text stands to another: `same`, `same but for whitespace`, `same up to word 9`, or `differs at word 9`."""
    if base == other:
        return "same"
    one, two = base.split(), other.split()
    if one == two:
        return "same but for whitespace"
    if base.startswith(other) or other.startswith(base):
        return f"same up to word {min(len(one), len(two))}, where one of them ends"
    at = next((at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    return f"differs at word {at + 1}"


_ROWS: tuple[Callable[[_Panes], Iterable[Row]], ...] = (_models, _ends, _tokens, _money, _gateway, _wire, _times, _text)


def _one(values: Iterable[Hashable]) -> bool:
    return len(set(values)) == 1


def _list(names: Iterable[str]) -> str:
    return ", ".join(names)


def _line(text: str) -> str:
    return clean_line(text, MAX_CELL)
