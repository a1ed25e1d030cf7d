"""The short way through the fold for what comes once a token while an answer flows: reads, and pieces of its text."""

from collections.abc import Sequence
from typing import Any, Protocol

from anoman_tui.core.events import BodyRead, Stamped, TextDelta


class Draft(Protocol):
    """What of a fold's working copy the short way needs."""

    state: dict[str, Any]
    stamps: dict[str, Any]
    wire: list[int]
    texts: dict[str, list[str]]
    deltas: int
    t_ns: int

    def weigh(self, text: str) -> None:
        """Add a piece to the estimate."""


def flows(draft: Draft) -> bool:
    """Whether all that is noted once is noted, and nothing has ended."""
    state, stamps = draft.state, draft.stamps
    begun = stamps["first_event"] is not None and stamps["first_answer"] is not None and stamps["last_byte"] is not None
    return begun and state["closed"] is None and state["end"] is None and state["finish_reason"] is None


def take_flow(draft: Draft, events: Sequence[Stamped], start: int) -> int:
    """Take the reads and pieces of text from a place on, as the fold does, in a third of the time.

    Returns the place of the first other event.
    """
    stamps, wire, pieces, weigh = draft.stamps, draft.wire, draft.texts["text"], draft.weigh
    size, reads, frames, last_byte, silence = wire[0], wire[1], wire[2], stamps["last_byte"], stamps["silence_max_ns"]
    last, stall, moments = stamps["last_content"], stamps["stall_max_ns"] or 0, stamps["content_reads"]
    before, at = len(pieces), start
    for at in range(start, len(events)):
        stamped = events[at]
        event, t_ns, frame = stamped.event, stamped.t_ns, stamped.frame
        if type(event) is TextDelta:
            if frame is not None and frame > frames:
                frames = frame
            if not event.text:
                continue
            pieces.append(event.text)
            weigh(event.text)
            draft.t_ns = t_ns
            if t_ns != last:
                moments += 1
                if t_ns > last:
                    stall, last = max(stall, t_ns - last), t_ns
        elif type(event) is BodyRead and frame is None:
            size, reads = size + event.size, reads + 1
            if t_ns - last_byte > silence:
                silence = t_ns - last_byte
            last_byte = t_ns
        else:
            break
    else:
        at = len(events)
    count = len(pieces) - before
    draft.deltas += count
    wire[:4] = size, reads, frames, wire[3] + count
    stamps["last_byte"], stamps["silence_max_ns"] = last_byte, silence
    stamps["last_content"], stamps["content_reads"] = last, moments
    if stall:
        stamps["stall_max_ns"] = stall
    return at
