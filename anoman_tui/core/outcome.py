"""From evidence to an outcome, by the provider's policy. Exactly one outcome ends a pane."""

from enum import StrEnum

from anoman_tui.core.events import Ending, ErrorInfo, FailureKind, NoteKind
from anoman_tui.core.pane import PaneState
from anoman_tui.core.target import Policy, Shape


class Outcome(StrEnum):
    """How a pane ended."""

    COMPLETED = "completed"
    CANCELLED = "cancelled"
    TRUNCATED = "truncated"
    FAILED = "failed"
    BLOCKED = "blocked"


class Phase(StrEnum):
    """The state word of a pane: while it runs, and once it has ended."""

    WAIT = "WAIT"
    OPEN = "OPEN"
    THINK = "THINK"
    LIVE = "LIVE"
    DONE = "DONE"
    STOP = "STOP"
    CUT = "CUT"
    FAIL = "FAIL"
    BLOCK = "BLOCK"


WORDS = {
    Outcome.COMPLETED: Phase.DONE,
    Outcome.CANCELLED: Phase.STOP,
    Outcome.TRUNCATED: Phase.CUT,
    Outcome.FAILED: Phase.FAIL,
    Outcome.BLOCKED: Phase.BLOCK,
}

ERROR_REASONS = frozenset({"error", "network_error", "insufficient_system_resource", "abort"})
"""Finish reasons by which a server says that the answer failed."""

BROKEN = (Ending.CUT, Ending.IDLE, Ending.TOTAL, Ending.SIZE, Ending.REFUSED)


def outcome(state: PaneState) -> Outcome | None:
    """The outcome, or None while the pane runs. A later event of the same stream never changes it to a better one."""
    if state.error is not None:
        return Outcome.BLOCKED if state.error.kind is FailureKind.BLOCKED else Outcome.FAILED
    if (state.finish_reason or "").lower() in ERROR_REASONS:
        return Outcome.FAILED if state.closed or state.end else None
    if completed(state):
        return Outcome.COMPLETED
    if state.closed is None:
        return None
    match state.closed.ending:
        case Ending.CANCELLED:
            return Outcome.CANCELLED
        case Ending.REFUSED | Ending.TOTAL | Ending.SIZE:
            return Outcome.FAILED
        case Ending.CUT if state.status is None:
            return Outcome.FAILED
        case _:
            return Outcome.TRUNCATED


def completed(state: PaneState) -> bool:
    """Whether the provider's policy calls the answer whole."""
    clean = state.closed is not None and state.closed.ending in (Ending.CLEAN, Ending.DRAINED)
    if state.served_json:
        return clean and (state.finish_reason is not None or (state.has_content and state.served_whole))
    finished = state.finish_reason is not None
    shape, policy = state.target.shape, state.target.policy
    if shape is Shape.GEMINI:
        return finished and clean and (policy is not Policy.ANYPATH or state.usage is not None)
    if policy is Policy.LENIENT:
        return state.end is not None or (finished and clean)
    if state.end is None:
        return False
    if shape in (Shape.RESPONSES, Shape.MESSAGES) or policy is Policy.ANOMAN:
        return True
    return finished and (policy is not Policy.ANYPATH or state.usage_before_end)


def phase(state: PaneState) -> Phase:
    """The state word to show."""
    ended = outcome(state)
    if ended is not None:
        return WORDS[ended]
    if state.text or state.refusal or state.tools:
        return Phase.LIVE
    if state.reasoning:
        return Phase.THINK
    return Phase.OPEN if state.status is not None else Phase.WAIT


def failure(state: PaneState) -> ErrorInfo | None:
    """The error to show: the server's own, or why the stream did not complete."""
    ended = outcome(state)
    if ended is None or ended in (Outcome.COMPLETED, Outcome.CANCELLED):
        return None
    if state.error is not None:
        return state.error
    closed = state.closed
    if ended is Outcome.FAILED:
        if (state.finish_reason or "").lower() in ERROR_REASONS:
            return ErrorInfo(FailureKind.STREAM, f"the server ended the answer with finish reason {state.finish_reason}")
        kind = FailureKind.LIMIT if closed and closed.ending in (Ending.TOTAL, Ending.SIZE) else FailureKind.CONNECTION
        return ErrorInfo(kind, closed.detail if closed else "", http_status=state.status)
    return None


def cut_reason(state: PaneState) -> str:
    """One sentence on why a truncated answer is not whole."""
    closed = state.closed
    if closed is not None and closed.ending in BROKEN:
        return closed.detail or "the connection broke inside the answer"
    if state.served_json:
        if state.has_content:
            return "the JSON answer has no finish reason"
        said = next((f": {note.text}" for note in state.notes if note.kind is NoteKind.UNKNOWN), "")
        return f"the JSON answer holds no answer text{said}"
    if not state.streaming and state.wire.frames == 0:
        return "the body ended without an answer"
    stray = next((f"; outside of the stream it says: {note.text}" for note in state.notes if note.kind is NoteKind.STRAY), "")
    if not state.has_content and state.finish_reason is None and state.wire.frames == 0:
        return f"the body ended without a single frame{stray}"
    return f"the body ended without {missing_terminal(state)}{stray}"


def missing_terminal(state: PaneState) -> str:
    """What the stream still owed when it ended."""
    match state.target.shape:
        case Shape.RESPONSES:
            return "response.completed"
        case Shape.MESSAGES:
            return "message_stop"
        case Shape.GEMINI:
            return "a finishReason" if state.finish_reason is None else "usageMetadata"
        case _:
            if state.end is None:
                return "[DONE]"
            return "a usage chunk before [DONE]" if state.finish_reason is not None else "a finish reason before [DONE]"
