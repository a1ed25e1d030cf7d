"""Finding a text in the lines of a document, also where a line was wrapped."""

import re
from typing import Final

from anoman_tui.ui.document import styles as s
from anoman_tui.ui.document.document import AnswerDocument
from anoman_tui.ui.document.lines import CUT, SOFT, Line

MAX_FOUND: Final = 10_000
"""Places kept; beyond them nobody walks."""
_JOINTS: Final = {SOFT: " ", CUT: ""}

Span = tuple[int, int, int]
"""The first character of a line, the one behind the last, and the number of the match."""


class Finder:
    """The places of one query in one document, kept up to date while the document grows."""

    __slots__ = ("_document", "_pattern", "_spans", "at", "lines", "query")

    def __init__(self, document: AnswerDocument) -> None:
        self._document = document
        self._pattern: re.Pattern[str] | None = None
        self._spans: dict[int, list[Span]] = {}
        self.query = ""
        self.lines: list[int] = []
        """The first line of each match, in order."""
        self.at = -1
        """The match that one is at; -1 for none."""

    def __len__(self) -> int:
        return len(self.lines)

    def search(self, query: str, top: int) -> None:
        """Look for another text, and be at its first place from line `top` on, else at the first of all."""
        self.query = query
        # Small letters find all, a capital only itself: what readers of long texts are used to.
        flags = re.IGNORECASE if query == query.lower() else re.NOFLAG
        self._pattern = re.compile(r"\s+".join(map(re.escape, query.split())), flags) if query.strip() else None
        self.at = -1
        self.update(0)
        self.at = next((at for at, line in enumerate(self.lines) if line >= top), 0 if self.lines else -1)

    def update(self, dirty: int) -> bool:
        """Lines from `dirty` on may have changed; whether the number of matches did."""
        if self._pattern is None:
            changed = bool(self.lines)
            self._spans, self.lines, self.at = {}, [], -1
            return changed
        before = len(self.lines)
        start = self._logical_start(dirty)
        while self.lines and self.lines[-1] >= start:
            self.lines.pop()
        self._spans = {y: spans for y, spans in self._spans.items() if y < start} if start else {}
        y = start
        while y < len(self._document) and len(self.lines) < MAX_FOUND:
            y = self._search_line(self._pattern, y)
        self.at = min(self.at, len(self.lines) - 1)
        return before != len(self.lines)

    def step(self, count: int) -> int | None:
        """Go on to another match, round the ends; its line, or None where there is none."""
        if not self.lines:
            return None
        self.at = (self.at + count) % len(self.lines)
        return self.lines[self.at]

    @property
    def here(self) -> int | None:
        """The line of the match that one is at."""
        return self.lines[self.at] if 0 <= self.at < len(self.lines) else None

    def spans(self, y: int) -> list[Span]:
        """What of a line is found."""
        return self._spans.get(y, [])

    def _logical_start(self, y: int) -> int:
        while y > 0 and _joint(self._document.line(y - 1)) is not None:
            y -= 1
        return y

    def _search_line(self, pattern: re.Pattern[str], y: int) -> int:
        """Search the text that begins in line `y`, however often it was wrapped; the line behind it."""
        parts: list[str] = []
        places: list[tuple[int, int, int]] = []  # offset in the joined text, line, character in the line
        size = 0
        while True:
            line = self._document.line(y)
            text, skipped = _text(line, continued=bool(parts))
            places.append((size, y, skipped))
            parts.append(text)
            size += len(text)
            y += 1
            joint = _joint(line)
            if joint is None or y >= len(self._document):
                break
            parts.append(joint)
            size += len(joint)
        for found in pattern.finditer("".join(parts)):
            self._keep(found.start(), found.end(), places)
        return y

    def _keep(self, start: int, end: int, places: list[tuple[int, int, int]]) -> None:
        if end <= start or len(self.lines) >= MAX_FOUND:
            return
        number = len(self.lines)
        for at, (offset, y, skipped) in enumerate(places):
            behind = places[at + 1][0] if at + 1 < len(places) else end
            first, last = max(start, offset), min(end, behind)
            if first < last:
                if len(self.lines) == number:
                    self.lines.append(y)
                self._spans.setdefault(y, []).append((first - offset + skipped, last - offset + skipped, number))


def _joint(line: Line) -> str | None:
    """What stood between a line and the next one it goes on in; None where it ends."""
    return _JOINTS.get(line[-1][1]) if line else None


def _text(line: Line, *, continued: bool) -> tuple[str, int]:
    """The text of a line; of one that goes on without what stands before it, and how many characters that is."""
    if not continued:
        return "".join([text for text, _ in line]), 0
    skipped = 0
    for at, (text, style) in enumerate(line):
        if style not in (s.QUOTE, s.REASONING_HEAD) and not (text and text.isspace()):
            return "".join([text for text, _ in line[at:]]), skipped
        skipped += len(text)
    return "", skipped
