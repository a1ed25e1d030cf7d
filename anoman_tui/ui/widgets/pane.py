"""One pane: its title, how it goes, the answer, and what the gateway told."""

from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Grid, Vertical
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from anoman_tui.core.chunks import mend_surrogates
from anoman_tui.core.pane import PaneState
from anoman_tui.core.request import Request
from anoman_tui.core.sanitize import clean_line
from anoman_tui.core.target import Target
from anoman_tui.ui.backdrop import equal_rows
from anoman_tui.ui.bindings import PANE_KEYS, REPLAY_KEYS
from anoman_tui.ui.blind import blind_notes
from anoman_tui.ui.cells import Cell, Tone, fitted, pack, spread, width_of
from anoman_tui.ui.document import styles
from anoman_tui.ui.mailbox import Mailbox
from anoman_tui.ui.notes import NoteLine, flowed, notes
from anoman_tui.ui.titles import heading
from anoman_tui.ui.view import PaneView, header, verdict_cell
from anoman_tui.ui.widgets.answer import AnswerView
from anoman_tui.ui.widgets.line import Line

NOTED_EVERY = 6
"""Frames of mere text after which it is looked again whether there is something to note of how it comes."""
NOTE_STYLES: dict[Tone, int] = {
    Tone.TEXT: styles.NOTE,
    Tone.STRONG: styles.NOTE,
    Tone.MUTED: styles.NOTE_MUTED,
    Tone.GOOD: styles.NOTE_SUCCESS,
    Tone.ACCENT: styles.NOTE,
    Tone.KEY: styles.NOTE,
    Tone.WARN: styles.NOTE_WARNING,
    Tone.BAD: styles.NOTE_ERROR,
}


class Pane(Vertical, can_focus=False):
    """Shows one stream. Its keys act while its answer has the focus; those that touch other panes are the screen's.

    They have priority, so that of keys that come in one burst each acts on the place that those before it lead to.
    """

    class Asked(Message):
        """A number of this pane was clicked."""

        def __init__(self, number: int, about: str) -> None:
            super().__init__()
            self.number = number
            self.about = about

    BINDING_GROUP_TITLE = "Pane"
    BINDINGS: ClassVar[list[BindingType]] = [replace(binding, priority=True) for binding in (*PANE_KEYS, *REPLAY_KEYS)]

    def __init__(self, number: int) -> None:
        super().__init__(id=f"pane-{number}")
        self.target: Target | None = None
        self.number = number
        self.answer = AnswerView(classes="pane-answer")
        self._title = Line(classes="pane-title")
        self._meta = Line(classes="pane-meta")
        self._turn = Line(classes="pane-turn")
        self._turn.display = False
        self._asked: Request | None = None
        self._facts = Line(classes="pane-facts -idle")
        self._gateway_rows = -1  # not laid out yet
        self.run: Mailbox | None = None
        """The run that is shown."""
        self._veil = ""  # how much of a run is shown: all, only the answer, nothing
        self._base = False
        self._own = ""
        self._shown = [0, 0]  # code points of answer and reasoning handed over
        self._notes: tuple[NoteLine, ...] = ()
        self._noted: PaneState | None = None  # the state that they tell of, and what was below them
        self._more: tuple[NoteLine, ...] = ()
        self._unnoted = 0  # frames of text since then
        self._seen: PaneView | None = None

    def compose(self) -> ComposeResult:
        """The parts that are shown at the start, from top to bottom."""
        yield self._title
        yield self._meta
        yield self.answer
        yield self._facts

    def complete(self) -> None:
        """Add the line that nothing is to be said in at the start."""
        if not self._turn.is_attached:
            self.mount(self._turn, before=self.answer)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The background, and the line to the pane before."""
        return equal_rows(self, crop)

    @property
    def focused(self) -> bool:
        """Whether the keys act here."""
        return self.answer.has_focus

    def set_gateway_rows(self, rows: int) -> None:
        """How many rows the gateway's facts get; none hides them."""
        if rows == self._gateway_rows:
            return
        self._gateway_rows = rows
        self._facts.display = rows > 0
        self._facts.styles.height = max(1, rows)
        self._draw()

    def take(self, run: Mailbox | None, state: PaneState | None, more: tuple[NoteLine, ...] = (), *, blind: bool = False) -> None:
        """Hand over what is new of a run; another run than before starts an empty pane. `more` are lines below its own.

        Where the pane is `blind`, only what is the answer is shown, from its beginning.
        """
        turned = self._turn_veil("blind" if blind else "")
        if run is not self.run or turned:
            self.run = run
            self._empty()
        if state is None:
            return
        if blind:
            self._take_blind(state)
        else:
            self._take_all(state, more)
        if state.closed is not None:
            self.answer.finish()
        else:
            self.answer.flush()
        if turned and state.closed is not None:
            self.answer.home()

    def cover(self, note: NoteLine) -> None:
        """Show a line in the place of the run."""
        if self._turn_veil("covered"):
            self._empty()
        self.run = None
        self.set_notes((note,))
        self.answer.flush()

    def _turn_veil(self, veil: str) -> bool:
        """Show more or less of a run than before; whether that is so."""
        before, self._veil = self._veil, veil
        return before != veil

    def _empty(self) -> None:
        self._shown = [0, 0]
        self._notes, self._noted = (), None
        self.answer.clear()

    def _take_blind(self, state: PaneState) -> None:
        text = state.text.since(self._shown[0]) or ("" if state.text else state.refusal.since(self._shown[1]))
        self._shown = [len(state.text), len(state.refusal)]
        if text:
            self.answer.append_answer(text)
        self.set_notes(blind_notes(state))

    def _take_all(self, state: PaneState, more: tuple[NoteLine, ...]) -> None:
        text, reasoning = state.text.since(self._shown[0]), state.reasoning.since(self._shown[1])
        self._shown = [len(state.text), len(state.reasoning)]
        if reasoning:
            self.answer.append_reasoning(reasoning)
        if text:
            self.answer.append_answer(text)
        same = self._noted is not None and flowed(self._noted, state) and more == self._more
        self._unnoted = self._unnoted + 1 if same else NOTED_EVERY
        if self._unnoted >= NOTED_EVERY:
            self._unnoted, self._noted, self._more = 0, state, more
            self.set_notes((*notes(state), *more))

    def show_turn(self, request: Request | None) -> None:
        """In a conversation: which turn the answer belongs to, and what was asked in it."""
        if request is not self._asked:
            self._asked = request
            self._turn.display = request is not None and bool(request.prompt.history)
            self._draw_turn()

    def _draw_turn(self) -> None:
        if self._asked is not None and self._turn.display:
            prompt, width = self._asked.prompt, self.content_size.width - 2
            turn = sum(role == "user" for role, _ in prompt.turns)
            row = [Cell(f"turn {turn} › ", Tone.ACCENT), Cell(clean_line(prompt.text, max(1, width)), Tone.MUTED)]
            self._turn.show(fitted(row, width))

    def set_notes(self, lines: tuple[NoteLine, ...]) -> None:
        """The lines under the answer, drawn with the next flush where they are new."""
        if lines != self._notes:
            self._notes = lines
            self.answer.set_notes([(line.text, NOTE_STYLES[line.tone]) for line in lines])

    def show(self, target: Target, seen: PaneView, *, base: bool = False, own: str = "") -> None:
        """Draw the lines around the answer. `own` is what the pane has of its own, in a few words."""
        self.target, self._seen, self._base, self._own = target, seen, base, own
        self._draw()

    def copied_text(self, state: PaneState | None) -> str:
        """The answer as it came, surrogates mended, so that it can be encoded."""
        return "" if state is None else mend_surrogates(state.text.text or state.refusal.text)

    def on_click(self) -> None:
        """A click anywhere in the pane gives it the keys."""
        if not self.answer.has_focus:
            self.answer.focus()

    def on_line_asked(self, event: Line.Asked) -> None:
        """Say whose number it is."""
        event.stop()
        self.post_message(self.Asked(self.number, event.about))

    def on_resize(self) -> None:
        """The lines are laid for the new width."""
        self._draw()

    def on_descendant_focus(self) -> None:
        """Mark the title."""
        self._title.add_class("-focused")
        self._draw()

    def on_descendant_blur(self) -> None:
        """Unmark the title."""
        self._title.remove_class("-focused")
        self._draw()

    def _draw(self) -> None:
        width, seen, target = self.content_size.width - 2, self._seen, self.target
        if seen is None or target is None or width < 1:
            return
        mark = [] if not seen.verdict else [replace(verdict_cell(seen), tone=Tone.STRONG) if self.focused else verdict_cell(seen)]
        idle = seen.idle
        shown, left = heading(target, seen, self.number, self.focused, width - width_of(mark) - 1, base=self._base, own=self._own)
        self._title.show(spread(shown, mark, width + 1))
        self._facts.set_class(idle, "-idle")
        elapsed = [] if idle else [Cell("elapsed " if width >= 56 else "", Tone.MUTED, "elapsed"), Cell(seen.elapsed, about="elapsed")]
        self._meta.show(spread(left, elapsed, width), fitted(header(seen, width), width))
        self._draw_turn()
        rows, complete = pack(seen.gateway, width, self._gateway_rows)
        if not complete:
            rows, _ = pack(seen.gateway_short, width, self._gateway_rows)
        self._facts.show(*rows)


class PaneGrid(Grid):
    """Holds the panes."""

    def render_lines(self, crop: Region) -> list[Strip]:
        """The background."""
        return equal_rows(self, crop)
