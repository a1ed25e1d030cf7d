"""The keys for the place one comes from, and what the words and marks mean."""

from collections.abc import Callable

from textual.binding import Binding
from textual.content import Content

from anoman_tui.ui.details.facts import MARKS
from anoman_tui.ui.places import Place, merged
from anoman_tui.ui.race import LEGEND
from anoman_tui.ui.screens.sheet import SheetScreen

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
KEY_WIDTH = 16


class HelpScreen(SheetScreen):
    """Shows the keys."""

    def __init__(self, places: tuple[Place, ...], gateway_note: str, display: Callable[[Binding], str]) -> None:
        super().__init__("Keys", _sheet(places, gateway_note, display))


def _sheet(places: tuple[Place, ...], note: str, display: Callable[[Binding], str]) -> Content:
    def shown(binding: Binding) -> str:
        return " ".join(display(one) for one in binding.make_bindings([binding]))

    lines: list[Content] = []
    for place in places:
        lines.append(_head(place.name))
        lines += [_row(" ".join(map(shown, bindings)), does) for bindings, does in merged(place)]
        lines.append(Content(""))
    lines += [_head("States"), *(_row(word, means) for word, means in STATES), Content("")]
    lines += [_head("Marks"), *(_row(mark, means) for mark, means in MARKS)]
    lines += [Content(""), _head("Race lane"), *(_row(sign, means) for sign, means in LEGEND)]
    if note:
        lines += [Content(""), _head("Embedded gateway"), Content(f"  {note}")]
    return Content("\n").join(lines)


def _head(text: str) -> Content:
    return Content.styled(text, "bold $text-accent")


def _row(key: str, means: str) -> Content:
    return Content.assemble((f"  {key:<{KEY_WIDTH}} ", "bold"), means)
