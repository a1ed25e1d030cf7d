"""What the screen says about a pane, as plain text: a function of its state and the time.

Text of servers and of the command line is made safe here, since it goes into titles and lines of fixed size.
"""

from collections.abc import Iterable
from decimal import Decimal

from anoman_tui.core.headers import request_id
from anoman_tui.core.metrics import Source, Timing, estimated_tokens, live_rate, output_tokens, timing, zero_ns
from anoman_tui.core.outcome import Outcome, Phase, outcome, phase
from anoman_tui.core.pane import PaneState
from anoman_tui.core.provenance import source
from anoman_tui.core.records import dataclass
from anoman_tui.core.report import GatewayReport, Guardrail, gateway_cost, read_report
from anoman_tui.core.sanitize import clean_line
from anoman_tui.ui.cells import Cell, Item, Tone
from anoman_tui.ui.figures import UNKNOWN, counted, money, rate, score, seconds, whole

READY, DOUBTFUL, QUEUED = "READY", "CHECK", "QUEUE"
"""The words of a pane that has not run yet, of one that has not and of which it is known why it will not, or not as set up, and of one
that waits for those before it."""

TONES: dict[str, Tone] = {
    READY: Tone.MUTED,
    DOUBTFUL: Tone.WARN,
    QUEUED: Tone.WARN,
    Phase.WAIT: Tone.WARN,
    Phase.OPEN: Tone.WARN,
    Phase.THINK: Tone.ACCENT,
    Phase.LIVE: Tone.ACCENT,
    Phase.DONE: Tone.GOOD,
    Phase.STOP: Tone.WARN,
    Phase.CUT: Tone.BAD,
    Phase.FAIL: Tone.BAD,
    Phase.BLOCK: Tone.BAD,
}


@dataclass(frozen=True, slots=True)
class PaneView:
    """A pane in words; numbers carry their marks."""

    word: str
    tone: Tone
    first: str
    """Time to first token; ends in an ellipsis while it still counts."""
    tokens: str
    rate: str
    """Output tokens per second."""
    elapsed: str
    cost: str
    gateway: tuple[Item, ...]
    """All the gateway told, one item a fact."""
    gateway_short: tuple[Item, ...]
    """The same with the checks that passed told as their number."""
    running: bool
    verdict: str = ""
    """How the stream stands to the documented rules: `14/14`, or `!1` with the number of broken ones."""
    name: str = ""
    """Stands in the place of the target's name where that is hidden, and then nothing else is told."""

    @property
    def idle(self) -> bool:
        """Whether there is no stream to tell of."""
        return self.word in (READY, DOUBTFUL, QUEUED) or bool(self.name)


def view(state: PaneState | None, now_ns: int, *, queued: bool = False, doubtful: bool = False) -> PaneView:
    """The pane at a moment; `doubtful` where a word on it stands in the pane before it is sent to."""
    if state is None:
        word = QUEUED if queued else DOUBTFUL if doubtful else READY
        return PaneView(word, TONES[word], UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, (), (), running=False)
    times, word = timing(state), phase(state).value
    running = outcome(state) is None
    report, priced = read_report(state.metadata), _cost(state)
    from anoman_tui.core.contract import verdict  # the rules are loaded with the first answer

    return PaneView(
        word=word,
        tone=TONES[word],
        first=_first(state, times, now_ns, running),
        tokens=counted(output_tokens(state)),
        rate=_rate(state, times, now_ns, running),
        elapsed=seconds(_elapsed_ms(state, times, now_ns, running)),
        cost=UNKNOWN if priced is None else priced,
        gateway=_gateway(state, report, priced, running, short=False),
        gateway_short=_gateway(state, report, priced, running, short=True),
        running=running,
        verdict=verdict(state).mark,
    )


def verdict_cell(seen: PaneView) -> Cell:
    """The verdict on the rules; a broken one stands out."""
    return Cell(seen.verdict, Tone.BAD if seen.verdict.startswith("!") else Tone.TEXT, "rules")


def _first(state: PaneState, times: Timing, now_ns: int, running: bool) -> str:
    zero = zero_ns(state)
    if times.ttft_ms is None and running and zero is not None and not state.served_json:
        return seconds((now_ns - zero) / 1e6) + "…"
    return seconds(times.ttft_ms)


def _rate(state: PaneState, times: Timing, now_ns: int, running: bool) -> str:
    if times.output_tps is not None and not running:
        return rate(times.output_tps, Source.REPORTED)
    return rate(live_rate(state, now_ns) if running else _mean_rate(state), Source.ESTIMATED)


def _mean_rate(state: PaneState) -> float | None:
    """Estimated tokens a second over the whole answer, for a pane that ended without usable usage."""
    first, last = state.stamps.first_token, state.stamps.last_content
    tokens = estimated_tokens(state) if state.has_content else 0
    if first is None or last is None or last <= first or tokens < 2 or state.served_json:
        return None
    return (tokens - 1) * 1e9 / (last - first)


def _elapsed_ms(state: PaneState, times: Timing, now_ns: int, running: bool) -> float | None:
    zero = zero_ns(state)
    if zero is None:
        return None
    if running:
        return max(0, now_ns - zero) / 1e6
    if times.done_ms is not None:
        return times.done_ms
    closed = state.stamps.closed
    return times.e2e_ms if closed is None else (closed - zero) / 1e6


def _cost(state: PaneState) -> str | None:
    """What the server says it cost, else our estimate by list prices."""
    cost = gateway_cost(state)
    if cost is not None:
        return money(cost) + source(state, "cost").value
    return None if state.list_usd is None else money(state.list_usd) + Source.ESTIMATED.value


def _gateway(state: PaneState, report: GatewayReport, cost: str | None, running: bool, *, short: bool) -> tuple[Item, ...]:
    """What the gateway told. While it may still come, nothing is said to be missing."""
    identity = request_id(state.headers) or (state.error.request_id if state.error else None)
    if not state.metadata and cost is None and identity is None:
        return (_fact("gateway", "waiting" if running else "not sent"),)
    if running and not state.metadata:
        return (_fact("gateway", "waiting"), *_identity(identity))
    route = " ".join(part for part in (report.routing_mode, report.region) if part)
    cache = None if report.cache_hit is None else ("HIT" if report.cache_hit else "MISS")
    weighted = None if report.weighted_tokens is None else whole(int(report.weighted_tokens)) + Source.REPORTED.value
    return (
        _fact("cost", cost),
        *_listed(state),
        _fact("cache", cache, Tone.ACCENT if report.cache_hit else Tone.TEXT),
        *_guards(report.guardrails, short=short),
        _fact("route", route or None),
        _fact("weighted", weighted),
        *(_identity(identity) or (_fact("id", None),)),
    )


def _listed(state: PaneState) -> tuple[Item, ...]:
    """Our own estimate beside the server's word; where there is no such word it already stands in its place."""
    if state.list_usd is None or gateway_cost(state) is None:
        return ()
    return (_fact("list", money(state.list_usd) + Source.ESTIMATED.value),)


def _identity(identity: str | None) -> tuple[Item, ...]:
    return () if identity is None else (_fact("id", identity),)


def _guards(guards: tuple[Guardrail, ...], *, short: bool) -> tuple[Item, ...]:
    if not guards:
        return (_fact("guard", None),)
    told = [guard for guard in guards if not (short and guard.passed)]
    passed = len(guards) - len(told)
    items = [*([(Cell(f"{passed} pass", about="gateway"),)] if passed else []), *(_guard(guard) for guard in told[:8])]
    return ((Cell("guard ", Tone.MUTED, "gateway"), *items[0]), *items[1:])


def _guard(guard: Guardrail) -> Item:
    status = clean_line(guard.status or UNKNOWN, 16)
    shown = f"{status if guard.passed else status.upper()} {score(guard.score)}".rstrip()
    tone = Tone.TEXT if guard.passed else Tone.WARN
    return (Cell(f"{clean_line(guard.name, 20)} ", Tone.MUTED, "gateway"), Cell(shown, tone, "gateway"))


def _fact(name: str, value: str | None, tone: Tone = Tone.TEXT) -> Item:
    missing = value is None or value in (UNKNOWN, "not sent", "waiting")
    about = name if name in ("cost", "list", "weighted", "id") else "gateway"
    return (Cell(f"{name} ", Tone.MUTED, about), Cell(clean_line(value or UNKNOWN, 48), Tone.MUTED if missing else tone, about))


def header(seen: PaneView, width: int) -> tuple[Cell, ...]:
    """State word, time to first token, tokens and rate; the fields keep their places while numbers grow."""
    word = Cell(f"{seen.word:<5}", seen.tone, "state")
    if seen.idle:
        return (word,)
    about = "rate" if seen.running else "output_tps"
    first, tokens = Cell(f"{seen.first:<6}", about="ttft_ms"), Cell(f"{seen.tokens:>5}", about="output_tokens")
    speed = Cell(f"{seen.rate:>5}", about=about)
    if width >= 56:
        names, gap = ("first token ", " tokens", " tok/s"), Cell("   ")
    elif width >= 36:
        names, gap = ("first ", " tok", "/s"), Cell("  " if width >= 39 else " ")
    else:
        names, gap = ("", "t", "/s"), Cell(" ")
    abouts = ("ttft_ms", "output_tokens", about)
    labels = [Cell(name, Tone.MUTED, one) for name, one in zip(names, abouts, strict=True)]
    return (word, gap, labels[0], first, gap, tokens, labels[1], gap, speed, labels[2])


def tally(states: Iterable[PaneState]) -> str:
    """How many panes are in which state: `1 live  2 done`."""
    words = {
        Outcome.COMPLETED: "done",
        Outcome.CANCELLED: "stopped",
        Outcome.TRUNCATED: "cut",
        Outcome.FAILED: "failed",
        Outcome.BLOCKED: "blocked",
        None: "live",
    }
    ended = [outcome(state) for state in states]
    counts = [(sum(1 for one in ended if one is kind), words[kind]) for kind in (None, *Outcome)]
    return "  ".join(f"{number} {word}" for number, word in counts if number)


def total_cost(states: Iterable[PaneState]) -> str:
    """The sum of what the gateways said the panes cost; says of how many panes when some said nothing."""
    costs = [gateway_cost(state) for state in states]
    told = [cost for cost in costs if cost is not None]
    if not told:
        return UNKNOWN
    of = "" if len(told) == len(costs) else f" of {len(told)}"
    return f"{money(sum(told, Decimal(0)))}{Source.REPORTED.value}{of}"
