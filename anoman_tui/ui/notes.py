"""The lines under an answer: how it ended, what the server said, what broke a rule, and what to press."""

from collections.abc import Iterable, Iterator
from dataclasses import fields
from operator import attrgetter, is_

from anoman_tui.core.events import ErrorInfo, FailureKind, NoteKind
from anoman_tui.core.headers import request_id
from anoman_tui.core.metrics import output_tokens, timing
from anoman_tui.core.outcome import Outcome, cut_reason, outcome
from anoman_tui.core.pane import PaneState
from anoman_tui.core.panes import PaneSpec
from anoman_tui.core.records import dataclass
from anoman_tui.core.report import read_report
from anoman_tui.core.request import Params
from anoman_tui.core.sanitize import clean_line
from anoman_tui.ui.cells import Tone
from anoman_tui.ui.figures import counted, score

AGAIN = "r in the pane sends it again; Esc leaves the prompt"
MAX_MESSAGE = 600
"""Characters of a server's own words."""
MAX_FINDINGS = 6
MAX_TOOLS = 12
_FLOWING = ("text", "reasoning", "stamps", "wire", "estimated", "recent")
_BESIDE_TEXT = attrgetter(*(field.name for field in fields(PaneState) if field.name not in _FLOWING))


@dataclass(frozen=True, slots=True)
class NoteLine:
    """One line under the answer."""

    text: str
    tone: Tone = Tone.MUTED


def idle_notes(spec: PaneSpec, gateway_note: str = "", problems: Iterable[str] = ()) -> tuple[NoteLine, ...]:
    """What an empty pane says: what will not work, where the prompt will go, and with what of its own."""
    target = spec.target
    where = (*problem_notes(problems), NoteLine(f"POST {clean_line(target.url, 200)}"), *own_notes(spec))
    if not target.provider.local:
        return where
    engine = clean_line(gateway_note, 200)
    return (*where, NoteLine("the embedded gateway on this machine: no key, no account, no money"), *([NoteLine(engine)] if engine else []))


def own_notes(spec: PaneSpec) -> tuple[NoteLine, ...]:
    """What is set for this pane alone; nothing where that is nothing."""
    values = spec.params.as_dict().items()
    told = [f"{name} {' '.join(map(repr, value)) if isinstance(value, list) else value}" for name, value in values]
    told += [f"header {name}" for name in spec.headers]
    if spec.system is not None:
        told.append(f"system: {spec.system}" if spec.system else "no system prompt")
    return (NoteLine(clean_line(f"its own: {', '.join(told)}", 300)),) if told else ()


def problem_notes(problems: Iterable[str]) -> tuple[NoteLine, ...]:
    """What is known of a choice before it is sent."""
    return tuple(NoteLine(f"! {clean_line(problem, 300)}", Tone.WARN) for problem in problems)


def shared_words(params: Params, system: str | None) -> str:
    """What is set for all panes, in a few words; empty where that is nothing."""
    told = ["system prompt"] if system else []
    if params.temperature is not None:
        told.append(f"temperature {params.temperature:g}")
    if params.max_tokens is not None:
        told.append(f"max {params.max_tokens} tokens")
    if params.stop:
        told.append(f"stop {clean_line(' '.join(map(repr, params.stop)), 20)}")
    if params.effort is not None:
        told.append(f"effort {clean_line(params.effort, 12)}")
    return ", ".join(told)


def changed_notes(spec: PaneSpec, problems: Iterable[str] = ()) -> tuple[NoteLine, ...]:
    """What stands under an answer whose pane was set up anew."""
    changed = NoteLine(f"changed to {clean_line(spec.target.name, 120)}: r sends the last prompt there", Tone.ACCENT)
    return (changed, *own_notes(spec), *problem_notes(problems))


def waiting_notes() -> tuple[NoteLine, ...]:
    """What a pane says that waits for those before it."""
    return (NoteLine("queued: starts when the pane before has closed"), NoteLine("x takes it out of the queue"))


def flowed(before: PaneState, state: PaneState) -> bool:
    """Whether nothing came between two states but more text; what that breaks shows in its times and sizes only."""
    return all(map(is_, _BESIDE_TEXT(before), _BESIDE_TEXT(state)))


def notes(state: PaneState) -> tuple[NoteLine, ...]:
    """All lines under the answer so far."""
    return (*_content_notes(state), *_end_notes(state), *_finding_notes(state))


def _content_notes(state: PaneState) -> Iterator[NoteLine]:
    if state.refusal:
        yield NoteLine(f"refused: {clean_line(state.refusal.text, MAX_MESSAGE)}", Tone.WARN)
    for call in state.tools[:MAX_TOOLS]:
        yield NoteLine(f"tool call {clean_line(call.name or 'without a name', 60)}({clean_line(call.arguments.text, 400)})", Tone.ACCENT)
    if len(state.tools) > MAX_TOOLS:
        yield NoteLine(f"and {len(state.tools) - MAX_TOOLS} more tool calls", Tone.ACCENT)
    for note in state.notes:
        if note.kind is NoteKind.FILTER:
            yield NoteLine(f"filter: {clean_line(note.text, 200)}", Tone.WARN)


def _end_notes(state: PaneState) -> Iterator[NoteLine]:
    ended = outcome(state)
    match ended:
        case None:
            return
        case Outcome.COMPLETED:
            yield from _done(state)
        case Outcome.CANCELLED:
            yield NoteLine(f"partial: you stopped it after {counted(output_tokens(state))} tokens", Tone.WARN)
            yield NoteLine(clean_line(state.target.provider.cancel_note, 300))
            yield NoteLine(AGAIN)
        case Outcome.TRUNCATED:
            yield NoteLine(f"partial: the stream was cut: {clean_line(cut_reason(state), 300)}", Tone.BAD)
            yield from _identity(state, None)
            yield NoteLine(AGAIN)
        case Outcome.FAILED | Outcome.BLOCKED:
            from anoman_tui.core.document import shown_error

            yield from _failed(state, shown_error(state))


def _done(state: PaneState) -> Iterator[NoteLine]:
    if state.served_json:
        hit = read_report(state.metadata).cache_hit
        yield NoteLine("served whole as JSON" + (" from the gateway's cache" if hit else "") + ", not streamed: no time to first token")
    if state.finish_reason is not None:
        yield NoteLine(f"finish reason: {clean_line(state.finish_reason, 60)}")
    if not state.has_content:
        yield NoteLine("the answer is empty", Tone.WARN)
    if timing(state).degraded:
        yield NoteLine("times are doubtful: this machine was too busy while the answer came in", Tone.WARN)


def _failed(state: PaneState, error: ErrorInfo | None) -> Iterator[NoteLine]:
    if error is None:
        return
    status = error.http_status if error.http_status is not None else state.status
    yield NoteLine(_what_happened(error, status), Tone.BAD)
    if error.message:
        yield NoteLine(
            f"it said: {clean_line(error.message, MAX_MESSAGE)}" if _from_server(error) else clean_line(error.message, MAX_MESSAGE),
            Tone.TEXT,
        )
    if error.kind is FailureKind.BLOCKED:
        yield from _verdicts(state)
    facts = [("type", error.type), ("code", error.code), ("failure class", error.failure_class)]
    told = ", ".join(f"{name} {clean_line(value, 80)}" for name, value in facts if value)
    if told:
        yield NoteLine(told)
    if state.has_content:
        yield NoteLine(_partial(error), Tone.WARN)
    yield from _identity(state, error)
    yield NoteLine(_what_to_press(error, status))


def _what_happened(error: ErrorInfo, status: int | None) -> str:
    match error.kind:
        case FailureKind.HTTP:
            return f"the server answered {_status(status)}"
        case FailureKind.STREAM:
            return "the server sent an error inside the answer"
        case FailureKind.UNREADABLE:
            return "the server sent something that cannot be read"
        case FailureKind.CONNECTION:
            return "the connection failed"
        case FailureKind.LIMIT:
            return "a limit of this program was reached"
        case FailureKind.SETUP:
            return "the request could not be made on this side"
        case FailureKind.BLOCKED:
            return "a guardrail refused the prompt" + (f" ({_status(status)})" if status is not None and status >= 400 else "")


def _status(status: int | None) -> str:
    from http import HTTPStatus

    try:
        return "without a status" if status is None else f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _from_server(error: ErrorInfo) -> bool:
    return error.kind in (FailureKind.HTTP, FailureKind.STREAM, FailureKind.BLOCKED)


def _verdicts(state: PaneState) -> Iterator[NoteLine]:
    for guard in read_report(state.metadata).guardrails:
        if not guard.passed:
            shown = " ".join(part for part in (clean_line(guard.status or "--", 24), score(guard.score)) if part)
            yield NoteLine(f"guardrail {clean_line(guard.name, 40)}: {shown}", Tone.WARN)


def _partial(error: ErrorInfo) -> str:
    counted_as = (
        ""
        if error.partial_value is None
        else f"; the server counted {error.partial_value} {clean_line(error.partial_unit or '', 16)}".rstrip()
    )
    return f"partial: the text above came before the failure{counted_as}"


def _identity(state: PaneState, error: ErrorInfo | None) -> Iterator[NoteLine]:
    found = (error.request_id if error is not None else None) or request_id(state.headers)
    if found:
        yield NoteLine(f"request id {clean_line(found, 120)}")


def _what_to_press(error: ErrorInfo, status: int | None) -> str:
    if error.kind is FailureKind.BLOCKED:
        return "in the pane, i goes to the prompt and r sends it again; in the prompt, Up brings it back to change it"
    if status in (401, 403):
        return f"check the key of this provider, then {AGAIN}"
    wait = "" if error.retry_after_s is None else f"the server asks to wait {error.retry_after_s:g} s, then "
    return f"{wait}{AGAIN}"


def _finding_notes(state: PaneState) -> Iterator[NoteLine]:
    from anoman_tui.core.contract import findings

    found = findings(state)
    for finding in found[:MAX_FINDINGS]:
        frame = "" if finding.frame is None else f" (frame {finding.frame})"
        tone = Tone.BAD if finding.severity == "error" else Tone.WARN
        yield NoteLine(f"! {finding.rule}: {clean_line(finding.message, 300)}{frame}", tone)
    if len(found) > MAX_FINDINGS:
        yield NoteLine(f"! and {len(found) - MAX_FINDINGS} more", Tone.WARN)
