"""The pane's text: reasoning, answer and notes."""

from collections.abc import Sequence

from anoman_tui.ui.document.viewport import Viewport
from anoman_tui.ui.widgets.document_view import DocumentView


class AnswerView(DocumentView):
    """Shows what one pane receives. The `append_*` methods only collect; `flush` lays out and draws what was collected."""

    DEFAULT_CSS = """
    AnswerView { width: 1fr; height: 1fr; background: $background; color: $foreground; }
    """

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(name=name, id=id, classes=classes)
        self._answer: list[str] = []
        self._reasoning: list[str] = []
        self._notes: Sequence[tuple[str, int]] | None = None

    def append_answer(self, text: str) -> None:
        """Collect foreign text for the answer."""
        self._answer.append(text)

    def append_reasoning(self, text: str) -> None:
        """Collect foreign text for the reasoning."""
        self._reasoning.append(text)

    def set_notes(self, notes: Sequence[tuple[str, int]]) -> None:
        """Replace the notes below the answer by (foreign text, style id of a note) at the next flush."""
        self._notes = tuple(notes)

    def clear(self) -> None:
        """Drop all text, collected or shown, and follow again."""
        self._answer.clear()
        self._reasoning.clear()
        self._notes = None
        self.document.clear()
        self._view = Viewport()
        self._changed_shape(0)

    def flush(self) -> None:
        """Lay out what was collected and draw what changed; without news this does nothing."""
        self._collect()
        self.draw_changes()

    def finish(self) -> None:
        """Flush, and lay out what was still open."""
        self._collect()
        self.document.finish()
        self.draw_changes(settle=True)

    def _collect(self) -> None:
        if self._reasoning:
            self.document.push_reasoning("".join(self._reasoning))
            self._reasoning.clear()
        if self._answer:
            self.document.push_answer("".join(self._answer))
            self._answer.clear()
        if self._notes is not None:
            self.document.set_notes(self._notes)
            self._notes = None

    @property
    def raw(self) -> bool:
        """Whether the answer's source is shown in place of its Markdown."""
        return self.document.raw

    @raw.setter
    def raw(self, raw: bool) -> None:
        place = self.document.anchor(self.top)
        self.document.raw = raw
        self._changed_shape(self.document.locate(place))

    @property
    def folded(self) -> bool:
        """Whether only the head of the reasoning is shown."""
        return self.document.folded

    @folded.setter
    def folded(self, folded: bool) -> None:
        place = self.document.anchor(self.top)
        self.document.folded = folded
        self._changed_shape(self.document.locate(place))
