"""What a dialog is filled in with: a line, a text of several lines, and a line with choices that are typed to be found."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, OptionList, Static, TextArea

from anoman_tui.core.chunks import mend_surrogates
from anoman_tui.core.sanitize import clean_line

MAX_SHOWN = 200
"""Choices that are listed at once; typing finds the others."""


class LineField(Input):
    """One line of text."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "app.focus_next", "Next", id="field-next", show=False, tooltip="Go to the next field"),
        Binding("up", "app.focus_previous", "Before", id="field-before", show=False, tooltip="Go to the field before"),
    ]

    def __init__(self, name: str, label: str, text: str = "", hint: str = "") -> None:
        super().__init__(text, id=name, placeholder=hint, compact=True, select_on_focus=True, classes="field")
        self.label = label

    @property
    def field_name(self) -> str:
        """What the dialog calls it."""
        return self.id or ""

    @property
    def text(self) -> str:
        """What stands in it, without blanks around."""
        return mend_surrogates(self.value).strip()


class TextField(TextArea):
    """Several lines of text. Enter starts a new line; Tab leaves it."""

    def __init__(self, name: str, label: str, text: str = "", hint: str = "", rows: int = 3) -> None:
        super().__init__(
            text, id=name, placeholder=Content(hint), compact=True, tab_behavior="focus", show_line_numbers=False, classes="field"
        )
        self.label = label
        self.highlight_cursor_line = False
        self.styles.height = rows

    def on_mount(self) -> None:
        """What is typed goes behind what stands there."""
        self.move_cursor(self.document.end)

    @property
    def field_name(self) -> str:
        """What the dialog calls it."""
        return self.id or ""


class PickLine(Input):
    """The line of a PickField."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "walk(1)", "Next choice", id="choice-next", show=False, tooltip="Take the next choice"),
        Binding("up", "walk(-1)", "Choice before", id="choice-before", show=False, tooltip="Take the choice before"),
        Binding("pagedown", "walk(5)", "Further choices", id="choice-page-down", show=False, tooltip="Go down five choices"),
        Binding("pageup", "walk(-5)", "Earlier choices", id="choice-page-up", show=False, tooltip="Go up five choices"),
    ]

    class Walked(Message):
        """Another choice is wanted."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    async def action_submit(self) -> None:
        """Take the choice that was begun; where nothing was, the line is as it is wanted."""
        field = self.parent
        if not (isinstance(field, PickField) and field.complete()):
            await super().action_submit()

    def action_walk(self, step: int) -> None:
        """Take a choice that is so many further."""
        self.post_message(self.Walked(step))


class PickField(Vertical, can_focus=False):
    """A line that lists its choices while it has the focus. What stands in the line counts.

    Typing finds choices, Up and Down take one, and Enter takes the first one found. In a `free` field any other text stays as it is
    where one leaves it; in the others what was begun is completed.
    """

    class Picked(Message):
        """Another text stands in the line."""

        def __init__(self, field: "PickField") -> None:
            super().__init__()
            self.field = field

    def __init__(self, name: str, label: str, text: str = "", choices: Sequence[str] = (), hint: str = "", *, free: bool = False) -> None:
        super().__init__(id=name, classes="field pick-field")
        self.label = label
        self.free = free
        """Whether any text may be typed; otherwise what was begun becomes the first choice that has it."""
        self._choices = tuple(choices)
        self._sought = ""
        self._set_by_walk: str | None = text
        self.line = PickLine(text, placeholder=hint, compact=True, select_on_focus=True)
        self.list = OptionList(compact=True, markup=False)
        self.list.can_focus = False
        self.list.display = False
        self.note = Static("", classes="pick-note", markup=False)
        """Where the choices come from, or why there are none; `tell` changes it."""
        self.note.display = False

    def compose(self) -> ComposeResult:
        """The line, its choices, and what is known of them."""
        yield self.line
        yield self.list
        yield self.note

    def on_mount(self) -> None:
        """Fill the list."""
        self._fill()

    @property
    def field_name(self) -> str:
        """What the dialog calls it."""
        return self.id or ""

    @property
    def text(self) -> str:
        """What stands in it, or the choice that was begun."""
        typed = mend_surrogates(self.line.value).strip()
        if self.free or typed in self._choices:
            return typed
        found = found_in(self._choices, typed) if typed else ()
        return found[0] if found else typed

    def put(self, text: str) -> None:
        """Put a text into the line, as if it had been chosen."""
        self._sought, self._set_by_walk = "", text
        self.line.value = text
        self._fill()

    def set_choices(self, choices: Sequence[str]) -> None:
        """List others."""
        if tuple(choices) != self._choices:
            self._choices = tuple(choices)
            self._fill()

    def complete(self) -> bool:
        """Put the first choice that was found by typing into the line; whether there was one to put."""
        typed = self.line.value.strip()
        if not self.free or not self._sought or typed in self._choices or not (found := found_in(self._choices, typed)):
            return False
        self.put(found[0])
        self.line.cursor_position = len(found[0])
        return True

    def tell(self, text: str) -> None:
        """Say where the choices come from, or why there are none."""
        self.note.update(Content(clean_line(text, 300)))
        self._show_list()

    def _fill(self) -> None:
        if not self.is_mounted:
            return
        found = found_in(self._choices, self._sought)[:MAX_SHOWN]
        self.list.set_options(clean_line(choice, 200) for choice in found)
        typed = self.line.value
        self.list.highlighted = found.index(typed) if typed in found else 0 if found and self._sought else None
        self._show_list()

    def _show_list(self) -> None:
        self.list.display = self.line.has_focus and self.list.option_count > 0
        self.note.display = self.line.has_focus and bool(str(self.note.content))
        if self.line.has_focus:
            self.list.styles.max_height = 6 if self.app.size.height >= 20 else 3
            self.call_after_refresh(self.line.scroll_visible, animate=False)

    def on_descendant_focus(self) -> None:
        """List the choices."""
        self._sought = ""
        self._fill()

    def on_descendant_blur(self) -> None:
        """Complete what was begun, and hide the choices."""
        self.list.display = self.note.display = False
        if self.text != self.line.value.strip():
            self.put(self.text)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Search with each letter that is typed."""
        event.stop()
        if event.value == self._set_by_walk:
            self._set_by_walk = None
        else:
            self._sought = event.value
            self._fill()
        self.post_message(self.Picked(self))

    def on_pick_line_walked(self, event: PickLine.Walked) -> None:
        """Take a choice by the keys."""
        event.stop()
        count = self.list.option_count
        if not count:
            return
        at = self.list.highlighted
        taken = at is not None and found_in(self._choices, self._sought)[at] == self.line.value
        first = 0 if event.step > 0 else count - 1
        self._take(max(0, min(count - 1, (at or 0) + event.step)) if taken else first)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take a choice by a click."""
        event.stop()
        self._take(event.option_index)

    def _take(self, at: int) -> None:
        self.list.highlighted = at
        text = found_in(self._choices, self._sought)[at]
        if text != self.line.value:
            self._set_by_walk = text
            self.line.value = text
            self.line.cursor_position = len(text)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A click on a choice leaves the focus where it is."""
        if event.widget is self.list:
            event.prevent_default()


def found_in(choices: Sequence[str], sought: str) -> tuple[str, ...]:
    """The choices that hold every word of a text; those that begin with it come first."""
    words = sought.casefold().split()
    held = [choice for choice in choices if all(word in choice.casefold() for word in words)]
    return tuple(sorted(held, key=lambda choice: not choice.casefold().startswith(sought.casefold().strip())))


Field = LineField | TextField | PickField
