"""Tables: measured once, drawn in columns where there is room, else as one record a row."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from anoman_tui.core.records import dataclass
from anoman_tui.ui.document import styles as s
from anoman_tui.ui.document.inline import inline_runs
from anoman_tui.ui.document.lines import Line, Piece, line_text, pieces_width, wrap

if TYPE_CHECKING:
    from markdown_it.token import Token

_BAR: Final[Piece] = (" │ ", s.BORDER)
_CONTAINERS: Final = re.compile(r"^[ \t>]+")
_CELL_END: Final = re.compile(r"(?<!\\)(?:\\\\)*\|")
_ALIGN: Final = re.compile(r"(:?)-+(:?)")
_ALIGNS: Final = {("", ""): "", (":", ""): "left", ("", ":"): "right", (":", ":"): "center"}
MIN_COLUMN: Final = 4

Cell = Sequence[Piece]


@dataclass(frozen=True, slots=True)
class Table:
    """A table's header, body rows and alignments (left, right, center or nothing, by column)."""

    head: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    aligns: tuple[str, ...]


def read_table(tokens: Sequence["Token"], source: Sequence[str]) -> Table:
    """The table of its tokens; `source` holds the lines their maps point into."""
    head: list[Cell] = []
    aligns: list[str] = []
    rows: list[tuple[Cell, ...]] = []
    row: list[Cell] = []
    in_head = True
    line = 0
    for token in tokens:
        kind = token.type
        if kind == "tr_open":
            row = []
            line = token.map[0] if token.map else 0
        elif kind == "th_open":
            aligns.append(str(token.attrs.get("style", "")).removeprefix("text-align:"))
        elif kind == "inline":
            row.append(inline_runs(token.content, s.HEADING | s.STRONG if in_head else s.TEXT))
        elif kind == "thead_close":
            head, in_head = row, False
        elif kind == "tr_close" and not in_head:
            _add_surplus(row, source[line] if line < len(source) else "")
            rows.append(tuple(row))
    return Table(tuple(head), tuple(rows), tuple(aligns))


def plain_table(head: str, rule: str, rows: Sequence[str]) -> Table | None:
    """The table of lines that begin with a bar and hold no backslash, read without the parser; nothing where they are none."""
    names, aligns = _cells(head), _aligns(rule)
    if aligns is None or len(names) != len(aligns) or not names:
        return None
    body: list[tuple[Cell, ...]] = []
    for line in rows:
        row: list[Cell] = [inline_runs(text) for text in _cells(line)[: len(names)]]
        row += [inline_runs("")] * (len(names) - len(row))
        _add_surplus(row, line)
        body.append(tuple(row))
    return Table(tuple([inline_runs(name, s.HEADING | s.STRONG) for name in names]), tuple(body), tuple(aligns))


def _cells(line: str) -> list[str]:
    cells = line.strip().split("|")[1:]
    if cells and not cells[-1]:
        cells.pop()
    return [cell.strip() for cell in cells]


def _aligns(rule: str) -> list[str] | None:
    aligns: list[str] = []
    columns = rule.split("|")
    for at, column in enumerate(columns):
        found = _ALIGN.fullmatch(column.strip())
        if found is not None:
            aligns.append(_ALIGNS[found[1], found[2]])
        elif column.strip() or 0 < at < len(columns) - 1:
            return None
    return aligns


def table_lines(table: Table, width: int) -> list[Line]:
    """A whole table."""
    widths = column_widths(table, width)
    return [*head_lines(table, widths, ()), *body_lines(table, widths, width, ())]


def _add_surplus(row: list[Cell], line: str) -> None:
    """Show the cells beyond the header's count, which the grammar drops, in the last column."""
    text = _CONTAINERS.sub("", line).strip().removeprefix("|")
    if not row or text.count("|") < len(row):
        return
    at = 0
    for _ in row:
        found = _CELL_END.search(text, at)
        if found is None:
            return
        at = found.end()
    surplus = text[at:].strip().removesuffix("|").strip()
    if surplus:
        row[-1] = [*row[-1], (f" | {surplus}", s.TEXT)]


def column_widths(table: Table, width: int) -> tuple[int, ...]:
    """Width of each column in cells so that a row fits in `width`; empty where no columns fit."""
    count = len(table.head)
    room = width - 3 * (count - 1)
    natural = [1] * count
    for row in (table.head, *table.rows):
        for at, cell in enumerate(row):
            if natural[at] < room and (size := pieces_width(cell)) > natural[at]:
                natural[at] = min(size, room)
    if sum(natural) <= room:
        return tuple(natural)
    if room < MIN_COLUMN * count:
        return ()
    return _shrink(natural, room)


def _shrink(natural: list[int], room: int) -> tuple[int, ...]:
    """The widest columns give way first, down to one common width; what is left over goes to the first of them."""
    widths = list(natural)
    left, open_ = room, sorted(range(len(widths)), key=widths.__getitem__)
    for rank, at in enumerate(open_):
        share = left // (len(open_) - rank)
        widths[at] = min(widths[at], share)
        left -= widths[at]
    for at in range(len(widths)):
        more = min(left, natural[at] - widths[at])
        widths[at] += more
        left -= more
    return tuple(widths)


def head_lines(table: Table, widths: Sequence[int], rest: Line) -> list[Line]:
    """The header row and the line under it."""
    if not widths:
        return []
    rule = (("─┼─".join(["─" * size for size in widths]), s.BORDER),)
    return [*_row_lines(table.head, widths, table.aligns, rest), (*rest, *rule)]


def body_lines(table: Table, widths: Sequence[int], width: int, rest: Line) -> list[Line]:
    """The body rows, in columns or as records."""
    out: list[Line] = []
    if not widths:
        rows = table.rows or (table.head,)
        for row in rows:
            out += _record_lines(table.head if table.rows else (), row, width, rest)
        return out
    for row in table.rows:
        out += _row_lines(row, widths, table.aligns, rest)
    return out


def _row_lines(row: Sequence[Cell], widths: Sequence[int], aligns: Sequence[str], rest: Line) -> list[Line]:
    if all(len(cell) < 2 for cell in row) and all(pieces_width(cell) <= size for cell, size in zip(row, widths, strict=False)):
        cells: list[list[Line]] = [[tuple(cell)] for cell in row]
    else:
        cells = [_wrapped(cell, size) for cell, size in zip(row, widths, strict=False)]
    out: list[Line] = []
    for y in range(max(map(len, cells), default=0)):
        pieces: list[Piece] = list(rest)
        for at, lines in enumerate(cells):
            if at:
                pieces.append(_BAR)
            pieces += _aligned(lines[y] if y < len(lines) else (), widths[at], aligns[at], last=at == len(cells) - 1)
        out.append(tuple(pieces))
    return out


def _wrapped(cell: Cell, size: int) -> list[Line]:
    """A cell in its column, however narrow."""
    return [tuple(piece for piece in line if piece[0]) for line in wrap(cell, size)]


def _aligned(line: Line, size: int, align: str, *, last: bool) -> list[Piece]:
    space = size - pieces_width(line)
    if space <= 0:
        return list(line)
    before = space if align == "right" else space // 2 if align == "center" else 0
    after = 0 if last else space - before
    return [*([(" " * before, s.TEXT)] if before else []), *line, *([(" " * after, s.TEXT)] if after else [])]


def _record_lines(head: Sequence[Cell], row: Sequence[Cell], width: int, rest: Line) -> list[Line]:
    """A row as lines of "header: value", a thin line after it."""
    out: list[Line] = []
    for at, cell in enumerate(row):
        label = [*head[at], (": ", s.BORDER)] if at < len(head) and line_text(tuple(head[at])) else []
        if label or cell:
            out += wrap([*label, *cell], width, rest, rest)
    out.append((*rest, ("─" * max(1, min(width, 12)), s.BORDER)))
    return out
