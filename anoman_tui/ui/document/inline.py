"""Inline Markdown tokens as styled runs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from anoman_tui.core.sanitize import clean
from anoman_tui.ui.document import styles as s
from anoman_tui.ui.document.lines import Piece

if TYPE_CHECKING:
    from markdown_it.token import Token

_FLAGS: Final = {"strong_open": s.STRONG, "em_open": s.EMPHASIS, "s_open": s.STRIKE}
_KINDS: Final = ~s.KIND_MASK


def inline_runs(token: "Token", base: int = s.TEXT) -> list[Piece]:
    """The runs of an inline token; a hard line break is a line feed in the text."""
    children = token.children or ()
    if len(children) == 1 and children[0].type == "text":
        return [(children[0].content, base)]
    runs = _Runs(base)
    for child in children:
        runs.add(child)
    runs.close_links()
    if "&" in token.content:  # a character reference can stand for what was replaced before
        return [(clean(text), style) for text, style in runs.out]
    return runs.out


class _Runs:
    __slots__ = ("_links", "_stack", "out")

    def __init__(self, base: int) -> None:
        self.out: list[Piece] = []
        self._stack = [base]
        self._links: list[tuple[int, str, str]] = []  # first run, target, title

    def _put(self, text: str, style: int) -> None:
        if text:
            self.out.append((text, style))

    def add(self, token: "Token") -> None:
        kind, style = token.type, self._stack[-1]
        if kind == "softbreak":
            self._put(" ", style)
        elif kind == "hardbreak":
            self._put("\n", style)
        elif kind == "code_inline":
            self._put(token.content, style & _KINDS | s.CODE)
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
            self._put(token.content, style)

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
            self._put(f" ({extra})", s.URL)

    def close_links(self) -> None:
        """Close what a broken token stream left open."""
        while self._links:
            self._close_link()

    def _image(self, token: "Token", style: int) -> None:
        self._put("🖼 ", style)
        alt = "".join([text for text, _ in inline_runs(token)]) if token.children else token.content
        self._put(alt, style)
        title = str(token.attrs.get("title", ""))
        if title:
            self._put(f' ("{clean(title)}")', s.URL)


def _same(shown: str, target: str) -> bool:
    """Whether the visible text says the whole target already."""
    bare = shown.strip()
    return target in (bare, f"mailto:{bare}") or bare == target.removesuffix("/")


def join_runs(groups: Sequence[Sequence[Piece]], between: Piece) -> list[Piece]:
    """All groups of runs after each other, `between` between them."""
    out: list[Piece] = []
    for at, group in enumerate(groups):
        if at:
            out.append(between)
        out += group
    return out
