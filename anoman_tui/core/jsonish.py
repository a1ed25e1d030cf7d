"""Reading untrusted JSON, and picking typed values out of it. Nothing here raises on any input but `loads`."""

import json
import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from json.scanner import make_scanner
from typing import Any

from anoman_tui.core.chunks import mend_surrogates
from anoman_tui.core.late import late

Json = Any
"""Whatever JSON can hold; fractional numbers are Decimal."""

MAX_NUMBER_DIGITS = 40
"""Numbers with more digits, or further from 1 than 10**±40, are kept as text: as a plain number they could fill the screen."""


class UnreadableError(ValueError):
    """The text is no JSON that can be read."""


def _fraction(text: str) -> Decimal | str:
    number = decimal_of(text)
    return text if number is None else number


def _whole(text: str) -> int | str:
    return int(text) if len(text) <= MAX_NUMBER_DIGITS + 2 else text  # a sign, and 10**40 written out


_DECODER = json.JSONDecoder(parse_float=_fraction, parse_int=_whole, parse_constant=lambda _: None)
_SCAN = make_scanner(_DECODER)  # type: ignore[arg-type] # the stub asks for a scanner where the decoder is meant


def loads(text: str) -> Json:
    """Parse JSON with exact fractions. Raises UnreadableError only."""
    try:
        value, end = _SCAN(text, 0)
        if end == len(text):
            return value
    except (StopIteration, ValueError, RecursionError):
        pass  # blanks around the value, or no JSON: the whole decoder says which
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError) as wrong:
        raise UnreadableError(str(wrong)[:200]) from None


def decimal_of(value: Json) -> Decimal | None:
    """A finite number of sane size out of a number or a numeric string; None for everything else, booleans too."""
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
        return None
    try:
        number = value if isinstance(value, Decimal) else Decimal(str(value).strip())
    except (InvalidOperation, ValueError):
        return None
    if not number.is_finite() or len(number.as_tuple().digits) > MAX_NUMBER_DIGITS or abs(number.adjusted()) > MAX_NUMBER_DIGITS:
        return None
    return number


def plain(number: Decimal) -> str:
    """A decimal number without exponent."""
    return f"{number:f}"


def obj(value: Json) -> dict[str, Json]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: Json) -> list[Json]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def text_of(value: Json) -> str:
    """The value if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def word(value: Json) -> str | None:
    """A short label out of a string or a number; None for everything else and for an empty string."""
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
        return None
    return (plain(value) if isinstance(value, Decimal) else str(value)) or None


def count(value: Json) -> int | None:
    """A token count: a whole number from 0 up to 10**15; None for everything else."""
    if isinstance(value, Decimal) and value == value.to_integral_value():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value <= 10**15 else None


_OBEYED = late(lambda: re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]"))
"""What a terminal may obey or a reader take for a line end; JSON may have it escaped."""
_MARK = "\ufdd0"
_MARKED = re.compile(f'"{_MARK}([^"]*)"')


def dumps(value: Json, *, indent: int | None = None) -> str:
    """JSON text in which Decimals are numbers without exponent, which is UTF-8, and which no terminal obeys and no reader splits."""
    written = json.dumps(_writable(value), ensure_ascii=False, indent=indent)
    return _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", _MARKED.sub(r"\1", written))


def _writable(value: Json) -> Json:
    if isinstance(value, Decimal):
        return f"{_MARK}{plain(value)}"
    if isinstance(value, float):
        return f"{_MARK}{plain(Decimal(repr(value)))}" if value == value and abs(value) != float("inf") else None
    if isinstance(value, str):
        return _writable_text(value)
    if isinstance(value, Mapping):
        return {_writable_text(str(name)): _writable(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_writable(inner) for inner in value]
    return value


def _writable_text(text: str) -> str:
    return mend_surrogates(text).replace(_MARK, "\ufffd")
