"""An overlay with fields to fill in."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Generic, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static, TextArea

from anoman_tui.core.sanitize import clean_line
from anoman_tui.ui.overlays import OVERLAYS
from anoman_tui.ui.widgets.fields import Field, PickField

Read = TypeVar("Read")

FRAME_ROWS = 4
"""The border, the padding and the line for what is wrong."""
MAX_PROBLEM = 300


class FieldError(ValueError):
    """What stands in a field cannot be used: one sentence, and the name of the field."""

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


class FieldRow(Horizontal, can_focus=False):
    """A field behind its label, which is marked while the field has the focus."""

    def __init__(self, field: Field) -> None:
        super().__init__(classes="field-row")
        self._label = Static(Content(field.label), classes="field-label", markup=False)
        self._field = field

    def compose(self) -> ComposeResult:
        """Side by side."""
        yield self._label
        yield self._field

    def on_descendant_focus(self) -> None:
        """Mark the label."""
        self._label.add_class("-focused")

    def on_descendant_blur(self) -> None:
        """Unmark the label."""
        self._label.remove_class("-focused")


class Dialog(ModalScreen[Read | None], Generic[Read]):
    """Asks for what its fields say. The result is what `read` makes of them, or None where the user cancelled.

    Enter accepts, but starts a new line in a text of several lines; Ctrl+S accepts from anywhere; Esc cancels. A subclass says in `read`
    what the fields mean and raises FieldError for what is wrong; the dialog stays open then, shows the sentence, and goes to the field.
    `changed` is called with the name of each field that changes.
    """

    CSS_PATH = OVERLAYS
    BINDING_GROUP_TITLE = "Dialog"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "Accept", id="dialog-enter", tooltip="Accept; in a text of several lines start a new one"),
        Binding("ctrl+s", "accept", "Accept", id="dialog-accept", tooltip="Accept from anywhere", priority=True),
        Binding("tab", "app.focus_next", "Next", id="dialog-next", tooltip="Go to the next field", priority=True),
        Binding("shift+tab", "app.focus_previous", "Before", id="dialog-before", tooltip="Go to the field before", priority=True),
        Binding("escape", "cancel", "Cancel", id="dialog-cancel", tooltip="Close and change nothing"),
    ]

    def __init__(self, title: str, fields: Sequence[Field], *, accept: str = "accepts", about: str = "") -> None:
        super().__init__()
        self._title = title
        self._accept = accept
        self._said = False
        self.fields: dict[str, Field] = {field.field_name: field for field in fields}
        self.about = Static(Content(about), id="dialog-about", markup=False)
        """A text above the fields; `tell` changes it."""
        self.problem = Static(Content(""), id="dialog-problem", markup=False)

    # -- for subclasses ----------------------------------------------------------------------------------------------

    def read(self) -> Read:
        """What the fields say. Raises FieldError."""
        raise NotImplementedError

    def changed(self, name: str) -> None:
        """Another text stands in a field."""

    def text(self, name: str) -> str:
        """What stands in a field."""
        return self.fields[name].text

    def tell(self, text: str | Content) -> None:
        """Change the text above the fields; an empty one takes no room."""
        content = Content(text) if isinstance(text, str) else text
        if content != self.about.content:
            self.about.update(content)
            self.about.display = bool(content.plain)

    def show_problem(self, sentence: str, *, warning: bool = False) -> None:
        """Say what is wrong, or what one should know; an empty sentence takes it back."""
        self._said = True
        content = Content(clean_line(sentence, MAX_PROBLEM))
        self.problem.set_class(warning, "-warning")
        if content != self.problem.content:
            self.problem.update(content)

    # -- the frame ---------------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """The fields with their labels, and the line for what is wrong."""
        with Vertical(id="dialog") as dialog:
            dialog.border_title = Content(self._title)
            dialog.border_subtitle = Content(self._keys())
            with VerticalScroll(id="dialog-rows", can_focus=False):
                yield self.about
                for field in self.fields.values():
                    yield FieldRow(field)
                yield from self.more()
            yield self.problem

    def more(self) -> Iterator[Static]:
        """What stands below the fields."""
        yield from ()

    def _keys(self) -> str:
        several = any(isinstance(field, TextArea) for field in self.fields.values())
        accept = f"Enter{' or ^S' if several else ''} {self._accept}"
        if isinstance(self.focused, TextArea):
            return f"^S {self._accept} · Enter new line · Tab · Esc cancels"
        return " · ".join([accept, *(["Tab next"] if len(self.fields) > 1 else []), "Esc cancels"])

    def on_mount(self) -> None:
        """Begin in the first field."""
        self.about.display = bool(str(self.about.content))
        self._fit()

    def on_descendant_focus(self) -> None:
        """Name what the keys do in this field."""
        self.query_one("#dialog", Vertical).border_subtitle = Content(self._keys())

    def on_resize(self, event: events.Resize) -> None:
        """Fit the rows. A size that is no longer the terminal's is dropped, as the main screen does."""
        if event.size != self.app.size:
            event.stop()
            event.prevent_default()
            return
        self._fit()

    def _fit(self) -> None:
        height = self.app.size.height
        self.query_one("#dialog-rows", VerticalScroll).styles.max_height = max(1, height - FRAME_ROWS - (2 if height >= 20 else 0))

    # -- what is done ------------------------------------------------------------------------------------------------

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in a line."""
        event.stop()
        self.action_accept()

    def on_input_changed(self, event: Input.Changed) -> None:
        """A line changed."""
        event.stop()
        self._changed(event.input.id or "")

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """A text changed."""
        event.stop()
        self._changed(event.text_area.id or "")

    def on_pick_field_picked(self, event: PickField.Picked) -> None:
        """A choice changed."""
        event.stop()
        self._changed(event.field.field_name)

    def _changed(self, name: str) -> None:
        """Call `changed`, which may say what is wrong now; what was said before is taken back."""
        self._said = False
        self.changed(name)
        if not self._said:
            self.show_problem("")

    def action_accept(self) -> None:
        """Close with what the fields say, or show what is wrong."""
        try:
            found = self.read()
        except FieldError as wrong:
            self.show_problem(str(wrong))
            self.go_to(wrong.field)
        else:
            self.dismiss(found)

    def go_to(self, name: str) -> None:
        """Put the focus into a field."""
        field = self.fields.get(name)
        if field is not None:
            self.set_focus(field.line if isinstance(field, PickField) else field)

    def action_cancel(self) -> None:
        """Close and change nothing."""
        self.dismiss(None)


class Ask(Dialog[bool]):
    """Asks one question; True where it was accepted."""

    def __init__(self, title: str, question: str, accept: str) -> None:
        super().__init__(title, (), accept=accept, about=question)

    def read(self) -> bool:
        """Accepted."""
        return True
