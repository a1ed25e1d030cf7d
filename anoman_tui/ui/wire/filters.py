"""Which entries are shown: by their kind, and by a text."""

import re
from collections.abc import Callable
from enum import StrEnum

from anoman_tui.core.records import dataclass
from anoman_tui.core.target import Shape
from anoman_tui.ui.wire.log import Entry
from anoman_tui.ui.wire.meaning import only_deltas


class Kinds(StrEnum):
    """The kinds to show, in the order in which a key walks through them."""

    ALL = "everything"
    TELLING = "all but deltas"
    """Leaves out frames that are nothing but pieces of the answer."""
    DATA = "data"
    IDLE = "comments and empty"
    """What keeps a connection alive, and the silences."""

    @property
    def next(self) -> "Kinds":
        """The one after this, round the end."""
        kinds = list(Kinds)
        return kinds[(kinds.index(self) + 1) % len(kinds)]


@dataclass(frozen=True, slots=True)
class Filter:
    """What to show. An empty text keeps all."""

    kinds: Kinds = Kinds.ALL
    text: str = ""

    def keeps(self, shape: Shape) -> Callable[[Entry], bool] | None:
        """Whether an entry of a pane of this shape is shown; None where all are."""
        by_kind, has = _by_kind(self.kinds, shape), texts(self.text)
        if by_kind is None or has is None:
            return by_kind or has
        return lambda entry: by_kind(entry) and has(entry)


def texts(query: str) -> Callable[[Entry], bool] | None:
    """Whether a text stands in an entry: small letters find all, a capital only itself. None for nothing to look for."""
    pattern = pattern_of(query)
    if pattern is None:
        return None
    search = pattern.search

    def has(entry: Entry) -> bool:
        frame = entry.frame
        if frame is None:
            return search(entry.said) is not None
        return any(part and search(part) is not None for part in (frame.data, frame.event, frame.rest))

    return has


def pattern_of(query: str) -> re.Pattern[str] | None:
    """The text as a pattern."""
    if not query.strip():
        return None
    return re.compile(re.escape(query.strip()), re.IGNORECASE if query == query.lower() else re.NOFLAG)


def _by_kind(kinds: Kinds, shape: Shape) -> Callable[[Entry], bool] | None:
    match kinds:
        case Kinds.ALL:
            return None
        case Kinds.TELLING:
            return lambda entry: entry.frame is None or not only_deltas(entry.frame, shape)
        case Kinds.DATA:
            return lambda entry: entry.kind in ("data", "body", "open")
        case Kinds.IDLE:
            return lambda entry: entry.kind in ("comment", "empty", "gap")
