"""The bug bundle of one pane: Markdown for a ticket, with all that support asks for and no key."""

import re
from collections.abc import Iterable, Sequence

from anoman_tui.core.contract import findings, rules_of, verdict
from anoman_tui.core.curl import curl
from anoman_tui.core.delivery import delivery
from anoman_tui.core.document import shown_error
from anoman_tui.core.frames import WireFrame
from anoman_tui.core.headers import request_id, safe
from anoman_tui.core.jsonish import plain
from anoman_tui.core.metrics import timing, zero_ns
from anoman_tui.core.outcome import outcome
from anoman_tui.core.pane import PaneState
from anoman_tui.core.records import dataclass
from anoman_tui.core.report import gateway_cost
from anoman_tui.core.request import HttpRequest
from anoman_tui.core.sanitize import clean, clean_line

AROUND = 3
"""Frames before and after the one in question."""
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
        _facts(state, setting),
        "## Verdict",
        _verdict(state),
        "## Request",
        _fence(curl(request, state.target), "sh") if request is not None else "No request was sent.",
        "## Response",
        _response(state),
        "## Frames",
        _frames(state, frames),
    ]
    text = "\n\n".join(parts) + "\n"
    key = request.key.reveal() if request is not None and request.key is not None else ""
    return text.replace(key, "***") if len(key) > 5 else text


def _word(state: PaneState) -> str:
    ended = outcome(state)
    return ended.value if ended is not None else "still running"


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
        ("Wire", f"{state.wire.bytes} bytes, {state.wire.reads} reads, {state.wire.frames} frames"),
        ("Body ended", f"{state.closed.ending.value} {state.closed.detail}".strip() if state.closed is not None else None),
    ]
    return "\n".join(["| | |", "| --- | --- |", *(f"| {name} | {_cell(value)} |" for name, value in rows if value not in (None, ""))])


def _verdict(state: PaneState) -> str:
    judged = verdict(state)
    pages = {rule.id: rule.page for rule in rules_of(state.target)}
    lines = [
        f"Contract: {judged.mark or 'not judged'} ({judged.holds} hold, {len(judged.broken)} broken, {judged.waiting} not yet judged)."
    ]
    if (error := shown_error(state)) is not None:
        labels = " ".join(str(part) for part in (error.http_status, error.type, error.code, error.failure_class) if part is not None)
        lines.append(f"- **{error.kind.value}**: {_line(error.message)}" + (f" [{_line(labels)}]" if labels else ""))
    for found in findings(state):
        where = f" (frame {found.frame})" if found.frame is not None else ""
        page = f"; {pages[found.rule]}" if found.rule in pages else ""
        lines.append(f"- **{found.severity}** `{found.rule}`{where}: {_line(found.message)}{page}")
    lines += [f"- delivery: {said.message}" for said in delivery(state) if said.kind == "slow-first-token"]
    return "\n".join(lines)


def _response(state: PaneState) -> str:
    if state.status is None:
        return "No response came."
    return _fence(
        "\n".join([f"HTTP {state.status}", *(f"{name}: {clean_line(value, 500)}" for name, value in safe(state.headers))]), "http"
    )


def _frames(state: PaneState, frames: Sequence[WireFrame]) -> str:
    """The frames around the fault, else the last ones."""
    if not frames:
        return "None came."
    fault = _fault_frame(state)
    middle = next((at for at, frame in enumerate(frames) if frame.number == fault), len(frames) - 1)
    first, last = max(0, middle - AROUND), min(len(frames), middle + AROUND + 1)
    zero = zero_ns(state)
    shown = "\n".join(_shown(frame, zero, marked=frame.number == fault and fault is not None) for frame in frames[first:last])
    return f"{last - first} of {len(frames)}; `>` marks the frame in question.\n\n{_fence(shown, 'text')}"


def _fault_frame(state: PaneState) -> int | None:
    if state.error_frame is not None:
        return state.error_frame
    return next((found.frame for found in findings(state) if found.frame is not None), None)


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
