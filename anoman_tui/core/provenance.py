"""Where each shown number comes from: its mark, and the reason for it in a sentence or two.

A number is known by its name in the run document; `cost`, `list`, `weighted`, `model`, `rate` and `elapsed` have none there.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from anoman_tui.core.metrics import DEGRADED_LAG_MS, Source, output_tokens, timing, tpot_ms, zero_ns
from anoman_tui.core.outcome import outcome
from anoman_tui.core.pane import ASCII_PER_TOKEN, PaneState
from anoman_tui.core.report import COST_HEADERS, gateway_cost, read_report
from anoman_tui.core.sanitize import clean_line

if TYPE_CHECKING:
    from anoman_tui.core.contract.rule import Finding

_DENIED_BY = {
    "input_tokens": "usage-start-end",
    "output_tokens": "usage-contradicted",
    "cached_tokens": "cached-beyond-input",
    "total_tokens": "total-contradicted",
    "cost": "cost-contradicted",
    "model": "served-model",
    "finish_reason": "limit-reached",
}
"""The contradiction that makes a number doubtful."""
_COUNTS = ("input_tokens", "cached_tokens", "cache_write_tokens", "uncached_tokens", "reasoning_tokens", "total_tokens")
_MOMENTS = {
    "ttfh_ms": "the response headers came",
    "ttfe_ms": "the read with the first frame that is no ping returned",
    "ttft_ms": "the read with the first piece of text, reasoning, refusal or tool call returned",
    "ttfa_ms": "the read with the first piece of the answer itself returned",
    "e2e_ms": "the read with the last piece of content returned",
    "done_ms": "the protocol's own end came",
}


def source(state: PaneState, what: str) -> Source:
    """The mark of a number that a server reports or that is estimated. Times are measured and have none."""
    value, mark = _told(state, what)
    if value is None:
        return Source.NOT_SENT
    return Source.CONTRADICTED if mark is Source.REPORTED and _denial(state, what) is not None else mark


def reason(state: PaneState, what: str) -> str:
    """Why a number is what it is, and why its mark is what it is; empty for a name that has no number."""
    if what in _MOMENTS:
        return _moment(state, what)
    if what in _COUNTS:
        return _count(state, what)
    return _REASONS[what](state) if what in _REASONS else ""


def _told(state: PaneState, what: str) -> tuple[object, Source]:
    """The value of a number, and its mark as long as nothing contradicts it."""
    match what:
        case "output_tokens":
            told = output_tokens(state)
            return told.value, told.source
        case "cost":
            return gateway_cost(state), Source.REPORTED
        case "list":
            return state.list_usd, Source.ESTIMATED
        case "weighted":
            return read_report(state.metadata).weighted_tokens, Source.REPORTED
        case "model":
            return state.served_model, Source.REPORTED
        case "finish_reason":
            return state.finish_reason, Source.REPORTED
        case "tpot_ms" | "output_tps":
            return tpot_ms(state), Source.REPORTED
        case "rate":
            return (state.recent or None), Source.ESTIMATED
        case _:
            return getattr(state.usage, what, None), Source.REPORTED


def _denial(state: PaneState, what: str) -> "Finding | None":
    rule = _DENIED_BY.get(what)
    from anoman_tui.core.contract.contradictions import contradictions
    from anoman_tui.core.contract.rule import View

    return next((found for found in contradictions(View.of(state)) if found.rule == rule), None) if rule else None


def _denied(state: PaneState, what: str) -> str:
    """The contradiction as the end of a sentence, empty where there is none."""
    found = _denial(state, what)
    return f"; contradicted: {clean_line(found.message, 300)}" if found is not None else ""


# Times.


def _moment(state: PaneState, what: str) -> str:
    value = getattr(timing(state), what)
    if value is None:
        return _no_moment(state, what)
    doubt = ""
    if state.closed is not None and state.closed.loop_lag_ms > DEGRADED_LAG_MS:
        doubt = f"; doubtful, since this machine ran {state.closed.loop_lag_ms:.0f} ms late"
    return f"measured here: {_MOMENTS[what]} {value:,.1f} ms after the request began to be written{doubt}"


def _no_moment(state: PaneState, what: str) -> str:
    if zero_ns(state) is None:
        return "the request was never written, so no time runs"
    if state.served_json and what in ("ttfe_ms", "ttft_ms", "ttfa_ms"):
        return "the answer came whole as JSON, so nothing came first"
    if outcome(state) is None:
        return "not yet: the stream still runs"
    return "the stream ended before its protocol's end" if what == "done_ms" else "it never came"


def _connect(state: PaneState) -> str:
    if timing(state).connect_ms is None:
        return "no connection was made for this request: an open one was used again, or none came to be"
    return "measured here, from the start of the TCP connection to the end of TLS; it is no part of any other time"


def _stall(state: PaneState) -> str:
    if state.served_json or state.stamps.stall_max_ns is None:
        return "it takes two reads with content, and there were fewer"
    return f"measured here: the longest of the gaps between {state.stamps.content_reads} reads with content"


def _stop(state: PaneState) -> str:
    if timing(state).cancel_local_ms is None:
        return "the stream was not stopped by its user"
    return "measured here, from the wish to stop to the closed connection; what the server did then is not known"


def _elapsed(state: PaneState) -> str:
    if zero_ns(state) is None:
        return "the request was never written, so no time runs"
    return "measured here, from the request's first byte to " + ("now" if state.closed is None else "the closed connection")


def _per_token(state: PaneState) -> str:
    told, span = output_tokens(state), _span_ms(state)
    if tpot_ms(state) is not None and span is not None:
        hidden = state.usage.reasoning_tokens if state.usage is not None and not state.reasoning else None
        less = f", less {hidden} of reasoning that were not streamed" if hidden else ""
        return f"{told.value} reported output tokens{less}, and {span:,.1f} ms measured from first to last content"
    if state.served_json:
        return "the answer came whole as JSON, so there is no rate"
    if told.source is not Source.REPORTED:
        yet = " yet" if outcome(state) is None else ""
        return f"no output tokens are reported{yet}, and none of our own estimates goes into this number"
    return "it takes two tokens in two reads, and there were fewer"


def _span_ms(state: PaneState) -> float | None:
    first, last = state.stamps.first_token, state.stamps.last_content
    return None if first is None or last is None else (last - first) / 1e6


def _rate(state: PaneState) -> str:
    return f"our estimate of the last two seconds: {_ratio(state)}"


# Counts.


def _output(state: PaneState) -> str:
    told = output_tokens(state)
    match told.source:
        case Source.REPORTED | Source.CONTRADICTED:
            return f"reported in {_where(state.trace.usage)}{_denied(state, 'output_tokens')}"
        case Source.ESTIMATED:
            early = state.usage is not None and state.usage.output_tokens is not None
            why = f"the count in {_where(state.trace.usage)} is from before the end" if early else "no output tokens are reported"
            yet = " yet" if outcome(state) is None and not early else ""
            return f"our estimate, since {why}{yet}: {_ratio(state)}"
        case Source.NOT_SENT:
            return _unsent(state)


def _ratio(state: PaneState) -> str:
    ratio = state.characters_per_token
    by = f"{ratio:.1f} characters a token, as earlier answers of this target had" if ratio else f"{ASCII_PER_TOKEN:g} characters a token"
    return f"{by}, and never fewer than the {state.wire.deltas} pieces that came"


def _count(state: PaneState, what: str) -> str:
    if getattr(state.usage, what, None) is None:
        return _unsent(state)
    return f"reported in {_where(state.trace.usage)}{_denied(state, what)}"


def _unsent(state: PaneState) -> str:
    if state.usage is not None:
        return f"the usage in {_where(state.trace.usage)} has no such count"
    return "no usage came" + (" yet" if outcome(state) is None else "")


def _ours(state: PaneState) -> str:
    return f"our estimate: {_ratio(state)}; it stands in where the server reports nothing" if state.has_content else "no content came"


def _where(frame: int | None) -> str:
    return f"frame {frame}" if frame is not None else "the answer"


# Money, and what is told beside the answer.


def _cost(state: PaneState) -> str:
    cost = gateway_cost(state)
    if cost is None:
        return "neither gateway metadata, nor the usage, nor a header states a cost" + (" yet" if outcome(state) is None else "")
    if read_report(state.metadata).cost_usd is not None:
        origin = f"cost_usd of the gateway's metadata in {_where(state.trace.metadata)}"
    elif state.usage is not None and state.usage.cost_usd is not None:
        origin = f"the cost beside the usage in {_where(state.trace.usage)}"
    else:
        names = [name for name, _ in state.headers if name in COST_HEADERS]
        origin = f"the response header {names[0]}"
    return f"reported: {origin}{_denied(state, 'cost')}"


def _listed(state: PaneState) -> str:
    if state.list_usd is not None:
        usage = state.usage
        counts = f"{usage.input_tokens} input and {usage.output_tokens} output tokens" if usage is not None else "the usage"
        return f"our estimate: {counts} at a public list price, without any discount or margin"
    if state.target.provider.local:
        return "a model on this machine has no list price"
    if outcome(state) is None:
        return "it is estimated once the stream has ended"
    return "there is no reported usage to price" if state.usage is None else "no public price list knows this model, or it was not asked"


def _weighted(state: PaneState) -> str:
    if read_report(state.metadata).weighted_tokens is None:
        return "the gateway's metadata has no weighted_tokens" if state.metadata is not None else "no gateway metadata came"
    return f"reported: weighted_tokens of the gateway's metadata in {_where(state.trace.metadata)}"


def _model(state: PaneState) -> str:
    served = state.served_model
    if served is None:
        return "nothing that came names a model"
    same = "; it is the one that was asked for" if served == state.target.model else ""
    return f"named in the answer itself{_denied(state, 'model') or same}"


def _finish(state: PaneState) -> str:
    if state.finish_reason is None:
        return "no finish reason came" + (" yet" if outcome(state) is None else "")
    return f"reported in {_where(state.trace.finish)}{_denied(state, 'finish_reason')}"


_REASONS: Mapping[str, Callable[[PaneState], str]] = {
    "connect_ms": _connect,
    "stall_max_ms": _stall,
    "cancel_local_ms": _stop,
    "elapsed": _elapsed,
    "tpot_ms": _per_token,
    "output_tps": _per_token,
    "rate": _rate,
    "output_tokens": _output,
    "estimate": _ours,
    "cost": _cost,
    "list": _listed,
    "weighted": _weighted,
    "model": _model,
    "finish_reason": _finish,
}
