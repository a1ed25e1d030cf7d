"""Rules of every stream, whatever its shape and server."""

from anoman_tui.core.contract.rule import Broken, Held, Result, Rule, View, frames
from anoman_tui.core.events import Ending, NoteKind
from anoman_tui.core.outcome import Outcome, missing_terminal
from anoman_tui.core.target import Shape

STANDARD = "WHATWG HTML, server-sent events"
HTTP = "RFC 9112, incomplete messages"
WIRE = "wire format of the shape"


def _note(kind: NoteKind, page: str = STANDARD) -> Rule:
    rules = {
        NoteKind.LABEL: ("content-type", "the stream is labelled text/event-stream"),
        NoteKind.OPEN_END: ("blank-line-missing", "every frame ends with a blank line"),
        NoteKind.STRAY: ("stray-lines", "every line is a field or a comment"),
        NoteKind.NO_OBJECT: ("no-object", "every frame of JSON is an object"),
    }
    name, says = rules[kind]

    def check(view: View) -> Result:
        note = next((note for note in view.state.notes if note.kind is kind), None)
        return Held.HOLDS if note is None else Broken(note.text, note.frame)

    return Rule(name, says, page, check)


def _after_the_end(view: View) -> Result:
    late = view.state.late_frames
    if late:
        return Broken(f"{frames(late)} came after {view.state.end} and were not taken")
    return Held.HOLDS if view.over else Held.WAITING


def _terminal(view: View) -> Result:
    state = view.state
    if view.whole and state.end is None and state.target.shape is not Shape.GEMINI:
        word = "[DONE]" if state.target.shape in (Shape.CHAT, Shape.PLAYGROUND) else "its terminal event"
        return Broken(f"the stream ended without {word}; it counts as whole by its finish reason")
    return view.at_end(then=lambda: Held.HOLDS)


def whole(view: View) -> Result:
    """Whether a stream that was not stopped came to its end."""
    if view.whole or view.state.end is not None:
        return Held.HOLDS
    if not view.over:
        return Held.WAITING
    if view.stopped or view.outcome is not Outcome.TRUNCATED:
        return Held.UNJUDGED
    return Broken(f"the stream was truncated: it ended without {missing_terminal(view.state)}", view.state.wire.frames or None)


def _finish_reason(view: View) -> Result:
    if view.whole and view.state.end is not None and view.state.finish_reason is None:
        return Broken("[DONE] came without a finish reason", view.state.trace.end)
    return view.at_end(then=lambda: Held.HOLDS)


def _cut_after_the_end(view: View) -> Result:
    state = view.state
    if view.whole and state.closed is not None and state.end is not None and state.closed.ending is Ending.CUT:
        return Broken(f"the connection broke after {state.end}; the answer is whole")
    return view.at_end(then=lambda: Held.HOLDS)


def end_after_error(page: str) -> Rule:
    """No terminal follows an error. Not for `[DONE]` of every chat server: Anoman's page has it close a failed stream, too."""

    def check(view: View) -> Result:
        trace = view.state.trace
        if trace.end_after_error is not None and view.told_error:
            where = f" in frame {view.state.error_frame}" if view.state.error_frame is not None else ""
            return Broken(f"{view.state.end} came after the error{where}; it does not make the answer whole", trace.end_after_error)
        return Held.HOLDS if view.over else Held.WAITING

    return Rule("done-after-error", "no terminal follows an error as if all were well", page, check)


LABELLED = _note(NoteKind.LABEL)
BLANK_LINE = _note(NoteKind.OPEN_END)
STRAY_LINES = _note(NoteKind.STRAY)
OBJECTS = _note(NoteKind.NO_OBJECT, WIRE)
TERMINAL = Rule("terminal-missing", "the stream ends with its protocol's terminal", WIRE, _terminal)
WHOLE = Rule("truncated", "the stream ends with its protocol's terminal", WIRE, whole, "error")
"""For streams whose gateway has no rule of its own for this."""
FINISH_REASON = Rule("finish-reason-missing", "a finish reason comes before [DONE]", "OpenAI, chat completion chunk object", _finish_reason)
CUT_AFTER = Rule("cut-after-the-end", "the connection outlives the protocol's end", HTTP, _cut_after_the_end)
AFTER_THE_END = Rule("after-the-end", "no part of the answer comes after the protocol's end", WIRE, _after_the_end)
EVERY = (LABELLED, BLANK_LINE, STRAY_LINES, OBJECTS, TERMINAL, CUT_AFTER, AFTER_THE_END)
"""The rules of every stream."""
