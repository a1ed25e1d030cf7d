"""Variables of a prompt: which there are, and what is sent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anoman_tui.core.variables import fill, names


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", ()),
        ("Translate {{text}} into {{language}}, then {{text}} again.", ("text", "language")),
        ("{{ a }} {{\tb-2_x}}", ("a", "b-2_x")),
        ("{{{x}}}", ("x",)),
        ("{{2x}} {{}} {{ }} {{a b}} {x} {{x} {{\nx}} {{ä}}", ()),
        (r"\{{x}} and {{y}}", ("y",)),
    ],
)
def test_the_names_in_order_of_first_use(text: str, found: tuple[str, ...]) -> None:
    """Claim: distinct names, blanks inside the braces allowed, and everything else is text."""
    assert names(text) == found


def test_values_go_in_once_and_as_they_are() -> None:
    r"""Claim: a value that looks like a variable, a pattern or a group is not read again, and unknown names stay."""
    assert fill("{{a}} {{ b }} {{c}}", {"a": "{{b}}", "b": r"\1 \{{c}}"}) == r"{{b}} \1 \{{c}} {{c}}"
    assert fill('{"q": {{{a}}}}', {"a": "1"}) == '{"q": {1}}'


def test_a_backslash_makes_braces_text() -> None:
    r"""Claim: `\{{name}}` is sent as `{{name}}`, filled or not; a backslash elsewhere stays."""
    assert fill(r"\{{a}} \n \{a\}", {"a": "1"}) == r"{{a}} \n \{a\}"
    assert fill(r"\{{a}}", {}) == "{{a}}"


@given(st.text(alphabet="{}ab \\\t-", max_size=60), st.text(alphabet="{}ab\\", max_size=8))
def test_nothing_but_variables_and_their_backslashes_changes(text: str, value: str) -> None:
    """Claim: without values only backslashes go, and without variables the values do not matter."""
    assert fill(text, {}).replace("\\", "") == text.replace("\\", "")
    if not names(text):
        assert fill(text, {"a": value, "b": value}) == fill(text, {})


def test_hostile_braces_take_no_time() -> None:
    """Claim: a megabyte of braces and blanks is read in one pass."""
    for text in ("{{" + " " * 1_000_000, "{{" * 500_000, "{{a" * 300_000, "{{" + "a" * 1_000_000):
        assert names(text) == ()
