"""What belongs together: the pieces of one tool call, and the usage snapshots of one answer."""

from dataclasses import replace

from anoman_tui.core.events import ToolDelta, Usage
from anoman_tui.core.state import ToolCall


def find_call(tools: tuple[ToolCall, ...], delta: ToolDelta) -> int | None:
    """The call that a piece belongs to; None for a new one.

    It is the newest call of the piece's slot, unless the piece names another id. A piece without a slot is a call of its
    own; one of an unknown slot with neither id nor name goes to the newest call, since servers leave out indices and ids.
    """
    if not delta.slot:
        return None
    if delta.whole and delta.call_id and (known := [at for at, call in enumerate(tools) if call.call_id == delta.call_id]):
        return known[0]
    for at in range(len(tools) - 1, -1, -1):
        call = tools[at]
        if call.slot.partition("#")[0] == delta.slot:
            return None if delta.call_id and call.call_id and delta.call_id != call.call_id else at
    return len(tools) - 1 if tools and not delta.call_id and not delta.name else None


def merge_usage(old: Usage | None, new: Usage) -> Usage:
    """The later snapshot, field by field: None changes nothing, and 0 never replaces a positive count."""
    if old is None:
        return new
    changes = {}
    for name in Usage.__slots__:
        value = getattr(new, name)
        if value is not None and (value or not getattr(old, name)):
            changes[name] = value
    merged = replace(old, **changes)
    if merged.uncached_tokens is None:
        return merged
    return replace(merged, input_tokens=merged.uncached_tokens + (merged.cached_tokens or 0) + (merged.cache_write_tokens or 0))


RATE_WINDOW_NS = 2_000_000_000
"""The live rate looks back this far."""
RATE_STEP_NS = 40_000_000
"""Samples closer together than this are kept as one, so that a window holds at most fifty."""

Sample = tuple[int, float, int]
"""(time, estimated tokens, deltas)."""


def add_sample(samples: tuple[Sample, ...], new: Sample) -> tuple[Sample, ...]:
    """The samples of the window that ends with the new one."""
    t_ns, tokens, deltas = new
    if samples and 0 <= t_ns - samples[-1][0] < RATE_STEP_NS:
        at, held, count = samples[-1]
        return (*samples[:-1], (at, held + tokens, count + deltas))
    horizon = t_ns - RATE_WINDOW_NS
    return (*(sample for sample in samples if sample[0] >= horizon), new)
