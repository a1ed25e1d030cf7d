"""Money before it is spent: what a send may cost, what the session has cost, and whether to ask or refuse."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal

from anoman_tui.core.request import Request
from anoman_tui.core.state import PaneState
from anoman_tui.core.target import Target

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
    """Whether a target costs nothing: it runs on this machine or in a private network."""
    raise NotImplementedError


def expect(requests: Iterable[Request], price: Price) -> Expected:
    """What sending these requests may cost. `price` may be slow when it is first called."""
    raise NotImplementedError


def spend(spent: Spent, states: Iterable[PaneState]) -> Spent:
    """The session's sums after these finished panes as well."""
    raise NotImplementedError


def check(expected: Expected, spent: Spent, threshold: Decimal | None, cap: Decimal | None) -> Verdict:
    """Whether to send: `threshold` is the sum above which one asks, `cap` the session's limit; None is none."""
    raise NotImplementedError
