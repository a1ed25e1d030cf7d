"""AnyPath's rules (AnyPath streaming page)."""

from collections.abc import Mapping

from anoman_tui.core.contract.common import end_after_error, whole
from anoman_tui.core.contract.rule import Broken, Held, Result, Rule, View, frames
from anoman_tui.core.contract.witness import UNNUMBERED
from anoman_tui.core.headers import header
from anoman_tui.core.target import Shape

ERRORS = "AnyPath streaming page, handle stream errors"
WHERE = "AnyPath streaming page, where streaming works"


def _request_id(view: View) -> Result:
    if view.state.status is None:
        return Held.WAITING
    return Held.HOLDS if header(view.state.headers, "x-request-id") else Broken("the response has no X-Request-Id header")


def _usage(view: View) -> Result:
    state, trace = view.state, view.state.trace
    if view.ended_after_error:
        return Held.UNJUDGED
    if trace.end is not None and (trace.usage is None or trace.usage > trace.end):
        late = f"; it came after it, in frame {trace.usage}" if trace.usage is not None else ""
        return Broken(f"{state.end} came without terminal usage before it{late}", trace.end)
    if state.target.shape is Shape.GEMINI and trace.finish is not None and view.over and state.usage is None:
        return Broken("the stream ended without usageMetadata", trace.finish)
    return Held.HOLDS if trace.end is not None or view.over else Held.WAITING


def _no_error_frame(view: View) -> Result:
    frame = view.state.error_frame
    if frame is not None:
        return Broken("an error frame came; a stream that fails is cut without one", frame)
    return Held.HOLDS if view.over else Held.WAITING


def _nothing_after(view: View) -> Result:
    end, last = view.state.trace.end, view.state.wire.frames
    if end is not None and last > end:
        return Broken(f"{frames(last - end)} came after {view.state.end} in frame {end}", end + 1)
    return Held.HOLDS if view.over else Held.WAITING


def _numbered(view: View) -> Result:
    found = view.first(UNNUMBERED)
    if found is not None:
        return Broken("an event has no sequence_number", found[0])
    return Held.HOLDS if view.over else Held.WAITING


EVERY = (
    Rule("anypath-request-id", "the response carries X-Request-Id", ERRORS, _request_id),
    Rule("anypath-usage", "terminal usage is always in the stream", WHERE, _usage),
    Rule("anypath-terminal", "a stream without its terminal event has failed", ERRORS, whole, "error"),
    Rule("anypath-error-frame", "a stream that fails is cut without an error frame", ERRORS, _no_error_frame),
)
CHAT = (
    Rule("anypath-after-end", "nothing comes after [DONE]", ERRORS, _nothing_after),
    end_after_error(ERRORS),
)
"""`[DONE]` is the end of chat alone; the events of the other shapes have rules of their own for what comes last."""
RESPONSES = (Rule("anypath-numbered", "every Responses event has a sequence number", "OpenAI, streaming events", _numbered),)
BY_SHAPE: Mapping[Shape, tuple[Rule, ...]] = {Shape.CHAT: CHAT, Shape.RESPONSES: RESPONSES}
