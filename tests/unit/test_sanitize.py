"""Foreign text made safe to show."""

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anoman_tui.core.sanitize import MAX_MARKS, Sanitizer, clean, clean_line

NASTY = st.sampled_from(
    [
        "a", "é", "e\u0301", "\u0301", "\u0302" * 3, "\r", "\n", "\r\n", "\t", "\x00", "\x1b", "\x1b[31m", "\x1b]52;c;aGk=\x07", "\x7f",
        "\x85", "\x9b", "\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\x1e", "\x1f", "\u202e", "\u2066", "\u200f", "\u061c", "\u200b",
        "\u2060",         "\xad", "\ufeff", "\u180e", "\ufff9", "\ud83d", "\ude00", "\ud83d\ude00", "\udb40", "\udc41",
        "\U000e0041", "\U000e0100", "\u200d",
        "\u200c", "\ufe0f", "👩‍👩‍👧", "日本", "क्‍ष",
    ]
)  # fmt: skip
TEXTS = st.lists(NASTY, max_size=30).map("".join) | st.text(st.characters(codec=None), max_size=60)


def feed_in_pieces(text: str, cuts: list[int]) -> str:
    """Feed in pieces."""
    sanitizer = Sanitizer()
    edges = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    return "".join(sanitizer.feed(text[a:b]) for a, b in pairwise(edges)) + sanitizer.finish()


@given(TEXTS, st.lists(st.integers(0, 1_000), max_size=12))
def test_the_result_does_not_depend_on_the_pieces(text: str, cuts: list[int]) -> None:
    """The result does not depend on the pieces."""
    assert feed_in_pieces(text, cuts) == clean(text)


@given(TEXTS)
def test_one_character_at_a_time_gives_the_same(text: str) -> None:
    """One character at a time gives the same."""
    assert feed_in_pieces(text, list(range(len(text)))) == clean(text)


@given(TEXTS)
def test_nothing_unsafe_is_left(text: str) -> None:
    """Nothing unsafe is left."""
    for char in clean(text):
        assert char in "\n\t\u200c\u200d" or unicodedata.category(char) not in ("Cc", "Cs", "Cf", "Zl", "Zp") or _is_visible_format(char)


def _is_visible_format(char: str) -> bool:
    """Signs that Unicode counts as formats although they are drawn: Arabic and other number signs, hieroglyph joiners."""
    return unicodedata.category(char) == "Cf" and (
        "\u0600" <= char <= "\u08e2" or "\U000110bd" <= char <= "\U0001343f" or "\U0001bca0" <= char <= "\U0001d17a"
    )


@given(TEXTS)
def test_clean_text_stays_as_it_is(text: str) -> None:
    """Clean text stays as it is."""
    once = clean(text)
    assert clean(once) == once


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E) | st.sampled_from("äßñ日本😀\n\t")))
def test_harmless_text_is_not_changed(text: str) -> None:
    """Harmless text is not changed."""
    assert clean(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\r\nb\rc\n", "a\nb\nc\n"),
        ("a\x0bb\x0cc\x1cd\x1ee\x85f\u2028g\u2029h", "a\nb\nc\nd\ne\nf\ng\nh"),
        ("a\tb", "a\tb"),
        ("\x1b[31mred\x1b[0m\x07", "␛[31mred␛[0m␇"),
        ("\x00\x7f\x1f", "␀␡␟"),
        ("\x9b31m", "‹009B›31m"),
        ("a\u202eb\u2066c", "a‹202E›b‹2066›c"),
        ("a\u200bb\ufeff", "a‹200B›b‹FEFF›"),
        ("\U000e0041\U000e0101", "‹E0041›‹E0101›"),
        ("\ud83d\ude00", "😀"),
        ("\ud83dx\ude00", "\ufffdx\ufffd"),
        ("\udb40\udc41", "‹E0041›"),
        ("👩‍👩‍👧 ☁️", "👩‍👩‍👧 ☁️"),
    ],
)
def test_what_is_shown(text: str, shown: str) -> None:
    """What is shown."""
    assert clean(text) == shown


def test_marks_beyond_the_limit_are_dropped_after_each_base() -> None:
    """Marks beyond the limit are dropped after each base."""
    marks = "\u0300\u0301\u0302\u0303\u0304\u0305"
    assert clean(f"a{marks * 50}b{marks[:2]}") == f"a{marks[:MAX_MARKS]}b{marks[:2]}"


def test_a_surrogate_pair_may_come_in_two_pieces() -> None:
    """A surrogate pair may come in two pieces."""
    sanitizer = Sanitizer()
    assert [sanitizer.feed("x\ud83d"), sanitizer.feed("\ude00y"), sanitizer.finish()] == ["x", "😀y", ""]


def test_what_is_held_back_comes_at_the_end() -> None:
    """What is held back comes at the end."""
    sanitizer = Sanitizer()
    assert [sanitizer.feed("a\r"), sanitizer.finish(), sanitizer.feed("b\ud83d"), sanitizer.finish()] == ["a", "\n", "b", "\ufffd"]


@pytest.mark.parametrize(
    ("text", "limit", "line"),
    [
        ("  a \n\t b\r\nc ", 20, "a b c"),
        ("abcdef", 6, "abcdef"),
        ("abcdefg", 6, "abcde…"),
        ("abcd  efg", 6, "abcd…"),
        ("a\x1b]0;x\x07", 20, "a␛]0;x␇"),
        ("abc", 1, "…"),
        ("abc", 0, ""),
        ("", 5, ""),
    ],
)
def test_one_line(text: str, limit: int, line: str) -> None:
    """One line."""
    assert clean_line(text, limit) == line


@given(TEXTS, st.integers(0, 40))
def test_one_line_is_one_line_within_its_limit(text: str, limit: int) -> None:
    """One line is one line within its limit."""
    line = clean_line(text, limit)
    assert len(line) <= limit
    assert "\n" not in line
    assert "\t" not in line
