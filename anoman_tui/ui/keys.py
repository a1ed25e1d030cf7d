"""How keys are written, and which of them the last line names first."""

from collections.abc import Mapping
from functools import cache

from textual.binding import Binding

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
    "full_stop": ".",
    "comma": ",",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "equals_sign": "=",
    "ampersand": "&",
    "exclamation_mark": "!",
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


def rank(binding: Binding) -> int:
    """The place of a binding in the last line, which another key does not change; those of the app come last."""
    return _ranks().get(binding.id or "", len(_ranks()))


@cache
def _ranks() -> Mapping[str, int]:
    ids = [one.id for one in (*PromptEditor.BINDINGS, *Pane.BINDINGS) if isinstance(one, Binding) and one.id]
    return {name: place for place, name in reversed(list(enumerate(ids)))}
