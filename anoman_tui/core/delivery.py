"""How a stream was delivered, from the stamps of its reads alone: at once, in silence, or late."""

from anoman_tui.core.metrics import DEGRADED_LAG_MS, zero_ns
from anoman_tui.core.pane import PaneState
from anoman_tui.core.records import dataclass

MS = 1_000_000
SILENT_NS = 10_000 * MS
"""A silence this long is told."""
SLOW_TOKEN_NS = 2_000 * MS
BURST_MIN = 12
"""Fewer pieces say nothing about how they were delivered."""
BURST_WAIT_NS = 200 * MS
"""A burst is told only after a wait this long: a quick answer is no burst."""
BURST_RATE = 2.0
"""Pieces per millisecond; no model writes that fast."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """One verdict: `buffered`, `silent`, `keep-alives` or `slow-first-token`, and one sentence."""

    kind: str
    message: str


def delivery(state: PaneState, now_ns: int | None = None) -> tuple[Delivery, ...]:
    """What there is to say by now. `now_ns` is the present on the stamps' clock for a stream that still runs."""
    if state.served_json or not state.streaming:
        return ()
    found = (_buffered(state), _silence(state, now_ns if state.closed is None else None), _slow_token(state))
    return tuple(verdict for verdict in found if verdict is not None)


def _buffered(state: PaneState) -> Delivery | None:
    """All pieces in one burst after a long wait: something on the way held them back, unless it was this machine."""
    if state.closed is not None and state.closed.loop_lag_ms > DEGRADED_LAG_MS:
        return None
    stamps, zero = state.stamps, zero_ns(state)
    first, last, pieces = stamps.first_token, stamps.last_content, state.wire.deltas
    if first is None or last is None or zero is None or pieces < BURST_MIN:
        return None
    wait, span = first - zero, last - first
    if wait < BURST_WAIT_NS or span * BURST_RATE > pieces * MS or span * 20 > wait:
        return None
    return Delivery("buffered", f"buffered upstream: {pieces} frames in {_time(span)} after {_time(wait)}")


def _silence(state: PaneState, now_ns: int | None) -> Delivery | None:
    """The longest wait inside the stream; keep-alives in it show that the connection was alive."""
    stamps = state.stamps
    if stamps.headers is None:
        return None
    quiet = stamps.silence_max_ns
    still = stamps.stall_max_ns or 0
    until = now_ns if now_ns is not None else stamps.closed
    if until is not None and state.end is None:
        last_byte = stamps.last_byte if stamps.last_byte is not None else stamps.headers
        last_content = stamps.last_content if stamps.last_content is not None else stamps.headers
        quiet, still = max(quiet, until - last_byte), max(still, until - last_content)
    if quiet >= SILENT_NS:
        return Delivery("silent", f"silent for {_time(quiet)}")
    if still >= SILENT_NS and state.wire.pings:
        return Delivery("keep-alives", f"keep-alives only for {_time(still)}")
    return None


def _slow_token(state: PaneState) -> Delivery | None:
    stamps, zero = state.stamps, zero_ns(state)
    if stamps.headers is None or stamps.first_token is None or zero is None:
        return None
    head, token = stamps.headers - zero, stamps.first_token - zero
    if token - head < SLOW_TOKEN_NS or token < 5 * head:
        return None
    return Delivery("slow-first-token", f"slow first token: headers after {_time(head)}, token after {_time(token)}")


def _time(nanoseconds: int) -> str:
    """A length of time in the unit that reads best."""
    ms = nanoseconds / MS
    if ms >= 10_000:
        return f"{ms / 1000:,.0f} s"
    return f"{ms / 1000:.1f} s" if ms >= 1_000 else f"{ms:.0f} ms"
