"""List prices and token weights, as data. Money is `Decimal`, in US dollars."""

from dataclasses import dataclass
from decimal import Decimal

from anoman_tui.emulator.answer import Usage

_MILLION = Decimal(1_000_000)
_STEP = Decimal("0.000000001")


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens, and Anoman's weight of one token of this model."""

    input_usd: Decimal
    output_usd: Decimal
    weight: int


PRICES: dict[str, Price] = {
    # The sample of the Anoman page gives 44 weighted tokens for 11 tokens of claude-sonnet-4-6: a weight of 4.
    "claude-sonnet-4-6": Price(Decimal(3), Decimal(15), 4),
    "gpt-4o-mini": Price(Decimal("0.15"), Decimal("0.60"), 1),
    "gemini-2.5-flash": Price(Decimal("0.30"), Decimal("2.50"), 2),
    "smollm2-135m-instruct": Price(Decimal("0.02"), Decimal("0.04"), 1),
}
DEFAULT_PRICE = Price(Decimal("0.50"), Decimal("1.50"), 1)


def price_of(model: str) -> Price:
    """The price row of a model, or the default row."""
    return PRICES.get(model, DEFAULT_PRICE)


def cost_usd(model: str, usage: Usage) -> Decimal:
    """What this usage costs, in US dollars."""
    price = price_of(model)
    return ((usage.input_tokens * price.input_usd + usage.output_tokens * price.output_usd) / _MILLION).quantize(_STEP)


def weighted_tokens(model: str, usage: Usage) -> int:
    """Anoman's weighted tokens: all tokens times the model's weight."""
    return usage.total_tokens * price_of(model).weight


def money(amount: Decimal) -> str:
    """A decimal string without exponent, at least six decimals: `0.000041`."""
    text = format(amount.quantize(_STEP), "f")
    whole, _, decimals = text.partition(".")
    return f"{whole}.{decimals.rstrip('0').ljust(6, '0')}"
