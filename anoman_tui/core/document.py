"""The run document: one record per pane, and the document around them. Schema `anoman-tui/run` 1.0."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from anoman_tui.core.contract import findings
from anoman_tui.core.events import ErrorInfo, FailureKind
from anoman_tui.core.headers import request_id
from anoman_tui.core.jsonish import plain
from anoman_tui.core.metrics import estimated_tokens, timing
from anoman_tui.core.outcome import Outcome, cut_reason, failure, outcome
from anoman_tui.core.pane import PaneState
from anoman_tui.core.report import gateway_cost, header_metadata
from anoman_tui.core.target import Shape

SCHEMA = "anoman-tui/run"
SCHEMA_VERSION = "1.0"


def pane_record(state: PaneState, pane: int, round_number: int = 1) -> dict[str, Any]:
    """One pane's record; None stands for unknown, never 0."""
    ended = outcome(state)
    target = state.target
    return {
        "pane": pane,
        "round": round_number,
        "target": {
            "provider": target.provider.name or None,
            "shape": target.shape.value,
            "model": target.model,
            "url": state.url or target.url,
        },
        "params": None if state.params is None else state.params.as_dict(),
        "system": state.system,
        "outcome": ended.value if ended is not None else None,
        "served_from": "json" if state.served_json else "stream",
        "finish_reason": state.finish_reason,
        "http_status": state.status,
        "request_id": request_id(state.headers) or (state.error.request_id if state.error else None),
        "earlier_request_ids": list(state.earlier_request_ids),
        "served_model": state.served_model,
        "text": state.text.text,
        "reasoning": state.reasoning.text or None,
        "refusal": state.refusal.text or None,
        "tool_calls": [{"id": call.call_id, "name": call.name, "arguments": call.arguments.text} for call in state.tools],
        "timing": asdict(timing(state)),
        "usage": _usage(state),
        "cost": _cost(state),
        "gateway": _gateway(state),
        "error": _error(state),
        "findings": [asdict(finding) for finding in findings(state)],
        "wire": {"bytes": state.wire.bytes, "reads": state.wire.reads, "frames": state.wire.frames},
    }


def _gateway(state: PaneState) -> dict[str, Any] | None:
    """The gateway's metadata verbatim, and its own response headers under `headers` where it sent any."""
    headers = header_metadata(state)
    if state.metadata is None and not headers:
        return None
    return {**(state.metadata or {}), **({"headers": dict(headers)} if headers else {})}


def _usage(state: PaneState) -> dict[str, Any]:
    usage = state.usage
    names = ("input_tokens", "output_tokens", "total_tokens", "cached_tokens", "cache_write_tokens", "reasoning_tokens")
    counts = {name: getattr(usage, name) if usage is not None else None for name in names}
    if state.target.shape is Shape.MESSAGES and state.end is None and state.finish_reason is None:
        counts["output_tokens"] = None  # message_start counts the output before there is any
    spent, made = counts["input_tokens"], counts["output_tokens"]
    if counts["total_tokens"] is None and spent is not None and made is not None:
        counts["total_tokens"] = spent + made
    if usage is not None:
        return {**counts, "source": "reported"}
    if state.has_content:
        counts["output_tokens"] = estimated_tokens(state)
    return {**counts, "source": "estimated"}


def _cost(state: PaneState) -> dict[str, Any]:
    cost, listed = gateway_cost(state), state.list_usd
    return {
        "usd": None if cost is None else plain(cost),
        "source": None if cost is None else "gateway",
        "list_usd": None if listed is None else plain(listed),
    }


def shown_error(state: PaneState) -> ErrorInfo | None:
    """The error of a pane that did not complete; a truncated one says what was missing."""
    found = failure(state)
    if found is None and outcome(state) is Outcome.TRUNCATED:
        found = ErrorInfo(FailureKind.STREAM, cut_reason(state), type="truncated", http_status=state.status)
    return found


def _error(state: PaneState) -> dict[str, Any] | None:
    error = shown_error(state)
    if error is None:
        return None
    partial = None if error.partial_value is None else {"value": error.partial_value, "unit": error.partial_unit}
    return {
        "kind": error.kind.value,
        "type": error.type,
        "code": error.code,
        "message": error.message,
        "http_status": error.http_status if error.http_status is not None else state.status,
        "failure_class": error.failure_class,
        "partial": partial,
        "retry_after_s": error.retry_after_s,
        "request_id": error.request_id or request_id(state.headers),
    }


def run_document(records: Iterable[dict[str, Any]], head: dict[str, Any], version: str) -> dict[str, Any]:
    """The whole document. `head` holds run_id, started_at, prompt, system, params and mode."""
    tool = {"name": "anoman-tui", "version": version}
    return {"schema": SCHEMA, "schema_version": SCHEMA_VERSION, "tool": tool, **head, "panes": list(records)}


EXIT_COMPLETED, EXIT_INCOMPLETE, EXIT_USAGE, EXIT_NOTHING, EXIT_ASSERTION, EXIT_INTERRUPTED = 0, 1, 2, 3, 4, 130
"""What a finished run says to the shell; the same for every output format."""


def exit_code(states: Iterable[PaneState], *, interrupted: bool = False, assertion_failed: bool = False) -> int:
    """The exit code of a run; where several hold, interrupted goes first, then nothing completed, then one incomplete."""
    outcomes = [outcome(state) for state in states]
    if interrupted:
        return EXIT_INTERRUPTED
    if not any(ended is Outcome.COMPLETED for ended in outcomes):
        return EXIT_NOTHING
    if any(ended is not Outcome.COMPLETED for ended in outcomes):
        return EXIT_INCOMPLETE
    return EXIT_ASSERTION if assertion_failed else EXIT_COMPLETED
