"""Reading untrusted JSON and writing our own."""

import json
from decimal import Decimal
from typing import Any

import pytest

from anoman_tui.core.jsonish import UnreadableError, count, decimal_of, dumps, items, loads, obj, plain, text_of, word


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.10", Decimal("1.10")),
        ("4.1e-05", Decimal("0.000041")),
        ("1e999999999", "1e999999999"),
        ("0." + "1" * 50, "0." + "1" * 50),
        ("9" * 40, int("9" * 40)),
        ("-" + "9" * 41, -int("9" * 41)),
        ("9" * 43, "9" * 43),
        ("-" + "9" * 5_000, "-" + "9" * 5_000),
        ("NaN", None),
        ("-Infinity", None),
        ('"\\ud83d"', "\ud83d"),
        (' {"a": [1]} ', {"a": [1]}),
        ('{"a":1,"a":2}', {"a": 2}),
    ],
)
def test_reading_is_exact_and_bounded(text: str, value: Any) -> None:
    """Claim: fractions are exact, numbers of hostile size are text, and constants that are no JSON are null."""
    assert loads(text) == value


@pytest.mark.parametrize(
    "text", ["", " ", "{", '{"a":}', "[1,]", "nul", "[" * 100_000, '{"a":' * 50_000, '"a\nb"', "1 2", "'x'", "\ufeff{}", '"\\ud8"']
)
def test_what_cannot_be_read(text: str) -> None:
    """Claim: text that is no JSON, and nesting beyond bounds, give one kind of error."""
    with pytest.raises(UnreadableError):
        loads(text)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Decimal("4.1E-5"), "0.000041"),
        (Decimal("1E+3"), "1000"),
        (Decimal("0E-8"), "0.00000000"),
        (1e-7, "0.0000001"),
        (1e20, "100000000000000000000"),
        (float("nan"), "null"),
        (float("inf"), "null"),
        (True, "true"),
        (None, "null"),
        ("é\u2028", '"é\\u2028"'),
        ("\x9b31m\x7f\u202e\x85", '"\\u009b31m\\u007f\\u202e\\u0085"'),
        ("a\ud800b", '"a\ufffdb"'),
        ("\ud83d\ude00", '"😀"'),
        ("\ufdd0", '"\ufffd"'),
        ("\x1b[31m", '"\\u001b[31m"'),
        ({"a": (1, Decimal("0.10"))}, '{"a": [1, 0.10]}'),
        ({"\ud800": 1}, '{"\ufffd": 1}'),
        ({1: 2}, '{"1": 2}'),
        ('"\ufdd01"', '"\\"\ufffd1\\""'),
    ],
)
def test_writing(value: Any, written: str) -> None:
    """Claim: numbers have no exponent, text is always UTF-8, and nothing a server sends passes for a number of ours."""
    assert dumps(value) == written
    dumps(value).encode("utf-8")
    json.loads(dumps(value))


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (1, Decimal(1)),
        ("1.5", Decimal("1.5")),
        (" 2 ", Decimal(2)),
        (Decimal(3), Decimal(3)),
        (0.1, Decimal("0.1")),
        (True, None),
        ("1_000", Decimal(1000)),
        ("x", None),
        ("", None),
        (None, None),
        ([], None),
        ("NaN", None),
        ("sNaN", None),
        ("1e41", None),
        ("1e-41", None),
        ("9" * 41, None),
        (10**50, None),
        (float("inf"), None),
    ],
)
def test_numbers_of_sane_size(value: Any, number: Decimal | None) -> None:
    """Claim: a finite number of sane size comes out of numbers and numeric strings, and None out of everything else."""
    assert decimal_of(value) == number


@pytest.mark.parametrize(
    ("value", "counted"),
    [
        (0, 0),
        (7, 7),
        (Decimal("7.0"), 7),
        (Decimal("7.5"), None),
        (-1, None),
        (True, None),
        ("7", None),
        (None, None),
        (10**15, 10**15),
        (10**15 + 1, None),
        ([], None),
    ],
)
def test_counts(value: Any, counted: int | None) -> None:
    """Claim: a count is a whole number from 0 up to a bound; everything else is unknown."""
    assert count(value) == counted


def test_the_largest_number_comes_back() -> None:
    """Claim: the largest number that is taken as one is still one after it was written and read again."""
    for text in ("1e40", "-1e40", "1e-40"):
        assert dumps(loads(dumps(loads(text)))) == dumps(loads(text))
    assert dumps(loads("1e40")) == "1" + "0" * 40


def test_picking() -> None:
    """Claim: picking a typed value out of anything gives an empty one where the type is another."""
    assert (obj([]), obj({"a": 1}), items({}), items([1]), text_of(None), text_of("x")) == ({}, {"a": 1}, [], [1], "", "x")
    values: list[Any] = ["x", "", 5, 0, Decimal("1E+2"), True, None, [], {}]
    assert [word(value) for value in values] == [
        "x",
        None,
        "5",
        "0",
        "100",
        None,
        None,
        None,
        None,
    ]
    assert plain(Decimal("1E-7")) == "0.0000001"
