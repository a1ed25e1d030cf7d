"""What Markdown looks like as lines, and how the parts of a document are put together."""

from itertools import pairwise

import pytest
from rich.cells import cell_len, get_character_cell_size
from rich.style import Style

from anoman_tui.ui.document import AnswerDocument, Line, Palette, Section
from anoman_tui.ui.document import styles as s
from anoman_tui.ui.document.copying import copied_text
from anoman_tui.ui.document.lines import cut_ranges, is_simple, line_text, wrap, wrap_ranges
from anoman_tui.ui.document.theme import COLOURLESS, STYLES


def show(text: str, width: int = 40) -> list[str]:
    """The drawn lines of a Markdown text."""
    return [line_text(line) for line in lay_out(text, width)]


def lay_out(text: str, width: int = 40) -> list[Line]:
    """The lines of a Markdown text."""
    section = Section(width, markdown=True)
    section.push(text)
    section.finish()
    return [section.line(y) for y in range(len(section))]


def styles_of(text: str, part: str) -> set[int]:
    """The styles of all pieces with this text."""
    return {style for line in lay_out(text) for piece, style in line if piece == part}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("# One\ntwo\n\n\nthree", ["One", "", "two", "", "three"]),
        ("One\n===\nTwo\n---\n", ["One", "", "Two"]),
        ("a  \nb\\\nc\nd", ["a", "b", "c d"]),
        ("- a\n- b\n\n- c\n  - d\n\n    e", ["• a", "• b", "", "• c", "  ◦ d", "", "    e"]),
        ("7. a\n7. b\n9. c", ["7. a", "7. b", "9. c"]),
        ("1) a\n\n   b", ["1) a", "", "   b"]),
        ("- - a", ["• ◦ a"]),
        ("-\n- b", ["• ", "• b"]),
        ("> a\n> b\n>\n> c", ["▌ a b", "▌ ", "▌ c"]),
        ("> - a\n>   b", ["▌ • a b"]),
        ("```py\nx = 1\n\ny\n```\nz", [" py", " x = 1", " ", " y", "", "z"]),
        ("````\n```\n````", [" ```"]),
        ("~~~\na\n~~~~~\nb", [" a", "", "b"]),
        ("```\nnever closed", [" never closed"]),
        ("- a\n  ```\n  x\n  ```\n- b", ["• a", "   x", "• b"]),
        ("    indented\n", [" indented"]),
        ("---", ["─" * 40]),
        ("<details>\n<b>x</b> List<String>\n</details>", ["<details> <b>x</b> List<String>", "</details>"]),
        ("<!-- c -->", ["<!-- c -->"]),
        ("a & b &lt; &amp; &#8238;", ["a & b < & ‹202E›"]),
        ("[x][1]\n\n[1]: http://u", ["[x][1]", "", "[1]: http://u"]),
        ("- [ ] open\n- [x] done", ["• [ ] open", "• [x] done"]),
    ],
)
def test_blocks(text: str, lines: list[str]) -> None:
    """Blocks are drawn with the spacing of their source."""
    assert show(text) == lines


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[text](http://u)", "text (http://u)"),
        ("[http://u](http://u)", "http://u"),
        ("<http://u>", "http://u"),
        ("<a@b.c>", "a@b.c"),
        ('[t](http://u "title")', 't (http://u "title")'),
        ("![alt](http://u)", "🖼 alt"),
        ("[a **b**](u)", "a b (u)"),
        ("[x](http://u/&#x202e;)", "x (http://u/%E2%80%AE)"),
    ],
)
def test_links_say_where_they_lead(text: str, line: str) -> None:
    """A target that the text does not say stands behind it; images are named."""
    assert show(text) == [line]


def test_styles_are_combined() -> None:
    """Emphasis nests, also within headings and links."""
    assert styles_of("a **b *c*** `d` ~~e~~", "b ") == {s.STRONG}
    assert styles_of("a **b *c*** `d` ~~e~~", "c") == {s.STRONG | s.EMPHASIS}
    assert styles_of("a **b *c*** `d` ~~e~~", "d") == {s.CODE}
    assert styles_of("a **b *c*** `d` ~~e~~", "e") == {s.STRIKE}
    assert styles_of("# a *b*", "b") == {s.HEADING | s.STRONG | s.EMPHASIS}
    assert styles_of("[*b*](u)", "b") == {s.LINK | s.UNDERLINE | s.EMPHASIS}
    assert styles_of("[*b*](u)", " (u)") == {s.URL}


def test_code_is_coloured_by_the_name_of_its_language_only() -> None:
    """Known languages are lexed, unknown and unnamed ones never guessed."""
    assert styles_of("```python\nreturn 1\n```", "return") == {s.KEYWORD}
    assert styles_of("```python\nreturn 1\n```", "1") == {s.NUMBER}
    assert styles_of("```nosuch\nreturn 1\n```", "return 1") == {s.FENCE}
    assert styles_of("```\nreturn 1\n```", "return 1") == {s.FENCE}
    assert styles_of("```python\n" + "return 1\n" * 2_400 + "raise\n```", "raise") == {s.FENCE}


def test_a_table_has_columns() -> None:
    """Columns are as wide as their cells, aligned as asked; cells that are too many are still shown."""
    assert show("| a | bb |\n|:--|---:|\n| long one | 2 |\n| x | y | z |\n\nend") == [
        "a        │    bb",
        "─────────┼──────",
        "long one │     2",
        "x        │ y | z",
        "",
        "end",
    ]


def test_a_table_shrinks_wraps_and_becomes_records() -> None:
    """Where there is little room columns wrap; where there is none each row becomes a record."""
    table = "| name | text |\n|---|---|\n| alpha | one two three four |\n"
    assert show(table, 20) == ["name  │ text", "──────┼─────────────", "alpha │ one two", "      │ three four"]
    assert show(table, 9) == ["name:", "alpha", "text: one", "two three", "four", "─────────"]


@pytest.mark.parametrize("width", range(1, 13))
def test_tiny_widths(width: int) -> None:
    """Nothing breaks where hardly anything fits."""
    lists = "# head line\n\n- a\n  - b\n    - c\n      - deep text\n\n> > > quoted\n\n"
    text = lists + "| a | b | c |\n|-|-|-|\n| 日本語 | 2 | 3 |\n\n```\n日本語 code\n```"
    document = AnswerDocument(width)
    document.push_answer(text)
    document.push_reasoning("日本語 thinking")
    document.finish()
    shown = "".join(line_text(document.line(y)) for y in range(len(document)))
    assert shown.count("日") == 3
    assert "deep" in shown


@pytest.mark.parametrize(
    ("text", "width", "rows"),
    [
        ("one two three", 7, ["one two", "three"]),
        ("one  two ", 5, ["one", "two "]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("a bcdefghij", 4, ["a", "bcde", "fghi", "j"]),
        ("日本語日本", 4, ["日本", "語日", "本"]),
        ("ab日本 cd", 5, ["ab日", "本 cd"]),
        ("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 4, ["👩‍👩‍👧👩‍👩‍👧", "👩‍👩‍👧"]),
        ("👍🏽👍🏽", 3, ["👍🏽", "👍🏽"]),
        ("e\u0301e\u0301e\u0301e\u0301e\u0301", 4, ["e\u0301" * 4, "e\u0301"]),
        ("a\nb", 4, ["a", "b"]),
        ("", 4, [""]),
        ("日本     ", 5, ["日本"]),
    ],
)
def test_wrapping(text: str, width: int, rows: list[str]) -> None:
    """Rows end at spaces, beside wide characters, else at the width, and never within what is one character to the eye."""
    assert [text[start:end] for start, end, _ in wrap_ranges(text, width)] == rows


def test_code_is_cut_at_the_width() -> None:
    """Code keeps its spaces."""
    assert [("  ab cd"[start:end]) for start, end, _ in cut_ranges("  ab cd", 4)] == ["  ab", " cd"]
    assert [("日本語"[start:end]) for start, end, _ in cut_ranges("日本語", 5)] == ["日本", "語"]
    assert "".join(show("```\n" + "x" * 100 + "\n```", 30)).count("x") == 100


def test_simple_characters_are_one_cell_wide() -> None:
    """Whatever is counted by characters really takes one cell each."""
    assert all(get_character_cell_size(chr(code)) == 1 for code in range(0x20, 0x3000) if code != 0x7F and is_simple(chr(code)))


def test_runs_keep_their_styles_over_line_ends() -> None:
    """A run that is wrapped keeps its style on both lines."""
    lines = wrap([("one ", s.TEXT), ("two three", s.STRONG), (" four", s.TEXT)], 8)
    assert [[piece for piece in line if piece[0]] for line in lines] == [
        [("one ", s.TEXT), ("two", s.STRONG)],
        [("three", s.STRONG)],
        [("four", s.TEXT)],
    ]


def test_copied_text_is_clean() -> None:
    """Soft breaks are joined, bars and padding left out, hard breaks and indentation of code kept."""
    text = "> a quote that is long enough to wrap\n\n- an item that is long enough to wrap\n\n```\nif x:\n    y\n```\n"
    lines = lay_out(text, 20)
    assert copied_text((line, 0, -1) for line in lines) == (
        "a quote that is long enough to wrap\n\n• an item that is long enough to wrap\n\nif x:\n    y"
    )
    assert copied_text([(lines[0], 2, 9)]) == "a quote"


def build(width: int = 30) -> AnswerDocument:
    """A document with all parts."""
    document = AnswerDocument(width)
    document.push_reasoning("first I think\nthen more")
    document.push_answer("# Head\n\nbody")
    document.set_notes([("a note\nof two lines", s.NOTE_WARNING), ("\x1b[31m[/]", s.NOTE_ERROR)])
    document.finish()
    return document


def text_of(document: AnswerDocument) -> list[str]:
    """All drawn lines."""
    return [line_text(line) for line in document.lines(0, len(document))]


def test_parts_stand_below_each_other() -> None:
    """Reasoning, answer and notes are apart, and the reasoning folds."""
    document = build()
    answer = ["", "Head", "", "body", "", "a note", "of two lines", "␛[31m[/]"]
    assert text_of(document) == ["▾ thinking", "┊ first I think", "┊ then more", *answer]
    document.folded = True
    assert text_of(document) == ["▸ thinking", *answer]
    assert document.line(-1) == document.line(99) == ()


def test_notes_are_replaced_as_a_whole() -> None:
    """Setting notes again replaces them; the same notes change nothing."""
    document = build()
    document.take_dirty()
    document.set_notes([("a note\nof two lines", s.NOTE_WARNING), ("\x1b[31m[/]", s.NOTE_ERROR)])
    assert document.take_dirty() is None
    document.set_notes([("other", s.NOTE)])
    assert document.take_dirty() == 7
    assert text_of(document)[-2:] == ["", "other"]


def test_raw_shows_the_source() -> None:
    """The raw view shows the answer's text as it came."""
    document = AnswerDocument()
    document.push_answer("# Head\n\nbody")
    document.raw = True
    assert text_of(document) == ["# Head", "", "body"]
    document.push_answer(" *more*")
    assert text_of(document) == ["# Head", "", "body *more*"]
    document.raw = False
    assert text_of(document) == ["Head", "", "body more"]


def test_another_width_loses_nothing() -> None:
    """Laying out for a width gives what this width would have given from the start, also in the middle of a stream."""
    text = "".join(f"Paragraph {n} with some words to wrap. " * 3 + f"\n\n- item {n}\n\n```\ncode {n}\n```\n\n" for n in range(20))
    document = AnswerDocument(60)
    document.push_answer(text[:1_500])
    document.resize(25)
    document.push_answer(text[1_500:])
    document.finish()
    fresh = AnswerDocument(25)
    fresh.push_answer(text)
    fresh.finish()
    assert text_of(document) == text_of(fresh)


def test_a_place_in_the_text_is_found_again() -> None:
    """After another layout the same part of the text is found."""
    document = AnswerDocument(60)
    document.push_reasoning("".join(f"thought {n} of many\n" for n in range(30)))
    document.push_answer("".join(f"Paragraph number {n} with a few more words in it than fit into a narrow pane.\n\n" for n in range(50)))
    document.set_notes([("the end", s.NOTE)])
    for y in (0, 7, 50, 51, 90, len(document) - 1):
        seen = line_text(document.line(y))[:12]
        place = document.anchor(y)
        document.resize(33)
        there = document.locate(place)
        assert seen in " ".join(line_text(line) for line in document.lines(there, there + 2))
        document.resize(60)
        assert document.locate(place) == y


def test_only_what_changed_is_dirty() -> None:
    """The first line that may differ is told once."""
    document = AnswerDocument(40)
    document.push_answer("one\n\ntwo\n\n")
    assert document.take_dirty() == 0
    assert document.take_dirty() is None
    document.push_answer("three\n")
    assert document.take_dirty() == 3  # "one" and "two" are over
    document.push_answer(" four")
    assert document.take_dirty() == 3


def test_every_kind_has_a_style_and_a_palette_entry() -> None:
    """Attributes come on top of the kind's own style, and every style is made once."""
    palette = Palette({s.TEXT: Style(color="red"), s.HEADING: Style(bold=True)}.get)
    assert palette[s.TEXT | s.STRONG | s.STRIKE] == Style(color="red", bold=True, strike=True)
    assert palette[s.QUOTE] == Style(color="red")
    assert palette[s.LINK | s.UNDERLINE] is palette[s.LINK | s.UNDERLINE]
    kinds = [value for name, value in vars(s).items() if name.isupper() and isinstance(value, int) and value < s.KIND_MASK]
    assert set(kinds) == set(STYLES)
    assert set(COLOURLESS) < set(STYLES)
    assert all(a < b for a, b in pairwise(sorted(kinds)))


def test_wide_text_fits_tables() -> None:
    """Columns of wide characters are padded by cells."""
    lines = show("| 名前 | b |\n|---|---|\n| 日本 | x |\n| c | y |", 30)
    assert len({cell_len(line.split("│")[0]) for line in lines if "│" in line}) == 1


def test_code_gets_its_colours_when_it_is_shown() -> None:
    """Lines that are never looked at are not lexed; those that are look as if they had been all the time."""
    text = "```python\n" + "".join(f"x = {n}\n" for n in range(300)) + "```\n"
    document = AnswerDocument(40)
    document.push_answer(text)
    freezer = document.answer.layout._freezer  # type: ignore[union-attr]
    assert len(freezer.later) == 300
    shown = document.lines(280, 300)
    assert len(freezer.later) == 280
    assert any(style == s.NUMBER for _, style in shown[0])
    assert document.lines(280, 300) == shown == [document.line(y) for y in range(280, 300)]
    assert any(style == s.NUMBER for _, style in document.line(10))
