"""Times, counts and rates as functions of a pane's state. None is unknown and never 0; names end in their unit.

Zero is the moment at which the request headers began to be written, so connecting is not part of any latency.
"""

from enum import StrEnum

from anoman_tui.core.events import Ending
from anoman_tui.core.merging import RATE_WINDOW_NS
from anoman_tui.core.outcome import Outcome, outcome
from anoman_tui.core.pane import PaneState
from anoman_tui.core.records import dataclass

DEGRADED_LAG_MS = 20.0
"""A network loop that runs later than this (95th percentile) makes the times of a stream doubtful."""
LEARN_FROM = 16
"""Answers of fewer tokens say little about the ratio."""


class Source(StrEnum):
    """Where a number comes from."""

    REPORTED = "="
    ESTIMATED = "~"
    NOT_SENT = "--"
    CONTRADICTED = "≠"


@dataclass(frozen=True, slots=True)
class Timing:
    """Times of one stream in milliseconds, and rates per second."""

    clock: str
    """`headers_sent`, or `call` where the headers were never written."""
    connect_ms: float | None
    ttfh_ms: float | None
    ttfe_ms: float | None
    ttft_ms: float | None
    ttfa_ms: float | None
    e2e_ms: float | None
    done_ms: float | None
    tpot_ms: float | None
    output_tps: float | None
    stall_max_ms: float | None
    cancel_local_ms: float | None
    degraded: bool


def zero_ns(state: PaneState) -> int | None:
    """Time zero of the pane's clock."""
    stamps = state.stamps
    return stamps.headers_sent if stamps.headers_sent is not None else stamps.connect_started


def timing(state: PaneState) -> Timing:
    """All times of the stream so far."""
    stamps, zero = state.stamps, zero_ns(state)

    def since(moment: int | None) -> float | None:
        return None if moment is None or zero is None else _ms(moment - zero)

    streamed = not state.served_json
    tpot = tpot_ms(state)
    return Timing(
        clock="headers_sent" if stamps.headers_sent is not None else "call",
        connect_ms=_between(stamps.connect_started, stamps.connected),
        ttfh_ms=since(stamps.headers),
        ttfe_ms=since(stamps.first_event) if streamed else None,
        ttft_ms=since(stamps.first_token) if streamed else None,
        ttfa_ms=since(stamps.first_answer) if streamed else None,
        e2e_ms=since(stamps.last_content),
        done_ms=since(done_ns(state)),
        tpot_ms=tpot,
        output_tps=None if not tpot else round(1000 / tpot, 3),
        stall_max_ms=None if stamps.stall_max_ns is None or not streamed else _ms(stamps.stall_max_ns),
        cancel_local_ms=_between(stamps.cancel, stamps.closed) if outcome(state) is Outcome.CANCELLED else None,
        degraded=state.closed is not None and state.closed.loop_lag_ms > DEGRADED_LAG_MS,
    )


def done_ns(state: PaneState) -> int | None:
    """When the answer was over: the protocol's terminal, or a clean end of the body where that is the terminal."""
    if state.stamps.end is not None:
        return state.stamps.end
    clean = state.closed is not None and state.closed.ending in (Ending.CLEAN, Ending.DRAINED)
    return state.stamps.closed if clean and outcome(state) is Outcome.COMPLETED else None


def tpot_ms(state: PaneState) -> float | None:
    """Milliseconds per output token after the first, from reported counts only.

    Reasoning tokens that were never streamed are left out: they were made before the first visible one and would
    flatter the rate without bound.
    """
    stamps, usage, told = state.stamps, state.usage, output_tokens(state)
    if usage is None or told.value is None or told.source is not Source.REPORTED or state.served_json or stamps.content_reads < 2:
        return None
    tokens = told.value - (0 if state.reasoning else usage.reasoning_tokens or 0)
    if tokens < 2 or stamps.first_token is None or stamps.last_content is None or stamps.last_content <= stamps.first_token:
        return None
    return _ms(stamps.last_content - stamps.first_token) / (tokens - 1)


@dataclass(frozen=True, slots=True)
class Count:
    """A count and where it comes from."""

    value: int | None
    source: Source


def output_tokens(state: PaneState) -> Count:
    """Output tokens: reported once the answer has ended, else our estimate, else unknown.

    A snapshot from before the end, such as the 1 of `message_start`, stands only while it is not below what came.
    """
    usage = state.usage
    reported = usage.output_tokens if usage is not None else None
    ended = state.end is not None or state.finish_reason is not None
    if reported == 0 and state.has_content and ended:
        return Count(reported, Source.CONTRADICTED)
    if reported is not None and (ended or reported >= estimated_tokens(state)):
        return Count(reported, Source.REPORTED)
    if not state.has_content:
        return Count(reported, Source.NOT_SENT if reported is None else Source.REPORTED)
    return Count(estimated_tokens(state), Source.ESTIMATED)


def estimated_tokens(state: PaneState) -> int:
    """An estimate of the output so far: never fewer than the deltas, since no server sends less than a token a delta."""
    return max(state.wire.deltas, round(state.estimated))


def learned_ratio(state: PaneState) -> float | None:
    """Characters per output token of a whole answer, for the estimates of the next one; None where it teaches nothing."""
    usage = state.usage
    if outcome(state) is not Outcome.COMPLETED or usage is None or not usage.output_tokens or usage.output_tokens < LEARN_FROM:
        return None
    hidden = 0 if state.reasoning else usage.reasoning_tokens or 0
    characters = len(state.text) + len(state.reasoning) + len(state.refusal) + sum(len(call.arguments) for call in state.tools)
    tokens = usage.output_tokens - hidden
    return characters / tokens if tokens > 0 and characters else None


def live_rate(state: PaneState, now_ns: int) -> float | None:
    """Estimated tokens per second over the last two seconds, or since the first token where that is later."""
    first = state.stamps.first_token
    if first is None or not state.recent or now_ns <= first:
        return None
    window = min(now_ns - first, RATE_WINDOW_NS)
    recent = [sample for sample in state.recent if sample[0] > now_ns - window]
    if window < 250_000_000:
        return None
    tokens = max(sum(sample[2] for sample in recent), round(sum(sample[1] for sample in recent)))
    return tokens * 1e9 / window


def _between(start: int | None, end: int | None) -> float | None:
    return None if start is None or end is None else _ms(end - start)


def _ms(nanoseconds: int) -> float:
    return round(nanoseconds / 1e6, 3)
