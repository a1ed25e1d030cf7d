"""The prompt library: a list that typing filters, and beside it what the chosen prompt says."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from anoman_tui.core.library import Library, SavedPrompt
from anoman_tui.core.records import dataclass
from anoman_tui.core.sanitize import clean, clean_line
from anoman_tui.ui.overlays import OVERLAYS

GROUPS = ("Your own", "Samples", "Samples of what gateways do")
WIDE = 100
"""Columns from which the text stands beside the list."""
MAX_PROBLEMS = 3
NONE_OWN = "none yet: ^S keeps the text of the prompt"


@dataclass(frozen=True, slots=True)
class Taken:
    """What was chosen: a prompt, perhaps with its panes; or to keep the text of the editor."""

    prompt: SavedPrompt | None
    panes: bool = False


def group_of(prompt: SavedPrompt) -> str:
    """The group that a prompt is listed in."""
    return GROUPS[0] if prompt.source == "own" else GROUPS[2 if "gateway" in prompt.tags else 1]


def holds(prompt: SavedPrompt, sought: str) -> bool:
    """Whether every word of a text stands somewhere in a prompt."""
    held = "\n".join((prompt.name, prompt.title, prompt.about, *prompt.tags, prompt.text)).casefold()
    return all(word in held for word in sought.casefold().split())


class FilterLine(Input):
    """Filters while one types; the keys that move act on the list."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "screen.step(1)", "Down", id="library-down", show=False, tooltip="Go to the next prompt"),
        Binding("up", "screen.step(-1)", "Up", id="library-up", show=False, tooltip="Go to the prompt before"),
        Binding("pagedown", "screen.scroll_text(1)", "Further", id="library-text-down", show=False, tooltip="Scroll the text down"),
        Binding("pageup", "screen.scroll_text(-1)", "Back", id="library-text-up", show=False, tooltip="Scroll the text up"),
    ]


class LibraryScreen(ModalScreen[Taken | None]):
    """Shows the prompts. Enter takes one, Esc none."""

    CSS_PATH = OVERLAYS
    AUTO_FOCUS = "#library-filter"
    BINDING_GROUP_TITLE = "Library"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+o", "take(True)", "With its panes", id="library-panes", tooltip="Take it with its panes"),
        Binding("ctrl+s", "keep", "Keep", id="library-keep", tooltip="Keep the editor's text as your own"),
        Binding("escape,f3", "close", "Close", id="library-close", tooltip="Close and change nothing"),
    ]

    def __init__(self, library: Library) -> None:
        super().__init__()
        self._library = library
        self._shown: dict[str, SavedPrompt] = {}
        self.line = FilterLine(placeholder="type to find a prompt", id="library-filter", compact=True)
        self.list = OptionList(id="library-list", compact=True, markup=False)
        self.list.can_focus = False
        self.text = Static(Content(""), markup=False)

    def compose(self) -> ComposeResult:
        """The filter, the list and the text, and what could not be read."""
        with Vertical(id="library") as frame:
            frame.border_title = Content("Prompts")
            frame.border_subtitle = Content("Enter takes it · ^O with its panes · ^S keeps the prompt's text · Esc")
            yield self.line
            with Container(id="library-parts"):
                yield self.list
                with VerticalScroll(id="library-text", can_focus=False):
                    yield self.text
            if self._library.problems:
                yield Static(self._problems(), id="library-problems", markup=False)

    def _problems(self) -> Content:
        problems = self._library.problems
        lines = [f"! {clean_line(one, 300)}" for one in problems[:MAX_PROBLEMS]]
        if len(problems) > MAX_PROBLEMS:
            lines.append(f"! and {len(problems) - MAX_PROBLEMS} more files")
        return Content("\n".join(lines))

    def on_mount(self) -> None:
        """List all."""
        self._lay_out()
        self._fill("")

    def on_resize(self, event: events.Resize) -> None:
        """Lay out anew. A size that is no longer the terminal's is dropped, as the main screen does."""
        if event.size != self.app.size:
            event.stop()
            event.prevent_default()
            return
        self._lay_out()

    def _lay_out(self) -> None:
        self.set_class(self.app.size.width >= WIDE, "-wide")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter with each letter."""
        event.stop()
        self._fill(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter takes the prompt; it comes behind the letters before it."""
        event.stop()
        self.action_take(panes=False)

    def _fill(self, sought: str) -> None:
        found = [prompt for prompt in self._library.prompts if holds(prompt, sought)]
        options: list[Option] = []
        self._shown = {}
        for title in GROUPS:
            options += self._group(title, [prompt for prompt in found if group_of(prompt) == title], always=not sought)
        self.list.clear_options()
        self.list.add_options(options)
        first = next((n for n, option in enumerate(options) if not option.disabled), None)
        self.list.highlighted = first
        self.list.scroll_home(animate=False)
        if first is None:
            self._show(None)

    def _group(self, title: str, prompts: Sequence[SavedPrompt], *, always: bool) -> list[Option]:
        if not prompts and not (always and title == GROUPS[0]):
            return []
        options = [Option(Content.styled(title, "bold $text-accent"), disabled=True)]
        for prompt in prompts:
            key = f"{prompt.source}-{len(self._shown)}"
            self._shown[key] = prompt
            options.append(Option(Content(f"  {clean_line(prompt.title, 60)}"), id=key))
        if not prompts:
            options.append(Option(Content.styled(f"  {NONE_OWN}", "$text-muted"), disabled=True))
        return options

    @property
    def chosen(self) -> SavedPrompt | None:
        """The prompt that the list stands at."""
        option = self.list.highlighted_option
        return None if option is None else self._shown.get(option.id or "")

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Show what the prompt says."""
        event.stop()
        self._show(self.chosen)

    def _show(self, prompt: SavedPrompt | None) -> None:
        self.text.update(Content.styled("no prompt holds these words", "$text-muted") if prompt is None else told(prompt))
        self.query_one("#library-text", VerticalScroll).scroll_home(animate=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click takes a prompt."""
        event.stop()
        self.action_take(panes=False)

    def action_step(self, step: int) -> None:
        """Go up or down."""
        if step > 0:
            self.list.action_cursor_down()
        else:
            self.list.action_cursor_up()

    def action_scroll_text(self, step: int) -> None:
        """Scroll the text by a page."""
        text = self.query_one("#library-text", VerticalScroll)
        text.scroll_relative(y=step * max(1, text.size.height - 1), animate=False)

    def action_take(self, panes: bool) -> None:
        """Take the prompt that the list stands at."""
        if self.chosen is not None:
            self.dismiss(Taken(self.chosen, panes))

    def action_keep(self) -> None:
        """Keep the text of the editor."""
        self.dismiss(Taken(None))

    def action_close(self) -> None:
        """Take nothing."""
        self.dismiss(None)


def told(prompt: SavedPrompt) -> Content:
    """A prompt with what to look at, and what comes with it."""
    lines = [Content.styled(clean_line(prompt.title, 80), "bold")]
    if prompt.about:
        lines.append(Content.styled(clean_line(prompt.about, 300), "$text-accent"))
    params = [f"{name.replace('_', ' ')} {value}" for name, value in prompt.params.items()]
    if prompt.system:
        params.insert(0, f"system prompt: {prompt.system}")
    if params:
        lines.append(Content.styled(clean_line(f"sets for all panes: {', '.join(params)}", 400), "$text-muted"))
    if prompt.panes:
        lines.append(Content.styled(clean_line(f"^O opens with it: {' '.join(prompt.panes)}", 400), "$text-muted"))
    return Content("\n").join([*lines, Content(""), Content(clean(prompt.text))])
