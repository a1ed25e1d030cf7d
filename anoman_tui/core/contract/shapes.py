"""The rules of the shapes themselves, by the pages of those who made them.

Many servers speak these shapes, so a rule says nothing where they differ: numbers that are not sent are not missed, and
pairs are looked at only where a server sends both halves.
"""

from collections.abc import Sequence

from anoman_tui.core.contract.common import end_after_error
from anoman_tui.core.contract.rule import Broken, Held, Result, Rule, View
from anoman_tui.core.contract.witness import JUMP, NAMED, NO_ROLE, ROLE, SEVERAL_LINES, STRAY, UNNUMBERED
from anoman_tui.core.events import FrameFacts
from anoman_tui.core.tracing import MAX_FACTS

OPENAI = "OpenAI, streaming events"
ANTHROPIC = "Anthropic, streaming messages"
GOOGLE = "Google, GenerateContentResponse"
_MARKS = frozenset({ROLE, NO_ROLE, NAMED, SEVERAL_LINES, JUMP, UNNUMBERED, STRAY})


def _events(view: View) -> list[tuple[int, FrameFacts]]:
    return [entry for entry in view.state.trace.facts if entry[1].kind not in _MARKS]


def _first_is(kind: str, view: View) -> Result:
    events = _events(view)
    if not events:
        return Held.UNJUDGED if view.over else Held.WAITING
    frame, first = events[0]
    if first.kind in (kind, "error"):
        return Held.HOLDS
    return Broken(f"the first event is {first.kind}, not {kind}", frame)


# Responses.


def _sequence(view: View) -> Result:
    for frame, facts in view.state.trace.facts:
        # Where a server's numbers begin is its own affair; that they go on without a gap is not.
        if facts.kind == JUMP and not (facts.part == 0 and frame == 1):
            return Broken(f"sequence_number {facts.sequence} came where {facts.part} was due", frame)
    return Held.HOLDS if view.over else Held.WAITING


def _pairs(view: View) -> Result:
    if not view.whole or not view.over or len(view.state.trace.facts) >= MAX_FACTS:
        return view.at_end(then=lambda: Held.UNJUDGED)
    for word, added, done in (
        ("output item", "response.output_item.added", "response.output_item.done"),
        ("content part", "response.content_part.added", "response.content_part.done"),
    ):
        still_open: dict[tuple[int | None, int | None], int] = {}
        for frame, facts in _events(view):
            place = (facts.index, facts.part)
            if facts.kind == added:
                still_open[place] = frame
            elif facts.kind == done and still_open.pop(place, None) is None and still_open:
                return Broken(f"{done} came for an {word} that is not open", frame)
        if still_open:
            return Broken(f"the {word} that was added in frame {min(still_open.values())} was never done", min(still_open.values()))
    return Held.HOLDS


def _completed_usage(view: View) -> Result:
    found = view.first("response.completed")
    if found is None:
        return view.at_end(then=lambda: Held.UNJUDGED)
    return Held.HOLDS if "usage" in found[1].marks else Broken("response.completed has no usage", found[0])


def _terminal_last(kinds: Sequence[str], view: View) -> Result:
    events = _events(view)
    at = next((at for at, (_, facts) in enumerate(events) if facts.kind in kinds), None)
    if at is None:
        return view.at_end(then=lambda: Held.UNJUDGED)
    if at + 1 < len(events):
        return Broken(f"{events[at + 1][1].kind} came after {events[at][1].kind}", events[at + 1][0])
    return Held.HOLDS if view.over else Held.WAITING


ENDS = ("response.completed", "response.incomplete", "response.failed")
RESPONSES = (
    Rule("responses-created-first", "response.created comes first", OPENAI, lambda view: _first_is("response.created", view)),
    Rule("responses-sequence", "sequence numbers go up by one", OPENAI, _sequence),
    Rule("responses-pairs", "what is added is done", OPENAI, _pairs),
    Rule("responses-usage", "response.completed carries the usage", OPENAI, _completed_usage),
    end_after_error(OPENAI),
    Rule("responses-terminal-last", "the terminal event is the last one", OPENAI, lambda view: _terminal_last(ENDS, view)),
)


# Messages.


def _blocks(view: View) -> Result:
    stray = view.first(STRAY)
    if stray is not None:
        return Broken(f"a delta came for block {stray[1].index}, which is not open", stray[0])
    opened: tuple[int, int | None] | None = None
    last = -1
    for frame, facts in _events(view):
        match facts.kind:
            case "content_block_start":
                if opened is not None:
                    return Broken(f"block {facts.index} began while block {opened[1]} was open", frame)
                if facts.index is not None and facts.index <= last:
                    return Broken(f"block {facts.index} began after block {last}", frame)
                opened, last = (frame, facts.index), last if facts.index is None else facts.index
            case "content_block_stop":
                if opened is None or opened[1] != facts.index:
                    return Broken(f"block {facts.index} ended but was not open", frame)
                opened = None
            case "message_delta" | "message_stop" if opened is not None and not view.ended_after_error:
                return Broken(f"block {opened[1]}, begun in frame {opened[0]}, was left open when {facts.kind} came", frame)
    return Held.HOLDS if view.over else Held.WAITING


def _message_delta(view: View) -> Result:
    stop = view.first("message_stop")
    if stop is None or view.ended_after_error:
        return view.at_end(then=lambda: Held.UNJUDGED)
    before = [facts for frame, facts in _events(view) if facts.kind == "message_delta" and frame < stop[0]]
    if any("stop" in facts.marks for facts in before):
        return Held.HOLDS
    return Broken("message_stop came without a message_delta with a stop_reason", stop[0])


def _final_usage(view: View) -> Result:
    stop = view.first("message_stop")
    if stop is None or view.ended_after_error:
        return view.at_end(then=lambda: Held.UNJUDGED)
    deltas = [entry for entry in _events(view) if entry[1].kind == "message_delta"]
    if any("usage" in facts.marks for _, facts in deltas):
        return Held.HOLDS
    return Broken("no message_delta carries the cumulative usage", deltas[-1][0] if deltas else stop[0])


MESSAGES = (
    Rule("messages-start-first", "message_start comes first", ANTHROPIC, lambda view: _first_is("message_start", view)),
    Rule("messages-blocks", "blocks begin and end in pairs, in order", ANTHROPIC, _blocks),
    Rule("messages-stop-reason", "a message_delta with the stop_reason comes before message_stop", ANTHROPIC, _message_delta),
    Rule("messages-usage", "message_delta carries the usage", ANTHROPIC, _final_usage),
    end_after_error(ANTHROPIC),
    Rule("messages-stop-last", "message_stop is the last event", ANTHROPIC, lambda view: _terminal_last(("message_stop",), view)),
)


# Gemini.


def _gemini_finish(view: View) -> Result:
    state, trace = view.state, view.state.trace
    if trace.content_after_finish:
        return Broken(
            f"{trace.content_after_finish} pieces of the answer came after the finishReason in frame {trace.finish}", trace.finish
        )
    if trace.finish is not None:
        return Held.HOLDS if view.over else Held.WAITING
    if not view.over:
        return Held.WAITING
    if view.stopped or state.error is not None or not state.has_content:
        return Held.UNJUDGED
    return Broken("the last candidate has no finishReason", state.wire.frames or None)


def _gemini_usage(view: View) -> Result:
    missing = view.state.usage is None
    return view.at_end(then=lambda: Broken("no usageMetadata came") if missing else Held.HOLDS)


GEMINI = (
    Rule("gemini-finish-reason", "the last candidate with content has a finishReason", GOOGLE, _gemini_finish),
    Rule("gemini-usage", "the usageMetadata is in the stream", GOOGLE, _gemini_usage),
)
