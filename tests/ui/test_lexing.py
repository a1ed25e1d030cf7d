"""Code gets the very tokens that Pygments gives, at a part of the cost."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]

from anoman_tui.ui.document import lexing
from anoman_tui.ui.document.lexing import first_characters, quick_lexer

NAMES = ["python", "bash", "javascript", "rust", "go", "html", "css", "sql", "diff", "toml", "kotlin"]
ATOMS = [
    "def ", "class ", "foo", "Bar(", "x = ", "1.5e3", "0x1F", '"a"', "'b'", '"""', "f'{x!r:>3}'", "b'", "# c", "// d", "/*", "*/",
    "<a b='c'>", "&amp;", "$HOME", "${x}", "`", "\\", " ", "  ", "\t", "(", ")", "{", "}", "[", "]", ":", ";", ".", ",", "+", "-", "=>",
    "->", "==", "@", "!", "if ", "import a", "from b", "return", "None", "é", "日", "\u017f", "\u212a", "SELECT ", "select ", "K", "let ",
    "fn ", "<", ">", "|", "%", "#!",
]  # fmt: skip


@pytest.fixture(autouse=True)
def _learned(monkeypatch: pytest.MonkeyPatch) -> None:
    """All rules of a state are known from the first line on."""
    monkeypatch.setattr(lexing, "PER_LINE", 1_000)


@pytest.mark.parametrize("name", NAMES)
def test_tokens_are_those_of_pygments(name: str) -> None:
    """Claim: for any line, and whatever is wrong in it."""
    lexer = get_lexer_by_name(name, ensurenl=False, stripnl=False)
    quick = quick_lexer(lexer)
    assert quick is not None

    @settings(max_examples=60, deadline=None)
    @given(
        st.lists(st.sampled_from(ATOMS) | st.text(max_size=3).map(lambda text: re.sub(r"[\r\n\ufeff]", "", text)), max_size=14).map("".join)
    )
    def same(text: str) -> None:
        assert list(quick.tokens(text)) == [(kind, value) for _, kind, value in lexer.get_tokens_unprocessed(text)]

    same()


@pytest.mark.parametrize(
    ("pattern", "flags", "first"),
    [
        ("abc", 0, "a"),
        (r"\b(?:ab|cd)", 0, "ac"),
        (r"(?<!\.)x?y", 0, "xy"),
        (r"[^\W\d]+", re.VERBOSE, None),
        ("(?i)k", 0, "kK"),
        ("(?i:k)x|K", 0, "kK"),
        (r"(\d+)\1", 0, "0123456789"),
        ("[a-c-]", 0, "abc-"),
        ("a{2,}?b", 0, "a"),
    ],
)
def test_with_what_an_expression_begins(pattern: str, flags: int, first: str | None) -> None:
    """Claim: the characters are read from the expression."""
    found = first_characters(re.compile(pattern, flags))
    assert found == (
        frozenset(first) if first is not None else {char for char in map(chr, range(0x20, 0x7F)) if char.isalpha() or char == "_"}
    )


@pytest.mark.parametrize("pattern", ["", "a*", "a?|b", r"(?=a)", r"(a)|\1", ".", "(?i)[\u0100-\u0200]"])
def test_what_is_not_known_is_tried_everywhere(pattern: str) -> None:
    """Claim: an expression that may be empty, or that cannot be read, is never left out."""
    assert len(first_characters(re.compile(pattern))) == 0x7F - 0x20


def test_rules_are_read_a_few_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: a short piece of code pays for little, a long one tries few expressions, and one character at least that most never match."""
    monkeypatch.setattr(lexing, "PER_LINE", 2)
    quick = quick_lexer(get_lexer_by_name("python", ensurenl=False, stripnl=False))
    assert quick is not None
    root = quick._states["root"]
    assert len(root.before("z")) == len(root.rules)
    for _ in range(len(root.rules)):
        list(quick.tokens("x = 1"))
    assert len(root.before("z")) < len(root.rules) / 4
    assert len(root.before("é")) == len(root.rules)
