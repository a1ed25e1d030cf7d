"""Every fault of the embedded gateway is named rightly, over real sockets; and a healthy stream has no finding."""

import re
from collections.abc import Iterator

import pytest

from anoman_tui.core.contract import findings, verdict
from anoman_tui.core.document import pane_record
from anoman_tui.core.outcome import Outcome, outcome
from anoman_tui.core.target import Shape
from anoman_tui.transport.network import Network
from tests.contract.kit import ALL, ANOMAN, ANYPATH, MESSAGES, a_gateway, a_target, stream


@pytest.fixture(scope="module")
def slow_root() -> Iterator[str]:
    """A gateway in real time."""
    with a_gateway(1) as url:
        yield url


FAULTS = [
    *((*where, "fault-swapped-model", "served-model") for where in ALL),
    *((*where, "fault-no-usage", "anoman-usage") for where in ANOMAN),
    *((*where, "fault-no-usage", "messages-usage") for where in MESSAGES),
    ("anypath", Shape.CHAT, "fault-no-usage", "anypath-usage"),
    ("anypath", Shape.RESPONSES, "fault-no-usage", "responses-usage"),
    ("anypath", Shape.GEMINI, "fault-no-usage", "anypath-usage"),
    ("anypath", Shape.RESPONSES, "fault-sequence", "responses-sequence"),
    *((*where, "fault-late-metadata", "anoman-metadata-place") for where in ANOMAN),
    *((*where, "fault-done-after-error", "finish-after-error") for where in ANOMAN),
    *((*where, "fault-done-after-error", "done-after-error") for where in (*MESSAGES, *ANYPATH[:2])),
    *((*where, "fault-truncated", "anoman-done") for where in ANOMAN),
    ("anoman", Shape.MESSAGES, "fault-truncated", "truncated"),
    *((*where, "fault-truncated", "anypath-terminal") for where in ANYPATH),
    *((*where, "fault-no-role", "anoman-role-first") for where in ANOMAN),
    *((*where, "fault-no-metadata", "anoman-metadata") for where in ANOMAN),
    *((*where, "fault-open-block", "messages-blocks") for where in MESSAGES),
    ("anypath", Shape.RESPONSES, "fault-open-block", "responses-pairs"),
    ("anypath", Shape.GEMINI, "fault-no-finish", "gemini-finish-reason"),
    *((*where, "fault-zero-usage", "usage-contradicted") for where in (*ANOMAN, *ANYPATH) if where[1] is not Shape.MESSAGES),
    *((*where, "fault-total-usage", "total-contradicted") for where in (*ANOMAN, *ANYPATH) if where[1] is not Shape.MESSAGES),
    *((*where, "fault-cached-usage", "cached-beyond-input") for where in (*ANOMAN, *ANYPATH) if where[1] is not Shape.MESSAGES),
    *((*where, "fault-shrunk-usage", "usage-start-end") for where in (*MESSAGES, ("anypath", Shape.GEMINI))),
    *((*where, "fault-denied-limit", "limit-reached") for where in ALL),
    *((*where, "fault-json-beside", "text-beside-json") for where in ALL),
]
CONTRADICTIONS = frozenset(
    {
        "served-model",
        "usage-contradicted",
        "total-contradicted",
        "cached-beyond-input",
        "usage-start-end",
        "limit-reached",
        "text-beside-json",
        "finish-after-error",
    }
)
"""What no page forbids, but what cannot be true."""


@pytest.mark.parametrize(("gateway", "shape", "model", "rule"), FAULTS)
def test_a_fault_is_named_rightly(root: str, network: Network, gateway: str, shape: Shape, model: str, rule: str) -> None:
    """Claim: the finding of a fault names it, on the gateway and shape where it can happen, and stands in the record."""
    state = stream(network, a_target(root, gateway, shape, model), **({"max_tokens": 20} if rule == "limit-reached" else {}))
    found = {finding.rule: finding for finding in findings(state)}
    assert rule in found
    assert rule in [entry["rule"] for entry in pane_record(state, 1)["findings"]]
    if rule in CONTRADICTIONS:
        assert set(found) == {rule}
        assert not verdict(state).broken
    else:
        assert verdict(state).mark.startswith("!")
        assert 1 <= (found[rule].frame or 1) <= state.wire.frames


def test_an_end_after_an_error_is_named_alone(root: str, network: Network) -> None:
    """Claim: what such an end lacks besides is not told; on AnyPath the error frame itself is."""
    for gateway, shape in ALL:
        state = stream(network, a_target(root, gateway, shape, "fault-done-after-error"))
        named = "finish-after-error" if (gateway, shape) in (*ANOMAN, ("anypath", Shape.GEMINI)) else "done-after-error"
        assert outcome(state) is Outcome.FAILED
        assert {found.rule for found in findings(state)} == {named, *(["anypath-error-frame"] if gateway == "anypath" else [])}


@pytest.mark.parametrize(("gateway", "shape"), [("anoman", Shape.CHAT), ("anypath", Shape.GEMINI)])
def test_buffering_is_named(slow_root: str, network: Network, gateway: str, shape: Shape) -> None:
    """Claim: frames that were held back and sent at once are told from the stamps, and nothing else is found."""
    (found,) = findings(stream(network, a_target(slow_root, gateway, shape, "fault-buffered")))
    assert found.rule == "delivery-buffered"
    assert re.fullmatch(r"buffered upstream: \d+ frames in \d+ ms after [\d.]+ m?s", found.message)


@pytest.mark.parametrize(("gateway", "shape"), ALL)
@pytest.mark.parametrize("model", ["scripted-fast", "scripted-reasoning", "claude-sonnet-4-6"])
def test_a_healthy_stream_has_no_finding(root: str, network: Network, gateway: str, shape: Shape, model: str) -> None:
    """Claim: a healthy stream of either gateway in any shape breaks no rule, also where the limit ends it, and all rules hold."""
    for params in ({}, {"max_tokens": 30}):
        state = stream(network, a_target(root, gateway, shape, model), **params)
        assert findings(state) == ()
        judged = verdict(state)
        assert judged.holds == judged.total >= 9
        assert judged.mark == f"{judged.holds}/{judged.total}"


@pytest.mark.parametrize("model", ["scripted-break", "scripted-interrupt"])
def test_a_stream_that_fails_as_documented_has_no_other_finding(root: str, network: Network, model: str) -> None:
    """Claim: a gateway that ends a broken stream in its documented way breaks no rule; AnyPath's way is the truncation itself."""
    for gateway, shape in ALL:
        state = stream(network, a_target(root, gateway, shape, model))
        rules = {found.rule for found in findings(state)}
        assert outcome(state) in (Outcome.FAILED, Outcome.TRUNCATED)
        assert rules <= ({"anypath-terminal", "gemini-finish-reason"} if gateway == "anypath" else set()), (gateway, shape)
        assert ("anypath-terminal" in rules) is (gateway == "anypath")
