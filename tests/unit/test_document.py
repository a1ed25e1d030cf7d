"""The run document: keys and types exactly, whatever happened to the pane."""

import json
from decimal import Decimal
from typing import Any

import pytest

from anoman_tui.core.document import (
    EXIT_ASSERTION,
    EXIT_COMPLETED,
    EXIT_INCOMPLETE,
    EXIT_INTERRUPTED,
    EXIT_NOTHING,
    exit_code,
    pane_record,
    run_document,
)
from anoman_tui.core.events import Ending, HeadersReceived, ListPriced, MetadataReported, Requested, Usage, UsageReported
from anoman_tui.core.jsonish import dumps
from anoman_tui.core.pane import PaneState, fold
from anoman_tui.core.target import Shape
from tests.support import a_target, play, sse, stamped
from tests.unit.shape_rows import ROWS

TEXT, NUMBER, COUNT = (str,), (float, int), (int,)
OPTIONAL: tuple[type, ...] = (type(None),)
TIMES = (
    "connect_ms",
    "ttfh_ms",
    "ttfe_ms",
    "ttft_ms",
    "ttfa_ms",
    "e2e_ms",
    "done_ms",
    "tpot_ms",
    "output_tps",
    "stall_max_ms",
    "cancel_local_ms",
)
COUNTS = ("input_tokens", "output_tokens", "total_tokens", "cached_tokens", "cache_write_tokens", "reasoning_tokens")

SCHEMA: dict[str, Any] = {
    "pane": COUNT,
    "round": COUNT,
    "target": {"provider": TEXT + OPTIONAL, "shape": TEXT, "model": TEXT, "url": TEXT},
    "outcome": TEXT + OPTIONAL,
    "served_from": TEXT,
    "finish_reason": TEXT + OPTIONAL,
    "http_status": COUNT + OPTIONAL,
    "request_id": TEXT + OPTIONAL,
    "served_model": TEXT + OPTIONAL,
    "text": TEXT,
    "reasoning": TEXT + OPTIONAL,
    "refusal": TEXT + OPTIONAL,
    "timing": {"clock": TEXT, **dict.fromkeys(TIMES, NUMBER + OPTIONAL), "degraded": (bool,)},
    "usage": {**dict.fromkeys(COUNTS, COUNT + OPTIONAL), "source": TEXT},
    "cost": {"usd": TEXT + OPTIONAL, "source": TEXT + OPTIONAL, "list_usd": TEXT + OPTIONAL},
    "gateway": (dict, *OPTIONAL),
    "wire": dict.fromkeys(("bytes", "reads", "frames"), COUNT),
}
ERROR = {
    **dict.fromkeys(("kind", "message"), TEXT),
    **dict.fromkeys(("type", "code", "failure_class", "request_id"), TEXT + OPTIONAL),
    "http_status": COUNT + OPTIONAL,
    "partial": (dict, *OPTIONAL),
    "retry_after_s": NUMBER + OPTIONAL,
}
LISTS = {
    "tool_calls": {"id": TEXT + OPTIONAL, "name": TEXT + OPTIONAL, "arguments": TEXT},
    "findings": {"rule": TEXT, "severity": TEXT, "message": TEXT, "frame": COUNT + OPTIONAL},
}
MORE = {"earlier_request_ids", "params", "system"}
"""What a record may have beside the design's section 6."""


def check(value: Any, schema: Any, where: str = "") -> None:
    """Compare keys and types; a boolean is no number."""
    if isinstance(schema, dict):
        assert set(value) - MORE == set(schema), where
        for name, inner in schema.items():
            check(value[name], inner, f"{where}.{name}")
    else:
        assert isinstance(value, schema), f"{where}: {value!r}"
        assert not isinstance(value, bool) or bool in schema, where


def check_record(record: dict[str, Any]) -> None:
    """Check one whole record as a reader of the document gets it."""
    read = json.loads(dumps(record))
    parts = {name: read.pop(name) for name in (*LISTS, "error")}
    check(read, SCHEMA)
    for name, schema in LISTS.items():
        for item in parts[name]:
            check(item, schema, name)
    if parts["error"] is not None:
        check(parts["error"], ERROR, "error")
        if parts["error"]["partial"] is not None:
            check(parts["error"]["partial"], {"value": COUNT, "unit": TEXT}, "partial")
    assert read["outcome"] in (None, "completed", "cancelled", "truncated", "failed", "blocked")
    assert read["served_from"] in ("stream", "json")
    assert read["usage"]["source"] in ("reported", "estimated")


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.shape} {row.name}" for row in ROWS])
def test_every_record_has_the_documented_form(row: Any) -> None:
    """Claim: the record of each deviation has exactly the documented keys, each with its type, also when cut off."""
    check_record(pane_record(play(row.shape, [row.body], policy=row.policy), 1))
    check_record(pane_record(play(row.shape, [row.body[: len(row.body) // 2]], ending=Ending.CUT), 2))


def test_records_of_panes_that_never_began() -> None:
    """Claim: a pane before its first event, and one that was never connected, have the documented form."""
    check_record(pane_record(PaneState(a_target()), 1))
    for status in (401, 403, 500):
        check_record(pane_record(play(Shape.CHAT, [b'{"error":{"message":"x"}}'], status=status), 1))


def test_the_document_around_the_records() -> None:
    """Claim: the document names its schema, the tool and the run."""
    head: dict[str, Any] = {"run_id": "r", "started_at": "t", "prompt": "p", "system": None, "params": {}, "mode": "parallel"}
    document = run_document([{"pane": 1}], head, "0.1.0")
    assert list(document) == ["schema", "schema_version", "tool", *head, "panes"]
    assert (document["schema"], document["schema_version"], document["tool"]) == (
        "anoman-tui/run",
        "1.0",
        {"name": "anoman-tui", "version": "0.1.0"},
    )
    assert document["panes"] == [{"pane": 1}]


def state(*events: Any) -> PaneState:
    """A state after events."""
    return fold(PaneState(a_target()), stamped(*events))


def test_money_is_text_without_exponent() -> None:
    """Claim: costs are decimal text without exponent, ours and the gateway's side by side."""
    record = pane_record(state(MetadataReported({"cost_usd": Decimal("4.1E-5")}), ListPriced(Decimal("1E-7"))), 1)
    assert record["cost"] == {"usd": "0.000041", "source": "gateway", "list_usd": "0.0000001"}
    assert pane_record(state(), 1)["cost"] == {"usd": None, "source": None, "list_usd": None}


def test_the_total_is_derived_only_where_both_parts_are_known() -> None:
    """Claim: a missing total is the sum of input and output where both are told, and unknown otherwise."""
    assert pane_record(state(UsageReported(Usage(3, 4))), 1)["usage"]["total_tokens"] == 7
    assert pane_record(state(UsageReported(Usage(3, None))), 1)["usage"]["total_tokens"] is None
    assert pane_record(state(UsageReported(Usage(3, 4, 9))), 1)["usage"]["total_tokens"] == 9


def test_estimates_are_marked() -> None:
    """Claim: without usage the output is our estimate and says so; without content nothing is told."""
    partial = pane_record(play(Shape.CHAT, [sse('{"choices":[{"delta":{"content":"Hello you"}}]}')]), 1)
    assert partial["usage"]["source"] == "estimated"
    assert partial["usage"]["output_tokens"] == 2
    assert partial["usage"]["input_tokens"] is None
    assert pane_record(play(Shape.CHAT, []), 1)["usage"]["output_tokens"] is None


def test_metadata_stays_as_it_came() -> None:
    """Claim: gateway metadata is verbatim, unknown keys too."""
    meta = {"new": {"x": [1, None, "é"]}, "cost_usd": "0.1"}
    assert pane_record(state(MetadataReported(meta)), 1)["gateway"] == meta


def test_the_address_is_the_one_that_was_asked() -> None:
    """Claim: the record has the URL of the request, once it is known."""
    assert pane_record(state(Requested("http://h/x")), 1)["target"]["url"] == "http://h/x"
    assert pane_record(state(HeadersReceived(200, (("x-request-id", "r1"),))), 1)["request_id"] == "r1"


WHOLE = play(Shape.CHAT, [sse('{"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}', "[DONE]")])
CUT = play(Shape.CHAT, [sse('{"choices":[{"delta":{"content":"x"}}]}')])


@pytest.mark.parametrize(
    ("states", "interrupted", "assertion", "code"),
    [
        ([WHOLE, WHOLE], False, False, EXIT_COMPLETED),
        ([WHOLE, CUT], False, False, EXIT_INCOMPLETE),
        ([CUT, CUT], False, False, EXIT_NOTHING),
        ([], False, False, EXIT_NOTHING),
        ([WHOLE], False, True, EXIT_ASSERTION),
        ([WHOLE, CUT], False, True, EXIT_INCOMPLETE),
        ([CUT], False, True, EXIT_NOTHING),
        ([WHOLE], True, True, EXIT_INTERRUPTED),
        ([CUT], True, False, EXIT_INTERRUPTED),
    ],
)
def test_exit_codes(states: list[PaneState], interrupted: bool, assertion: bool, code: int) -> None:
    """Claim: where several codes hold, interrupted goes first, then nothing completed, then one incomplete, then an assertion."""
    assert exit_code(states, interrupted=interrupted, assertion_failed=assertion) == code
