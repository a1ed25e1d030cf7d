"""The bug bundle of one pane: Markdown for a ticket, with all that support asks for and no key."""

import re
from collections.abc import Iterable, Sequence

from anoman_tui.core.contract import findings, rules_of, verdict
from anoman_tui.core.curl import curl
from anoman_tui.core.delivery import delivery
from anoman_tui.core.document import shown_error
from anoman_tui.core.events import NoteKind
from anoman_tui.core.frames import WireFrame
from anoman_tui.core.headers import HIDDEN, is_secret_name, request_id, safe
from anoman_tui.core.jsonish import dumps, plain
from anoman_tui.core.metrics import timing, zero_ns
from anoman_tui.core.outcome import Outcome, outcome
from anoman_tui.core.pane import PaneState
from anoman_tui.core.records import dataclass
from anoman_tui.core.report import gateway_cost
from anoman_tui.core.request import HttpRequest
from anoman_tui.core.sanitize import clean, clean_line

SHORT = 5
"""A key of no more letters is no secret, and hiding it would hide ordinary words."""
AROUND = 3
"""Frames before and after the one in question."""
MAX_PLACES = 4
"""Places in the body that are shown, each with the frames around it."""
MAX_PASSED = 10
MAX_DATA = 2_000
"""Characters of one frame's data that are shown."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What the bundle cannot know of itself: our version, Python's, the system's name, and the run."""

    version: str
    python: str
    platform: str
    run_id: str = ""
    started_at: str = ""


def bundle(state: PaneState, request: HttpRequest | None, frames: Sequence[WireFrame], setting: Setting) -> str:
    """The bundle. `frames` are all frames of the body, as `frames_of` gives them. The request's key is hidden wherever it stands."""
    parts = [
        f"# {_line(state.target.name)}: {_word(state)}",
        _summary(state),
        _facts(state, setting),
        "## Verdict",
        _verdict(state),
        "## Request",
        _fence(curl(request, state.target), "sh") if request is not None else "No request was sent.",
        "## Response",
        _response(state),
        *(["## Gateway metadata", _fence(dumps(dict(state.metadata), indent=2), "json")] if state.metadata else []),
        "## Frames",
        _frames(state, frames),
    ]
    text = "\n\n".join(parts) + "\n"
    key = request.key.reveal() if request is not None and request.key is not None else ""
    if len(key) <= SHORT:
        return text
    escaped = dumps(key)[1:-1]  # a frame that came in pieces holds it as the server wrote it
    for form in (key, escaped, escaped.replace("/", "\\/")):
        text = text.replace(form, "***")
    return text


def _word(state: PaneState) -> str:
    ended = outcome(state)
    return ended.value if ended is not None else "still running"


def _summary(state: PaneState) -> str:
    """What happened, in a sentence or two."""
    error, found = shown_error(state), findings(state)
    said = [_line(error.message)] if error is not None else []
    if found:
        also = f" (and {len(found) - 1} more below)" if len(found) > 1 else ""
        said.append(f"{_line(found[0].message)}{also}")
    return "**What happened:** " + ("; ".join(dict.fromkeys(said)) if said else "nothing that breaks a documented rule") + "."


def _facts(state: PaneState, setting: Setting) -> str:
    usage, times, cost = state.usage, timing(state), gateway_cost(state)
    rows = [
        ("Run", " ".join(part for part in (setting.run_id, setting.started_at) if part)),
        ("Program", f"anoman-tui {setting.version}, Python {setting.python}, {setting.platform}"),
        ("Request id", request_id(state.headers) or (state.error.request_id if state.error else None)),
        ("Earlier request ids", ", ".join(state.earlier_request_ids)),
        ("Response id", state.response_id),
        ("HTTP status", state.status),
        ("Model asked / served", f"{state.target.model} / {state.served_model or '--'}"),
        ("Finish reason", state.finish_reason),
        ("Tokens in / out", f"{usage.input_tokens} / {usage.output_tokens}" if usage is not None else None),
        ("Cost", f"${plain(cost)}" if cost is not None else None),
        ("First header / token / done, ms", f"{_ms(times.ttfh_ms)} / {_ms(times.ttft_ms)} / {_ms(times.done_ms)}"),
        ("Answer", _answer(state)),
        ("Asked for", "a stream" if state.streaming else "one JSON answer"),
        ("Wire", f"{state.wire.bytes} bytes, {_many(state.wire.reads, 'read')}, {_many(state.wire.frames, 'frame')}"),
        ("Body ended", f"{state.closed.ending.value} {state.closed.detail}".strip() if state.closed is not None else None),
    ]
    return "\n".join(["| | |", "| --- | --- |", *(f"| {name} | {_cell(value)} |" for name, value in rows if value not in (None, ""))])


def _many(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _answer(state: PaneState) -> str | None:
    """How much of an answer came, and how."""
    if not state.has_content:
        return None
    partial = "" if outcome(state) in (Outcome.COMPLETED, None) else ", partial"
    return f"{len(state.text)} characters, {'as JSON' if state.served_json else 'streamed'}{partial}"


def _verdict(state: PaneState) -> str:
    judged = verdict(state)
    rules = {rule.id: rule for rule in rules_of(state.target)}
    counts = f"{judged.holds} hold, {len(judged.broken)} broken, {judged.waiting} not yet judged"
    lines = [f"Contract: {judged.mark} ({counts})." if judged.mark else f"Contract: not judged, since {_unjudged(state)}.", ""]
    if (error := shown_error(state)) is not None:
        labels = " ".join(str(part) for part in (error.http_status, error.type, error.code, error.failure_class) if part is not None)
        lines.append(f"- **{error.kind.value}**: {_line(error.message)}" + (f" [{_line(labels)}]" if labels else ""))
    for found in findings(state):
        where = f", frame {found.frame}" if found.frame is not None else ""
        lines.append(f"- **{found.severity}** `{found.rule}`{where}: {_line(found.message)}")
        if (rule := rules.get(found.rule)) is not None:
            lines.append(f"  Expected: {rule.says} ({rule.page}).")
    lines += [f"- delivery: {said.message}" for said in delivery(state) if said.kind == "slow-first-token"]
    passed = dict.fromkeys(_line(note.text) for note in state.notes if note.kind is NoteKind.UNKNOWN)
    lines += [f"- passed over, since it is not known: {text}" for text in list(passed)[:MAX_PASSED]]
    return "\n".join(lines).rstrip()


def _unjudged(state: PaneState) -> str:
    if state.served_json:
        return "a JSON answer owes nothing of a stream"
    return "no response came" if state.status is None else f"the status {state.status} is no stream"


def _response(state: PaneState) -> str:
    if state.status is None:
        return "No response came."
    headers = [f"{name}: {HIDDEN if is_secret_name(name) else clean_line(value, 500)}" for name, value in safe(state.headers)]
    return _fence("\n".join([f"HTTP {state.status}", *headers]), "http")


def _frames(state: PaneState, frames: Sequence[WireFrame]) -> str:
    """The frames around each fault, else the last ones."""
    if not frames:
        return "None came."
    marked = _faults(state, frames)
    places = [at for at, frame in enumerate(frames) if frame.number in marked] or [len(frames) - 1]
    near = sorted({at for place in places[:MAX_PLACES] for at in range(place - AROUND, place + AROUND + 1) if 0 <= at < len(frames)})
    zero, lines = zero_ns(state), []
    for at, last in zip(near, [None, *near], strict=False):
        if last is not None and at > last + 1:
            lines.append(f"       … {at - last - 1} more …")
        lines.append(_shown(frames[at], zero, marked=frames[at].number in marked))
    mark = "; `>` marks what is in question" if marked else ""
    return f"{len(near)} of {len(frames)}{mark}.\n\n{_fence(chr(10).join(lines), 'text')}"


def _faults(state: PaneState, frames: Sequence[WireFrame]) -> set[int]:
    """The numbers of the frames in question: of the error, and of each finding."""
    found = findings(state)
    numbers = {number for number in (state.error_frame, *(one.frame for one in found)) if number is not None}
    if not numbers and state.served_model and any(one.rule == "served-model" for one in found):
        name = dumps(state.served_model)
        numbers = {next((frame.number for frame in frames if frame.number is not None and name in frame.data), 0)}
    return numbers


def _shown(frame: WireFrame, zero: int | None, *, marked: bool) -> str:
    at = f"{(frame.t_ns - zero) / 1e6:10.3f} ms" if zero is not None else ""
    name = f" event: {clean_line(frame.event, 80)}" if frame.event else ""
    data = clean(frame.data[:MAX_DATA]).replace("\n", "\n    ") + (" …" if len(frame.data) > MAX_DATA else "")
    return f"{'>' if marked else ' '} {frame.number or '-':>4} {at} {frame.size:>6} B {frame.kind}{name}\n    {data}"


def _fence(text: str, language: str) -> str:
    """A code block whose fence is longer than any run of backticks inside."""
    longest = max((len(run) for run in _runs(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _runs(text: str) -> Iterable[str]:
    return re.findall("`+", text)


def _line(text: str) -> str:
    return clean_line(text, 500).replace("<", "&lt;")


def _cell(value: object) -> str:
    return _line(str(value)).replace("|", "\\|")


def _ms(value: float | None) -> str:
    return "--" if value is None else f"{value:.1f}"
