"""Which keys act where, as data: the help and the palette are made from the bindings themselves."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from textual.app import App
from textual.binding import Binding, BindingType
from textual.screen import Screen

from anoman_tui.core.records import dataclass
from anoman_tui.ui.bindings import PANE_KEYS
from anoman_tui.ui.keymap import Context
from anoman_tui.ui.widgets.answer_scroll import LineScroller
from anoman_tui.ui.widgets.pane import Pane
from anoman_tui.ui.widgets.prompt import PromptEditor
from anoman_tui.ui.wire_bindings import FRAME_KEYS, WIRE_KEYS


@dataclass(frozen=True, slots=True)
class Place:
    """A place on the screen and its bindings."""

    name: str
    bindings: tuple[Binding, ...]


def places(app: App[None], screen: Screen[None], keymap: Mapping[str, str], *, in_prompt: bool) -> tuple[Place, ...]:
    """The places with the keys as they are now, the present one first."""
    prompt = Place("In the prompt", _named(PromptEditor.BINDINGS, keymap))
    pane = Place("In a pane", (*_named(Pane.BINDINGS, keymap), *_named(LineScroller.BINDINGS, keymap)))
    everywhere = Place("Everywhere", (*_named(screen.BINDINGS, keymap), *_named(app.BINDINGS, keymap)))
    return (prompt, everywhere, pane) if in_prompt else (pane, everywhere, prompt)


def wire_place(keymap: Mapping[str, str]) -> Place:
    """The wire lanes, whose keys act there alone."""
    return Place("In the wire lanes", (*_named(WIRE_KEYS, keymap), *_named(LineScroller.BINDINGS, keymap)))


def contexts(app: App[None], screen: Screen[None]) -> tuple[Context, ...]:
    """The bindings that act at the same time, for finding keys that are given twice. Loads every overlay."""
    from anoman_tui.ui.screens.asking import ValueField, ValuesDialog
    from anoman_tui.ui.screens.dialog import Dialog
    from anoman_tui.ui.screens.diff import DiffScreen
    from anoman_tui.ui.screens.library import FilterLine, LibraryScreen
    from anoman_tui.ui.screens.menu import CopyMenu
    from anoman_tui.ui.screens.rates import RatesScreen
    from anoman_tui.ui.screens.sets import SetsScreen
    from anoman_tui.ui.screens.sheet import SheetScreen
    from anoman_tui.ui.widgets.fields import LineField, PickLine
    from anoman_tui.ui.widgets.findbar import FindBar
    from anoman_tui.ui.widgets.historybar import HistoryBar
    from anoman_tui.ui.widgets.votebar import VoteBar

    top, around = _named(app.BINDINGS), _named(screen.BINDINGS)
    return (
        Context((*_named(PANE_KEYS), *_named(LineScroller.BINDINGS), *around, *top)),
        Context((*_named(Pane.BINDINGS), *around, *top)),
        Context((*_named(PromptEditor.BINDINGS), *around, *top), typing=True),
        Context((*_named(FindBar.BINDINGS), *top), typing=True),
        Context((*_named(HistoryBar.BINDINGS), *top), typing=True),
        Context((*_named(SheetScreen.BINDINGS), *_named(FRAME_KEYS), *top)),
        Context((*_named(WIRE_KEYS), *_named(LineScroller.BINDINGS), *top)),
        Context((*_named(CopyMenu.BINDINGS), *top)),
        Context((*_named(SetsScreen.BINDINGS), *top)),
        Context((*_named(VoteBar.BINDINGS), *top)),
        Context((*_named(DiffScreen.BINDINGS), *top)),
        Context((*_named(RatesScreen.BINDINGS), *_named(SheetScreen.BINDINGS), *top)),
        Context((*_named(FilterLine.BINDINGS), *_named(LibraryScreen.BINDINGS), *top), typing=True),
        Context((*_named(ValueField.BINDINGS), *_named(ValuesDialog.BINDINGS), *top), typing=True),
        Context((*_named(LineField.BINDINGS), *_named(Dialog.BINDINGS), *top), typing=True),
        Context((*_named(PickLine.BINDINGS), *_named(Dialog.BINDINGS), *top), typing=True),
    )


def _named(bindings: Iterable[BindingType], keymap: Mapping[str, str] = MappingProxyType({})) -> tuple[Binding, ...]:
    named = (binding for binding in bindings if isinstance(binding, Binding) and binding.id)
    return tuple(replace(binding, key=keymap.get(binding.id or "", binding.key)) for binding in named)


_DIGITS = {"screen.focus_pane": "Go to the pane of that number", "pane": "Show the pane of that number alone, or all again"}


def merged(place: Place) -> Iterator[tuple[tuple[Binding, ...], str]]:
    """The bindings of a place with what they do; the digits that pick a pane are one line."""
    digits = tuple(binding for binding in place.bindings if binding.action.partition("(")[0] in _DIGITS)
    for binding in place.bindings:
        if binding not in digits:
            yield (binding,), binding.tooltip or binding.description
        elif binding is digits[0]:
            yield digits, _DIGITS[binding.action.partition("(")[0]]
