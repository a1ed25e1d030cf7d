"""Gateway metadata, wherever it may stand, and whatever it may hold."""

from decimal import Decimal
from typing import Any

import pytest

from anoman_tui.core.document import pane_record
from anoman_tui.core.events import HeadersReceived, MetadataReported, Usage, UsageReported
from anoman_tui.core.pane import PaneState, fold
from anoman_tui.core.report import Guardrail, cost_of, gateway_cost, header_metadata, metadata_of, read_report
from tests.support import a_target, stamped

META = {
    "guardrails": {"pii": {"status": "pass", "score": Decimal("0.01")}, "injection": {"status": "warn"}},
    "routing": {"mode": "auto", "region": "id"},
    "cache": {"hit": False},
    "cost_usd": "0.000041",
    "weighted_tokens": 44,
}


def test_the_documented_fields() -> None:
    """Claim: guardrails, routing, cache, cost and weighted tokens are read as documented."""
    report = read_report(META)
    assert report.guardrails == (Guardrail("pii", "pass", Decimal("0.01")), Guardrail("injection", "warn", None))
    assert [guardrail.passed for guardrail in report.guardrails] == [True, False]
    assert (report.routing_mode, report.region, report.cache_hit) == ("auto", "id", False)
    assert (report.cost_usd, report.weighted_tokens) == (Decimal("0.000041"), Decimal(44))


@pytest.mark.parametrize(
    "value",
    [
        {"_anoman": META},
        {"error": {"_anoman": META}},
        {"response": {"_anoman": META}},
        {"message": {"_anoman": META}},
        {"choices": [], "_anoman": META},
    ],
)
def test_wherever_it_stands(value: Any) -> None:
    """Claim: metadata is found in a frame of its own, in a chunk, and inside an error, a response or a message."""
    assert metadata_of(value) == META


@pytest.mark.parametrize(
    "value", [None, [], "x", {}, {"_anoman": None}, {"_anoman": "x"}, {"_anoman": {}}, {"error": "x"}, {"error": {"_anoman": []}}]
)
def test_where_there_is_none(value: Any) -> None:
    """Claim: what is no object, or an empty one, is no metadata."""
    assert metadata_of(value) is None


@pytest.mark.parametrize(
    "hostile", [None, True, 5, Decimal("1e-39"), "x" * 10_000, "\x1b[31m", [], [[]], {}, {"a": {"b": {}}}, "NaN", "1e999", "-1"]
)
def test_any_value_in_any_place(hostile: Any) -> None:
    """Claim: whatever stands in a documented field, reading never raises, and no absurd number comes out."""
    for name in ("guardrails", "routing", "cache", "cost_usd", "weighted_tokens"):
        report = read_report({name: hostile})
        for number in (report.cost_usd, report.weighted_tokens):
            assert number is None or (number.is_finite() and len(f"{number:f}") < 100)
    read_report({"guardrails": {"x": hostile, "y": {"status": hostile, "score": hostile}}})
    read_report(hostile)


@pytest.mark.parametrize(
    ("value", "cost"),
    [
        ("0.000041", Decimal("0.000041")),
        (Decimal("4.1E-5"), Decimal("0.000041")),
        (0, Decimal(0)),
        ("0", Decimal(0)),
        (" 1.5 ", Decimal("1.5")),
        (-1, None),
        ("-0.1", None),
        ("free", None),
        ("", None),
        (True, None),
        (None, None),
        ("NaN", None),
        ("Infinity", None),
        ("1e9999", None),
        ([], None),
    ],
)
def test_costs(value: Any, cost: Decimal | None) -> None:
    """Claim: a number or a numeric string is a cost, zero too; everything else, and a negative one, is unknown."""
    assert cost_of(value) == cost


def test_the_gateways_own_cost_goes_first() -> None:
    """Claim: `_anoman.cost_usd` goes before `usage.cost`, and that before LiteLLM's header."""
    header = HeadersReceived(200, (("x-litellm-response-cost", "0.3"),))
    usage, meta = UsageReported(Usage(cost_usd=Decimal("0.2"))), MetadataReported({"cost_usd": "0.1"})

    def cost(*events: Any) -> Decimal | None:
        return gateway_cost(fold(PaneState(a_target()), stamped(*events)))

    assert cost(header, usage, meta) == Decimal("0.1")
    assert cost(header, usage) == Decimal("0.2")
    assert cost(header) == Decimal("0.3")
    assert cost(header, MetadataReported({"cost_usd": "unknown"})) == Decimal("0.3")
    assert cost() is None


def test_gateway_headers_are_shown_by_prefix() -> None:
    """Claim: every header of a gateway's own is kept, and no other."""
    state = fold(
        PaneState(a_target()), stamped(HeadersReceived(200, (("x-anoman-cache", "hit"), ("x-anypath-channel", "a"), ("server", "x"))))
    )
    assert header_metadata(state) == {"x-anoman-cache": "hit", "x-anypath-channel": "a"}


def test_a_gateway_s_own_headers_are_metadata_too() -> None:
    """No page names them, so all are kept; a cost among them is the server's word."""
    headers = (("x-anoman-cache", "MISS"), ("x-anoman-cost-usd", "0.001"), ("content-type", "text/event-stream"))
    state = PaneState(a_target(), headers=headers)
    assert pane_record(state, 1)["gateway"] == {"headers": {"x-anoman-cache": "MISS", "x-anoman-cost-usd": "0.001"}}
    assert pane_record(state, 1)["cost"]["usd"] == "0.001"
    assert pane_record(PaneState(a_target()), 1)["gateway"] is None
