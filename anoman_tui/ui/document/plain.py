"""Plain text as wrapped lines, growing at its end."""

import re
from typing import Final

from anoman_tui.ui.document import styles as s
from anoman_tui.ui.document.lines import Line, graphemes, is_simple, wrap

CUT_LENGTH: Final = 2_000
"""Characters after which a paragraph that does not end is cut, so that its length is not paid for again and again."""
_SENTENCE: Final = re.compile(r"[.!?。！？] +(?=[^\W\d_])")
_WORD: Final = re.compile(r"\s+(?=[^\W\d_])")


def cut_point(text: str) -> int:
    """Where to cut a long text: after a line, else a sentence, else a word, else where no character is torn apart.

    Words that begin with a letter are preferred, since a sign or a digit could begin another kind of block.
    """
    half = len(text) // 2
    line = text.rfind("\n") + 1
    while line > half:
        if line < len(text) and text[line].isalpha():
            return line
        line = text.rfind("\n", 0, line - 1) + 1
    for pattern in (_SENTENCE, _WORD):
        ends = [found.end() for found in pattern.finditer(text, half)]
        if ends:
            return ends[-1]
    space = text.rfind(" ", half) + 1
    if space:
        return space
    if is_simple(text):
        return len(text)
    spans = graphemes(text[half:])
    return half + spans[-1][0] if len(spans) > 1 else len(text)


class PlainText:
    """Lines of a text without markup. `frozen` only grows; `live` is laid out anew with each push."""

    __slots__ = ("_start", "_style", "_tail", "frozen", "live", "marks", "width")

    def __init__(self, width: int, style: int = s.TEXT) -> None:
        self.width = width
        self._style = style
        self.frozen: list[Line] = []
        self.live: list[Line] = []
        self.marks: list[tuple[int, int]] = []  # (line, offset in the source) where each frozen part begins
        self._tail = ""
        self._start = 0

    def __len__(self) -> int:
        return len(self.frozen) + len(self.live)

    def line(self, y: int) -> Line:
        """Line number `y`, from 0."""
        y -= len(self.frozen)
        return self.frozen[y] if y < 0 else self.live[y]

    def show(self, first: int, last: int) -> None:
        """Nothing is left to be done for lines that are to be shown."""

    def push(self, text: str) -> None:
        """Append text."""
        tail = self._tail + text if self._tail else text
        if "\n" in text:
            rows = tail.split("\n")
            tail = rows.pop()
            for row in rows:
                self._freeze(row)
                self._start += 1
        while len(tail) > CUT_LENGTH:
            cut = cut_point(tail[:CUT_LENGTH])
            self._freeze(tail[:cut], 0)
            tail = tail[cut:]
        self._tail = tail
        self.live = wrap(((tail, self._style),), self.width) if tail else []

    def _freeze(self, row: str, least: int = 1) -> None:
        while len(row) > CUT_LENGTH:
            cut = cut_point(row[:CUT_LENGTH])
            self._freeze(row[:cut], 0)
            row = row[cut:]
        if row or least:
            self.marks.append((len(self.frozen), self._start))
            self.frozen += wrap(((row, self._style),), self.width)
            self._start += len(row)

    def finish(self) -> None:
        """Freeze what is still open."""
        if self._tail:
            self._freeze(self._tail)
            self._tail = ""
        self.live = []


def plain_lines(text: str, width: int) -> list[Line]:
    """A text without markup."""
    plain = PlainText(width)
    plain.push(text.removesuffix("\n"))
    plain.finish()
    return plain.frozen
