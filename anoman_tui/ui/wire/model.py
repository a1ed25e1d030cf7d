"""All that the wire lanes know: the logs of the panes, and the rows of those that are shown."""

from collections.abc import Sequence
from typing import Final

from anoman_tui.core.contract import Finding, findings
from anoman_tui.core.metrics import zero_ns
from anoman_tui.core.pane import PaneState
from anoman_tui.core.records import dataclass
from anoman_tui.core.target import Target
from anoman_tui.ui.mailbox import Mailbox
from anoman_tui.ui.wire.filters import Filter, texts
from anoman_tui.ui.wire.log import Entry, PaneLog
from anoman_tui.ui.wire.rows import Column, Marks, Rows

AT_ONCE: Final = 4_000
"""Frames of a pane that are taken at a time: some ten milliseconds."""


@dataclass(frozen=True, slots=True)
class Source:
    """One pane as the board holds it."""

    target: Target
    state: PaneState | None
    mailbox: Mailbox | None
    queued: bool = False


class Pane:
    """One pane: what its run sent, and which frames broke a rule."""

    __slots__ = ("findings", "log", "source")

    def __init__(self, source: Source) -> None:
        self.source = source
        self.log = None if source.mailbox is None else PaneLog(source.target, source.mailbox)
        self.findings: tuple[Finding, ...] = ()

    @property
    def zero_ns(self) -> int | None:
        """The zero of its own clock."""
        return None if self.source.state is None else zero_ns(self.source.state)

    def rules_of(self, entry: Entry) -> tuple[Finding, ...]:
        """What an entry broke."""
        number = None if entry.frame is None else entry.frame.number
        return () if number is None else tuple(found for found in self.findings if found.frame == number)


class Wire:
    """Takes what is new and keeps the rows up to date, a bounded amount at a time."""

    def __init__(self) -> None:
        self.panes: list[Pane] = []
        self.shown: tuple[int, ...] = ()
        """The panes that have a column."""
        self.filter = Filter()
        self.query = ""
        """The text that is looked for."""
        self.own_clocks = False
        """Whether each pane's time runs from its own start."""
        self.rows = Rows(())
        self.found = Marks(self.rows, lambda _, __: False)
        self.broken = self.found
        self.built = 0
        """Grows whenever rows may be others than before, not only more."""
        self._zeros: tuple[int, ...] = ()
        self._numbers: tuple[frozenset[int], ...] = ()

    def update(self, sources: Sequence[Source]) -> bool:
        """Take what is new, a bounded amount; whether there is more to take."""
        more = False
        if len(self.panes) != len(sources):
            self.panes, self.shown = [Pane(source) for source in sources], ()
        for at, source in enumerate(sources):
            pane = self.panes[at]
            if pane.source.mailbox is not source.mailbox:
                pane = self.panes[at] = Pane(source)
                self._zeros = ()
            pane.source = source
            if pane.log is not None:
                more = pane.log.feed(source.state, AT_ONCE) >= AT_ONCE or more
            pane.findings = () if source.state is None else findings(source.state)
        if not self.shown:
            self.shown = tuple(range(len(self.panes)))
        self._rebuild_where_changed()
        more = self.rows.advance(AT_ONCE) or more
        more = self.found.scan(AT_ONCE) or more
        return self.broken.scan(AT_ONCE) or more

    def show(self, shown: tuple[int, ...]) -> None:
        """Give these panes a column."""
        if shown != self.shown:
            self.shown = shown
            self.rebuild()

    def look_for(self, query: str) -> None:
        """Look for a text."""
        self.query = query
        self._mark_found()

    def zero_of(self, pane: int) -> int:
        """The zero of the clock that a pane is shown by."""
        return self._zeros[pane] if pane < len(self._zeros) else 0

    def _rebuild_where_changed(self) -> None:
        own = [pane.zero_ns for pane in self.panes]
        first = min((zero for zero in own if zero is not None), default=0)
        zeros = tuple(zero if self.own_clocks and zero is not None else first for zero in own)
        if zeros != self._zeros:
            self._zeros = zeros
            self.rebuild()
        numbers = tuple(frozenset(found.frame for found in pane.findings if found.frame is not None) for pane in self.panes)
        if numbers != self._numbers:
            self._numbers = numbers
            self._mark_broken()

    def rebuild(self) -> None:
        """Begin the rows anew, as the filter, the clock and the choice of panes are now."""
        columns = []
        for at in self.shown:
            log = self.panes[at].log
            shape = self.panes[at].source.target.shape
            columns.append(Column((), 0, None) if log is None else Column(log.entries, self.zero_of(at), self.filter.keeps(shape)))
        self.rows = Rows(columns)
        self._mark_found()
        self._mark_broken()

    def _mark_found(self) -> None:
        has = texts(self.query)
        self.found = Marks(self.rows, lambda _, entry: has is not None and has(entry))
        self.built += 1

    def _mark_broken(self) -> None:
        numbers, shown = self._numbers, self.shown

        def is_one(column: int, entry: Entry) -> bool:
            pane = shown[column]
            return entry.frame is not None and pane < len(numbers) and entry.frame.number in numbers[pane]

        self.broken = Marks(self.rows, is_one)
        self.built += 1

    def entry(self, row: int, column: int) -> tuple[int, Entry] | None:
        """The entry of a column in a row, and its place in the pane's log."""
        at = self.rows.at(row, column) if 0 <= row < len(self.rows) else None
        return None if at is None else (at, self.rows.columns[column].entries[at])

    def column_in(self, row: int, column: int) -> int | None:
        """The column nearest to one that has an entry in a row."""
        there = [at for at in range(len(self.rows.columns)) if self.entry(row, at) is not None]
        return min(there, key=lambda at: abs(at - column), default=None)
