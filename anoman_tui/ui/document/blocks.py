"""Block tokens as lines, for one width."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from anoman_tui.ui.document import code, table
from anoman_tui.ui.document import styles as s
from anoman_tui.ui.document.inline import inline_runs
from anoman_tui.ui.document.lines import BLANK, Line, Piece, pieces_width, wrap

if TYPE_CHECKING:
    from markdown_it.token import Token

BULLETS: Final = "•◦▪"
"""By depth."""
_QUOTE: Final[Piece] = ("▌ ", s.QUOTE)
_EMPTY: Final = re.compile(r"[ \t>]*")
MIN_INNER: Final = 8
"""Cells that indentation leaves for text; deeper containers are drawn without more of it."""


class BlockLayout:
    """Lays out the tokens of one block, or of one item of a list."""

    __slots__ = ("_fresh", "_lead", "_lists", "_outer", "_rest", "_source", "_width", "out")

    def __init__(self, source: Sequence[str], width: int) -> None:
        self.out: list[Line] = []
        self._source = source
        self._width = width
        self._rest: Line = ()
        self._lead: Line | None = None  # what stands before the next line in place of _rest: a list mark
        self._outer: list[Line] = []
        self._lists: list[str] = []  # the bullet of each open list; empty for a numbered one
        self._fresh = True  # nothing stands in this container yet

    def run(self, tokens: Sequence["Token"]) -> list[Line]:
        """The lines of the tokens."""
        at = 0
        while at < len(tokens):
            at = self._block(tokens, at)
        return self.out

    def _block(self, tokens: Sequence["Token"], at: int) -> int:
        token = tokens[at]
        kind = token.type
        if kind in ("paragraph_open", "heading_open"):
            self._gap(token)
            self._text(tokens[at + 1], kind == "heading_open")
            return at + 3
        if kind == "table_open":
            end = next(j for j in range(at, len(tokens)) if tokens[j].type == "table_close")
            self._gap(token)
            self._table(tokens[at:end])
            return end + 1
        if kind.endswith("_open"):
            self._open(token)
        elif kind.endswith("_close"):
            self._close(kind)
        else:
            self._gap(token)
            self._leaf(token)
        return at + 1

    @property
    def _room(self) -> int:
        return self._width - pieces_width(self._rest)

    def _take_lead(self) -> Line:
        lead = self._rest if self._lead is None else self._lead
        self._lead = None
        return lead

    def _drop_lead(self) -> None:
        """Put a mark that still waits for its text on a line of its own."""
        if self._lead is not None:
            self.out.append(self._take_lead())

    def _gap(self, token: "Token") -> None:
        """A blank line where the source has one between this block and the one before it."""
        line = token.map[0] - 1 if token.map else -1
        if not self._fresh and self._lead is None and 0 <= line < len(self._source) and _EMPTY.fullmatch(self._source[line]):
            self.out.append(self._rest if self._has_quote() else BLANK)
        self._fresh = False

    def _has_quote(self) -> bool:
        return _QUOTE in self._rest

    def _text(self, token: "Token", heading: bool) -> None:
        runs = inline_runs(token.content, s.HEADING | s.STRONG if heading else s.TEXT)
        self.out += wrap(runs or [("", s.TEXT)], self._room, self._take_lead(), self._rest)

    def _leaf(self, token: "Token") -> None:
        if token.type in ("fence", "code_block"):
            self._code(token)
        elif token.type == "hr":
            self.out.append((*self._take_lead(), ("─" * max(1, self._room), s.RULE)))
        else:
            self.out += wrap([(token.content.rstrip("\n"), s.TEXT)], self._room, self._take_lead(), self._rest)

    def _code(self, token: "Token") -> None:
        self._drop_lead()
        if token.info:
            self.out += code.head_lines(token.info, self._room, self._rest)
        name, size = code.language(token.info), 0
        for line in token.content.removesuffix("\n").split("\n"):
            self.out += code.code_lines(line, name if size <= code.MAX_LEXED_BLOCK else "", self._room, self._rest)
            size += len(line) + 1

    def _table(self, tokens: Sequence["Token"]) -> None:
        self._drop_lead()
        found = table.read_table(tokens, self._source)
        widths = table.column_widths(found, self._room)
        self.out += table.head_lines(found, widths, self._rest)
        self.out += table.body_lines(found, widths, self._room, self._rest)

    def _open(self, token: "Token") -> None:
        kind = token.type
        if kind == "bullet_list_open":
            self._gap(token)
            self._lists.append(BULLETS[min(sum(map(bool, self._lists)), len(BULLETS) - 1)])
            self._fresh = True
        elif kind == "ordered_list_open":
            self._gap(token)
            self._lists.append("")
            self._fresh = True
        elif kind == "list_item_open":
            self._gap(token)
            self._enter_item((f"{self._lists[-1] or f'{token.info}{token.markup}'} ", s.MARK))
        elif kind == "blockquote_open":
            self._gap(token)
            self._outer.append(self._rest)
            if self._room - 2 >= MIN_INNER:
                if self._lead is not None:
                    self._lead = (*self._lead, _QUOTE)
                self._rest = (*self._rest, _QUOTE)
            self._fresh = True

    def _enter_item(self, mark: Piece) -> None:
        self._outer.append(self._rest)
        size = pieces_width((mark,))
        lead = (*(self._rest if self._lead is None else self._lead), mark)
        if self._room - size >= MIN_INNER:
            self._lead = lead
            self._rest = (*self._rest, (" " * size, s.TEXT))
        else:
            self.out.append(lead)
            self._lead = None
        self._fresh = True

    def _close(self, kind: str) -> None:
        if kind in ("bullet_list_close", "ordered_list_close"):
            self._lists.pop()
        elif kind in ("list_item_close", "blockquote_close"):
            self._drop_lead()
            self._rest = self._outer.pop()
        self._fresh = False
