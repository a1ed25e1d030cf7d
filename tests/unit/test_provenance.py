"""Each number's mark, and the reason for it."""

import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from anoman_tui.core.contract import findings
from anoman_tui.core.events import Closed, Ending, ListPriced, Stamped
from anoman_tui.core.metrics import Source, timing
from anoman_tui.core.pane import PaneState, fold
from anoman_tui.core.provenance import reason, source
from anoman_tui.core.target import Shape
from tests.support import JSON_TYPE, MS, a_provider, a_target, opened, play, sse

NUMBERS = (
    *("connect_ms", "ttfh_ms", "ttfe_ms", "ttft_ms", "ttfa_ms", "e2e_ms", "done_ms", "stall_max_ms", "cancel_local_ms", "elapsed"),
    *("tpot_ms", "output_tps", "rate", "input_tokens", "output_tokens", "cached_tokens", "cache_write_tokens", "uncached_tokens"),
    *("reasoning_tokens", "total_tokens", "estimate", "cost", "list", "weighted", "model", "finish_reason"),
)


def chat(*texts: str, **last: Any) -> PaneState:
    """A whole chat stream of these pieces; `last` stands beside the finish reason."""
    pieces = [json.dumps({"choices": [{"delta": {"content": text}}]}) for text in texts]
    end = json.dumps({"choices": [{"delta": {}, "finish_reason": "stop"}], **last})
    return play(Shape.CHAT, [sse(frame) for frame in (*pieces, end, "[DONE]")])


def usage(spent: int, made: int, **more: Any) -> dict[str, Any]:
    """A usage object."""
    return {"prompt_tokens": spent, "completion_tokens": made, **more}


def test_reported() -> None:
    """Claim: a reported number names the frame that holds it, and its mark is `=`."""
    state = chat("a", "b", "c", usage=usage(7, 3, total_tokens=10), _anoman={"cost_usd": "0.1", "weighted_tokens": 40})
    for what, words in (
        ("input_tokens", "reported in frame 4"),
        ("output_tokens", "reported in frame 4"),
        ("cost", "reported: cost_usd of the gateway's metadata in frame 4"),
        ("weighted", "reported: weighted_tokens of the gateway's metadata in frame 4"),
        ("finish_reason", "reported in frame 4"),
        ("output_tps", "3 reported output tokens, and 2.0 ms measured from first to last content"),
    ):
        assert (source(state, what), reason(state, what)) == (Source.REPORTED, words)
    assert reason(state, "ttft_ms").startswith("measured here: the read with the first piece of text")
    assert f"{timing(state).ttft_ms:,.1f} ms" in reason(state, "ttft_ms")
    assert reason(chat("a", usage=usage(1, 1, cost=0.25)), "cost") == "reported: the cost beside the usage in frame 2"


def test_estimated_and_not_sent() -> None:
    """Claim: an estimate says by what it was made, and what did not come says so and is never 0."""
    state = chat("abcd", "efgh")
    assert source(state, "output_tokens") is Source.ESTIMATED
    assert "4 characters a token, and never fewer than the 2 pieces" in reason(state, "output_tokens")
    assert "3.1 characters a token, as earlier answers" in reason(replace(state, characters_per_token=3.1), "output_tokens")
    assert (source(state, "input_tokens"), reason(state, "input_tokens")) == (Source.NOT_SENT, "no usage came")
    assert source(state, "cost") is Source.NOT_SENT
    counted = chat("x", usage=usage(7, 1))
    assert reason(counted, "cached_tokens") == "the usage in frame 2 has no such count"
    priced = fold(counted, [Stamped(99 * MS, ListPriced(Decimal("0.02")))])
    assert source(priced, "list") is Source.ESTIMATED
    assert "7 input and 1 output tokens at a public list price" in reason(priced, "list")


@pytest.mark.parametrize(
    ("what", "last", "words"),
    [
        ("output_tokens", {"usage": usage(7, 0)}, "0 output tokens are reported, but an answer came"),
        ("cached_tokens", {"usage": usage(7, 1, prompt_tokens_details={"cached_tokens": 9})}, "9 cached tokens are more than the 7 input"),
        ("total_tokens", {"usage": usage(7, 1, total_tokens=99)}, "the total of 99 is not"),
        ("model", {"model": "other"}, "other was served where demo was asked for"),
    ],
)
def test_contradicted(what: str, last: dict[str, Any], words: str) -> None:
    """Claim: a number that cannot be true has the mark `≠`, and the reason says what contradicts it."""
    state = replace(chat("x", **last), target=replace(a_target(), provider=a_provider("openai")))
    assert source(state, what) is Source.CONTRADICTED
    assert f"contradicted: {words}" in reason(state, what)


@pytest.mark.parametrize(
    ("stated", "listed", "hit", "told"),
    [
        ("0.000041", "0.000081", False, False),
        ("0.041", "0.000081", False, True),
        ("0.000041", "0.041", False, True),
        ("0.000002", "0.0000001", False, False),
        ("0", "0.081", False, False),
        ("0.0001", "0.081", True, False),
    ],
)
def test_a_cost_against_list_prices(stated: str, listed: str, hit: bool, told: bool) -> None:
    """Claim: a cost far from tokens times price is told; a discount, a margin, rounding, a free answer and a cache hit are not."""
    state = chat("x", usage=usage(7, 4), _anoman={"cost_usd": stated, "cache": {"hit": hit}})
    state = fold(state, [Stamped(99 * MS, ListPriced(Decimal(listed)))])
    assert ("cost-contradicted" in [found.rule for found in findings(state)]) is told
    assert (source(state, "cost") is Source.CONTRADICTED) is told
    assert ("7 input and 4 output tokens at list price" in reason(state, "cost")) is told


def test_every_number_has_a_reason_at_any_time() -> None:
    """Claim: before, while and after a stream, for JSON and for none at all, each number has a reason in one line."""
    whole = play(Shape.CHAT, [b'{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}'], headers=JSON_TYPE)
    failed = fold(PaneState(a_target()), [*opened(), Stamped(20 * MS, Closed(Ending.CUT))])
    for state in (PaneState(a_target()), fold(PaneState(a_target()), opened()), failed, whole, chat("a", "b", usage=usage(1, 2))):
        for what in NUMBERS:
            assert reason(state, what).isprintable()
            assert reason(state, what)
            assert source(state, what) in Source
    assert reason(whole, "ttft_ms") == "the answer came whole as JSON, so nothing came first"
    assert reason(whole, "no such number") == ""
