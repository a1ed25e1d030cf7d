"""Inline Markdown tokens as styled runs."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from anoman_tui.core.sanitize import clean
from anoman_tui.ui.document import styles as s
from anoman_tui.ui.document.lines import Piece
from anoman_tui.ui.document.parsing import parser

if TYPE_CHECKING:
    from markdown_it.token import Token

_FLAGS: Final = {"strong_open": s.STRONG, "em_open": s.EMPHASIS, "s_open": s.STRIKE}
_KINDS: Final = ~s.KIND_MASK
_MARKUP: Final = re.compile(r"[`*_\[\]!<&\\~\n]")
# Strong words and code that can be read in one way only: each mark stands between a letter and a blank or a stop.
_SIMPLE: Final = re.compile(
    r"""( (?: [^`*_\[\]!<&\\~\n]++ | !(?!\[) )++ )
    | (?<![^ (]) \*\* ( [^\W_] (?:[^`*_\[\]!<&\\~\n]*[^\W_])?+ ) \*\* (?![^ .,:;!?)])
    | ` ( [^`\s] (?:[^`\n]*[^`\s])?+ ) ` (?!`)""",
    re.VERBOSE,
)


@lru_cache(maxsize=512)
def inline_runs(source: str, base: int = s.TEXT) -> Sequence[Piece]:
    """The runs of inline Markdown; a hard line break is a line feed in the text."""
    if _MARKUP.search(source) is None:
        return ((source, base),)
    simple = simple_runs(source, base)
    if simple is not None:
        return simple
    return parsed_runs(source, base)


def parsed_runs(source: str, base: int) -> Sequence[Piece]:
    """The runs as the parser reads them."""
    children: list[Token] = []
    made = parser()
    made.inline.parse(source, made, {}, children)
    runs = _runs_of(children, base)
    if "&" in source:  # a character reference can stand for what was replaced before
        return tuple([(clean(text), style) for text, style in runs])
    return tuple(runs)


def simple_runs(source: str, base: int) -> Sequence[Piece] | None:
    """The runs of a text whose only markup is such that no parser is needed for it."""
    runs, at = _Runs(base), 0
    styles = (base, base | s.STRONG, base & _KINDS | s.CODE)
    while at < len(source):
        found = _SIMPLE.match(source, at)
        if found is None:
            return None
        number = found.lastindex or 1
        runs.put(found[number], styles[number - 1])
        at = found.end()
    return tuple(runs.out)


def _runs_of(children: "Sequence[Token]", base: int) -> list[Piece]:
    runs = _Runs(base)
    for child in children:
        runs.add(child)
    runs.close_links()
    return runs.out


class _Runs:
    __slots__ = ("_links", "_stack", "out")

    def __init__(self, base: int) -> None:
        self.out: list[Piece] = []
        self._stack = [base]
        self._links: list[tuple[int, str, str]] = []  # first run, target, title

    def put(self, text: str, style: int) -> None:
        """Add a text, to the last run where that has the same style."""
        if not text:
            return
        first = self._links[-1][0] if self._links else 0
        if len(self.out) > first and self.out[-1][1] == style:
            text = self.out.pop()[0] + text
        self.out.append((text, style))

    def add(self, token: "Token") -> None:
        kind, style = token.type, self._stack[-1]
        if kind == "softbreak":
            self.put(" ", style)
        elif kind == "hardbreak":
            self.put("\n", style)
        elif kind == "code_inline":
            self.put(token.content, style & _KINDS | s.CODE)
        elif kind == "image":
            self._image(token, style & _KINDS | s.IMAGE)
        elif token.nesting > 0:
            self._open(token, style)
        elif token.nesting < 0:
            if len(self._stack) > 1:
                self._stack.pop()
            if kind == "link_close":
                self._close_link()
        else:
            self.put(token.content, style)

    def _open(self, token: "Token", style: int) -> None:
        if token.type == "link_open":
            self._links.append((len(self.out), str(token.attrs.get("href", "")), str(token.attrs.get("title", ""))))
            style = style & _KINDS | s.LINK | s.UNDERLINE
        self._stack.append(style | _FLAGS.get(token.type, 0))

    def _close_link(self) -> None:
        if not self._links:
            return
        first, target, title = self._links.pop()
        shown = "".join([text for text, _ in self.out[first:]])
        target = clean(target)
        extra = "" if _same(shown, target) else target
        if title:
            extra = f'{extra} "{clean(title)}"'.strip()
        if extra:
            self.put(f" ({extra})", s.URL)

    def close_links(self) -> None:
        """Close what a broken token stream left open."""
        while self._links:
            self._close_link()

    def _image(self, token: "Token", style: int) -> None:
        self.put("🖼 ", style)
        alt = "".join([text for text, _ in _runs_of(token.children, style)]) if token.children else token.content
        self.put(alt, style)
        title = str(token.attrs.get("title", ""))
        if title:
            self.put(f' ("{clean(title)}")', s.URL)


def _same(shown: str, target: str) -> bool:
    """Whether the visible text says the whole target already."""
    bare = shown.strip()
    return target in (bare, f"mailto:{bare}") or bare == target.removesuffix("/")
