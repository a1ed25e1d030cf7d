"""The user's own keys: what of them can be used, and why the rest cannot."""

from collections.abc import Iterable, Mapping, Sequence

from textual.binding import Binding
from textual.keys import _character_to_key, key_to_character
from textual.widgets import Input, TextArea

from anoman_tui.core.records import dataclass

ENTER_BREAKS = {"send-prompt": "ctrl+j", "prompt-newline": "enter"}
"""Where Enter is to start a new line."""
_MODIFIERS = frozenset({"ctrl", "shift", "alt", "super", "hyper", "meta"})
_NAMED = frozenset(
    {"enter", "escape", "tab", "space", "backspace", "delete", "insert", "home", "end", "pageup", "pagedown", "up", "down", "left", "right"}
    | {f"f{number}" for number in range(1, 25)}
)
_SAME = {"ctrl+i": "Tab", "ctrl+m": "Enter", "ctrl+h": "Backspace", "ctrl+left_square_bracket": "Esc"}
"""Keys that a terminal sends as another one."""


@dataclass(frozen=True, slots=True)
class Context:
    """Bindings that act at the same time."""

    bindings: tuple[Binding, ...]
    typing: bool = False
    """Whether letters are typed here."""

    def has(self, binding_id: str) -> bool:
        """Whether a binding is one of these."""
        return any(binding.id == binding_id for binding in self.bindings)


@dataclass(frozen=True, slots=True)
class Keymap:
    """Keys by the id of what they do, and a sentence for each entry that is left out."""

    keys: Mapping[str, str]
    problems: tuple[str, ...]


def read_keymap(wanted: Mapping[str, str], contexts: Sequence[Context], *, enter_sends: bool = True) -> Keymap:
    """What of the wanted keys can be used. Nothing here raises: what is wrong keeps its default."""
    known = {binding.id: binding for context in contexts for binding in context.bindings if binding.id}
    keys = {} if enter_sends else dict(ENTER_BREAKS)
    problems: list[str] = []
    for name, given in wanted.items():
        if name not in known:
            problems.append(f"keys.{name[:60]}: there is no such action; the help (F1) and the documentation name them")
            continue
        parts = [_normal(part) for part in given.split(",")]
        problem = next((found for part in parts if (found := _problem(part, known[name], contexts))), "")
        if problem:
            problems.append(f"keys.{name}: {problem}; the default stays")
        else:
            keys[name] = ",".join(parts)
    problems += _drop_conflicts(keys, contexts)
    return Keymap(keys, tuple(problems))


def _normal(key: str) -> str:
    """A key in its long form: `?` is `question_mark`."""
    *modifiers, last = key.strip().rsplit("+", 1) if key.strip() not in ("+", "") else [key.strip()]
    last = _character_to_key(last) if len(last) == 1 else last
    return "+".join([*modifiers, last])


def _problem(key: str, binding: Binding, contexts: Sequence[Context]) -> str:
    if not key:
        return "no key is given"
    *modifiers, last = key.split("+")
    if not set(modifiers) <= _MODIFIERS or (last not in _NAMED | _signs() and key_to_character(last) is None):
        return f"{key[:40]} is no key"
    if key in _SAME:
        return f"a terminal sends {key} as {_SAME[key]}"
    typed = (not modifiers and last not in _NAMED) or key == "space"
    if any(context.typing and context.has(binding.id or "") for context in contexts):
        if typed:
            return f"{key} is typed into the prompt"
        if not binding.priority and key in _editing_keys() and key not in binding.key.split(","):
            return f"{key} edits the prompt"
    return ""


def _signs() -> frozenset[str]:
    """The keys that have a letter or a sign on them."""
    return frozenset(_character_to_key(chr(code)) for code in range(33, 127))


def _editing_keys() -> frozenset[str]:
    """The keys that editors keep for themselves."""
    bindings = [one for editor in (TextArea, Input) for one in editor.BINDINGS]
    return frozenset(key for one in bindings if isinstance(one, Binding) for key in one.key.split(","))


def _drop_conflicts(keys: dict[str, str], contexts: Sequence[Context]) -> Iterable[str]:
    """Take entries out until no two actions of a place share a key that the user gave."""
    while True:
        found = next((found for name in keys if (found := _conflict(name, keys, contexts))), None)
        if found is None:
            return
        name, key, other = found
        del keys[name]
        yield f"keys.{name}: {key} is the key of {other}, too; the default stays"


def _conflict(name: str, keys: Mapping[str, str], contexts: Sequence[Context]) -> tuple[str, str, str] | None:
    for context in contexts:
        if not context.has(name):
            continue
        for other in context.bindings:
            if other.id == name or not other.id:
                continue
            shared = set(keys[name].split(",")) & set(keys.get(other.id, other.key).split(","))
            if shared:
                return name, min(shared), other.id
    return None
