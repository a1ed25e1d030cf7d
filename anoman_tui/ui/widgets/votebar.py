"""The line of blind mode: how far it has come, and once it has the focus, the choice of the best answer."""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from anoman_tui.ui.blind import letter
from anoman_tui.ui.cells import Cell, Row, Tone
from anoman_tui.ui.widgets.line import Line


class VoteBar(Line, can_focus=True):
    """Asks which answer is the best. While it has the focus, digits and letters vote."""

    BINDING_GROUP_TITLE = "Vote"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(
                f"{n},{letter(n - 1).lower()}",
                f"pick({n})",
                f"{n}",
                id=f"vote-{n}",
                tooltip=f"Answer {letter(n - 1)} is better",
                show=False,
            )
            for n in range(1, 7)
        ),
        Binding("t", "tie", "Tie", id="vote-tie", tooltip="Several answers are equally good"),
        Binding("n", "none", "None good", id="vote-none", tooltip="No answer is good"),
        Binding("enter", "accept", "Vote", id="vote-accept", tooltip="Vote for the answers that are marked as equally good", show=False),
        Binding("left,h", "look(-1)", "Look", id="vote-look-back", tooltip="Read the answer before", show=False),
        Binding("right,l", "look(1)", "Look", id="vote-look-on", tooltip="Read the answer after", show=False),
        Binding("up,k", "scroll(-1)", "Up", id="vote-up", tooltip="Scroll this answer up", show=False),
        Binding("down,j", "scroll(1)", "Down", id="vote-down", tooltip="Scroll this answer down", show=False),
        Binding("escape", "later", "Not now", id="vote-later", tooltip="Vote later"),
    ]

    class Picked(Message):
        """The places of the best answers, from 0; none where no answer is good."""

        def __init__(self, winners: tuple[int, ...]) -> None:
            super().__init__()
            self.winners = winners

    class Looked(Message):
        """Another answer is to be read, or more of this one, before the vote: steps to other panes, and lines down."""

        def __init__(self, panes: int = 0, lines: int = 0) -> None:
            super().__init__()
            self.panes, self.lines = panes, lines

    class Left(Message):
        """No vote for now."""

    class Refused(Message):
        """What was pressed cannot be: one sentence."""

        def __init__(self, sentence: str) -> None:
            super().__init__()
            self.sentence = sentence

    def __init__(self) -> None:
        super().__init__(id="votebar")
        self._said: Row = ()
        self._candidates: tuple[int, ...] = ()
        self._tied: set[int] | None = None
        self._asking = False

    def tell(self, said: Sequence[Cell]) -> None:
        """What to say while no vote is being given."""
        self._said = tuple(said)
        self._draw()

    def ask(self, candidates: tuple[int, ...]) -> None:
        """Let the user choose among these places; to be focused next."""
        self._candidates, self._tied = candidates, None

    def on_focus(self) -> None:
        """Show the choice."""
        self._asking = True
        self._draw()

    def on_blur(self) -> None:
        """Show how far it has come."""
        self._asking, self._tied = False, None
        self._draw()

    def _draw(self) -> None:
        self.set_class(self._asking, "-asking")
        if not self._asking:
            self.show(self._said)
            return
        row = [Cell("Which is best? " if self._tied is None else "Equally good: ", Tone.STRONG)]
        for place in self._candidates:
            marked = self._tied is not None and place in self._tied
            name = f"{place + 1} {letter(place)}"
            row += [Cell(" "), Cell(f"[{name}]" if marked else f" {name} ", Tone.STRONG if self._tied is None or marked else Tone.TEXT)]
        ways = (
            (("t", "tie"), ("n", "none good"), ("←→", "look"), ("Esc", "not now"))
            if self._tied is None
            else (("Enter", "votes"), ("Esc", "back"))
        )
        for key, does in ways:
            row += [Cell("  "), Cell(key, Tone.STRONG), Cell(f" {does}")]
        self.show(row)

    def action_look(self, step: int) -> None:
        """Show another answer."""
        self.post_message(self.Looked(panes=step))

    def action_scroll(self, step: int) -> None:
        """Show more of this answer."""
        self.post_message(self.Looked(lines=step))

    def action_pick(self, number: int) -> None:
        """Vote for a pane, or mark it as one of those that are equally good."""
        place = number - 1
        if place not in self._candidates:
            self.post_message(self.Refused(f"there is no answer {letter(place)} to vote for"))
        elif self._tied is None:
            self.post_message(self.Picked((place,)))
        else:
            self._tied ^= {place}
            self._draw()

    def action_tie(self) -> None:
        """Both are equally good; of more than two, say which ones."""
        if len(self._candidates) == 2:
            self.post_message(self.Picked(self._candidates))
        elif self._tied is None:
            self._tied = set(self._candidates)
            self._draw()
        else:
            self.action_accept()

    def action_accept(self) -> None:
        """Vote for those that are marked."""
        if self._tied is None:
            self.post_message(self.Refused("press the number of the best answer, t for a tie, or n where none is good"))
        elif len(self._tied) < 2:
            self.post_message(self.Refused("a tie needs at least two answers: their numbers mark them"))
        else:
            self.post_message(self.Picked(tuple(sorted(self._tied))))

    def action_none(self) -> None:
        """No answer is good."""
        self.post_message(self.Picked(()))

    def action_later(self) -> None:
        """Not now, or no tie after all."""
        if self._tied is not None:
            self._tied = None
            self._draw()
        else:
            self.post_message(self.Left())
