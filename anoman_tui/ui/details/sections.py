"""The sections of the sheet of numbers, each a function of a pane's state."""

from collections.abc import Iterator, Mapping
from typing import Any

from anoman_tui.core.contract import findings, verdict
from anoman_tui.core.document import shown_error
from anoman_tui.core.events import NoteKind
from anoman_tui.core.headers import request_id, safe
from anoman_tui.core.jsonish import Json, plain
from anoman_tui.core.metrics import Source, estimated_tokens, live_rate, output_tokens, timing, zero_ns
from anoman_tui.core.outcome import outcome, phase
from anoman_tui.core.pane import PaneState
from anoman_tui.core.provenance import reason, source
from anoman_tui.core.report import gateway_cost, read_report
from anoman_tui.core.sanitize import clean_line
from anoman_tui.core.target import Target
from anoman_tui.ui.cells import Tone
from anoman_tui.ui.details.facts import MARKS, ORIGINS, Fact, Section, marked, measured
from anoman_tui.ui.figures import UNKNOWN, rate, seconds
from anoman_tui.ui.view import TONES

MAX_FIELDS = 200
"""Gateway fields and headers shown; what a server sends has no bound."""
MAX_VALUE = 400
"""Characters of one of them."""
MAX_DEPTH = 8
MAX_PASSED = 5
"""Kinds of events shown that we do not know."""

TIMES = (
    ("connect", "connect_ms", "name look-up, TCP and TLS; no part of any latency"),
    ("response head", "ttfh_ms", "from the request's first byte to the response headers"),
    ("first event", "ttfe_ms", "to the first frame that is no ping"),
    ("first token", "ttft_ms", "to the first piece of text, reasoning, refusal or tool call"),
    ("first answer", "ttfa_ms", "the same without reasoning"),
    ("last token", "e2e_ms", "to the last piece of content"),
    ("done", "done_ms", "to the protocol's own end"),
    ("longest gap", "stall_max_ms", "the longest silence between two reads with content"),
    ("stop took", "cancel_local_ms", "from your stop to the closed connection, on this side"),
)
"""Name, field of the run document, definition."""


def details(target: Target, state: PaneState | None, now_ns: int) -> tuple[Section, ...]:
    """Everything known about a pane at a moment."""
    marks = Section("Marks", tuple(Fact(mark, means) for mark, means in MARKS))
    if state is None:
        where = (Fact("asked model", clean_line(target.model, MAX_VALUE)), Fact("url", clean_line(target.url, MAX_VALUE)))
        return (Section("Nothing was sent yet", where), _stopping(target), marks)
    parts = (
        _outcome(state),
        _times(state, now_ns),
        _tokens(state),
        _cost(state),
        _model(state),
        _findings(state),
        _gateway(state),
        _connection(state),
        _headers(state),
        _stopping(target),
        marks,
    )
    return tuple(part for part in parts if part.facts)


def _outcome(state: PaneState) -> Section:
    word, error = phase(state).value, shown_error(state)
    facts = [Fact("state", word, about="state", tone=TONES[word])]
    if state.finish_reason is not None:
        facts.append(Fact("finish reason", clean_line(state.finish_reason, MAX_VALUE), why=reason(state, "finish_reason")))
    told = [
        ("protocol's end", state.end),
        ("body's end", None if state.closed is None else state.closed.ending.value),
        ("because", None if state.closed is None else state.closed.detail),
        ("http status", None if state.status is None else str(state.status)),
        ("error", None if error is None else error.message),
        ("error type", None if error is None else error.type),
        ("error code", None if error is None else error.code),
        ("failure class", None if error is None else error.failure_class),
    ]
    facts += [Fact(name, clean_line(value, MAX_VALUE)) for name, value in told if value]
    if state.served_json:
        facts.append(Fact("served", "whole as JSON, not streamed"))
    return Section("Outcome", tuple(facts))


def _times(state: PaneState, now_ns: int) -> Section:
    times, running = timing(state), outcome(state) is None
    zero = zero_ns(state)
    facts = [measured(name, _ms(getattr(times, field)), f"{field}: {means}", field, reason(state, field)) for name, field, means in TIMES]
    end = now_ns if state.closed is None or state.stamps.closed is None else state.stamps.closed
    elapsed = None if zero is None else seconds(max(0, end - zero) / 1e6)
    means = "since the request's first byte, up to the closed connection"
    facts.append(measured("elapsed", elapsed, means, "elapsed", reason(state, "elapsed")))
    speed = None if times.output_tps is None else f"{times.output_tps:.1f}"
    means = "tpot_ms: first to last content, by reported output tokens less one"
    facts.append(_told(state, "per token", _ms(times.tpot_ms), "tpot_ms", means))
    facts.append(_told(state, "tokens a second", speed, "output_tps", "output_tps: 1000 / tpot_ms"))
    if running:
        now = live_rate(state, now_ns)
        means = "estimated tokens a second over the last two seconds"
        facts.append(Fact("rate now", rate(now, Source.ESTIMATED), ORIGINS[Source.ESTIMATED], means, "rate", why=reason(state, "rate")))
    clock = "zero is the moment the request began to be written" if times.clock == "headers_sent" else "the request was never written"
    facts.append(Fact("clock", clock))
    if times.degraded and state.closed is not None:
        lag = f"doubtful: this machine ran {state.closed.loop_lag_ms:.0f} ms late while the answer came in"
        facts.append(Fact("times", lag, tone=Tone.WARN))
    return Section("Times", tuple(facts))


def _told(state: PaneState, name: str, value: object, about: str, means: str) -> Fact:
    """A number with the mark of its provenance, and the reason for it."""
    return marked(name, None if value is None else str(value), source(state, about), means, about, reason(state, about))


def _tokens(state: PaneState) -> Section:
    usage = state.usage
    names = (
        ("input", "input_tokens", "all input, cache reads and writes included"),
        ("from cache", "cached_tokens", "input read from the provider's cache"),
        ("to cache", "cache_write_tokens", "input written to the provider's cache"),
        ("outside cache", "uncached_tokens", "input outside the cache, where it is counted apart"),
        ("reasoning", "reasoning_tokens", "part of the output, shown or not"),
        ("total", "total_tokens", "as the server adds up; never summed here"),
    )
    facts = [_told(state, name, getattr(usage, field, None), field, f"{field}: {means}") for name, field, means in names]
    told = _told(state, "output", output_tokens(state).value, "output_tokens", "output_tokens: all output, reasoning included")
    guess = str(estimated_tokens(state)) if state.has_content else None
    ours = marked("our count", guess, Source.ESTIMATED, "by characters and pieces", why=reason(state, "estimate"))
    asked = Fact("limit asked for", "the server's own" if state.max_tokens is None else str(state.max_tokens))
    return Section("Tokens", (*facts[:1], told, *facts[1:], ours, asked))


def _cost(state: PaneState) -> Section:
    rows = (
        ("reported", gateway_cost(state), "US dollars, as the server states it", "cost"),
        ("list price", state.list_usd, "US dollars, from public price lists and reported usage", "list"),
        ("weighted tokens", read_report(state.metadata).weighted_tokens, "what the gateway counts against a quota", "weighted"),
    )
    dollar = {"weighted": ""}
    return Section(
        "Cost",
        tuple(
            _told(state, name, None if value is None else f"{dollar.get(about, '$')}{plain(value)}", about, means)
            for name, value, means, about in rows
        ),
    )


def _model(state: PaneState) -> Section:
    asked, served = state.target.model, state.served_model
    told = UNKNOWN if served is None else clean_line(served, MAX_VALUE) + source(state, "model").value
    facts = [
        Fact("asked", clean_line(asked, MAX_VALUE), about="model"),
        Fact("served", told, tone=Tone.MUTED if served is None else Tone.TEXT, why=reason(state, "model")),
    ]
    if served is not None and served != asked and source(state, "model") is not Source.CONTRADICTED:
        facts.append(Fact("differs", "the server names another model than the one asked for; it may be an alias", tone=Tone.WARN))
    if state.response_id:
        facts.append(Fact("answer id", clean_line(state.response_id, MAX_VALUE)))
    return Section("Model", tuple(facts))


def _connection(state: PaneState) -> Section:
    wire = state.wire
    facts = [
        Fact("url", clean_line(state.url or state.target.url, MAX_VALUE)),
        Fact("body", f"{wire.bytes} bytes in {wire.reads} reads", about="wire"),
        Fact("frames", f"{wire.frames}, of these {wire.deltas} pieces of content and {wire.pings} pings"),
    ]
    passed = dict.fromkeys(note.text for note in state.notes if note.kind is NoteKind.UNKNOWN)
    facts += [Fact("not known", f"{clean_line(text, MAX_VALUE)}, passed over") for text in list(passed)[:MAX_PASSED]]
    if state.late_frames:
        facts.append(Fact("after the end", f"{state.late_frames} frames, not taken", tone=Tone.WARN))
    own = request_id(state.headers) or (state.error.request_id if state.error else None)
    facts.append(Fact("request id", clean_line(own or UNKNOWN, MAX_VALUE), about="id", tone=Tone.TEXT if own else Tone.MUTED))
    facts += [Fact("earlier attempt", clean_line(one, MAX_VALUE)) for one in state.earlier_request_ids[-5:]]
    return Section("Connection", tuple(facts))


def _headers(state: PaneState) -> Section:
    shown = safe(state.headers)
    facts = [Fact(clean_line(name, 60), clean_line(value, MAX_VALUE)) for name, value in shown[:MAX_FIELDS]]
    hidden = len(state.headers) - len(shown)
    if hidden:
        facts.append(Fact("not shown", f"{hidden} that may hold a secret"))
    return Section("Response headers", tuple(facts))


def _gateway(state: PaneState) -> Section:
    if state.metadata is None:
        ended = state.closed is not None
        return Section("Gateway fields", (Fact("metadata", "not sent" if ended else "none so far", about="gateway", tone=Tone.MUTED),))
    flat = list(_flat(state.metadata, "", MAX_DEPTH))
    facts = [Fact(clean_line(name, 60), clean_line(value, MAX_VALUE), about="gateway") for name, value in flat[:MAX_FIELDS]]
    if len(flat) > MAX_FIELDS:
        facts.append(Fact("and", f"{len(flat) - MAX_FIELDS} more"))
    return Section("Gateway fields, as they were sent", tuple(facts))


def _flat(value: Json, path: str, depth: int) -> Iterator[tuple[str, str]]:
    """The leaves of nested fields by their dotted path."""
    children: Mapping[str, Any] = (
        value if isinstance(value, Mapping) else {str(at): one for at, one in enumerate(value)} if isinstance(value, list | tuple) else {}
    )
    if not children or depth == 0:
        yield path or "metadata", _leaf(value)
        return
    for name, child in children.items():
        yield from _flat(child, f"{path}.{name}" if path else str(name), depth - 1)


def _leaf(value: Json) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return value or '""'
        case _:
            return str(value)[: MAX_VALUE * 4]


def _findings(state: PaneState) -> Section:
    judged = verdict(state)
    waiting = f", {judged.waiting} are not judged yet" if judged.waiting else ""
    facts = [Fact("rules", f"{judged.holds} of {judged.total} hold{waiting}" if judged.total else "none to judge", about="rules")]
    for found in findings(state)[:MAX_FIELDS]:
        frame = "" if found.frame is None else f" (frame {found.frame})"
        tone = Tone.BAD if found.severity == "error" else Tone.WARN
        facts.append(Fact(found.rule, f"{found.severity}: {clean_line(found.message, MAX_VALUE)}{frame}", tone=tone))
    return Section("Documented rules", tuple(facts))


def _stopping(target: Target) -> Section:
    return Section("Stopping", (Fact("what a stop does", clean_line(target.provider.cancel_note, MAX_VALUE)),))


def _ms(value: float | None) -> str | None:
    return None if value is None else f"{value:,.1f} ms"
