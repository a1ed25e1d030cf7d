"""Every binding as an entry of the command palette."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import partial

from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.dom import DOMNode

from anoman_tui.ui.keys import key_name
from anoman_tui.ui.places import Place, merged

OPENERS = frozenset({"command_palette", "app.show_keys", "screen.leave"})
"""What the palette itself need not offer: itself, a second way to the keys, and what Esc does."""


def commands(app: App[None], places: tuple[Place, ...], homes: Mapping[str, Callable[[], DOMNode]], panes: int) -> Iterator[SystemCommand]:
    """The palette's entries, in the order of the help; `homes` gives the node on which each place's own actions run."""
    seen = set(OPENERS)
    for place in places:
        for bindings, does in merged(place):
            for number, binding in enumerate(bindings, 1):
                if binding.action in seen or (len(bindings) > 1 and number > panes):
                    continue
                seen.add(binding.action)
                keys = ", ".join(key_name(one.key) for one in binding.make_bindings([binding]))
                where = "" if place.name == "Everywhere" else f", {place.name[0].lower()}{place.name[1:]}"
                said = does if len(bindings) == 1 else binding.tooltip
                yield SystemCommand(said, f"{keys}{where}", partial(_run, app, binding, homes.get(place.name, lambda: app)))


def _run(app: App[None], binding: Binding, home: Callable[[], DOMNode]) -> Awaitable[bool]:
    own = "." not in binding.action and binding.id not in ("quit", "palette", "keys")
    return app.run_action(binding.action, home() if own else app)
