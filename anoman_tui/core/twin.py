"""One request sent twice, and what that shows: streamed and as one JSON answer, or cold and warm."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum

from anoman_tui.core.comparing import Row, compare
from anoman_tui.core.contract.anoman import LIMITS
from anoman_tui.core.metrics import timing
from anoman_tui.core.outcome import Outcome, outcome
from anoman_tui.core.pane import PaneState
from anoman_tui.core.records import dataclass
from anoman_tui.core.report import read_report
from anoman_tui.core.request import Request
from anoman_tui.core.target import Policy

PROXY = "Anoman streaming page, enable streaming"
SAME_PIPELINE = "Anoman streaming page (Indonesian), identical to non-streaming"
SETTLING = "AnyPath streaming page, how streaming settles"
OVERVIEW = "AnyPath streaming page, overview"
PROXY_LIMIT_MS = 100_000
"""Anoman's proxy ends a request without streaming after this long."""
_BY_NATURE = frozenset({"served as", "events", "reads", "headers", "first token", "total time", "asked model"})
"""What must differ between a stream and a JSON answer, or cannot."""
_PAIR = ("outcome", "served as", "cache", "cached", "cache written", "headers", "first token", "total time", "cost", "text")
_COUNTED = ("input tokens", "output tokens", "reasoning tokens", "cost", "weighted tokens")


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence to know beside the numbers, and the page that says it; empty where it is our own."""

    text: str
    page: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two answers side by side: what it comes to in one sentence, the rows, and remarks."""

    verdict: str
    rows: tuple[Row, ...]
    remarks: tuple[Remark, ...] = ()


def twin(request: Request) -> Request:
    """The same request for one JSON answer."""
    return replace(request, stream=False)


# Streamed and single.


def compare_twin(streamed: PaneState, single: PaneState) -> Comparison:
    """A stream and its twin without streaming: text, usage, cost, guardrails and what else may differ."""
    rows = compare((streamed, single), ("streamed", "single"))
    return Comparison(_twin_verdict(streamed, single, rows), rows, tuple(_remarks(streamed, single, rows)))


def _twin_verdict(streamed: PaneState, single: PaneState, rows: Sequence[Row]) -> str:
    ended = [outcome(state) for state in (streamed, single)]
    if None in ended:
        return "one of the two still runs"
    if set(ended) != {Outcome.COMPLETED}:
        words = " and ".join(f"{name} {one.value}" for name, one in zip(("streamed", "single"), ended, strict=True) if one is not None)
        return f"not both are whole: {words}"
    apart = [row.name for row in rows if row.differs and row.name not in _BY_NATURE]
    return f"they differ in: {', '.join(apart)}" if apart else "the same with and without streaming, but for the delivery"


def _remarks(streamed: PaneState, single: PaneState, rows: Sequence[Row]) -> Iterator[Remark]:
    if single.closed is not None and not single.served_json and single.wire.frames:
        yield Remark("an event stream came, though one JSON answer was asked for")
    if any(row.name == "text" and row.differs for row in rows):
        yield Remark("two answers to one prompt may differ by themselves, and their counts and costs with them; a temperature of 0 helps")
    cached = [name for name, state in (("streamed", streamed), ("single", single)) if _hit(state)]
    if len(cached) == 1:
        yield Remark(f"the {cached[0]} answer came from the gateway's cache, so its cost and times say nothing about streaming")
    match streamed.target.policy:
        case Policy.ANOMAN:
            yield from _anoman_remarks(single, rows, cached=bool(cached))
        case Policy.ANYPATH:
            yield from _anypath_remarks(streamed, single)
        case _:
            pass


def _anoman_remarks(single: PaneState, rows: Sequence[Row], *, cached: bool) -> Iterator[Remark]:
    took = timing(single).done_ms
    if single.closed is not None and outcome(single) is not Outcome.COMPLETED and _lasted_ms(single) >= PROXY_LIMIT_MS * 0.95:
        yield Remark("the single request ended at about the limit of 100 seconds that requests without streaming have", PROXY)
    elif took is not None and took >= PROXY_LIMIT_MS / 2:
        yield Remark(f"the single request took {took / 1000:.0f} of the 100 seconds that requests without streaming have", PROXY)
    else:
        yield Remark("requests without streaming end at a proxy timeout of 100 seconds; in a stream every chunk begins it anew", PROXY)
    yield Remark("per-tool access control of MCP is enforced on JSON answers only: a tool denied here may pass in a stream", LIMITS)
    apart = {row.name for row in rows if row.differs}
    if not cached and "text" not in apart and (counted := [name for name in _COUNTED if name in apart]):
        yield Remark(f"the page says that both are counted alike, but they differ: {', '.join(counted)}", SAME_PIPELINE)
    if not cached and (checks := [row.name for row in rows if row.differs and row.name.startswith("guardrail ")]):
        yield Remark(f"the page says that both pass the same checks, but they differ: {', '.join(checks)}", SAME_PIPELINE)


def _anypath_remarks(streamed: PaneState, single: PaneState) -> Iterator[Remark]:
    yield Remark("streams and JSON answers are settled alike, from the same usage", SETTLING)
    if streamed.status is not None and streamed.status >= 400 and outcome(single) is Outcome.COMPLETED:
        yield Remark("only channels that passed the streaming certification stream; others answer as JSON alone", OVERVIEW)


def _lasted_ms(state: PaneState) -> float:
    start, end = state.stamps.headers_sent, state.stamps.closed
    return 0.0 if start is None or end is None else (end - start) / 1e6


# Cold and warm.


class Hit(StrEnum):
    """What is known of the warm request."""

    GATEWAY = "gateway"
    """The gateway's own cache answered."""
    PROVIDER = "provider"
    """The provider's cache held part of the input."""
    NONE = "none"
    UNKNOWN = "unknown"


def compare_pair(cold: PaneState, warm: PaneState) -> Comparison:
    """The same request twice: whether the second hit a cache, by what that is known, and what it saved."""
    rows = {row.name: row for row in compare((cold, warm), ("cold", "warm"))}
    kind, how = cache_hit(cold, warm)
    words = {
        Hit.GATEWAY: "the gateway's cache answered the warm request",
        Hit.PROVIDER: "the provider's cache held part of the warm request's input",
        Hit.NONE: "no cache was hit",
        Hit.UNKNOWN: "whether a cache was hit is not known",
    }
    return Comparison(f"{words[kind]}: {how}", tuple(rows[name] for name in _PAIR if name in rows), tuple(_pair_remarks(cold, warm, kind)))


def cache_hit(cold: PaneState, warm: PaneState) -> tuple[Hit, str]:
    """Whether the warm request hit a cache, and by what that is known."""
    if outcome(warm) is None:
        return Hit.UNKNOWN, "it still runs"
    told = read_report(warm.metadata).cache_hit
    if told:
        return Hit.GATEWAY, "cache.hit is true in the gateway's metadata"
    if warm.served_json and warm.streaming and outcome(warm) is Outcome.COMPLETED and not cold.served_json:
        return Hit.GATEWAY, "JSON came in place of the stream, as a cache hit does"
    before, after = _cached(cold), _cached(warm)
    if after and after > (before or 0):
        whole = warm.usage.input_tokens if warm.usage is not None else None
        return Hit.PROVIDER, f"{after} cached tokens" + (f" of {whole} input tokens" if whole is not None else "")
    if after:
        return Hit.PROVIDER, f"{after} cached tokens, as many as the cold request had: it was warm already"
    if told is False:
        return Hit.NONE, "cache.hit is false in the gateway's metadata" + (", and no input tokens are cached" if after == 0 else "")
    if after == 0:
        return Hit.NONE, "the usage has 0 cached tokens, and the gateway says nothing of a cache"
    return Hit.UNKNOWN, "neither the gateway's metadata nor the usage says anything of a cache"


def _pair_remarks(cold: PaneState, warm: PaneState, kind: Hit) -> Iterator[Remark]:
    if _hit(cold):
        yield Remark("the first request hit the gateway's cache, too, so it was not cold")
    if kind is Hit.GATEWAY and cold.text.text != warm.text.text and outcome(cold) is Outcome.COMPLETED:
        yield Remark("the cached answer is not the one that the cold request got")
    if kind is Hit.NONE and outcome(cold) not in (None, Outcome.COMPLETED) and cold.target.policy is Policy.ANOMAN:
        yield Remark("the cache is written when a stream closes, and the cold one did not end whole", LIMITS)
    one, other = (timing(state).ttfh_ms for state in (cold, warm))
    if kind is Hit.GATEWAY and one and other:
        yield Remark(f"to the response headers: {one:,.0f} ms cold, {other:,.0f} ms warm")


def _hit(state: PaneState) -> bool:
    return read_report(state.metadata).cache_hit is True


def _cached(state: PaneState) -> int | None:
    return None if state.usage is None else state.usage.cached_tokens
