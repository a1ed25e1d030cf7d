"""The values of variables out of the command line."""

import pytest

from anoman_tui.filling import filled, values_of
from anoman_tui.problems import ConfigError


def test_values_are_filled_in() -> None:
    """Claim: a value may hold anything, = and braces too; a later one wins; escaped braces are text."""
    values = values_of(["a=1", "b=x=y {{c}}\n", "a="])
    assert filled(r"{{a}}|{{ b }}|\{{a}}", values) == "|x=y {{c}}\n|{{a}}"
    assert filled("none", {}) == "none"


@pytest.mark.parametrize(
    ("prompt", "given", "says"),
    [
        ("{{a}}", ["a"], "--var a: give NAME=VALUE"),
        ("{{a}}", ["=x"], "--var =x: give NAME=VALUE"),
        ("{{a}}", ["1a=x"], "--var 1a=x: give NAME=VALUE"),
        ("{{a}}", ["b=x"], "--var b: the prompt has no such variable; it has a"),
        ("a", ["b=x"], "the prompt has no such variable; it has none"),
        ("{{a}}", [], r"the variable a has no value: give --var a=VALUE, or write \{{a}} for those letters"),
        ("{{a}} {{b-c}}", [], "the variables a, b-c have no value: give --var a=VALUE"),
    ],
)
def test_what_is_missing_or_too_much_is_named(prompt: str, given: list[str], says: str) -> None:
    """Claim: one sentence with the name and what to do."""
    with pytest.raises(ConfigError) as wrong:
        filled(prompt, values_of(given))
    assert says in str(wrong.value)
