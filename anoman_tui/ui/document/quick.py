"""What most answers are made of, read by patterns: paragraphs, headings and items of one line, of which no parser need say what they are.

Only text is taken that the grammar can read in one way, whatever follows, and it is laid out as the parser's tokens would be.
"""

import re
from typing import Final, NamedTuple

from anoman_tui.ui.document import styles as s
from anoman_tui.ui.document import table
from anoman_tui.ui.document.blocks import BULLETS, MIN_INNER
from anoman_tui.ui.document.inline import inline_runs
from anoman_tui.ui.document.lines import Line, wrap
from anoman_tui.ui.document.plain import CUT_LENGTH, plain_lines

DUMMY_ITEM: Final = "   {} x\n"
"""An item that stands before the rest of a list; indented as far as can be, so that no sibling is read as its child."""

MOST_TABLE: Final = 8_000
"""Characters of a table that is read without the parser."""
TABLE_GROUP: Final = 50
"""Body rows of a table that are laid out together; the first group sets the widths of all."""

# The beginning of a line that can be nothing but text of a paragraph.
_START: Final = r"""(?:[^\W\d_]|\*\*[^\W_]|`[^\W_]|["'(\[])"""
_MARK: Final = r"[-+*]|\d{1,9}[.)]"
_BLANK: Final = r"(?:[ \t]*\n)"
_HEADING: Final = r"\#{1,6}[ ]([^\s#|][^\n#|]*+)"
_ENDS: Final = rf"(?:(?:[-+*]|1[.)])[ ]{_START}|\#{{1,6}}[ ]\S|`{{3,}}+(?![^\n]*[`|]))[^\n]*+\n"  # a line that ends a paragraph, too
_PARAGRAPH: Final = re.compile(rf"((?:{_START}[^\n]*+\n)++)(?:{_BLANK}|(?={_ENDS}))")
_WHOLE_HEADING: Final = re.compile(rf"{_HEADING}\n{_BLANK}")
_ITEM: Final = re.compile(
    rf"({_MARK})[ ]({_START}[^\n]*+)\n(?:({_BLANK}*+)(?=({_MARK})[ ]{_START})|{_BLANK}++(?={_START}|[#`>|]))",
)
_OPEN_PARAGRAPH: Final = re.compile(rf"{_START}[^\n]*+(?:\n{_START}[^\n]*+)*+\n?")
_OPEN_HEADING: Final = re.compile(rf"{_HEADING}\n?")
_OPEN_ITEM: Final = re.compile(rf"({_MARK})[ ]({_START}[^\n]*+)\n?")
_ROWS: Final = r"(\|[^\n\\]*+)\n(\|[-:| \t]*+)"
_TABLE: Final = re.compile(rf"{_ROWS}\n((?:\|[^\n\\]*+\n)*+){_BLANK}")
_OPEN_TABLE: Final = re.compile(rf"{_ROWS}(?:\n((?:\|[^\n\\]*+\n?)*+))?")
_FENCE: Final = re.compile(r"`{3,}+[^`|\n]*+\n")


class Finished(NamedTuple):
    """A block, or an item of a list, that is over."""

    lines: list[Line]
    done: int
    """Characters of the text, the blank lines behind it included."""
    prefix: str
    """What stands before the rest when it is parsed."""
    gap: bool
    """Whether a blank line is due before what follows."""


def opens_fence(text: str) -> bool:
    """Whether the text begins with the whole opening line of a code fence."""
    return _FENCE.match(text) is not None


def finished(text: str, prefix: str, width: int) -> Finished | None:
    """The block or item at the beginning of a text that stands behind a prefix, if it is a simple one and is over."""
    if not prefix:
        if found := _PARAGRAPH.match(text, 0, CUT_LENGTH):
            return Finished(text_lines(found[1], width), found.end(), "", True)
        if found := _WHOLE_HEADING.match(text, 0, CUT_LENGTH):
            return Finished(text_lines(found[1], width, s.HEADING | s.STRONG), found.end(), "", True)
        if text.startswith("|"):
            found = _TABLE.match(text, 0, MOST_TABLE)
            lines = None if found is None else _table_lines(found, width)
            return None if found is None or lines is None else Finished(lines, found.end(), "", True)
    found = _ITEM.match(text)
    if found is None:
        return None
    mark, content, blank, sibling = found.groups()
    lines = _item_lines(mark, content, prefix, width)
    if lines is None or (sibling is not None and sibling[-1] != mark[-1]):
        return None
    if sibling is None:
        return Finished(lines, found.end(), "", True)
    return Finished(lines, found.end(), _dummy(mark), bool(blank))


def unfinished(text: str, prefix: str, width: int) -> list[Line] | None:
    """The lines of a whole text that is one simple block or item, and may go on."""
    if not prefix:
        if _OPEN_PARAGRAPH.fullmatch(text):
            return text_lines(text, width)
        if found := _OPEN_HEADING.fullmatch(text):
            return text_lines(found[1], width, s.HEADING | s.STRONG)
        if text.startswith("|"):
            found = _OPEN_TABLE.fullmatch(text) if len(text) < MOST_TABLE else None
            return None if found is None else _table_lines(found, width)
    found = _OPEN_ITEM.fullmatch(text)
    return None if found is None else _item_lines(found[1], found[2], prefix, width)


def text_lines(text: str, width: int, style: int = s.TEXT) -> list[Line]:
    """The lines of a paragraph or heading."""
    try:
        return wrap(inline_runs(text.strip(), style), width)
    except Exception:  # the parser is foreign code on foreign text
        return plain_lines(text, width)


def _item_lines(mark: str, text: str, prefix: str, width: int) -> list[Line] | None:
    """The lines of an item; nothing where it is none of the list before it, or has too little room."""
    shown = f"{BULLETS[0] if len(mark) == 1 else mark} "
    room = width - len(shown)
    if room < MIN_INNER or (prefix and prefix != _dummy(mark)):
        return None
    try:
        return wrap(inline_runs(text.strip()), room, ((shown, s.MARK),), ((" " * len(shown), s.TEXT),))
    except Exception:  # the parser is foreign code on foreign text
        return None


def _table_lines(found: re.Match[str], width: int) -> list[Line] | None:
    """The lines of a table; nothing where it is none, or is frozen in parts."""
    rows = (found[3] or "").removesuffix("\n").split("\n")
    if len(rows) > TABLE_GROUP:
        return None
    try:
        made = table.plain_table(found[1], found[2], rows if rows[0] else ())
        return None if made is None else table.table_lines(made, width)
    except Exception:  # the parser is foreign code on foreign text
        return None


def _dummy(mark: str) -> str:
    return DUMMY_ITEM.format(mark if len(mark) == 1 else f"1{mark[-1]}")
