"""Text that grows: appending is cheap, older values stay valid, and reading only the new end costs only the new end."""

import re
from bisect import bisect_right

from anoman_tui.core.late import late

_SURROGATE = late(lambda: re.compile("[\ud800-\udfff]"))


class Chunks:
    """An immutable string kept as pieces.

    Values share one growing list: `append` extends it in place when this value is its newest view, and copies it
    otherwise. So a thousand appends cost a thousand list appends, and each value still sees only its own pieces.
    """

    __slots__ = ("_count", "_ends", "_parts")

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._ends: list[int] = []
        self._count = 0

    def append(self, text: str) -> "Chunks":
        """This text with `text` at its end."""
        if not text:
            return self
        grown = Chunks.__new__(Chunks)
        if self._count == len(self._parts):
            parts, ends = self._parts, self._ends
        else:
            parts, ends = self._parts[: self._count], self._ends[: self._count]
        ends.append((ends[-1] if ends else 0) + len(text))
        parts.append(text)
        grown._parts, grown._ends, grown._count = parts, ends, len(parts)
        return grown

    def __len__(self) -> int:
        """Length in code points, surrogates that came apart counted one by one."""
        return self._ends[self._count - 1] if self._count else 0

    def __bool__(self) -> bool:
        return self._count > 0

    def since(self, start: int) -> str:
        """The text from code point `start` on, as it came."""
        if start >= len(self):
            return ""
        first = bisect_right(self._ends, start, 0, self._count)
        before = self._ends[first - 1] if first else 0
        tail = self._parts[first : self._count]
        tail[0] = tail[0][start - before :]
        return "".join(tail)

    @property
    def text(self) -> str:
        """The whole text; surrogate pairs that came apart are joined, orphans become U+FFFD."""
        return mend_surrogates("".join(self._parts[: self._count]))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Chunks({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chunks) and self.since(0) == other.since(0)

    def __hash__(self) -> int:
        return hash(self.since(0))


def mend_surrogates(text: str) -> str:
    """Join surrogate pairs and replace orphans, so that the text can be encoded."""
    if _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
