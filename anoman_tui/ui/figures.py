"""Numbers as text. Every number keeps the mark of where it came from; what is unknown is `--`, never 0."""

from decimal import ROUND_HALF_EVEN, Decimal

from anoman_tui.core.jsonish import plain
from anoman_tui.core.metrics import Count, Source

UNKNOWN = Source.NOT_SENT.value
MAX_MONEY = 12
"""Characters of an amount shown as it was sent; a longer one is rounded."""
_SMALLEST = Decimal("0.00000001")
_LARGEST = Decimal(999_999_999)


def seconds(ms: float | None) -> str:
    """A duration given in milliseconds, in at most six characters up to an hour."""
    if ms is None:
        return UNKNOWN
    if ms < 9_995:
        return f"{max(ms, 0) / 1000:.2f}s"
    if ms < 99_950:
        return f"{ms / 1000:.1f}s"
    whole = round(ms / 1000)
    if whole < 3600:
        return f"{whole // 60}m{whole % 60:02d}s"
    return f"{whole // 3600}h{whole % 3600 // 60:02d}m"


def whole(value: int) -> str:
    """A count in at most six characters up to a thousand million."""
    if value < 100_000:
        return str(value)
    if value < 10_000_000:
        return f"{value / 1000:.0f}k"
    return f"{value / 1_000_000:.0f}M"


def counted(count: Count) -> str:
    """A count with its mark."""
    return UNKNOWN if count.value is None else f"{whole(count.value)}{count.source.value}"


def rate(per_second: float | None, source: Source) -> str:
    """A rate per second with its mark."""
    if per_second is None:
        return UNKNOWN
    digits = 1 if per_second < 9.95 else 0
    shown = f"{per_second:.{digits}f}" if per_second < 99_999 else ">99999"
    return f"{shown}{source.value}"


def money(usd: Decimal) -> str:
    """An amount of US dollars without exponent, as it was sent where that is short enough."""
    text = plain(usd)
    if len(text) <= MAX_MONEY:
        return f"${text}"
    if usd > _LARGEST:
        return f">${_LARGEST}"
    if 0 < usd < _SMALLEST:
        return f"<${plain(_SMALLEST)}"
    places = max(0, MAX_MONEY - 1 - len(str(int(usd))))
    return f"${plain(usd.quantize(Decimal(1).scaleb(-min(places, 8)), rounding=ROUND_HALF_EVEN))}"


def score(value: Decimal | None) -> str:
    """A guardrail's score, short; empty where none was sent."""
    if value is None:
        return ""
    text = plain(value)
    if len(text) <= 6:
        return text
    if abs(value) >= 1000:
        return "<-999" if value < 0 else ">999"
    return plain(value.quantize(Decimal("0.001"), rounding=ROUND_HALF_EVEN))
