"""What panes side by side say: differences, their meaning, and what is merely not sent."""

import json
from dataclasses import replace
from typing import Any

import pytest

from anoman_tui.core.comparing import Row, compare, likeness
from anoman_tui.core.events import Ending
from anoman_tui.core.pane import PaneState
from anoman_tui.core.target import Policy, Shape
from anoman_tui.core.twin import Hit, cache_hit, compare_pair, compare_twin
from tests.support import JSON_TYPE, a_target, play, sse


def chat(text: str, *, finish: str = "stop", ending: Ending = Ending.CLEAN, **top: Any) -> PaneState:
    """A chat stream of one chunk with these fields beside it."""
    chunk = {"model": "demo", "choices": [{"delta": {"content": text}, "finish_reason": finish}], **top}
    return play(Shape.CHAT, [sse(json.dumps(chunk), "[DONE]")], ending=ending)


def rows(*states: PaneState) -> dict[str, Row]:
    """The rows by name."""
    return {row.name: row for row in compare(states)}


def usage(spent: int, made: int, **details: int) -> dict[str, Any]:
    """A usage object."""
    return {"prompt_tokens": spent, "completion_tokens": made, "prompt_tokens_details": details}


@pytest.mark.parametrize(
    ("base", "other", "want"),
    [
        ("a b", "a b", "same"),
        ("a b", "a  b\n", "same but for whitespace"),
        ("a b c", "a x c", "differs at word 2"),
        ("a b c", "a b", "same up to word 2, where one of them ends"),
        ("a bcd", "a b", "same up to word 2, where one of them ends"),
        ("a b c", "a  b", "differs at word 3"),
    ],
)
def test_likeness(base: str, other: str, want: str) -> None:
    """Claim: texts are compared by words, and an end is no difference."""
    assert likeness(base, other) == want


def test_what_is_not_sent_is_no_difference() -> None:
    """Claim: a pane without usage, cost or checks is `--` and differs in nothing; it never counts as 0."""
    made = rows(chat("x", usage=usage(400, 1), _anoman={"cost_usd": "0.1", "guardrails": {"pii": {"status": "pass"}}}), chat("x"))
    for name, cell in (("input tokens", "400="), ("cost", "$0.1="), ("guardrail pii", "pass="), ("output tokens", "1=")):
        assert made[name].cells[0] == cell
        assert not made[name].differs
        assert not made[name].says
    assert [made[name].cells[1] for name in ("input tokens", "cost", "guardrail pii")] == ["--"] * 3
    assert made["output tokens"].cells[1] == "1~"
    assert [made[name].known for name in ("input tokens", "cached", "list price")] == [True, False, False]


def test_sentences_where_a_difference_means_something() -> None:
    """Claim: hidden input, a limit, a check that is missing or stops, and a cost beside equal tokens are said in words."""
    one = chat("x", usage=usage(10, 2), _anoman={"cost_usd": "0.10", "guardrails": {"pii": "pass", "injection": "pass"}})
    two = chat("x", usage=usage(400, 2, cached_tokens=300), finish="length", _anoman={"guardrails": {"pii": "redacted"}})
    made = rows(one, two)
    assert made["input tokens"].says == "input tokens differ by 390: the template of the shape, or a hidden prompt"
    assert made["cached"].says == "input tokens read from the provider's cache: pane 2 300"
    assert made["finish reason"].says == "pane 1 ended by itself, pane 2 ended at its limit"
    assert made["guardrail pii"].says == "pane 2 did not pass"
    assert made["guardrail injection"].says == "pane 2: other checks are reported, but not this one"
    assert all(made[name].differs for name in ("input tokens", "finish reason", "guardrail pii", "guardrail injection"))
    dear = chat("x", usage=usage(10, 2), _anoman={"cost_usd": "0.25"})
    assert rows(one, dear)["cost"].says == "costs differ by $0.15, though the tokens are the same"
    counted = chat("x", usage=usage(10, 5))
    assert rows(one, counted)["output tokens"].says.startswith("the texts are the same, but output tokens differ by 3")


def test_a_pane_that_failed_says_why_and_hostile_text_stays_one_line() -> None:
    """Claim: the outcome row holds the reason, and no cell or sentence holds a control character."""
    bad = play(Shape.CHAT, [sse('{"error":{"message":"no\\u001b[2J\\nmore"}}')])
    odd = chat(
        "x", model="a\u001b[31mb\nc", _anoman={"guardrails": {"p\ni": {"status": "\u202ebad"}}, "routing": {"mode": "\u001b]0;x\u0007"}}
    )
    made = compare((odd, bad))
    words = " ".join(f"{row.name} {row.says} {' '.join(row.cells)}" for row in made)
    assert words.isprintable()
    assert {row.name: row.says for row in made}["outcome"].startswith("pane 2: no")
    assert compare(()) is not None
    assert rows(chat(""))["text"].cells == ("--",)


def test_a_twin_that_contradicts_the_page() -> None:
    """Claim: other counts for the same text are said to go against the page; other texts may differ by themselves."""
    answer = {"model": "demo", "choices": [{"message": {"content": "x"}, "finish_reason": "stop"}], "usage": usage(9, 1)}
    single = play(Shape.CHAT, [json.dumps(answer).encode()], headers=JSON_TYPE)
    made = compare_twin(chat("x", usage=usage(5, 1)), single)
    assert made.verdict == "they differ in: input tokens"
    pages = compare_twin(replace(chat("x", usage=usage(5, 1)), target=a_target(policy=Policy.ANOMAN)), single).remarks
    assert pages[-1].text == "the page says that both are counted alike, but they differ: input tokens"
    assert pages[-1].page.endswith("identical to non-streaming")
    other = compare_twin(chat("y", usage=usage(9, 1)), single)
    assert other.verdict == "they differ in: text"
    assert other.remarks[0].text.startswith("two answers to one prompt may differ by themselves")


@pytest.mark.parametrize(
    ("cold", "warm", "kind", "how"),
    [
        ({}, {"cached_tokens": 256}, Hit.PROVIDER, "256 cached tokens of 300 input tokens"),
        ({"cached_tokens": 256}, {"cached_tokens": 256}, Hit.PROVIDER, "it was warm already"),
        ({"cached_tokens": 0}, {"cached_tokens": 0}, Hit.NONE, "the usage has 0 cached tokens"),
        ({}, {}, Hit.UNKNOWN, "neither"),
    ],
)
def test_how_a_hit_is_known(cold: dict[str, int], warm: dict[str, int], kind: Hit, how: str) -> None:
    """Claim: a hit of the provider's cache is known by its cached tokens, and nothing said is not the same as no hit."""
    one, two = (chat("x", usage=usage(300, 1, **details)) for details in (cold, warm))
    found = cache_hit(one, two)
    assert found[0] is kind
    assert how in found[1]
    assert how in compare_pair(one, two).verdict
