"""A document that grows ends as if it had come at once, loses nothing, and costs the same for each token."""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from anoman_tui.ui.document import Line, Section, inline, quick
from anoman_tui.ui.document import styles as s
from anoman_tui.ui.document.lines import line_text
from anoman_tui.ui.document.markdown import Markdown

ATOMS = [
    "word ", "foo", "# H", "## H2\n", "\n", "\n\n", "- a", "- ", "-", "* b", "+ c", "1. x", "2. y", "10) z", "  ",
    "    ", "   - n", "      deep\n", "```", "```py\n", "````", "~~~", "~~~~\n", "| a | b |\n", "|---|---|\n",
    "| 1 | 2 |\n", "| 1 | 2 | 3 |\n", "> q", "> ", ">> r\n", "---\n", "===\n", "--", "***", "**b**", "*i", "`c`",
    "[l](http://u)", "[x][1]\n", "[1]: http://z\n", "![im](s)", "<b>t</b>", "<div>\n", "</div>\n", "<!-- c -->\n", "&",
    "\\*", "\t", "\r\n", "\r", "\u2028", "日本語", "👩\u200d👩\u200d👧", "é", "a|b\n", "-|-\n", "x ", "~~s~~", "  \n", "\\\n",
    "code()\n",
]  # fmt: skip
DOCUMENTS = st.lists(st.sampled_from(ATOMS), max_size=50).map("".join)
LONG = st.tuples(DOCUMENTS, st.lists(st.sampled_from(ATOMS), min_size=1, max_size=8).map("".join), st.integers(20, 120), DOCUMENTS).map(
    lambda parts: (parts[0] + parts[1] * parts[2] + parts[3])[:8_000]
)
QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SLOW = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example])

ANSWER = """## Step {n}

A paragraph of **normal** text with `inline code`, a [link](https://example.com/{n}) and more words so that it wraps over a few lines.

- first item with some text {n}
- second item, *emphasised* words here
- third item: `code` and more text to wrap over the end of the line, maybe twice

```python
def function_{n}(value: int) -> str:
    return f"result: {value}"  # a comment
```

| name | value | note |
|---|---:|---|
| alpha | {n} | first |

1. one
2. two

> A quote of a line or two, {n}.

"""


def lines_of(pieces: Iterable[str], width: int, *, markdown: bool = True) -> list[Line]:
    """The lines of a finished text that came in pieces."""
    section = Section(width, markdown=markdown)
    for piece in pieces:
        section.push(piece)
    section.finish()
    return [section.line(y) for y in range(len(section))]


def cut(text: str, sizes: list[int]) -> list[str]:
    """The text in pieces of these sizes, again and again."""
    out, at, turn = [], 0, 0
    while at < len(text):
        out.append(text[at : at + sizes[turn % len(sizes)]])
        at += sizes[turn % len(sizes)]
        turn += 1
    return out


@QUICK
@given(DOCUMENTS, st.lists(st.integers(1, 40), min_size=1, max_size=5), st.sampled_from([8, 12, 30, 66]))
def test_streaming_gives_the_same_lines(text: str, sizes: list[int], width: int) -> None:
    """However the text was cut, the lines are those of the whole text."""
    assert lines_of(cut(text, sizes), width) == lines_of([text], width)


@SLOW
@given(LONG, st.lists(st.integers(1, 700), min_size=1, max_size=5), st.sampled_from([12, 66]))
def test_streaming_long_blocks_gives_the_same_lines(text: str, sizes: list[int], width: int) -> None:
    """This holds as well where paragraphs, lists, tables and fences are so long that they are frozen in parts."""
    assert lines_of(cut(text, sizes), width) == lines_of([text], width)


@QUICK
@given(DOCUMENTS, st.lists(st.integers(1, 40), min_size=1, max_size=5), st.sampled_from([8, 30]))
def test_streaming_plain_text_gives_the_same_lines(text: str, sizes: list[int], width: int) -> None:
    """Plain text too."""
    assert lines_of(cut(text, sizes), width, markdown=False) == lines_of([text], width, markdown=False)


@QUICK
@given(DOCUMENTS | LONG, st.sampled_from([8, 30, 66]))
def test_no_letter_is_lost(text: str, width: int) -> None:
    """Every letter and digit of the source is on the screen, but for the targets of images and links that say themselves."""
    source = Counter(char for char in re.sub(r"\]\([^)]*\)", "", text) if char.isalnum())
    shown = Counter(char for line in lines_of([text], width) for char in line_text(line) if char.isalnum())
    assert not source - shown


@QUICK
@given(DOCUMENTS, st.integers(20, 80))
def test_no_line_is_wider_than_the_pane(text: str, width: int) -> None:
    """Lines stay within the width."""
    assert all(cell_len(line_text(line)) <= width for line in lines_of([text], width))


@QUICK
@given(DOCUMENTS)
def test_a_growing_document_keeps_what_is_frozen(text: str) -> None:
    """Frozen lines never change, so what was drawn stays right."""
    section = Section(40, markdown=True)
    frozen: list[Line] = []
    for char in text:
        section.push(char)
        now = section.layout.frozen
        assert now[: len(frozen)] == frozen
        frozen = list(now)


def answer(tokens: int) -> str:
    """A typical long answer of so many tokens of four characters."""
    parts, size, n = [], 0, 0
    while size < tokens * 4:
        parts.append(ANSWER.replace("{n}", str(n)))
        size += len(parts[-1])
        n += 1
    return "".join(parts)[: tokens * 4]


ENDLESS: dict[str, Callable[[int], str]] = {
    "answer": answer,
    "paragraph": lambda tokens: "word words, " * (tokens // 3),
    "hard-wrapped paragraph": lambda tokens: "some words and\nmore " * (tokens // 5),
    "one word": lambda tokens: "abcd" * tokens,
    "list": lambda tokens: "- an item of text\n" * (tokens * 4 // 18),
    "numbered list": lambda tokens: "".join(f"{n}. item\n" for n in range(tokens * 4 // 11)),
    "nested list": lambda tokens: "- a\n" + "  - an inner item\n" * (tokens * 4 // 18),
    "table": lambda tokens: "| a | b |\n|---|---|\n" + "| 1 | two words |\n" * (tokens * 4 // 18),
    "fence": lambda tokens: "```python\n" + "x = function(1)  # c\n" * (tokens * 4 // 21),
    "fence in a list": lambda tokens: "1. a\n   ```\n" + "   x = 1\n" * (tokens * 4 // 9),
    "one line of code": lambda tokens: "```\n" + "abcd" * tokens,
    "quote": lambda tokens: "> quoted words here\n" * (tokens * 4 // 20),
    "indented code": lambda tokens: "    code here\n" * (tokens * 4 // 14),
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_the_cost_of_a_token_does_not_grow(kind: str) -> None:
    """Characters parsed and lines laid out per token stay as they are to the end, whatever block never ends."""
    text = ENDLESS[kind](32_000 if kind in ("answer", "paragraph", "fence") else 12_000)
    document = Markdown(66)
    costs: list[tuple[int, int]] = []
    for at, piece in enumerate(cut(text, [132])):
        document.push(piece)
        if at in (len(text) // 132 // 8, len(text) // 132 // 4):
            costs.append((document.parsed, document.laid))
    costs.append((document.parsed, document.laid))
    (parsed_8th, laid_8th), (parsed_4th, laid_4th), (parsed, laid) = costs
    # From a quarter to the end are six times the tokens from an eighth to a quarter; a quadratic cost would be 30 times.
    assert parsed - parsed_4th <= 9 * (parsed_4th - parsed_8th) + 20_000
    assert laid - laid_4th <= 9 * (laid_4th - laid_8th) + 1_000
    assert parsed <= 40 * len(text)


HOSTILE = {
    "quotes": ">" * 10_000,
    "brackets": "[" * 10_000,
    "brackets in an item": "- " + "[" * 10_000,
    "images": "![" * 5_000,
    "emphasis": "*a **b " * 1_500,
    "backticks": "".join("`" * (n % 50) + "a" for n in range(2_000)),
    "lists": "".join("  " * n + "- a\n" for n in range(200)),
    "list marks": "* + " * 3_000,
    "one word": "a" * 1_000_000,
    "one line": "word " * 200_000,
    "one heading": "# " + "word " * 200_000,
    "one item": "- " + "word " * 200_000,
    "one line of code": "```python\n" + "x = 1;" * 170_000,
    "one wide line": "日本語" * 60_000,
    "pipes": "|" * 20_000 + "\n" + "|-" * 10_000,
    "marks": "e" + "\u0301" * 100_000,
    "angle brackets": "<" * 20_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_text_is_drawn_soon(kind: str) -> None:
    """Text made to be slow is shown, whole and soon; the bound is wide, since the machine may be busy."""
    started = time.process_time()
    lines = lines_of([HOSTILE[kind]], 66)
    assert time.process_time() - started < 5
    assert lines
    count = sum(char.isalnum() for char in HOSTILE[kind])
    assert sum(char.isalnum() for line in lines for char in line_text(line)) >= count


@QUICK
@given(DOCUMENTS)
def test_the_open_end_looks_like_the_finished_text(text: str) -> None:
    """What is shown while text comes has the letters that came, also in the block that is still open."""
    section = Section(30, markdown=True)
    section.push(text)
    count = sum(char.isalnum() for char in re.sub(r"\]\([^)]*\)", "", text))
    assert sum(char.isalnum() for y in range(len(section)) for char in line_text(section.line(y))) >= count


PIECES = [
    "word ", "foo", "**b**", "**two words**", "**", "*", "`c`", "``", "`", "`a b`", "` ", " ", "(", ")", ".", "!", "![", "[x](u)", "_",
    "snake_case", "é", "日本", "…", "\u00a0", "&", "&lt;", "\\", "~~", "<", "\n", "-", "“", ":", "**a*", "1",
]  # fmt: skip
SIMPLE_LINES = [
    "Some words", "more `code` here", "**Strong** start", "`code` start", "- an item", "- **b**: item", "* other item", "1. one", "2. two",
    "10) ten", "# H", "## H `c`", "## H #", "# a | b", "```py", "```", "x = 1", "a | b", "---|---", "| a | b |", "|---|---|", "---", "===",
    "> q", "", "", "", " ", "\t", "  indented", "    deep", "  - inner", "-", "[x]: u", "(a)", "- [ ] open", "- - x", "Some words  ",
    "* * *", "+ x", "1. - x", "| a | b |\n|---|:-:|", "| a |\n|-|\n| `1` | 2 |",
    "| c | d", "|:--|--:|", "|:-:|-|", "| 1 | 2 | 3 |", "| `a` | **b** |", "|", "||", "| 1 \\| 2 |", "|-|", "| only |", "Ends:",
]  # fmt: skip
SIMPLE = st.lists(st.sampled_from(SIMPLE_LINES), max_size=14).map("\n".join)


@settings(QUICK, max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.sampled_from([s.TEXT, s.HEADING | s.STRONG]))
def test_simple_markup_is_read_as_the_parser_reads_it(text: str, base: int) -> None:
    """What is read without the parser has the same runs."""
    quick = inline.simple_runs(text, base)
    assert quick is None or tuple(quick) == tuple(inline.parsed_runs(text, base))


def grown(text: str, sizes: list[int], width: int) -> list[tuple[list[Line], list[int]]]:
    """What is shown, and where in the text the finished parts begin, after each piece of a text and at its end."""
    document, out = Markdown(width), []
    for piece in cut(text, sizes):
        document.push(piece)
        out.append(([document.line(y) for y in range(len(document))], [offset for _, offset in document.marks]))
    document.finish()
    out.append(([document.line(y) for y in range(len(document))], [offset for _, offset in document.marks]))
    return out


@settings(QUICK, max_examples=200)
@given(SIMPLE | DOCUMENTS | LONG, st.lists(st.integers(1, 300), min_size=1, max_size=5), st.sampled_from([8, 11, 30, 66]))
def test_simple_blocks_are_read_as_the_parser_reads_them(text: str, sizes: list[int], width: int) -> None:
    """Blocks that are read without the parser have the same lines, at every moment, and begin at the same places in the end."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n")
    ours = grown(text, sizes, width)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quick, "finished", lambda *_: None)
        patch.setattr(quick, "unfinished", lambda *_: None)
        patch.setattr(quick, "opens_fence", lambda _: False)
        patch.setattr(inline, "simple_runs", lambda *_: None)
        inline.inline_runs.cache_clear()
        theirs = grown(text, sizes, width)
    inline.inline_runs.cache_clear()
    assert [lines for lines, _ in ours] == [lines for lines, _ in theirs]
    assert ours[-1] == theirs[-1]
