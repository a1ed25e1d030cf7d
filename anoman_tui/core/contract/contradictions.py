"""What a stream says of itself that cannot all be true. Each is told only where no known practice explains it."""

import re
from collections.abc import Iterator
from decimal import Decimal

from anoman_tui.core.contract.rule import Finding, View
from anoman_tui.core.events import NoteKind, Usage
from anoman_tui.core.jsonish import plain
from anoman_tui.core.outcome import Outcome
from anoman_tui.core.report import gateway_cost, read_report
from anoman_tui.core.target import Policy, Shape

CATALOGUES = frozenset({"anoman", "anypath", "openai", "anthropic", "google", "local_anoman", "local_anypath"})
"""Providers that serve a model by its own name; on other servers a name is whatever its owner chose."""
_VERSION = re.compile(r"(?:v?\d+|preview|exp(?:erimental)?|it|instruct|chat)*")
"""What may follow a model's name without making it another model."""
FACTOR = 5
"""Discounts and margins make less of a difference than this; a unit that was mistaken makes more."""
LEAST_USD = Decimal("0.00001")
"""A smaller difference may come of rounding."""
CHATS = (Shape.CHAT, Shape.PLAYGROUND, Shape.GEMINI)
"""Shapes whose end does not say by itself that all is well."""
NATURAL = frozenset({"stop", "end_turn", "completed", "tool_calls", "tool_use", "stop_sequence"})
"""Finish reasons that deny a limit; compared in lower case."""


def contradictions(view: View) -> Iterator[Finding]:
    """All contradictions that are known by now."""
    if view.outcome is Outcome.COMPLETED:
        yield from _counts(view)
        yield from _limit(view)
        yield from _cost(view)
    yield from _model(view)
    yield from _finish(view)
    state = view.state
    if (beside := next((note for note in state.notes if note.kind is NoteKind.BESIDE), None)) is not None:
        yield Finding("text-beside-json", "warning", beside.text)
    if not state.streaming and not state.served_json and state.wire.frames and view.outcome is not None:
        yield Finding("stream-unasked", "warning", "an event stream came, though one JSON answer was asked for", 1)


def _counts(view: View) -> Iterator[Finding]:
    usage, first = view.state.usage, view.state.trace.first_usage
    if usage is None:
        return
    frame = view.state.trace.usage
    # A server that reports nothing but zeros does not count; that is no contradiction.
    if usage.output_tokens == 0 and view.state.has_content and (usage.input_tokens or usage.total_tokens):
        yield Finding("usage-contradicted", "warning", "0 output tokens are reported, but an answer came", frame)
    if usage.cached_tokens is not None and usage.input_tokens is not None and usage.cached_tokens > usage.input_tokens:
        message = f"{usage.cached_tokens} cached tokens are more than the {usage.input_tokens} input tokens"
        yield Finding("cached-beyond-input", "warning", message, frame)
    if _total_is_off(usage):
        message = f"the total of {usage.total_tokens} is not {usage.input_tokens} input and {usage.output_tokens} output tokens"
        yield Finding("total-contradicted", "warning", message, frame)
    before = first.input_tokens if first is not None else None
    if before and usage.input_tokens and usage.input_tokens < before:
        message = f"the stream began with {before} input tokens and ended with {usage.input_tokens}"
        yield Finding("usage-start-end", "warning", message, frame)


def _total_is_off(usage: Usage) -> bool:
    """Whether the total is no sum of its parts, however reasoning and cache are counted."""
    if not usage.total_tokens or usage.input_tokens is None or not usage.output_tokens:
        return False
    whole = usage.input_tokens + usage.output_tokens
    extra = (usage.reasoning_tokens or 0, usage.cached_tokens or 0, usage.cache_write_tokens or 0)
    least, most = whole - sum(extra), whole + sum(extra)
    return not least <= usage.total_tokens <= most


def _limit(view: View) -> Iterator[Finding]:
    state = view.state
    usage = state.usage
    if usage is None or (state.reasoning and not usage.reasoning_tokens):
        return
    # Whether a limit holds for reasoning, too, differs from server to server; the rest it holds for everywhere.
    spent = None if usage.output_tokens is None else usage.output_tokens - (usage.reasoning_tokens or 0)
    reason = (state.finish_reason or "").lower()
    if state.max_tokens is not None and spent is not None and spent >= state.max_tokens and reason in NATURAL:
        message = f"it ended with {state.finish_reason}, but the limit of {state.max_tokens} output tokens was reached: it may be cut short"
        yield Finding("limit-reached", "warning", message, state.trace.finish)


def _cost(view: View) -> Iterator[Finding]:
    """The stated cost against tokens times list price. A cache hit, and an answer that is free, have a price of their own."""
    state = view.state
    told, listed = gateway_cost(state), state.list_usd
    if not told or not listed or state.usage is None or read_report(state.metadata).cache_hit or abs(told - listed) < LEAST_USD:
        return
    if told > listed * FACTOR or told * FACTOR < listed:
        counts = f"{state.usage.input_tokens} input and {state.usage.output_tokens} output tokens"
        message = f"a cost of ${plain(told)} is stated, but {counts} at list price make ${plain(listed)}"
        yield Finding("cost-contradicted", "warning", message, state.trace.metadata or state.trace.usage)


def _finish(view: View) -> Iterator[Finding]:
    state = view.state
    frame, finish = state.error_frame, state.trace.finish
    if frame is None or finish is None or finish <= frame or not view.told_error:
        return
    if state.trace.end_after_error is not None and (state.target.shape not in CHATS or state.target.policy is Policy.ANYPATH):
        return  # there the end itself breaks a rule
    if (state.finish_reason or "").lower() in NATURAL:
        message = f"it ended with {state.finish_reason} as if all were well, after the error in frame {frame}"
        yield Finding("finish-after-error", "warning", message, finish)


def _model(view: View) -> Iterator[Finding]:
    state = view.state
    asked, served = state.target.model, state.served_model
    if served and state.target.provider.name in CATALOGUES and not same_model(asked, served):
        yield Finding("served-model", "warning", f"{served[:120]} was served where {asked[:120]} was asked for")


def same_model(asked: str, served: str) -> bool:
    """Whether two names may mean one model: less maker, date and version one holds the other. A moving name may mean any."""
    if asked.lower().endswith(("latest", "auto")):
        return True
    short, long = sorted((_plain(asked), _plain(served)), key=len)
    at = long.find(short)
    return at >= 0 and _VERSION.fullmatch(long[at + len(short) :]) is not None


def _plain(name: str) -> str:
    short = name.lower().rsplit("/", 1)[-1].partition(":")[0].partition("@")[0]
    short = re.sub(r"[-_.](\d{8}|\d{4}-\d{2}-\d{2}|\d{3,4}|latest|preview.*|exp.*|v\d+)$", "", short)
    return re.sub(r"[^a-z0-9]", "", short)
