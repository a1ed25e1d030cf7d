"""The pane sets: opening one, saving the present panes under a name, and removing one."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from anoman_tui.core.panes import Setup, own_words
from anoman_tui.core.ports import SavedSets
from anoman_tui.core.records import dataclass
from anoman_tui.core.sanitize import clean_line
from anoman_tui.ui.overlays import OVERLAYS
from anoman_tui.ui.screens.dialog import Ask

NONE_YET = "no pane set is saved yet: type a name below and press Enter"
KEYS = "Enter opens · D removes · Tab to the name · Esc closes"
NAME_KEYS = "Enter saves the present panes under this name · Esc closes"


@dataclass(frozen=True, slots=True)
class Listed:
    """A set as the list shows it."""

    name: str
    told: tuple[str, ...]
    """Its panes, or why it cannot be read."""
    configured: bool = False


def read_list(sets: SavedSets) -> list[Listed]:
    """All sets. Reads files."""
    listed = []
    for name in sets.names():
        try:
            found = sets.load(name)
        except ValueError as wrong:
            listed.append(Listed(name, (clean_line(str(wrong), 300),)))
            continue
        listed.append(Listed(found.name, tuple(map(told, found.panes)), found.configured))
    return listed


def told(pane: str | Mapping[str, Any]) -> str:
    """A pane in one line, with what it has of its own."""
    argument, own = (pane, "") if isinstance(pane, str) else (pane.get("pane"), own_words(pane))
    return clean_line(f"{argument} · {own}" if own else str(argument), 200)


class SetsScreen(ModalScreen[str | None]):
    """Lists the sets. The result is the name of one to open."""

    CSS_PATH = OVERLAYS
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", id="close-sets", tooltip="Close this"),
        Binding("delete,D", "remove", "Remove", id="remove-set", tooltip="Remove the marked set for good; asks first"),
        Binding("j", "step(1)", "Down", id="sets-down", show=False, tooltip="Go down"),
        Binding("k", "step(-1)", "Up", id="sets-up", show=False, tooltip="Go up"),
    ]

    def __init__(self, sets: SavedSets, present: Setup, listed: Sequence[Listed]) -> None:
        super().__init__()
        self._sets, self._present = sets, present
        self._listed = list(listed)
        self._list = OptionList(id="sets-list", markup=False)
        self._line = Input(id="sets-name", compact=True, placeholder="save the present panes under a name")
        self._said = Static("", id="sets-said", markup=False)

    def compose(self) -> ComposeResult:
        """The list, and the line to save."""
        with Vertical(id="sets") as box:
            box.border_title = Content("Pane sets")
            yield self._list
            yield self._line
            yield self._said

    def on_mount(self) -> None:
        """Begin in the list where there is one."""
        self._fill(self._listed[0].name if self._listed else "")
        self.set_focus(self._list if self._listed else self._line)
        self._fit()

    def on_resize(self, event: events.Resize) -> None:
        """Fit the list. A size that is no longer the terminal's is dropped, as the main screen does."""
        if event.size != self.app.size:
            event.stop()
            event.prevent_default()
            return
        self._fit()

    def _fit(self) -> None:
        self._list.styles.max_height = max(2, self.app.size.height - 8)

    def _fill(self, marked: str) -> None:
        self._list.set_options(self._option(one) for one in self._listed)
        self._list.display = bool(self._listed)
        names = [one.name for one in self._listed]
        self._list.highlighted = names.index(marked) if marked in names else (0 if names else None)
        if not names:
            self._say(NONE_YET)

    @staticmethod
    def _option(one: Listed) -> Option:
        where = "  in config.toml" if one.configured else ""
        return Option(
            Content("\n").join([Content.styled(f"{clean_line(one.name, 60)}{where}", "bold"), *(Content(f"  {line}") for line in one.told)])
        )

    def on_descendant_focus(self) -> None:
        """Name the keys that act now."""
        self.query_one("#sets", Vertical).border_subtitle = Content(NAME_KEYS if self._line.has_focus else KEYS)

    def _say(self, text: str, *, warning: bool = False) -> None:
        self._said.set_class(warning, "-warning")
        self._said.update(Content(clean_line(text, 300)))

    # -- opening and removing ----------------------------------------------------------------------------------------

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter, or a click."""
        self.dismiss(self._listed[event.option_index].name)

    def action_remove(self) -> None:
        """Ask, then remove."""
        at = self._list.highlighted
        if at is None or self._line.has_focus:
            return
        one = self._listed[at]
        if one.configured:
            self._say(f"{one.name} stands in config.toml and is removed there", warning=True)
            return

        def remove(sure: bool | None) -> None:
            if not sure:
                return
            try:
                self._sets.remove(one.name)
            except ValueError as wrong:
                self._say(str(wrong), warning=True)
                return
            self._listed.remove(one)
            self._fill("")
            self.set_focus(self._list if self._listed else self._line)
            self._say(f"{one.name} is removed")

        self.app.push_screen(Ask("Remove a pane set", f"Remove the pane set {one.name} for good?", "removes it"), remove)

    # -- saving ------------------------------------------------------------------------------------------------------

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Save the present panes."""
        event.stop()
        name = event.value.strip()
        if not name:
            self._say("give the set a name first", warning=True)
            return
        there = next((one for one in self._listed if one.name.casefold() == name.casefold()), None)
        if there is None or there.configured:
            self._save(name, replacing=None)
            return

        def replace_it(sure: bool | None) -> None:
            if sure:
                self._save(name, replacing=there)

        self.app.push_screen(Ask("Replace a pane set", f"There is a pane set {there.name} already. Replace it?", "replaces it"), replace_it)

    def _save(self, name: str, replacing: Listed | None) -> None:
        present = self._present
        panes = [spec.saved for spec in present.panes]
        try:
            self._sets.save(name, panes, params=present.params.as_dict(), system=present.system, replace=replacing is not None)
        except ValueError as wrong:
            self._say(str(wrong), warning=True)
            return
        kept = [one for one in self._listed if one is not replacing]
        self._listed = sorted([*kept, Listed(name, tuple(map(told, panes)))], key=lambda one: one.name.casefold())
        self._line.value = ""
        self._fill(name)
        self.set_focus(self._list)
        self._say(f"{name} is saved: anoman-tui --set {_shown(name)} opens it as well")

    # -- moving ------------------------------------------------------------------------------------------------------

    def action_step(self, step: int) -> None:
        """Go up or down."""
        if step > 0:
            self._list.action_cursor_down()
        else:
            self._list.action_cursor_up()

    def action_close(self) -> None:
        """Open nothing."""
        self.dismiss(None)


def _shown(name: str) -> str:
    return f'"{name}"' if " " in name else name
