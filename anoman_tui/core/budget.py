"""Money before it is spent: what a send may cost, what the session has cost, and whether to ask or refuse.

Prices are list prices, without any discount or margin, so every sum of them is an estimate. A target that is sent no key
has nobody to bill: it is free and never asks.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Final

from anoman_tui.core.headers import is_secret_name
from anoman_tui.core.jsonish import plain
from anoman_tui.core.records import dataclass
from anoman_tui.core.report import gateway_cost
from anoman_tui.core.request import Prompt, Request
from anoman_tui.core.state import PaneState
from anoman_tui.core.target import Target

USUAL_OUTPUT: Final = 500
"""Output tokens of an answer of usual length, where its limit is not lower."""
BYTES_PER_TOKEN: Final = 4
TURN_TOKENS: Final = 4
"""What each turn costs beside its text; with BYTES_PER_TOKEN the rule of thumb of the model makers' own pages."""
HIGHER: Final = ", or start with a higher cap_usd in config.toml"
LARGEST: Final = 999_999_999
SMALLEST: Final = Decimal("0.00000001")
"""Between these an amount in USD is written out; what a server reports may be anything."""

Price = Callable[[Target, int, int], Decimal | None]
"""The list price in USD of (target, input tokens, output tokens); None where no list knows the model."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What one send may cost, in USD by list prices."""

    requests: int
    """Requests of this send, free ones too."""
    paid: int
    """Requests to targets that may cost money."""
    likely: Decimal | None
    """With an answer of the usual length; None where no price is known. Panes without a price are left out."""
    at_most: Decimal | None
    """With every answer at its limit of tokens; None where a paid pane has no limit or no price is known."""
    unknown: int
    """Paid requests without a known price."""
    max_tokens: int | None
    """The largest limit of output tokens; None where a paid pane has none."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What a session has cost, in USD. Sums from different sources stay apart."""

    reported: Decimal = Decimal(0)
    """By the gateways' own figures."""
    estimated: Decimal = Decimal(0)
    """By list prices, for answers whose server named no cost."""
    unknown: int = 0
    """Answers with neither."""


@dataclass(frozen=True, slots=True)
class Ok:
    """Send without a word."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Show the sentence, and send on a second Enter."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Refuse:
    """Show the sentence, and do not send."""

    sentence: str


Verdict = Ok | Ask | Refuse


def is_free(target: Target) -> bool:
    """Whether a target costs nothing: it runs in this program, or no key and no secret header goes with the request."""
    keyed = target.sends_key or any(is_secret_name(name.lower()) for name in target.provider.headers)
    return target.provider.local or not keyed


def input_tokens(prompt: Prompt) -> int:
    """About how many tokens a prompt has, with its system prompt and all turns before it."""
    texts = [prompt.system or "", *(text for _, text in prompt.turns)]
    return sum(TURN_TOKENS + math.ceil(len(text.encode("utf-8", "replace")) / BYTES_PER_TOKEN) for text in texts if text)


def expect(requests: Iterable[Request], price: Price) -> Expected:
    """What sending these requests may cost. `price` is asked twice for each paid one, and may be slow when it is first called."""
    everything = list(requests)
    paid = [request for request in everything if not is_free(request.target)]
    limits = [request.params.max_tokens for request in paid]
    likely = [_price(request, price, min(request.params.max_tokens or USUAL_OUTPUT, USUAL_OUTPUT)) for request in paid]
    known = [cost for cost in likely if cost is not None]
    most = [None if limit is None else _price(request, price, limit) for request, limit in zip(paid, limits, strict=True)]
    bounded = [cost for cost in most if cost is not None]
    return Expected(
        requests=len(everything),
        paid=len(paid),
        likely=sum(known, Decimal(0)) if known else None,
        at_most=sum(bounded, Decimal(0)) if bounded and len(bounded) == len(most) else None,
        unknown=len(paid) - len(known),
        max_tokens=max((limit for limit in limits if limit is not None), default=None) if None not in limits else None,
    )


def _price(request: Request, price: Price, output: int) -> Decimal | None:
    return price(request.target, input_tokens(request.prompt), output)


def spend(spent: Spent, states: Iterable[PaneState]) -> Spent:
    """The session's sums after these finished panes as well. An answer that was refused with an HTTP error costs nothing."""
    for state in states:
        if state.target.provider.local:
            continue  # the embedded gateway's own figures are no money
        if (cost := gateway_cost(state)) is not None:
            spent = replace(spent, reported=spent.reported + cost)
        elif is_free(state.target):
            continue
        elif state.list_usd is not None:
            spent = replace(spent, estimated=spent.estimated + state.list_usd)
        elif state.status is not None and state.status < 400:
            spent = replace(spent, unknown=spent.unknown + 1)
    return spent


def check(expected: Expected, spent: Spent, threshold: Decimal | None, cap: Decimal | None) -> Verdict:
    """Whether to send: `threshold` is the sum in USD above which one asks, `cap` the session's limit; None is none.

    A send is refused where the cap is reached or would be passed by answers of usual length. One asks where answers at
    their limit would pass it, where a cap is set and a price is not known, and where the send may cost more than the threshold.
    """
    if not expected.paid:
        return Ok()
    if cap is not None and (refused := _refusal(expected, spent, cap)):
        return Refuse(refused)
    if cap is not None and (expected.unknown or spent.reported + spent.estimated + _most(expected) > cap):
        return Ask(f"{_cost(expected)}; {_left(spent, cap)}: Enter sends")
    if threshold is not None and (_most(expected) > threshold or (expected.unknown and threshold <= 0)):
        return Ask(f"{_cost(expected)}: Enter sends")
    return Ok()


def _most(expected: Expected) -> Decimal:
    """The larger of the sums that are known."""
    return max(expected.at_most or Decimal(0), expected.likely or Decimal(0))


def _refusal(expected: Expected, spent: Spent, cap: Decimal) -> str:
    so_far, next_one = spent.reported + spent.estimated, expected.likely or Decimal(0)
    if so_far >= cap:
        return f"not sent: the session's cap of {dollars(cap)} is reached ({sums(spent)}); begin a new session{HIGHER}"
    if so_far + next_one > cap:
        return f"not sent: {_cost(expected)}, which would pass the session's cap of {dollars(cap)} ({sums(spent)}); ask for less{HIGHER}"
    return ""


def _left(spent: Spent, cap: Decimal) -> str:
    left = f"{dollars(cap - spent.reported - spent.estimated)} of the session's cap of {dollars(cap)} are left"
    return f"{left}, {spent.unknown} {_plural('answer', spent.unknown)} not counted" if spent.unknown else left


def _cost(expected: Expected) -> str:
    """The request in words, such as `3 requests, at most 400 tokens each, about $0.002 by list prices`."""
    parts = [f"{expected.paid} paid {_plural('request', expected.paid)}"]
    if expected.max_tokens is None:
        parts.append("no limit of tokens")
    else:
        parts.append(f"at most {expected.max_tokens} tokens" + (" each" if expected.paid > 1 else ""))
    if expected.likely is None:
        parts.append("no known price")
        return ", ".join(parts)
    usual = expected.max_tokens is None or expected.max_tokens > USUAL_OUTPUT
    parts.append(f"about {dollars(expected.likely)} by list prices" + (f" for answers of {USUAL_OUTPUT} tokens" if usual else ""))
    if expected.at_most is not None and usual:
        parts.append(f"at most {dollars(expected.at_most)}")
    if expected.unknown:
        parts.append(f"{expected.unknown} without a known price")
    return ", ".join(parts)


def sums(spent: Spent) -> str:
    """The session's sums in words, each with where it comes from, such as `$0.0021 reported, ~$0.004 by list prices`."""
    parts = [f"{dollars(spent.reported)} reported"] if spent.reported or not (spent.estimated or spent.unknown) else []
    if spent.estimated:
        parts.append(f"~{dollars(spent.estimated)} by list prices")
    if spent.unknown:
        parts.append(f"{spent.unknown} {_plural('answer', spent.unknown)} of unknown cost")
    return ", ".join(parts)


def _plural(noun: str, count: int) -> str:
    return noun if count == 1 else f"{noun}s"


def dollars(usd: Decimal) -> str:
    """An amount with two digits after its first, and whole cents from a dollar on: $0.0021, $0.40, $12.50."""
    if abs(usd) > LARGEST:
        return f">${LARGEST}" if usd > 0 else f"<$-{LARGEST}"
    if 0 < usd < SMALLEST:
        return f"<${plain(SMALLEST)}"
    places = 2 if usd == 0 or abs(usd) >= 1 else min(8, max(2, 1 - usd.adjusted()))
    return f"${plain(usd.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_EVEN))}"
