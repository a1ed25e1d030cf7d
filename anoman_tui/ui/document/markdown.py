"""Markdown as lines, growing at its end.

Only the open block is parsed again: finished blocks are laid out once and frozen, an open code fence is frozen line by
line, an open list item by item, an open table in groups of rows, an endless paragraph in pieces. What is frozen, and
where, follows from the text alone and never from how it was cut into pushes, so that any streaming ends in the same lines.

Block boundaries are taken from whole lines only, since half a line can still become anything. Where the rest of a list or
a table must be read as its continuation, a made-up first item or the table's own head stands before it (`_prefix`).
"""

import re
from typing import Final

from anoman_tui.ui.document import code
from anoman_tui.ui.document import styles as s
from anoman_tui.ui.document.fence import Fence
from anoman_tui.ui.document.lines import BLANK, Line, wrap
from anoman_tui.ui.document.parsing import LISTS, Block, Parsed, items, parse
from anoman_tui.ui.document.plain import CUT_LENGTH, PlainText, cut_point
from anoman_tui.ui.document.units import TABLE_GROUP, Unit, UnitLayout, plain_lines

LARGE: Final = 4_000
"""Characters from which on an open block is parsed again only when it has grown by a quarter."""
SLICE: Final = 16_384
"""Characters of a long push that are worked on at once."""

_BLANK_LINES: Final = re.compile(r"(?:[ \t]*\n)+")
_DUMMY_ITEM: Final = "   {} x\n"  # indented as far as an item can be, so that no sibling is read as its child
# A line that can begin a block, end one, or turn the line before it into another one.
_TELLING: Final = re.compile(r"^[ \t]*$| {0,3}[-+*=#>_`~|:0-9]|\|", re.MULTILINE)
_ROWS: Final = re.compile(r"(?:\|[^\n]*\n)+")
# One line that is a paragraph without any inline markup.
_PROSE: Final = re.compile(r"[^\W\d_][^`*_\[\]!<&\\~|\n]*")


class Markdown:
    """Lines of a Markdown text. `frozen` only grows; the live lines after it are laid out anew with each push."""

    __slots__ = (
        "_extra",
        "_fence",
        "_gap",
        "_next_parse",
        "_open",
        "_pending",
        "_pending_size",
        "_prefix",
        "_start",
        "_tail",
        "_tried",
        "_units",
        "_window",
        "frozen",
        "live",
        "marks",
        "parsed",
        "width",
    )

    def __init__(self, width: int) -> None:
        self.width = width
        self.frozen: list[Line] = []
        self.live: list[Line] = []
        self.marks: list[tuple[int, int]] = []  # (line, offset in the source) where each frozen part begins
        self.parsed = 0  # characters given to the parser so far
        self._units = UnitLayout(width)
        self._tail = ""  # the source from the start of the open block
        self._start = 0  # where the tail starts in the source
        self._pending: list[str] = []
        self._pending_size = 0
        self._prefix = ""
        self._open = ""  # the kind of the open block
        self._gap = False  # a blank line is due before the next block
        self._window = CUT_LENGTH
        self._tried = 0  # characters of the tail in which no boundary was found
        self._next_parse = 0
        self._fence: Fence | None = None
        self._extra: PlainText | None = None  # what came since a large open block was last parsed

    def __len__(self) -> int:
        return len(self.frozen) + len(self.live) + (len(self._extra) if self._extra else 0)

    @property
    def laid(self) -> int:
        """Lines laid out so far, those that were laid out again included."""
        return self._units.laid

    def line(self, y: int) -> Line:
        """Line number `y`, from 0."""
        y -= len(self.frozen)
        if y < 0:
            return self.frozen[y]
        if y < len(self.live):
            return self.live[y]
        return self._extra.line(y - len(self.live)) if self._extra else BLANK

    def push(self, text: str) -> None:
        """Append source text, which must have line feeds as its only line ends."""
        worked = False
        for at in range(0, len(text), SLICE):
            part = text[at : at + SLICE]
            self._pending.append(part)
            self._pending_size += len(part)
            if self._fence is None and len(self._tail) + self._pending_size < self._next_parse:
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

    # -- freezing ------------------------------------------------------------------------------------------------

    def _advance(self, *, final: bool) -> None:
        self._tail += "".join(self._pending)
        self._pending.clear()
        self._pending_size = 0
        self._extra = None
        while self._step_fence(self._fence, final=final) if self._fence else self._step(final=final):
            pass
        size = len(self._tail)
        self._next_parse = size + size // 4 if size > LARGE else 0

    def _drop(self, count: int) -> None:
        """The first characters of the tail are done."""
        self._tail = self._tail[count:]
        self._start += count
        self._tried = 0
        self._window = CUT_LENGTH

    def _end_block(self) -> None:
        self._gap = True
        self._prefix, self._units.columns = "", None

    def _emit(self, unit: Unit) -> None:
        """Freeze lines, after the blank line that is due."""
        lines, offset = unit
        if self._gap and self.frozen:
            self.frozen.append(BLANK)
        self._gap = False
        self.marks.append((len(self.frozen), self._start + offset))
        self.frozen += lines

    def _parse(self, text: str) -> Parsed | None:
        self.parsed += len(text)
        return parse(self._prefix, text)

    def _step(self, *, final: bool) -> bool:
        """Freeze some of the tail; whether there is more to try.

        The text is looked at through a window that grows while it shows one open block only, so that a long text costs
        no more when it comes at once, and what is decided at the window's size is decided alike however the text came.
        """
        if not self._prefix and (blank := _BLANK_LINES.match(self._tail)):
            self._drop(blank.end())
        tail, size = self._tail, self._window
        if len(tail) < size:
            if final:
                return self._freeze_rest()
            window = tail[: tail.rfind("\n") + 1]
            if not self._is_telling(window):
                return False
        else:
            window = tail[: tail.rfind("\n", 0, size) + 1] or tail[:size]
        parsed = self._parse(window)
        self._tried = len(window)
        if parsed and window[-1] == "\n" and self._freeze_blocks(parsed, final=False):
            return True
        if len(tail) < size:
            return False
        if size == CUT_LENGTH and parsed and [block.kind for block in parsed.blocks] == ["paragraph_open"]:
            self._cut_paragraph(window)
        else:
            self._window *= 2
        return True

    def _is_telling(self, window: str) -> bool:
        """Whether the lines that were not tried yet can show a boundary, together with the line before them."""
        if len(window) <= self._tried:
            return False
        fresh = window.rfind("\n", 0, max(0, self._tried - 1)) + 1
        if self._open == "table_open" and self._tried and _ROWS.fullmatch(window, fresh):
            return window.count("\n") > TABLE_GROUP
        return _TELLING.search(window, fresh) is not None

    def _freeze_rest(self) -> bool:
        tail = self._tail
        if not tail:
            return False
        parsed = self._parse(tail)
        if parsed is None:
            self._emit((plain_lines(tail, self.width), 0))
        elif self._freeze_blocks(parsed, final=True):
            return True
        self._drop(len(tail))
        self._end_block()
        return False

    def _freeze_blocks(self, parsed: Parsed, *, final: bool) -> bool:
        """Freeze all finished blocks; whether anything of the tail is done."""
        for block in parsed.blocks:
            last = block is parsed.blocks[-1]
            offset = max(0, parsed.starts[block.first])
            if block.kind == "fence" and (final or not _may_be_table(block, parsed)):
                self._open_fence(offset)
                return True
            if block.kind == "table_open" and (group := self._units.row_group(block, parsed)):
                self._emit((group[0], offset))
                self._prefix = parsed.source(block.first, block.first + 2) + "\n"
                self._drop(parsed.starts[group[1]])
                return True
            if last and not final:
                return self._freeze_part(block, parsed, offset)
            for unit in self._units.units(block, parsed):
                self._emit(unit)
            self._end_block()
        return False

    def _freeze_part(self, block: Block, parsed: Parsed, offset: int) -> bool:
        """The last block stays open: of a list, freeze the items that are finished."""
        self._open = block.kind
        done = offset
        if block.kind in LISTS:
            *finished, last = items(block)
            if parsed.starts[last.first] > offset:
                for unit in self._units.item_units(finished, parsed):
                    self._emit(unit)
                self._gap = parsed.is_blank(last.first - 1)
                mark = block.tokens[0].markup
                self._prefix = _DUMMY_ITEM.format(f"1{mark}" if block.kind == "ordered_list_open" else mark)
                done = parsed.starts[last.first]
        if not done:
            return False
        self._drop(done)
        return True

    def _cut_paragraph(self, window: str) -> None:
        cut = cut_point(window)
        parsed = self._parse(window[:cut])
        lines = [line for block in parsed.blocks for line, _ in self._units.units(block, parsed)] if parsed else []
        self._emit(([row for part in lines for row in part], 0))
        self._drop(cut)

    # -- code fences ---------------------------------------------------------------------------------------------

    def _open_fence(self, offset: int) -> None:
        """The tail has a top-level fence at an offset: read it line by line from now on."""
        self._drop(offset)
        line = self._tail.partition("\n")[0]
        self._fence = Fence(line)
        self._prefix, self._units.columns = "", None
        self._emit((code.head_lines(self._fence.info, self.width), 0))
        self._drop(len(line) + 1)

    def _step_fence(self, fence: Fence, *, final: bool) -> bool:
        taken = fence.take(self._tail, self.width, final=final)
        for lines, offset in taken.parts:
            self._units.laid += len(lines)
            self.marks.append((len(self.frozen), self._start + offset))
            self.frozen += lines
        self._drop(taken.done)
        if taken.closed:
            self._fence = None
            self._end_block()
        return taken.closed

    # -- the open end --------------------------------------------------------------------------------------------

    def _lay_out_live(self) -> None:
        tail = self._tail
        if self._fence:
            self.live = [] if not tail or self._fence.may_end(tail) else self._fence.rows(tail, self.width)
            return
        self.live = []
        if not tail or tail.isspace():
            return
        if self._gap and self.frozen:
            self.live.append(BLANK)
        if not self._prefix and _PROSE.fullmatch(tail):
            self.live += wrap(((tail.rstrip(" \t"), s.TEXT),), self.width)
            return
        parsed = self._parse(tail)
        if parsed is None:
            self.live += plain_lines(tail, self.width)
            return
        columns = self._units.columns
        for at, block in enumerate(parsed.blocks):
            if at:
                self.live.append(BLANK)
                self._units.columns = None
            for lines, _ in self._units.units(block, parsed):
                self.live += lines
        self._units.columns = columns


def _may_be_table(fence: Block, parsed: Parsed) -> bool:
    """Whether the next line can still make this opening line the head of a table, which goes before all else."""
    return "|" in parsed.rows[fence.first] and fence.first + 2 >= len(parsed.rows)
