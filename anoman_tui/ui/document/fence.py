"""An open top-level code fence, read line by line."""

import re
from dataclasses import field
from typing import Final

from anoman_tui.core.records import dataclass
from anoman_tui.ui.document import code
from anoman_tui.ui.document.lines import Line

_OPENING: Final = re.compile(r" {0,3}(`{3,}|~{3,})([^\n]*)")
_PAD_PIECES: Final = 1


@dataclass(frozen=True, slots=True)
class Taken:
    """What was read: groups of (lines, offset in the text), characters done, and whether the fence has ended."""

    parts: tuple[tuple[list[Line], int], ...]
    done: int
    closed: bool
    later: dict[int, tuple[str, str]] = field(default_factory=dict)
    """By the number of a group: the language and the text of a line that is one row, and gets its colours when it is shown."""


class Fence:
    """Reads the lines behind an opening line."""

    __slots__ = ("_indent", "_long", "_marker", "_name", "_size", "info")

    def __init__(self, opening: str) -> None:
        found = _OPENING.match(opening)
        self._marker, self.info = (found[1], found[2].strip()) if found else ("```", "")
        self._indent = len(opening) - len(opening.lstrip(" "))
        self._name = code.language(self.info)
        self._size = 0  # characters so far
        self._long = False  # the open line is so long that its rows are given out before it ends

    def take(self, text: str, width: int, *, final: bool) -> Taken:
        """Read all finished lines of a text, up to the end of the fence; of a very long line also the rows that are full."""
        rows = text.split("\n")
        rest = rows.pop()
        if final and rest:
            rows.append(rest)
        parts: list[tuple[list[Line], int]] = []
        later: dict[int, tuple[str, str]] = {}
        done = 0
        for row in rows:
            start, done = done, min(done + len(row) + 1, len(text))
            if not self._long and self._is_end(row):
                return Taken(tuple(parts), done, True, later)
            lines, name = self.rows(row, width, plain=True), self._language
            if name and row and not self._long:
                if len(lines) == 1:
                    later[len(parts)] = (name, self._unindented(row))
                else:
                    lines = self.rows(row, width)
            parts.append((lines, start))
            self._long = False
            self._size += len(row) + 1
        if not final and len(rest) > code.MAX_LEXED_LINE:
            lines, count = self._take_long(rest, width)
            parts.append((lines, done))
            done += count
        return Taken(tuple(parts), done, final, later)

    @property
    def _language(self) -> str:
        """What the next line is written in; nothing where it is shown plain."""
        return self._name if self._size <= code.MAX_LEXED_BLOCK else ""

    def rows(self, row: str, width: int, *, plain: bool = False) -> list[Line]:
        """The rows of one line."""
        if self._long:
            return code.long_code_lines(row, width) if row else []
        return code.code_lines(self._unindented(row), "" if plain else self._language, width)

    def may_end(self, row: str) -> bool:
        """Whether an unfinished line may become the end of the fence."""
        bare = row.strip(" ")
        return not self._long and bool(bare) and not bare.strip(self._marker[0])

    def _is_end(self, row: str) -> bool:
        bare = row.rstrip(" \t")
        marks = bare.lstrip(" ")
        return len(bare) - len(marks) < 4 and len(marks) >= len(self._marker) and not marks.strip(self._marker[0])

    def _unindented(self, row: str) -> str:
        at = 0
        while at < min(self._indent, len(row)) and row[at] == " ":
            at += 1
        return row[at:]

    def _take_long(self, rest: str, width: int) -> tuple[list[Line], int]:
        """All rows but the last of a line that does not end, and their characters."""
        bare = rest if self._long else self._unindented(rest)
        self._long = True
        lines = code.long_code_lines(bare, width)
        kept = sum(len(text) for text, _ in lines[-1][_PAD_PIECES:])
        self._size += len(rest) - kept
        return lines[:-1], len(rest) - kept
