"""Entries of several panes as rows on one clock: a row is a moment, and holds at most one entry of each pane."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Final

from anoman_tui.ui.wire.log import Entry

NEAR_NS: Final = 10_000_000
"""Entries of different panes this close share a row; each tells its own time."""


class Column:
    """The entries of one pane that pass the filter, and in which rows they stand."""

    __slots__ = ("entries", "keeps", "passed", "placed", "seen", "starts", "zero_ns")

    def __init__(self, entries: Sequence[Entry], zero_ns: int, keeps: Callable[[Entry], bool] | None) -> None:
        self.entries = entries
        self.zero_ns = zero_ns
        self.keeps = keeps
        self.seen = 0  # entries that went through the filter
        self.passed = array("l")  # the entries that passed
        self.starts = array("l")  # for each row, how many of those stand above it
        self.placed = 0  # how many stand in rows

    def sift(self, most: int) -> int:
        """Put new entries through the filter, at most so many; how many that were."""
        first, last = self.seen, min(len(self.entries), self.seen + most)
        if self.keeps is None:
            self.passed.extend(range(first, last))
        else:
            self.passed.extend(at for at in range(first, last) if self.keeps(self.entries[at]))
        self.seen = last
        return last - first

    def time(self, number: int) -> int:
        """When the entry of that number among those that passed came, on the column's clock."""
        return self.entries[self.passed[number]].t_ns - self.zero_ns


class Rows:
    """Rows of columns, which grow at their end. The same entries give the same rows, in whatever pieces they came."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = columns
        self.times = array("q")
        """When the first entry of each row came."""

    def __len__(self) -> int:
        return len(self.times)

    def advance(self, most: int) -> bool:
        """Take new entries, at most so many of a column; whether there are more."""
        for column in self.columns:
            before = len(column.passed)
            column.sift(most)
            if len(column.passed) > before:
                self._unwind(column, column.time(before) - NEAR_NS)
        self._merge()
        return any(column.seen < len(column.entries) for column in self.columns)

    def _unwind(self, new: Column, t_ns: int) -> None:
        """Take back the rows that a new entry of a column could have shared, or stood above: those behind the column's last entry."""
        times = self.times
        while times and times[-1] >= t_ns and new.starts[-1] == new.placed:
            times.pop()
            for column in self.columns:
                column.placed = column.starts.pop()

    def _merge(self) -> None:
        """Place all that passed: each row takes the earliest entry, and of other columns what is near to it."""
        far = 1 << 62
        columns, times = self.columns, self.times
        nexts = [column.time(column.placed) if column.placed < len(column.passed) else far for column in columns]
        while (t_ns := min(nexts, default=far)) < far:
            times.append(t_ns)
            limit = t_ns + NEAR_NS
            for at, column in enumerate(columns):
                column.starts.append(column.placed)
                if nexts[at] <= limit:
                    column.placed += 1
                    nexts[at] = column.time(column.placed) if column.placed < len(column.passed) else far

    def at(self, row: int, number: int) -> int | None:
        """The entry of a column in a row."""
        column = self.columns[number]
        start = column.starts[row]
        after = column.starts[row + 1] if row + 1 < len(column.starts) else column.placed
        return column.passed[start] if after > start else None

    def row_of(self, number: int, entry: int) -> int | None:
        """The row of a column's entry; None where it is filtered out or not placed yet."""
        column = self.columns[number]
        at = bisect_left(column.passed, entry)
        if at >= column.placed or column.passed[at] != entry:
            return None
        return bisect_right(column.starts, at) - 1

    def row_at(self, t_ns: int) -> int:
        """The row nearest below a moment."""
        return min(bisect_left(self.times, t_ns), max(0, len(self.times) - 1))


class Marks:
    """Entries that one walks through, such as those that were found. They are noted in order, while the rows grow."""

    def __init__(self, rows: Rows, is_one: Callable[[int, Entry], bool]) -> None:
        self._rows = rows
        self._is_one = is_one
        self._scanned = [0] * len(rows.columns)
        self._found = [array("l") for _ in rows.columns]

    def __len__(self) -> int:
        return sum(map(len, self._found))

    def scan(self, most: int) -> bool:
        """Look at new entries, at most so many of a column; whether there are more."""
        more = False
        for at, column in enumerate(self._rows.columns):
            first, last = self._scanned[at], min(len(column.passed), self._scanned[at] + most)
            self._found[at].extend(n for n in range(first, last) if self._is_one(at, column.entries[column.passed[n]]))
            self._scanned[at] = last
            more = more or last < len(column.passed)
        return more

    def step(self, row: int, down: bool) -> tuple[int, int] | None:
        """The next row below, or above, with one of them, round the ends; and the column. None where there is none."""
        places = [place for at in range(len(self._found)) if (place := self._next(at, row, down)) is not None]
        if not places:
            ends = [place for at in range(len(self._found)) if (place := self._next(at, -1 if down else len(self._rows), down)) is not None]
            return (min if down else max)(ends, default=None)
        return min(places) if down else max(places)

    def _next(self, at: int, row: int, down: bool) -> tuple[int, int] | None:
        column, found = self._rows.columns[at], self._found[at]
        if down:
            first = 0 if row < 0 else column.starts[row + 1] if row + 1 < len(column.starts) else column.placed
            place = bisect_left(found, first)
        else:
            place = bisect_left(found, column.starts[row] if 0 <= row < len(column.starts) else column.placed) - 1
        if not 0 <= place < len(found) or found[place] >= column.placed:
            return None
        return bisect_right(column.starts, found[place]) - 1, at

    def before(self, row: int) -> int:
        """How many of them stand above a row."""
        if not 0 <= row < len(self._rows):
            return 0
        return sum(bisect_left(found, column.starts[row]) for found, column in zip(self._found, self._rows.columns, strict=True))
