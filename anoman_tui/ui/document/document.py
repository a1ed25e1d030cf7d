"""Everything one pane shows below its header: reasoning, the answer, and notes, as one list of lines."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from anoman_tui.core.records import dataclass
from anoman_tui.core.sanitize import Sanitizer, clean
from anoman_tui.ui.document import styles as s
from anoman_tui.ui.document.lines import BLANK, CUT_END, MIN_WIDTH, Line, line_text, wrap
from anoman_tui.ui.document.plain import PlainText

if TYPE_CHECKING:
    from anoman_tui.ui.document.markdown import Markdown

_OPEN_MARK: Final = "▾ thinking"
_FOLDED_MARK: Final = "▸ thinking"
_BAR: Final[Line] = (("┊ ", s.REASONING_HEAD),)


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place in the text that survives a new layout: a section, an offset in its source, and drawn characters behind it."""

    section: str
    offset: int
    chars: int


class Section:
    """One text of the document: its sanitised source and its lines at the present width."""

    __slots__ = ("_chunks", "_finished", "_markdown", "_sanitizer", "_style", "_width", "layout")

    def __init__(self, width: int, *, markdown: bool, style: int = s.TEXT) -> None:
        self._width = width
        self._markdown = markdown
        self._style = style
        self._sanitizer = Sanitizer()
        self._chunks: list[str] = []
        self._finished = False
        self.layout = self._make()

    def _make(self) -> "Markdown | PlainText":
        """An empty layout. No start waits for Markdown to be loaded: nothing has come yet, and plain text is as empty."""
        if not self._markdown or not self._chunks:
            return PlainText(self._width, self._style)
        from anoman_tui.ui.document.markdown import Markdown

        return Markdown(self._width)

    def __len__(self) -> int:
        return len(self.layout)

    @property
    def text(self) -> str:
        """The sanitised source."""
        return "".join(self._chunks)

    def push(self, text: str) -> None:
        """Append foreign text."""
        safe = self._sanitizer.feed(text)
        if safe:
            self._append(safe)
            self._finished = False

    def finish(self) -> None:
        """Nothing more follows for now; lay out what is open."""
        rest = self._sanitizer.finish()
        if rest:
            self._append(rest)
        self.layout.finish()
        self._finished = True

    def _append(self, text: str) -> None:
        self._chunks.append(text)
        if len(self._chunks) == 1:
            self.layout = self._make()
        self.layout.push(text)

    def lay_out(self, width: int, *, markdown: bool) -> None:
        """Lay everything out anew."""
        self._width, self._markdown = width, markdown
        text = self.text
        self._chunks = [text] if text else []
        self.layout = self._make()
        if text:
            self.layout.push(text)
        if self._finished:
            self.layout.finish()

    def line(self, y: int) -> Line:
        """Line number `y`, from 0."""
        return self.layout.line(y)

    def place(self, y: int) -> tuple[int, int]:
        """The source offset of the frozen part that holds line `y`, and the drawn characters between its start and the line."""
        marks = self.layout.marks
        at = bisect_right(marks, y, key=lambda mark: mark[0]) - 1
        start, offset = marks[at] if at >= 0 else (0, 0)
        return offset, sum(_drawn(self.line(row)) for row in range(start, min(y, len(self))))

    def find(self, offset: int, chars: int) -> int:
        """The line of a place, as near as this layout has it."""
        marks = self.layout.marks
        at = bisect_right(marks, offset, key=lambda mark: mark[1]) - 1
        line = marks[at][0] if at >= 0 else 0
        last = marks[at + 1][0] - 1 if 0 <= at < len(marks) - 1 else len(self) - 1
        while line < last and chars >= (size := _drawn(self.line(line))):
            chars -= size
            line += 1
        return max(0, line)


def _drawn(line: Line) -> int:
    """Characters of a line but for its indentation, its end counted as one where a space or a line feed stood there."""
    text = line_text(line)
    return len(text.lstrip(" ")) + (0 if line and line[-1] == CUT_END else 1)


class AnswerDocument:
    """Reasoning, answer and notes with one index over all their lines."""

    __slots__ = ("_dirty", "_folded", "_note_lines", "_notes", "_raw", "answer", "reasoning", "width")

    def __init__(self, width: int = 80) -> None:
        self.width = max(MIN_WIDTH, width)
        self._raw = False
        self._folded = False
        self._notes: tuple[tuple[str, int], ...] = ()
        self._dirty: int | None = None
        self.clear()

    # -- content -------------------------------------------------------------------------------------------------

    def clear(self) -> None:
        """Drop all text."""
        self.reasoning = Section(self._reasoning_width, markdown=False, style=s.REASONING)
        self.answer = Section(self.width, markdown=not self._raw)
        self._notes = ()
        self._note_lines: list[Line] = []
        self._dirty = 0

    def push_answer(self, text: str) -> None:
        """Append foreign text to the answer."""
        start = self._answer_start + len(self.answer.layout.frozen)
        was_empty = not len(self.answer)
        self.answer.push(text)
        self._touch(0 if was_empty else start)

    def push_reasoning(self, text: str) -> None:
        """Append foreign text to the reasoning."""
        start = len(self.reasoning.layout.frozen)
        self.reasoning.push(text)
        self._touch(start)

    def set_notes(self, notes: Sequence[tuple[str, int]]) -> None:
        """Replace the notes after the answer: (foreign text, style id), each a paragraph of plain lines."""
        fresh = tuple((clean(text), style) for text, style in notes)
        if fresh != self._notes:
            self._touch(self._notes_start - 1)
            self._notes = fresh
            self._lay_out_notes()

    def finish(self) -> None:
        """Lay out what is still open."""
        start = min(len(self.reasoning.layout.frozen), self._answer_start + len(self.answer.layout.frozen))
        self.reasoning.finish()
        self.answer.finish()
        self._touch(start)

    # -- looks ---------------------------------------------------------------------------------------------------

    @property
    def raw(self) -> bool:
        """Whether the answer's source is shown in place of its Markdown."""
        return self._raw

    @raw.setter
    def raw(self, raw: bool) -> None:
        if raw != self._raw:
            self._raw = raw
            self.answer.lay_out(self.width, markdown=not raw)
            self._touch(0)

    @property
    def folded(self) -> bool:
        """Whether of the reasoning only its head is shown."""
        return self._folded

    @folded.setter
    def folded(self, folded: bool) -> None:
        if folded != self._folded:
            self._folded = folded
            self._touch(0)

    def resize(self, width: int) -> None:
        """Lay everything out for a width in cells."""
        width = max(MIN_WIDTH, width)
        if width == self.width:
            return
        self.width = width
        self.reasoning.lay_out(self._reasoning_width, markdown=False)
        self.answer.lay_out(width, markdown=not self._raw)
        self._lay_out_notes()
        self._touch(0)

    @property
    def _reasoning_width(self) -> int:
        return max(MIN_WIDTH, self.width - 2)

    def _lay_out_notes(self) -> None:
        self._note_lines = []
        for text, style in self._notes:
            self._note_lines += wrap(((text, style),), self.width)

    # -- lines ---------------------------------------------------------------------------------------------------

    @property
    def _reasoning_height(self) -> int:
        """Lines of the reasoning with its head."""
        count = len(self.reasoning)
        return 0 if not count else 1 if self._folded else count + 1

    @property
    def _answer_start(self) -> int:
        height = self._reasoning_height
        return height + 1 if height and len(self.answer) else height

    @property
    def _notes_start(self) -> int:
        end = self._answer_start + len(self.answer)
        return end + 1 if end and self._note_lines else end

    def __len__(self) -> int:
        return self._notes_start + len(self._note_lines)

    def line(self, y: int) -> Line:
        """Line number `y` of the whole, from 0; a blank one beyond the end."""
        if y < 0:
            return BLANK
        reasoning = self._reasoning_height
        if y < reasoning:
            return self._reasoning_line(y)
        at = y - self._answer_start
        if at < 0:
            return BLANK
        if at < len(self.answer):
            return self.answer.line(at)
        at = y - self._notes_start
        return self._note_lines[at] if 0 <= at < len(self._note_lines) else BLANK

    def _reasoning_line(self, y: int) -> Line:
        if y:
            return (*_BAR, *self.reasoning.line(y - 1))
        return ((_FOLDED_MARK if self._folded else _OPEN_MARK, s.REASONING_HEAD),)

    def lines(self, start: int, stop: int) -> list[Line]:
        """The lines from `start` up to `stop`, blank ones beyond the end. Those that are frozen cost next to nothing."""
        frozen = self.answer.layout.frozen
        first = self._answer_start
        at = max(start, first)
        self.answer.layout.show(at - first, max(0, stop - first))
        known = frozen[at - first : max(0, stop - first)]
        before = [self.line(y) for y in range(start, min(stop, first))]
        return before + known + [self.line(y) for y in range(at + len(known), stop)]

    def take_dirty(self) -> int | None:
        """The first line that may have changed since the last call, or nothing."""
        dirty, self._dirty = self._dirty, None
        return dirty

    def _touch(self, y: int) -> None:
        y = max(0, y)
        self._dirty = y if self._dirty is None else min(self._dirty, y)

    # -- places --------------------------------------------------------------------------------------------------

    def anchor(self, y: int) -> Anchor:
        """The place of line `y` in the text."""
        if 0 < y < self._reasoning_height:
            return Anchor("reasoning", *self.reasoning.place(y - 1))
        if y < self._reasoning_height:
            return Anchor("reasoning", -1, 0)
        at = y - self._answer_start
        if at < len(self.answer):
            return Anchor("answer", *self.answer.place(max(0, at)))
        return Anchor("notes", 0, y - self._notes_start)

    def locate(self, anchor: Anchor) -> int:
        """The line that shows a place."""
        if anchor.section == "notes":
            return self._notes_start + anchor.chars
        if anchor.section == "answer":
            return self._answer_start + self.answer.find(anchor.offset, anchor.chars)
        if self._folded or anchor.offset < 0:
            return 0
        return 1 + self.reasoning.find(anchor.offset, anchor.chars)
