"""The finished part of a growing Markdown text.

Only the open block is parsed again: finished blocks are laid out once and frozen, an open code fence is frozen line by
line, an open list item by item, an open table in groups of rows, an endless paragraph in pieces. What is frozen, and
where, follows from the text alone and never from how it was cut into pushes, so that any streaming ends in the same lines.

Block boundaries are taken from whole lines only, since half a line can still become anything. Where the rest of a list or
a table must be read as its continuation, a made-up first item or the table's own head stands before it (`Freezer.prefix`).
"""

import re
from typing import Final

from anoman_tui.ui.document import code, quick
from anoman_tui.ui.document.fence import Fence
from anoman_tui.ui.document.lines import BLANK, Line
from anoman_tui.ui.document.parsing import LISTS, Block, Parsed, items, parse
from anoman_tui.ui.document.plain import CUT_LENGTH, cut_point, plain_lines
from anoman_tui.ui.document.quick import TABLE_GROUP
from anoman_tui.ui.document.units import Unit, UnitLayout

_BLANK_LINES: Final = re.compile(r"(?:[ \t]*\n)+")
# A line that can begin a block, end one, or turn the line before it into another one.
_TELLING: Final = re.compile(r"^[ \t]*\n| {0,3}[-+*=#>_`~|:0-9]|\|", re.MULTILINE)
_ROWS: Final = re.compile(r"(?:\|[^\n]*\n)+")


class Freezer:
    """Takes the source and freezes what is finished; the open block stays in `tail`."""

    __slots__ = (
        "_open",
        "_tried",
        "_window",
        "fence",
        "gap",
        "later",
        "lines",
        "marks",
        "parsed",
        "prefix",
        "start",
        "tail",
        "units",
        "width",
    )

    def __init__(self, width: int) -> None:
        self.width = width
        self.lines: list[Line] = []
        self.marks: list[tuple[int, int]] = []  # (line, offset in the source) where each frozen part begins
        self.later: dict[int, tuple[str, str]] = {}  # by line: language and text of code that gets its colours when it is shown
        self.parsed = 0  # characters given to the parser so far
        self.units = UnitLayout(width)
        self.tail = ""  # the source from the start of the open block
        self.start = 0  # where the tail starts in the source
        self.prefix = ""  # what stands before the tail when it is parsed
        self.gap = False  # a blank line is due before the next block
        self.fence: Fence | None = None  # the open top-level fence, whose lines are in the tail
        self._open = ""  # the kind of the open block
        self._window = CUT_LENGTH
        self._tried = 0  # characters of the tail in which no boundary was found

    def add(self, text: str, *, final: bool) -> None:
        """Append source text and freeze what is finished; with `final` everything is."""
        self.tail += text
        while self._step_fence(self.fence, final=final) if self.fence else self._step(final=final):
            pass

    def parse(self, text: str) -> Parsed | None:
        """The blocks of a text that starts where the tail does."""
        self.parsed += len(text)
        return parse(self.prefix, text)

    def _drop(self, count: int) -> None:
        """The first characters of the tail are done."""
        self.tail = self.tail[count:]
        self.start += count
        self._tried = 0
        self._window = CUT_LENGTH

    def _end_block(self) -> None:
        self.gap = True
        self.prefix, self.units.columns = "", None

    def _emit(self, unit: Unit) -> None:
        """Freeze lines, after the blank line that is due."""
        lines, offset = unit
        if self.gap and self.lines:
            self.lines.append(BLANK)
        self.gap = False
        self.marks.append((len(self.lines), self.start + offset))
        self.lines += lines

    def _step(self, *, final: bool) -> bool:
        """Freeze some of the tail; whether there is more to try.

        The text is looked at through a window that grows while it shows one open block only, so that a long text costs
        no more when it comes at once, and what is decided at the window's size is decided alike however the text came.
        """
        if not self.prefix and (blank := _BLANK_LINES.match(self.tail)):
            self._drop(blank.end())
        if self._take_simple():
            return True
        tail, size = self.tail, self._window
        if len(tail) < size:
            if final:
                return self._freeze_rest()
            window = tail[: tail.rfind("\n") + 1]
            if not self._is_telling(window):
                return False
        else:
            window = tail[: tail.rfind("\n", 0, size) + 1] or tail[:size]
        parsed = self.parse(window)
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

    def _take_simple(self) -> bool:
        """Freeze what the tail begins with, where no parser is needed to read it; whether that was so."""
        if not self.prefix and quick.opens_fence(self.tail):
            self._open_fence(0)
            return True
        found = quick.finished(self.tail, self.prefix, self.width)
        if found is None:
            return False
        self._emit((found.lines, 0))
        self.units.laid += len(found.lines)
        self.prefix, self.gap, self.units.columns = found.prefix, found.gap, None
        self._drop(found.done)
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
        tail = self.tail
        if not tail:
            return False
        parsed = self.parse(tail)
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
            if block.kind == "table_open" and (group := self.units.row_group(block, parsed)):
                self._emit((group[0], offset))
                self.prefix = parsed.source(block.first, block.first + 2) + "\n"
                self._drop(parsed.starts[group[1]])
                return True
            closed = last and not final and _is_closed(block, parsed)
            if last and not final and not closed:
                return self._freeze_part(block, parsed, offset)
            for unit in self.units.units(block, parsed):
                self._emit(unit)
            self._end_block()
            if closed:
                self._drop(parsed.starts[block.last])
                return True
        return False

    def _freeze_part(self, block: Block, parsed: Parsed, offset: int) -> bool:
        """The last block stays open: of a list, freeze the items that are finished."""
        self._open = block.kind
        done = offset
        if block.kind in LISTS:
            *finished, last = items(block)
            if parsed.starts[last.first] > offset:
                for unit in self.units.item_units(finished, parsed):
                    self._emit(unit)
                self.gap = parsed.is_blank(last.first - 1)
                mark = block.tokens[0].markup
                self.prefix = quick.DUMMY_ITEM.format(f"1{mark}" if block.kind == "ordered_list_open" else mark)
                done = parsed.starts[last.first]
        if not done:
            return False
        self._drop(done)
        return True

    def _cut_paragraph(self, window: str) -> None:
        cut = cut_point(window)
        parsed = self.parse(window[:cut])
        lines = [line for block in parsed.blocks for line, _ in self.units.units(block, parsed)] if parsed else []
        self._emit(([row for part in lines for row in part], 0))
        self._drop(cut)

    def colour(self, y: int) -> None:
        """Give a line of code its colours, if it has none yet."""
        name, text = self.later.pop(y)
        self.lines[y] = code.code_lines(text, name, self.width)[0]

    # -- code fences ---------------------------------------------------------------------------------------------

    def _open_fence(self, offset: int) -> None:
        """The tail has a top-level fence at an offset: read it line by line from now on."""
        self._drop(offset)
        line = self.tail.partition("\n")[0]
        self.fence = Fence(line)
        self.prefix, self.units.columns = "", None
        self._emit((code.head_lines(self.fence.info, self.width), 0))
        self._drop(len(line) + 1)

    def _step_fence(self, fence: Fence, *, final: bool) -> bool:
        taken = fence.take(self.tail, self.width, final=final)
        for part, (lines, offset) in enumerate(taken.parts):
            if part in taken.later:
                self.later[len(self.lines)] = taken.later[part]
            self.units.laid += len(lines)
            self.marks.append((len(self.lines), self.start + offset))
            self.lines += lines
        self._drop(taken.done)
        if taken.closed:
            self.fence = None
            self._end_block()
        return taken.closed


def _is_closed(block: Block, parsed: Parsed) -> bool:
    """Whether nothing can join a block any more: a paragraph or a heading before a blank line."""
    return block.kind in ("paragraph_open", "heading_open") and block.last < len(parsed.rows) - 1 and parsed.is_blank(block.last)


def _may_be_table(fence: Block, parsed: Parsed) -> bool:
    """Whether the next line can still make this opening line the head of a table, which goes before all else."""
    return "|" in parsed.rows[fence.first] and fence.first + 2 >= len(parsed.rows)
