"""Anoman's rules for chat and playground streams (Anoman streaming page)."""

from anoman_tui.core.contract.rule import Broken, Held, Result, Rule, View, frames
from anoman_tui.core.contract.witness import NAMED, NO_ROLE, ROLE, SEVERAL_LINES
from anoman_tui.core.outcome import Outcome

WIRE = "Anoman streaming page, wire format"
ERRORS = "Anoman streaming page, mid-stream errors"
LIMITS = "Anoman streaming page, known limitations"
FIELDS = ("guardrails", "routing", "cache", "cost_usd", "weighted_tokens")
"""What the metadata frame holds."""


def _role(view: View) -> Result:
    found = view.first(ROLE, NO_ROLE)
    if found is None:
        return Held.UNJUDGED if view.over or view.state.wire.frames else Held.WAITING
    return Held.HOLDS if found[1].kind == ROLE else Broken("the first frame does not carry the role with empty content", found[0])


def _one_line(view: View) -> Result:
    found = view.first(NAMED, SEVERAL_LINES)
    if found is None:
        return Held.HOLDS if view.over else Held.WAITING
    how = f"has the name {found[1].marks!r}" if found[1].kind == NAMED else "has several data lines"
    return Broken(f"a frame {how}; every frame is a single data line", found[0])


def _usage(view: View) -> Result:
    state, trace = view.state, view.state.trace
    if trace.usage is not None and trace.finish is not None and trace.usage != trace.finish:
        return Broken(f"the usage came in frame {trace.usage}, not on the last completion chunk, frame {trace.finish}", trace.usage)
    if state.usage is None:
        return view.at_end(then=lambda: Broken("no usage came with the last completion chunk", trace.finish))
    return view.at_end(then=lambda: Held.HOLDS)


def _metadata(view: View) -> Result:
    missing = view.state.metadata is None
    return view.at_end(then=lambda: Broken("no _anoman frame came before [DONE]", view.state.trace.end) if missing else Held.HOLDS)


def _metadata_place(view: View) -> Result:
    trace = view.state.trace
    # An error frame carries an `_anoman` object of its own.
    if trace.metadata is None or trace.end is None or view.state.error is not None:
        return view.at_end(then=lambda: Held.UNJUDGED)
    if trace.metadata > trace.end:
        return Broken(f"the _anoman frame came late: it is frame {trace.metadata}, after [DONE] in frame {trace.end}", trace.metadata)
    if trace.metadata != trace.end - 1:
        return Broken(
            f"the _anoman frame is frame {trace.metadata}, not the second to last before [DONE] in frame {trace.end}", trace.metadata
        )
    return view.at_end(then=lambda: Held.HOLDS)


def _metadata_fields(view: View) -> Result:
    metadata = view.state.metadata
    if metadata is None or view.state.error is not None:
        return view.at_end(then=lambda: Held.UNJUDGED)
    lacking = [name for name in FIELDS if metadata.get(name) is None]
    if lacking:
        return Broken(f"the _anoman frame lacks {', '.join(lacking)}", view.state.trace.metadata)
    return Held.HOLDS


def _realtime(view: View) -> Result:
    metadata = view.state.metadata
    routing = metadata.get("routing") if metadata is not None else None
    if not isinstance(routing, dict) or view.state.error is not None:
        return view.at_end(then=lambda: Held.UNJUDGED)
    mode = routing.get("mode")
    if mode != "realtime":
        return Broken(f"routing.mode is {str(mode)[:40]!r}; streams always use the real-time path", view.state.trace.metadata)
    return Held.HOLDS


def _done(view: View) -> Result:
    if view.state.trace.end is not None or view.state.end is not None:
        return Held.HOLDS
    if not view.over:
        return Held.WAITING
    if view.stopped or view.outcome in (Outcome.FAILED, Outcome.BLOCKED):
        return Held.UNJUDGED
    return Broken("the stream was truncated: it ended without data: [DONE]", view.state.wire.frames or None)


def _nothing_after(view: View) -> Result:
    end, last = view.state.trace.end, view.state.wire.frames
    if end is not None and last > end:
        return Broken(f"{frames(last - end)} came after [DONE] in frame {end}", end + 1)
    return Held.HOLDS if view.over else Held.WAITING


def _failure_class(view: View) -> Result:
    error, frame = view.state.error, view.state.error_frame
    if error is None or frame is None:
        return Held.HOLDS if view.over else Held.WAITING
    return Held.HOLDS if error.failure_class else Broken("the error frame has no _anoman.failure_class", frame)


CHAT = (
    Rule("anoman-role-first", "the first chunk carries the role with empty content", WIRE, _role),
    Rule("anoman-one-line", "every frame is a single data line", WIRE, _one_line),
    Rule("anoman-usage", "the usage rides on the last completion chunk", WIRE, _usage),
    Rule("anoman-metadata", "an _anoman frame comes before [DONE]", WIRE, _metadata),
    Rule("anoman-metadata-place", "the _anoman frame is the second to last", WIRE, _metadata_place),
    Rule("anoman-metadata-fields", "the metadata holds guardrails, routing, cache, cost and weighted tokens", WIRE, _metadata_fields),
    Rule("anoman-routing", "a stream is routed in real time", LIMITS, _realtime),
    Rule("anoman-done", "the stream is terminated with data: [DONE]", WIRE, _done, "error"),
    Rule("anoman-after-done", "no frame comes after [DONE]", WIRE, _nothing_after),
    Rule("anoman-failure-class", "an error frame tells its failure class", ERRORS, _failure_class),
)
