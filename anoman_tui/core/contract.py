"""The documented rules of shapes and gateways, as findings: what a stream did that its page does not allow.

A rule is here only where the page is clear; `warning` marks a departure that clients survive.
"""

from dataclasses import dataclass

from anoman_tui.core.events import Ending, NoteKind
from anoman_tui.core.outcome import Outcome, outcome
from anoman_tui.core.pane import PaneState
from anoman_tui.core.target import Policy, Shape


@dataclass(frozen=True, slots=True)
class Finding:
    """One departure from a rule, with the frame that shows it where there is one."""

    rule: str
    severity: str
    """`warning` or `error`."""
    message: str
    frame: int | None = None


def findings(state: PaneState) -> tuple[Finding, ...]:
    """What the stream did that its contract does not allow, as far as it is known by now."""
    found = [*_end_findings(state), *_label_findings(state), *_anoman_findings(state)]
    unknown = next((note for note in state.notes if note.kind is NoteKind.UNKNOWN), None)
    if unknown is not None:
        found.append(Finding("unknown-event", "warning", f"passed over: {unknown.text}", unknown.frame))
    if state.usage is not None and state.usage.output_tokens == 0 and state.has_content and outcome(state) is Outcome.COMPLETED:
        found.append(Finding("usage-contradicted", "warning", "0 output tokens are reported, but an answer came"))
    if state.late_frames:
        found.append(Finding("after-the-end", "warning", f"{state.late_frames} frames came after {state.end} and were not taken"))
    return tuple(found)


def _end_findings(state: PaneState) -> list[Finding]:
    ended = outcome(state)
    if ended is not Outcome.COMPLETED or state.served_json:
        return []
    found = []
    chatty = state.target.shape in (Shape.CHAT, Shape.PLAYGROUND)
    if state.end is None and state.target.shape is not Shape.GEMINI:
        word = "[DONE]" if chatty else "its terminal event"
        found.append(Finding("terminal-missing", "warning", f"the stream ended without {word}; it counts as whole by its finish reason"))
    if state.end is not None and state.finish_reason is None and chatty:
        found.append(Finding("finish-reason-missing", "warning", "[DONE] came without a finish reason"))
    if state.closed is not None and state.end is not None and state.closed.ending is Ending.CUT:
        found.append(Finding("cut-after-the-end", "warning", f"the connection broke after {state.end}; the answer is whole"))
    return found


def _label_findings(state: PaneState) -> list[Finding]:
    rules = {NoteKind.LABEL: "content-type", NoteKind.OPEN_END: "blank-line-missing", NoteKind.STRAY: "stray-lines"}
    return [Finding(rules[note.kind], "warning", note.text, note.frame) for note in state.notes if note.kind in rules]


def _anoman_findings(state: PaneState) -> list[Finding]:
    """Anoman streaming page, wire format: usage rides on the last completion chunk, the metadata is second to last."""
    if state.target.policy is not Policy.ANOMAN or outcome(state) is not Outcome.COMPLETED or state.served_json:
        return []
    found = []
    if state.usage is None:
        found.append(Finding("anoman-usage", "warning", "no usage came with the last completion chunk"))
    if state.metadata is None and state.target.shape is not Shape.MESSAGES and state.closed is not None:
        found.append(Finding("anoman-metadata", "warning", "no _anoman frame came before [DONE]"))
    return found
