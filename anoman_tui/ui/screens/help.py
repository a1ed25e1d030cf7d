"""The keys for the place one comes from, and what the words and marks mean."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from anoman_tui.ui.keys import Place, merged

STATES = (
    ("WAIT", "sent, nothing came yet"),
    ("OPEN", "the response head came, no token yet"),
    ("THINK", "reasoning comes"),
    ("LIVE", "the answer comes"),
    ("DONE", "the protocol's own end came and no error"),
    ("STOP", "you stopped it"),
    ("CUT", "the stream ended without the protocol's end"),
    ("FAIL", "an error, or no connection"),
    ("BLOCK", "a guardrail refused the prompt"),
)
MARKS = (
    ("=", "reported by the server"),
    ("~", "our estimate"),
    ("--", "not sent, so unknown; never 0"),
    ("≠", "reported, but contradicted"),
)
KEY_WIDTH = 16


class HelpScreen(ModalScreen[None]):
    """Shows the keys."""

    AUTO_FOCUS = "#help-scroll"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,f1", "dismiss", "Close", id="close-help", tooltip="Close this"),
        Binding("j", "scroll(1)", "Down", id="help-down", show=False, tooltip="Scroll down"),
        Binding("k", "scroll(-1)", "Up", id="help-up", show=False, tooltip="Scroll up"),
    ]

    def __init__(self, places: tuple[Place, ...], gateway_note: str) -> None:
        super().__init__()
        self._places = places
        self._note = gateway_note

    def compose(self) -> ComposeResult:
        """One scrolling sheet."""
        with VerticalScroll(id="help-scroll") as sheet:
            sheet.border_title = Content("Keys")
            sheet.border_subtitle = Content("Esc closes")
            yield Static(self._sheet(), markup=False)

    def on_resize(self, event: events.Resize) -> None:
        """Drop a size that is no longer the terminal's, as the main screen does."""
        if event.size != self.app.size:
            event.stop()
            event.prevent_default()

    def action_scroll(self, step: int) -> None:
        """Scroll by a line."""
        self.query_one(VerticalScroll).scroll_relative(y=step, animate=False)

    def _sheet(self) -> Content:
        lines: list[Content] = []
        for place in self._places:
            lines.append(_head(place.name))
            for bindings, does in merged(place):
                lines.append(_row(" ".join(self._shown(binding) for binding in bindings), does))
            lines.append(Content(""))
        lines += [_head("States"), *(_row(word, means) for word, means in STATES), Content("")]
        lines += [_head("Marks"), *(_row(mark, means) for mark, means in MARKS)]
        if self._note:
            lines += [Content(""), _head("Embedded gateway"), Content(f"  {self._note}")]
        return Content("\n").join(lines)

    def _shown(self, binding: Binding) -> str:
        return " ".join(self.app.get_key_display(one) for one in binding.make_bindings([binding]))


def _head(text: str) -> Content:
    return Content.styled(text, "bold $text-accent")


def _row(key: str, means: str) -> Content:
    return Content.assemble((f"  {key:<{KEY_WIDTH}} ", "bold"), means)
