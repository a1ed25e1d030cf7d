"""Dialogs about a prompt: the values of its variables, what goes to all panes with it, and the name that it is kept under."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from anoman_tui.core.chunks import mend_surrogates
from anoman_tui.core.request import Params
from anoman_tui.core.sanitize import clean, clean_line
from anoman_tui.core.variables import fill, names
from anoman_tui.ui.form import param_fields, read_param_fields
from anoman_tui.ui.screens.dialog import Dialog, FieldError
from anoman_tui.ui.widgets.fields import Field, LineField, PickField, TextField

PREVIEW_ROWS = 6
TEXT_ALONE, WITH_SETTINGS = "the text alone", "the text with system prompt and parameters"


class ValueField(TextField):
    """The value of a variable. Enter accepts, as in the prompt; Up and Down leave it at its ends."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "Send", id="value-enter", tooltip="Fill the values in and send", priority=True),
        Binding("ctrl+j", "newline", "New line", id="value-newline", tooltip="Start a new line", priority=True),
    ]

    class Accepted(Message):
        """Enter was pressed. It comes behind the letters before it, as they are on their way."""

    def __init__(self, name: str, label: str, text: str) -> None:
        super().__init__(name, label, text, "its value")
        self.styles.height = "auto"
        self.styles.max_height = 5
        self.styles.min_height = 1

    def on_focus(self) -> None:
        """What was there before is replaced by typing."""
        self.select_all()

    def action_accept(self) -> None:
        """Tell the dialog."""
        self.post_message(self.Accepted())

    def action_newline(self) -> None:
        """Break the line."""
        self.insert("\n")

    def action_cursor_up(self, select: bool = False) -> None:
        """Up a line; from the first one to the field before."""
        if select or self.cursor_location[0] > 0:
            super().action_cursor_up(select)
        else:
            self.screen.focus_previous()

    def action_cursor_down(self, select: bool = False) -> None:
        """Down a line; from the last one to the next field."""
        if select or self.cursor_location[0] < self.document.line_count - 1:
            super().action_cursor_down(select)
        else:
            self.screen.focus_next()


class ValuesDialog(Dialog[dict[str, str]]):
    """Asks for the values of a prompt's variables. An empty result sends the prompt as it stands."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+t", "as_it_stands", "As it stands", id="values-none", tooltip="Send the prompt without filling it", priority=True),
    ]

    def __init__(self, prompt: str, values: Mapping[str, str]) -> None:
        self._prompt = prompt
        self._empty_agreed = ""
        self._wanted = names(prompt)
        fields = [ValueField(f"value-{n}", clean_line(name, 14), values.get(name, "")) for n, name in enumerate(self._wanted)]
        super().__init__("Variables of this prompt", fields, accept="sends")
        self.preview = Static(Content(""), id="values-preview", markup=False)

    def more(self) -> Iterator[Static]:
        """The first lines of what will be sent."""
        yield self.preview

    def on_mount(self) -> None:
        """Show what will be sent."""
        self._show()

    def _keys(self) -> str:
        return " · ".join(["Enter sends", *(["Tab next"] if len(self._wanted) > 1 else []), "^J new line", "^T as it stands", "Esc back"])

    @property
    def values(self) -> dict[str, str]:
        """What stands in the fields."""
        return {name: mend_surrogates(self.text(f"value-{n}")) for n, name in enumerate(self._wanted)}

    def changed(self, name: str) -> None:  # noqa: ARG002  the base class names it
        """Show what will be sent."""
        self._show()

    def _show(self) -> None:
        filled = fill(self._prompt, {name: value for name, value in self.values.items() if value})
        lines = clean(filled[:4_000]).split("\n")
        shown = lines[:PREVIEW_ROWS]
        more = len(filled.split("\n")) - len(shown)
        tail = [Content.styled(f"and {more} more line{'' if more == 1 else 's'}", "$text-muted")] if more > 0 else []
        head = Content.styled("goes out as", "$text-muted")
        self.preview.update(Content("\n").join([Content(""), head, *map(Content, shown), *tail]))

    def read(self) -> dict[str, str]:
        """The values. An empty one is asked about once."""
        found = self.values
        for n, (name, value) in enumerate(found.items()):
            if not value and self._empty_agreed != f"value-{n}":
                self._empty_agreed = f"value-{n}"
                raise FieldError(f"{name} has no value yet: type one, or press Enter again to leave it empty", f"value-{n}")
        return found

    def on_value_field_accepted(self) -> None:
        """Enter in a field."""
        self.action_accept()

    def action_as_it_stands(self) -> None:
        """Fill nothing."""
        self.dismiss({})


class SharedDialog(Dialog[tuple[Params, str | None]]):
    """Asks for the system prompt and the parameters of all panes."""

    def __init__(self, params: Params, system: str | None, own: Sequence[str]) -> None:
        hint = "none; a pane may have its own (e)"
        super().__init__("For all panes", [TextField("system", "System prompt", system or "", hint, rows=4), *param_fields(params)])
        self._own = own

    def more(self) -> Iterator[Static]:
        """The panes for which something else holds."""
        if self._own:
            lines = [Content("")] + [Content.styled(clean_line(line, 200), "$text-warning") for line in self._own]
            yield Static(Content("\n").join(lines), markup=False)

    def read(self) -> tuple[Params, str | None]:
        """What the fields say."""
        texts = {name: self.text(name) for name in ("temperature", "max_tokens", "stop", "effort")}
        return read_param_fields(texts), mend_surrogates(self.text("system")).strip() or None


class SaveDialog(Dialog[str]):
    """Asks for the name to keep a prompt under, and keeps it; the result is the file."""

    def __init__(self, name: str, taken: Sequence[str], save: Callable[[str, bool, bool], str], *, settings: bool) -> None:
        fields: list[Field] = [LineField("name", "Name", name, "such as release-notes")]
        if settings:
            fields.append(PickField("keep", "Keep", TEXT_ALONE, (TEXT_ALONE, WITH_SETTINGS)))
        super().__init__("Keep this prompt as your own", fields, accept="keeps it")
        self._taken = {one.casefold() for one in taken}
        self._save = save
        self._agreed: str | None = None

    def changed(self, name: str) -> None:
        """Another name is asked about again."""
        if name == "name":
            self._agreed = None

    def read(self) -> str:
        """Keep it. A name that is taken is asked about once."""
        name = self.text("name")
        if not name:
            raise FieldError("give it a name", "name")
        if name.casefold() in self._taken and self._agreed != name:
            self._agreed = name
            raise FieldError(f"there is a prompt {name} of yours already: Enter again replaces it, another name keeps both", "name")
        try:
            return self._save(name, self._agreed == name, "keep" in self.fields and self.text("keep") == WITH_SETTINGS)
        except ValueError as wrong:
            raise FieldError(str(wrong), "name") from None
