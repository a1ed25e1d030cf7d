"""Markdown as lines, growing at its end.

Only the open block is parsed again: finished blocks are laid out once and frozen, an open code fence is frozen line by
line, an open list item by item, an open table in groups of rows, an endless paragraph in pieces. What is frozen, and
where, follows from the text alone and never from how it was cut into pushes, so that any streaming ends in the same lines.

Block boundaries are taken from whole lines only, since half a line can still become anything. Where the rest of a list or
a table must be read as its continuation, a made-up first item or the table's own head stands before it (`_prefix`).
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from anoman_tui.ui.document import code, table
from anoman_tui.ui.document.blocks import BlockLayout
from anoman_tui.ui.document.lines import BLANK, Line
from anoman_tui.ui.document.plain import CUT_LENGTH, PlainText, cut_point

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAX_NESTING: Final = 20
TABLE_GROUP: Final = 50
"""Body rows of a table that are laid out together; the first group sets the widths of all."""
LARGE: Final = 4_000
"""Characters from which on an open block is parsed again only when it has grown by an eighth."""
MAX_BRACKETS: Final = 1_000
"""Opening brackets in one block above which it is shown plain: the search for their ends is quadratic."""

_OPENING: Final = re.compile(r" {0,3}(`{3,}|~{3,})([^\n]*)")
_BLANK_LINES: Final = re.compile(r"(?:[ \t]*\n)+")
_DUMMY_ITEM: Final = "   {} x\n"  # indented as far as an item can be, so that no sibling is read as its child


@lru_cache(maxsize=1)
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING}).enable(["table", "strikethrough"])
    # A reference that is defined later would change text that is already frozen.
    return parser.disable(["reference", "html_block", "html_inline"])


def warm() -> None:
    """Import and prepare the parser; callable on any thread."""
    _parser().parse("# a\n\n- *b*\n")


def parse(text: str) -> "list[Token] | None":
    """The block tokens of a text; nothing where the parser gave up on it."""
    try:
        return _parser().parse(text)
    except Exception:  # the parser is foreign code on foreign text
        return None


def _is_closing(line: str, marker: str) -> bool:
    bare = line.rstrip(" \t")
    inner = bare.lstrip(" ")
    return len(bare) - len(inner) < 4 and len(inner) >= len(marker) and inner == marker[0] * len(inner)


class _Fence:
    """An open top-level code fence."""

    __slots__ = ("indent", "long", "marker", "name", "size")

    def __init__(self, indent: int, marker: str, info: str) -> None:
        self.indent = indent
        self.marker = marker
        self.name = code.language(info)
        self.size = 0  # characters so far
        self.long = False  # the open line is so long that its rows are frozen before it ends


class Markdown:
    """Lines of a Markdown text. `frozen` only grows; the live lines after it are laid out anew with each push."""

    __slots__ = (
        "_extra",
        "_fence",
        "_gap",
        "_next_parse",
        "_pending",
        "_pending_size",
        "_prefix",
        "_start",
        "_tail",
        "_tried",
        "_widths",
        "_window",
        "frozen",
        "laid",
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
        self.laid = 0  # lines laid out so far
        self._tail = ""  # the source from the start of the open block
        self._start = 0  # where the tail starts in the source
        self._pending: list[str] = []
        self._pending_size = 0
        self._prefix = ""
        self._widths: Sequence[int] | None = None  # columns of the open table, once its first group is frozen
        self._gap = False  # a blank line is due before the next block
        self._window = CUT_LENGTH
        self._tried = 0  # characters of the tail in which no boundary was found
        self._next_parse = 0
        self._fence: _Fence | None = None
        self._extra: PlainText | None = None  # what came since a large open block was last parsed

    def __len__(self) -> int:
        return len(self.frozen) + len(self.live) + (len(self._extra) if self._extra else 0)

    def line(self, y: int) -> Line:
        """Line number `y`, from 0."""
        y -= len(self.frozen)
        if y < 0:
            return self.frozen[y]
        if y < len(self.live):
            return self.live[y]
        y -= len(self.live)
        if self._extra is None:
            return BLANK
        return self._extra.frozen[y] if y < len(self._extra.frozen) else self._extra.live[y - len(self._extra.frozen)]

    def push(self, text: str) -> None:
        """Append source text, which must have line feeds as its only line ends."""
        self._pending.append(text)
        self._pending_size += len(text)
        if self._fence is None and len(self._tail) + self._pending_size < self._next_parse:
            if self._extra is None:
                self._extra = PlainText(self.width)
            self._extra.push(text)
            return
        self._advance(final=False)
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
        self._next_parse = size + size // 8 if size > LARGE else 0

    def _drop(self, count: int) -> None:
        """The first characters of the tail are done."""
        self._tail = self._tail[count:]
        self._start += count
        self._tried = 0
        self._window = CUT_LENGTH

    def _step(self, *, final: bool) -> bool:
        """Freeze some of the tail; whether anything came of it."""
        if not self._prefix and (blank := _BLANK_LINES.match(self._tail)):
            self._drop(blank.end())
        tail, size = self._tail, self._window
        whole = final and len(tail) < size
        if whole:
            window = tail
        elif len(tail) >= size:
            window = tail[: tail.rfind("\n", 0, size) + 1] or tail[:size]
        else:
            window = tail[: tail.rfind("\n") + 1]
        if not window or (len(window) <= self._tried and not whole and len(tail) < size):
            return False
        if len(window) > self._tried or whole or len(tail) >= size:
            tokens = self._parse(window)
            if (whole or window[-1] == "\n") and self._freeze_blocks(tokens, window, whole=whole):
                return True
            if (
                len(tail) >= size == CUT_LENGTH
                and tokens
                and [t.type for t in tokens if not t.level] == ["paragraph_open", "paragraph_close"]
            ):
                self._cut_paragraph(window)
                return True
        self._tried = len(window)
        if len(tail) < size:
            return False
        self._window *= 2
        return True

    def _parse(self, text: str) -> "list[Token] | None":
        self.parsed += len(text)
        return parse(self._prefix + text)

    def _cut_paragraph(self, window: str) -> None:
        cut = cut_point(window)
        self._emit(self._unit(self._parse(window[:cut]) or [], self._rows(window[:cut]), window[:cut]))
        self._drop(cut)
        self._gap = False

    def _rows(self, text: str) -> list[str]:
        return (self._prefix + text).split("\n")

    def _emit(self, lines: list[Line], offset: int = 0) -> None:
        """Freeze lines of the source at an offset in the tail, after the blank line that is due."""
        if self._gap and self.frozen:
            self.frozen.append(BLANK)
        self._gap = False
        self.marks.append((len(self.frozen), self._start + offset))
        self.frozen += lines

    def _freeze_blocks(self, tokens: "list[Token] | None", window: str, *, whole: bool) -> bool:
        """Freeze all finished blocks of the window; whether there was one."""
        if tokens is None:
            return self._freeze_unreadable(window, whole=whole)
        tops = [at for at, token in enumerate(tokens) if not token.level and token.nesting >= 0]
        if not tops:
            if whole:
                self._drop(len(window))
            return False
        rows = self._rows(window)
        starts = _line_starts(rows, len(self._prefix))
        for rank, at in enumerate(tops):
            last = rank == len(tops) - 1
            end = len(tokens) if last else tops[rank + 1]
            first = tokens[at]
            offset = starts[first.map[0]] if first.map else 0
            if first.type == "fence":
                self._open_fence(max(0, offset))
                return True
            if first.type == "table_open" and (done := self._freeze_rows(tokens[at:end], rows, starts, offset)) > offset:
                self._drop(done)
                return True
            if last and not whole:
                return self._freeze_part(tokens[at:end], rows, starts, max(0, offset))
            for lines, where in self._units(tokens[at:end], rows, starts):
                self._emit(lines, where)
            self._gap = True
            self._prefix, self._widths = "", None
        self._drop(len(window))
        return True

    def _freeze_unreadable(self, window: str, *, whole: bool) -> bool:
        if not whole:
            return False
        self._emit(plain_lines(window, self.width))
        self._drop(len(window))
        self._prefix, self._widths, self._gap = "", None, True
        return True

    def _freeze_part(self, block: "Sequence[Token]", rows: list[str], starts: list[int], offset: int) -> bool:
        """The last block stays open: freeze the items or rows that are finished, and all before it."""
        done = offset
        kind = block[0].type
        if kind in ("bullet_list_open", "ordered_list_open"):
            items = [at for at, token in enumerate(block) if token.type == "list_item_open" and token.level == 1]
            last = block[items[-1]].map
            if last and starts[last[0]] > done:
                for lines, where in self._item_units(block, items, rows, starts, finished=True):
                    self._emit(lines, where)
                self._gap = not rows[last[0] - 1].strip()
                done = starts[last[0]]
                mark = block[0].markup
                self._prefix = _DUMMY_ITEM.format(f"1{mark}" if kind[0] == "o" else mark)
        if not done:
            return False
        if done == offset:
            self._prefix, self._widths = "", None
        self._drop(done)
        return True

    def _freeze_rows(self, block: "Sequence[Token]", rows: list[str], starts: list[int], offset: int) -> int:
        first = block[0].map[0] if block[0].map else 0
        body = [token.map[0] for token in block if token.type == "tr_open" and token.map and token.map[0] > first]
        if len(body) <= TABLE_GROUP:
            return offset
        end = body[TABLE_GROUP]
        upto = next(at for at, token in enumerate(block) if token.type == "tr_open" and token.map and token.map[0] == end)
        self._emit(self._table_lines(block[:upto], rows), offset)
        self._prefix = "\n".join(rows[first : first + 2]) + "\n"
        return starts[end]

    # -- laying out ----------------------------------------------------------------------------------------------

    def _units(self, block: "Sequence[Token]", rows: list[str], starts: list[int]) -> list[tuple[list[Line], int]]:
        """The parts of one top-level block with their offsets in the tail, blank lines between them included."""
        kind = block[0].type
        if kind in ("bullet_list_open", "ordered_list_open"):
            items = [at for at, token in enumerate(block) if token.type == "list_item_open" and token.level == 1]
            return self._item_units(block, items, rows, starts, finished=False)
        where = block[0].map or [0, len(rows)]
        offset = max(0, starts[where[0]])
        if kind == "table_open":
            return [(self._table_lines(block, rows), offset)]
        return [(self._unit(block, rows, "\n".join(rows[where[0] : where[1]])), offset)]

    def _item_units(
        self, block: "Sequence[Token]", items: list[int], rows: list[str], starts: list[int], *, finished: bool
    ) -> list[tuple[list[Line], int]]:
        out: list[tuple[list[Line], int]] = []
        for rank, at in enumerate(items):
            where = block[at].map or [0, 0]
            if starts[where[0]] < 0:
                continue  # the made-up item
            if finished and rank == len(items) - 1:
                break
            end = items[rank + 1] if rank + 1 < len(items) else len(block) - 1
            lines = self._unit([block[0], *block[at:end], block[-1]], rows, "\n".join(rows[where[0] : where[1]]))
            if out and not rows[where[0] - 1].strip():
                lines.insert(0, BLANK)
            out.append((lines, starts[where[0]]))
        return out

    def _unit(self, tokens: "Sequence[Token]", rows: list[str], source: str) -> list[Line]:
        """The lines of one part; plain where it cannot be laid out as Markdown."""
        lines = None
        if source.count("[") < MAX_BRACKETS and not any(token.level >= MAX_NESTING - 1 for token in tokens):
            try:
                lines = BlockLayout(rows, self.width).run(tokens)
            except Exception:  # rather plain than lost
                lines = None
        if lines is None:
            lines = plain_lines(source, self.width)
        self.laid += len(lines)
        return lines

    def _table_lines(self, block: "Sequence[Token]", rows: list[str]) -> list[Line]:
        """A table, or more rows of the open one. Its widths are kept for the groups that follow."""
        try:
            found = table.read_table(block, rows)
            if self._widths is None:
                self._widths = table.column_widths(found, self.width)
                lines = table.head_lines(found, self._widths, self.width, ())
            else:
                lines = []
                if not found.rows:
                    return lines
            lines += table.body_lines(found, self._widths, self.width, ())
        except Exception:  # rather plain than lost
            where = block[0].map or [0, len(rows)]
            lines = plain_lines("\n".join(rows[where[0] : where[1]]), self.width)
        self.laid += len(lines)
        return lines

    def _lay_out_live(self) -> None:
        if self._fence:
            self._lay_out_live_fence(self._fence)
            return
        tail = self._tail
        self.live = []
        if not tail or tail.isspace():
            return
        tokens = self._parse(tail)
        gap = self._gap and bool(self.frozen)
        if tokens is None:
            self.live = [*([BLANK] if gap else []), *plain_lines(tail, self.width)]
            return
        rows = self._rows(tail)
        starts = _line_starts(rows, len(self._prefix))
        tops = [at for at, token in enumerate(tokens) if not token.level and token.nesting >= 0]
        widths = self._widths
        for rank, at in enumerate(tops):
            end = len(tokens) if rank == len(tops) - 1 else tops[rank + 1]
            for lines, _ in self._units(tokens[at:end], rows, starts):
                if gap:
                    self.live.append(BLANK)
                    gap = False
                self.live += lines
            gap = True
            self._widths = None
        self._widths = widths

    # -- code fences ---------------------------------------------------------------------------------------------

    def _open_fence(self, offset: int) -> None:
        """The tail has a top-level fence at an offset: read it line by line from now on."""
        self._drop(offset)
        line = self._tail.partition("\n")[0]
        found = _OPENING.match(line)
        marker, info = (found[1], found[2].strip()) if found else ("```", "")
        self._fence = _Fence(len(line) - len(line.lstrip(" ")), marker, info)
        self._prefix, self._widths = "", None
        self._emit(code.head_lines(info, self.width))
        self._drop(len(line) + 1)

    def _step_fence(self, fence: _Fence, *, final: bool) -> bool:
        rows = self._tail.split("\n")
        rest = "" if final else rows.pop()
        done = 0
        if final and rows[-1] == "":
            rows.pop()
        for row in rows:
            done += len(row) + 1
            if not fence.long and _is_closing(row, fence.marker):
                self._fence, self._gap = None, True
                self._drop(min(done, len(self._tail)))
                return True
            self._emit_code(fence, row, self._start + done - len(row) - 1)
            fence.long = False
            fence.size += len(row) + 1
        self._drop(min(done, len(self._tail)))
        if len(rest) > code.MAX_LEXED_LINE:
            self._freeze_long(fence, rest)
        if final:
            self._fence, self._gap = None, True
        return False

    def _code_rows(self, fence: _Fence, row: str) -> list[Line]:
        if fence.long:
            return code.long_code_lines(row, self.width) if row else []
        row = _strip_indent(row, fence.indent)
        return code.code_lines(row, fence.name if fence.size <= code.MAX_LEXED_BLOCK else "", self.width)

    def _emit_code(self, fence: _Fence, row: str, offset: int) -> None:
        lines = self._code_rows(fence, row)
        self.laid += len(lines)
        self.marks.append((len(self.frozen), offset))
        self.frozen += lines

    def _freeze_long(self, fence: _Fence, rest: str) -> None:
        """Freeze the full rows of a line that does not end."""
        if not fence.long:
            rest = _strip_indent(rest, fence.indent)
            fence.long = True
        lines = code.long_code_lines(rest, self.width)
        self.laid += len(lines)
        kept = "".join([text for text, _ in lines[-1]][1:])
        self.marks.append((len(self.frozen), self._start))
        self.frozen += lines[:-1]
        fence.size += len(self._tail) - len(kept)
        self._drop(len(self._tail) - len(kept))

    def _lay_out_live_fence(self, fence: _Fence) -> None:
        tail = self._tail
        if not tail or (not fence.long and tail.strip(" ") and not tail.strip(" ").strip(fence.marker[0])):
            self.live = []  # nothing, or what may become the end of the fence
            return
        self.live = self._code_rows(fence, tail)
        self.laid += len(self.live)


def _strip_indent(row: str, indent: int) -> str:
    at = 0
    while at < min(indent, len(row)) and row[at] == " ":
        at += 1
    return row[at:]


def _line_starts(rows: Sequence[str], prefix: int) -> list[int]:
    """Where each row starts, counted from behind the prefix."""
    starts = [-prefix]
    at = -prefix
    for row in rows:
        at += len(row) + 1
        starts.append(at)
    return starts


def plain_lines(text: str, width: int) -> list[Line]:
    """A text without markup."""
    plain = PlainText(width)
    plain.push(text.removesuffix("\n"))
    plain.finish()
    return plain.frozen
