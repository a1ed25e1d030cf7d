"""Lines of code blocks, coloured where the language is known.

Each line is lexed by itself: an open block grows by a line without another look at those before, at the price of a
string over several lines being coloured as code from its second line on.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final

from anoman_tui.ui.document import styles as s
from anoman_tui.ui.document.lines import MIN_WIDTH, TAB, Line, Piece, cut_ranges, fill

MAX_LEXED_LINE: Final = 2_000
"""Characters; a longer line is shown plain."""
MAX_LEXED_BLOCK: Final = 20_000
"""Characters; what a block holds beyond is shown plain."""
Tokens = Callable[[str], Iterable[tuple[Any, str]]]
"""Gives kinds and texts of a line of code."""
_PAD: Final[Piece] = (" ", s.FENCE)
_LEXERS: dict[str, Tokens | None] = {}
_PLAIN_NAMES: Final = frozenset({"", "text", "txt", "plain", "plaintext", "output", "console-output"})


def language(info: str) -> str:
    """The language a fence names, or nothing."""
    words = info.split(None, 1)
    return words[0].strip("{}.").lower()[:40] if words else ""


def _lexer(name: str) -> Tokens | None:
    if name not in _LEXERS:
        found: Tokens | None = None
        if name not in _PLAIN_NAMES:
            from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
            from pygments.util import ClassNotFound  # type: ignore[import-untyped]

            from anoman_tui.ui.document.lexing import quick_lexer

            try:
                lexer = get_lexer_by_name(name, ensurenl=False, stripnl=False)
                quick = quick_lexer(lexer)
                found = lexer.get_tokens if quick is None else quick.tokens
            except ClassNotFound:
                found = None
        if len(_LEXERS) > 200:
            _LEXERS.clear()
        _LEXERS[name] = found
    return _LEXERS[name]


@lru_cache(maxsize=1)
def _rules() -> tuple[tuple[Any, int], ...]:
    """Pygments token types and their style ids, the more special first."""
    from pygments import token as t  # type: ignore[import-untyped]

    return (
        (t.Comment, s.COMMENT),
        (t.Keyword.Type, s.TYPE),
        (t.Keyword, s.KEYWORD),
        (t.Operator.Word, s.KEYWORD),
        (t.String, s.STRING),
        (t.Number, s.NUMBER),
        (t.Name.Class, s.TYPE),
        (t.Name.Builtin, s.TYPE),
        (t.Name.Exception, s.TYPE),
        (t.Name.Function, s.NAME),
        (t.Name.Decorator, s.NAME),
        (t.Name.Tag, s.KEYWORD),
        (t.Name.Attribute, s.NAME),
        (t.Generic.Inserted, s.INSERTED),
        (t.Generic.Deleted, s.DELETED),
        (t.Generic.Heading, s.KEYWORD),
        (t.Generic.Subheading, s.NAME),
        (t.Operator, s.OPERATOR),
    )


@lru_cache(maxsize=2_048)
def _style_of(kind: Any) -> int:
    for parent, style in _rules():
        if kind in parent:
            return style
    return s.FENCE


@lru_cache(maxsize=4_096)
def _lexed(name: str, text: str) -> Line:
    """The runs of one line of code. A lexer that fails leaves the line plain."""
    try:
        lexer = _lexer(name)
        if lexer is None:
            return ((text, s.FENCE),)
        runs: list[Piece] = []
        for kind, value in lexer(text):
            style = _style_of(kind)
            if runs and runs[-1][1] == style:
                runs[-1] = (runs[-1][0] + value, style)
            else:
                runs.append((value, style))
    except Exception:  # a lexer is foreign code on foreign text
        return ((text, s.FENCE),)
    if "".join([value for value, _ in runs]) != text:
        return ((text, s.FENCE),)
    return tuple(runs)


def code_lines(text: str, name: str, width: int, rest: Line = ()) -> list[Line]:
    """The rows of one line of code (no line feed), each with `rest` before it; `width` cells without `rest`."""
    if len(text) > MAX_LEXED_LINE:
        return long_code_lines(text, width, rest)
    if "\t" in text:
        text = text.expandtabs(TAB)
    runs = _lexed(name, text) if name and text else ((text, s.FENCE),)
    lead = (*rest, _PAD)
    return fill(runs, cut_ranges(text, max(width - 1, MIN_WIDTH)), lead, lead)


def long_code_lines(text: str, width: int, rest: Line = ()) -> list[Line]:
    """The same for a line too long to be lexed. Its rows but the last stay the same whatever follows."""
    text = text.replace("\t", " ")  # one for one, so that rows count as source
    lead = (*rest, _PAD)
    return fill(((text, s.FENCE),), cut_ranges(text, max(width - 1, MIN_WIDTH)), lead, lead)


def head_lines(info: str, width: int, rest: Line = ()) -> list[Line]:
    """The row that names a block's language; none without one."""
    info = info.strip().replace("\t", " ")
    if not info:
        return []
    lead = (*rest, _PAD)
    return fill(((info, s.FENCE_INFO),), cut_ranges(info, max(width - 1, MIN_WIDTH)), lead, lead)


def warm() -> None:
    """Import and prepare what the first code block needs; callable on any thread."""
    for name in ("python", "json", "bash"):
        _lexed(name, "x = 1")
