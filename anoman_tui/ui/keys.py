"""Which keys act where, as data: the help and the palette are made from the bindings themselves."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen

from anoman_tui.ui.widgets.answer import AnswerView
from anoman_tui.ui.widgets.pane import Pane
from anoman_tui.ui.widgets.prompt import PromptEditor

_NAMES = {
    "escape": "Esc",
    "enter": "Enter",
    "tab": "Tab",
    "space": "Space",
    "home": "Home",
    "end": "End",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "question_mark": "?",
    "vertical_line": "|",
    "slash": "/",
}


def key_name(key: str) -> str:
    """A key as people write it: `^P`, `Shift+Tab`, `F1`, `x`."""
    *modifiers, last = key.split("+")
    name = _NAMES.get(last) or (
        last.upper() if modifiers == ["ctrl"] or (len(last) > 1 and last[0] == "f" and last[1:].isdigit()) else last
    )
    if modifiers == ["ctrl"]:
        return f"^{name}"
    return "+".join([*(modifier.capitalize() for modifier in modifiers), name])


@dataclass(frozen=True, slots=True)
class Place:
    """A place on the screen and its bindings."""

    name: str
    bindings: tuple[Binding, ...]


def places(app: App[None], screen: Screen[None], *, in_prompt: bool) -> tuple[Place, ...]:
    """The places, the present one first."""
    prompt = Place("In the prompt", _named(PromptEditor.BINDINGS))
    pane = Place("In a pane", (*_named(Pane.BINDINGS), *_named(AnswerView.BINDINGS)))
    everywhere = Place("Everywhere", (*_named(screen.BINDINGS), *_named(app.BINDINGS)))
    return (prompt, everywhere, pane) if in_prompt else (pane, everywhere, prompt)


def _named(bindings: Iterable[BindingType]) -> tuple[Binding, ...]:
    return tuple(binding for binding in bindings if isinstance(binding, Binding) and binding.id)


def merged(place: Place) -> Iterator[tuple[tuple[Binding, ...], str]]:
    """The bindings of a place with what they do; the digits that pick a pane are one line."""
    digits = tuple(binding for binding in place.bindings if binding.action.startswith("screen.focus_pane"))
    for binding in place.bindings:
        if binding not in digits:
            yield (binding,), binding.tooltip or binding.description
        elif binding is digits[0]:
            yield digits, "Go to the pane of that number"
