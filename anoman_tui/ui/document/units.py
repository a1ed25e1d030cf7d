"""Blocks as lines, in the parts in which they are frozen."""

from collections.abc import Iterator, Sequence

from anoman_tui.ui.document import table
from anoman_tui.ui.document.blocks import BlockLayout
from anoman_tui.ui.document.lines import BLANK, Line
from anoman_tui.ui.document.parsing import LISTS, Block, Parsed, items, table_rows
from anoman_tui.ui.document.plain import plain_lines
from anoman_tui.ui.document.quick import TABLE_GROUP

Unit = tuple[list[Line], int]
"""Lines, and the offset in the text where their source starts."""


class UnitLayout:
    """Lays out blocks for one width. Knows the columns of an open table from its first group of rows."""

    __slots__ = ("columns", "laid", "width")

    def __init__(self, width: int) -> None:
        self.width = width
        self.columns: Sequence[int] | None = None
        self.laid = 0  # lines laid out so far

    def units(self, block: Block, parsed: Parsed) -> Iterator[Unit]:
        """All parts of a block."""
        if block.kind in LISTS:
            yield from self.item_units(items(block), parsed)
        elif block.kind == "table_open":
            yield self._table(block, parsed), max(0, parsed.starts[block.first])
        else:
            yield self._markdown(block, parsed), max(0, parsed.starts[block.first])

    def item_units(self, some: Sequence[Block], parsed: Parsed) -> Iterator[Unit]:
        """Items of a list, with a blank line between two where the source has one; not those of the prefix."""
        first = True
        for item in some:
            offset = parsed.starts[item.first]
            if offset < 0:
                continue
            lines = self._markdown(item, parsed)
            if not first and parsed.is_blank(item.first - 1):
                lines.insert(0, BLANK)
            first = False
            yield lines, offset

    def row_group(self, block: Block, parsed: Parsed) -> tuple[list[Line], int] | None:
        """The first group of a table's rows, and the row after it; nothing where there is no more than a group."""
        body = table_rows(block)
        if len(body) <= TABLE_GROUP:
            return None
        upto, row = body[TABLE_GROUP]
        return self._table(Block(block.kind, block.tokens[:upto], block.first, row), parsed), row

    def _markdown(self, block: Block, parsed: Parsed) -> list[Line]:
        """The lines of one part; plain where it cannot be laid out as Markdown."""
        lines = None
        if not block.too_deep:
            try:
                lines = BlockLayout(parsed.rows, self.width).run(block.tokens)
            except Exception:  # rather plain than lost
                lines = None
        if lines is None:
            lines = plain_lines(parsed.source(block.first, block.last), self.width)
        self.laid += len(lines)
        return lines

    def _table(self, block: Block, parsed: Parsed) -> list[Line]:
        """A table, or more rows of the open one, whose head stands in the prefix."""
        lines: list[Line] = []
        try:
            found = table.read_table(block.tokens, parsed.rows)
            if self.columns is None:
                self.columns = table.column_widths(found, self.width)
                lines += table.head_lines(found, self.columns, ())
            elif not found.rows:
                return lines
            lines += table.body_lines(found, self.columns, self.width, ())
        except Exception:  # rather plain than lost
            lines = plain_lines(parsed.source(block.first, block.last), self.width)
        self.laid += len(lines)
        return lines
