"""Markdown as lines, growing at its end: a frozen part that only grows, and the open block after it."""

from typing import Final

from anoman_tui.ui.document import quick
from anoman_tui.ui.document.freezing import Freezer
from anoman_tui.ui.document.lines import BLANK, Line
from anoman_tui.ui.document.plain import PlainText, plain_lines

LARGE: Final = 4_000
"""Characters from which on an open block is parsed again only when it has grown by a quarter."""
SLICE: Final = 16_384
"""Characters of a long push that are worked on at once."""


class Markdown:
    """Lines of a Markdown text. `frozen` only grows; the live lines after it are laid out anew with each push."""

    __slots__ = ("_extra", "_freezer", "_next_parse", "_pending", "_pending_size", "frozen", "live", "marks", "width")

    def __init__(self, width: int) -> None:
        self.width = width
        self._freezer = Freezer(width)
        self.frozen = self._freezer.lines
        self.live: list[Line] = []
        self.marks = self._freezer.marks  # (line, offset in the source) where each frozen part begins
        self._pending: list[str] = []
        self._pending_size = 0
        self._next_parse = 0  # size of the open block at which it is parsed again
        self._extra: PlainText | None = None  # what came since a large open block was last parsed

    def __len__(self) -> int:
        return len(self.frozen) + len(self.live) + (len(self._extra) if self._extra else 0)

    @property
    def parsed(self) -> int:
        """Characters parsed so far, those that were parsed again included."""
        return self._freezer.parsed

    @property
    def laid(self) -> int:
        """Lines laid out so far, those that were laid out again included."""
        return self._freezer.units.laid

    def line(self, y: int) -> Line:
        """Line number `y`, from 0."""
        if y in self._freezer.later:
            self._freezer.colour(y)
        y -= len(self.frozen)
        if y < 0:
            return self.frozen[y]
        if y < len(self.live):
            return self.live[y]
        return self._extra.line(y - len(self.live)) if self._extra else BLANK

    def show(self, first: int, last: int) -> None:
        """Make frozen lines ready to be shown: code gets its colours no sooner, since of a quick answer most is never seen."""
        later = self._freezer.later
        if later:
            for y in range(first, last):
                if y in later:
                    self._freezer.colour(y)

    def push(self, text: str) -> None:
        """Append source text, which must have line feeds as its only line ends."""
        worked = False
        for at in range(0, len(text), SLICE):
            part = text[at : at + SLICE]
            self._pending.append(part)
            self._pending_size += len(part)
            if self._freezer.fence is None and len(self._freezer.tail) + self._pending_size < self._next_parse:
                if self._extra is None:
                    self._extra = PlainText(self.width)
                self._extra.push(part)
            else:
                self._advance(final=False)
                worked = True
        if worked:
            self._lay_out_live()

    def finish(self) -> None:
        """Freeze what is still open."""
        self._advance(final=True)
        self.live = []

    def _advance(self, *, final: bool) -> None:
        text = "".join(self._pending)
        self._pending.clear()
        self._pending_size = 0
        self._extra = None
        self._freezer.add(text, final=final)
        size = len(self._freezer.tail)
        self._next_parse = size + size // 4 if size > LARGE else 0

    def _lay_out_live(self) -> None:
        freezer = self._freezer
        tail = freezer.tail
        if freezer.fence:
            self.live = [] if not tail or freezer.fence.may_end(tail) else freezer.fence.rows(tail, self.width)
            freezer.units.laid += len(self.live)
            return
        self.live = []
        if not tail or tail.isspace():
            return
        if freezer.gap and freezer.lines:
            self.live.append(BLANK)
        simple = quick.unfinished(tail, freezer.prefix, self.width)
        if simple is not None:
            self.live += simple
            freezer.units.laid += len(simple)
            return
        parsed = freezer.parse(tail)
        if parsed is None:
            self.live += plain_lines(tail, self.width)
            return
        columns = freezer.units.columns
        for at, block in enumerate(parsed.blocks):
            if at:
                self.live.append(BLANK)
                freezer.units.columns = None
            for lines, _ in freezer.units.units(block, parsed):
                self.live += lines
        freezer.units.columns = columns
