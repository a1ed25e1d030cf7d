"""Money before sending: what it may cost, what was spent, and when one asks or refuses."""

from dataclasses import replace
from decimal import Decimal

import pytest

from anoman_tui.core.budget import Ask, Expected, Ok, Refuse, Spent, check, dollars, expect, input_tokens, is_free, spend, sums
from anoman_tui.core.events import Usage
from anoman_tui.core.pane import PaneState
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.request import Params, Prompt, Request
from anoman_tui.core.target import Target, parse_pane
from anoman_tui.prices import expected as list_price


def target(argument: str) -> Target:
    """A target of the built-in providers."""
    return parse_pane(argument, BUILT_IN)


def asks(*arguments: str, limit: int | None = None, text: str = "x" * 400) -> list[Request]:
    """One request for each pane argument."""
    return [Request(target(argument), Prompt(text), Params(max_tokens=limit)) for argument in arguments]


def price(one: Target, given: int, made: int) -> Decimal | None:
    """A cent for a thousand tokens; nobody knows `secret-model`."""
    return None if one.model == "secret-model" else Decimal(given + made) / 100_000


@pytest.mark.parametrize(
    ("argument", "free"),
    [
        ("local_anoman/chat/x", True),
        ("ollama/chat/x", True),
        ("chat/x@http://127.0.0.1:8080/v1", True),
        ("anoman/chat/x", False),
        ("openai/chat/x@https://api.openai.com", False),
        ("openai/chat/x@http://127.0.0.1:4000", True),
    ],
)
def test_where_no_key_goes_nobody_bills(argument: str, free: bool) -> None:
    """Claim: a target that is sent no key is free; one with a secret header of its own is not."""
    one = target(argument)
    assert is_free(one) is free
    keyed = replace(one, provider=replace(one.provider, local=False, headers={"Authorization": "Bearer x"}))
    assert not is_free(keyed)


def test_the_whole_prompt_is_counted() -> None:
    """Claim: system prompt and earlier turns count, by bytes, so that scripts of three bytes a letter are not taken for short."""
    assert input_tokens(Prompt("")) == 0
    assert input_tokens(Prompt("x" * 400)) == 104
    assert input_tokens(Prompt("x" * 400, "y" * 40, (("user", "z" * 4), ("assistant", "潮" * 4)))) == 104 + 14 + 5 + 7
    assert input_tokens(Prompt("\ud800" * 4)) == 5


def test_what_a_send_may_cost() -> None:
    """Claim: paid requests are summed with answers of usual length and at their limit; free ones cost nothing; unknown ones are counted."""
    found = expect(asks("openai/chat/a", "anoman/chat/b", "local_anoman/chat/c", limit=400), price)
    assert found == Expected(3, 2, Decimal("0.01008"), Decimal("0.01008"), 0, 400)
    found = expect(asks("openai/chat/a", "openai/chat/secret-model", limit=2_000), price)
    assert found == Expected(2, 2, Decimal("0.00604"), None, 1, 2_000)
    found = expect(asks("openai/chat/a"), price)
    assert (found.likely, found.at_most, found.max_tokens) == (Decimal("0.00604"), None, None)
    assert expect(asks("ollama/chat/a"), price) == Expected(1, 0, None, None, 0, None)
    assert expect(asks("openai/chat/secret-model"), price).likely is None


def said(limit: int | None, *arguments: str, threshold: str | None = None, cap: str | None = None, spent: Spent | None = None) -> str:
    """The verdict's kind and sentence."""
    found = check(
        expect(asks(*arguments, limit=limit), price),
        spent or Spent(),
        None if threshold is None else Decimal(threshold),
        None if cap is None else Decimal(cap),
    )
    return type(found).__name__ if isinstance(found, Ok) else f"{type(found).__name__}: {found.sentence}"


PAID = ("openai/chat/a", "anoman/chat/b", "anypath/chat/c")


def test_one_asks_above_the_threshold() -> None:
    """Claim: the sentence names the number of requests, their limit and the sum; a free send and a small one go without a word."""
    assert said(400, *PAID) == "Ok"
    assert said(400, *PAID, threshold="0.02") == "Ok"
    assert said(400, *PAID, threshold="0.01") == "Ask: 3 paid requests, at most 400 tokens each, about $0.015 by list prices: Enter sends"
    assert (
        said(4_000, *PAID, threshold="0.1")
        == "Ask: 3 paid requests, at most 4000 tokens each, about $0.018 by list prices for answers of 500 tokens, "
        "at most $0.12: Enter sends"
    )
    assert (
        said(None, PAID[0], threshold="0")
        == "Ask: 1 paid request, no limit of tokens, about $0.0060 by list prices for answers of 500 tokens: Enter sends"
    )
    assert said(None, "ollama/chat/a", "local_anypath/chat/b", threshold="0", cap="0") == "Ok"


def test_a_price_that_nobody_knows() -> None:
    """Claim: it asks only where everything asks or where a cap could not count it."""
    assert said(100, "openai/chat/secret-model", threshold="0.01") == "Ok"
    assert said(100, "openai/chat/secret-model", threshold="0") == "Ask: 1 paid request, at most 100 tokens, no known price: Enter sends"
    assert (
        said(100, PAID[0], "openai/chat/secret-model", cap="1")
        == "Ask: 2 paid requests, at most 100 tokens each, about $0.0020 by list prices, 1 without a known price; "
        "$1.00 of the session's cap of $1.00 are left: Enter sends"
    )


def test_the_cap_stops_further_sends() -> None:
    """Claim: a cap that is reached or would be passed refuses and says what was spent by whose figures; one that might be passed asks."""
    spent = Spent(Decimal("0.40"), Decimal("0.10"), 2)
    assert (
        said(400, *PAID, cap="0.5", spent=spent)
        == "Refuse: not sent: the session's cap of $0.50 is reached ($0.40 reported, ~$0.10 by list prices, 2 answers of unknown cost); "
        "begin a new session, or start with a higher cap_usd in config.toml"
    )
    assert said(400, *PAID, cap="0.51", spent=spent).startswith("Refuse: not sent: 3 paid requests, at most 400 tokens each, about $0.015")
    assert said(4_000, *PAID, cap="0.6", spent=spent).endswith(
        "at most $0.12; $0.10 of the session's cap of $0.60 are left, 2 answers not counted: Enter sends"
    )
    assert said(400, *PAID, cap="0.6", spent=spent) == "Ok"
    assert isinstance(check(expect(asks(*PAID), price), Spent(), None, Decimal(0)), Refuse)
    assert isinstance(check(expect(asks(*PAID), price), Spent(), Decimal(0), Decimal(1)), Ask)


def test_what_was_spent_is_kept_apart() -> None:
    """Claim: the gateway's own figure goes before the list price, the two are never one sum, and what is local or refused is no money."""
    paid = PaneState(target("openai/chat/a"), status=200)
    states = [
        replace(paid, metadata={"cost_usd": "0.5"}, list_usd=Decimal("0.7")),
        replace(paid, list_usd=Decimal("0.25")),
        replace(paid, metadata={"cost_usd": "-1000"}),
        replace(paid, usage=Usage(input_tokens=1, output_tokens=1)),
        replace(paid, status=429),
        replace(paid, status=None),
        PaneState(target("local_anoman/chat/a"), status=200, metadata={"cost_usd": "9"}),
        PaneState(target("ollama/chat/a"), status=200),
    ]
    spent = spend(Spent(Decimal(1)), states)
    assert spent == Spent(Decimal("1.5"), Decimal("0.25"), 2)
    assert sums(spent) == "$1.50 reported, ~$0.25 by list prices, 2 answers of unknown cost"
    assert sums(Spent()) == "$0.00 reported"


@pytest.mark.parametrize(
    ("usd", "shown"),
    [("0", "$0.00"), ("0.00213", "$0.0021"), ("0.4", "$0.40"), ("12.345", "$12.34"), ("1E-12", "<$0.00000001"), ("1E+39", ">$999999999")],
)
def test_amounts(usd: str, shown: str) -> None:
    """Claim: two digits that count, no exponent, and no amount of a server's breaks the line."""
    assert dollars(Decimal(usd)) == shown


def test_list_prices_before_sending() -> None:
    """Claim: the price list knows the makers' models, also behind a gateway, and says nothing of others."""
    assert list_price(target("anypath/responses/gpt-4o-mini"), 1_000_000, 0) == list_price(target("openai/chat/gpt-4o-mini"), 1_000_000, 0)
    assert list_price(target("openrouter/anthropic/claude-haiku-4.5"), 1_000, 1_000)
    assert list_price(target("openai/chat/no-such-model"), 1, 1) is None
