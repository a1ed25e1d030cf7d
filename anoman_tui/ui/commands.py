"""Every binding as an entry of the command palette."""

from collections.abc import Iterator
from functools import partial

from textual.app import App, SystemCommand
from textual.dom import DOMNode
from textual.screen import Screen

from anoman_tui.ui.keys import merged, places


def commands(app: App[None], screen: Screen[None], prompt: DOMNode) -> Iterator[SystemCommand]:
    """The palette's entries, in the order of the help."""
    seen: set[str] = set()
    for place in places(app, screen, in_prompt=True):
        home = {"In the prompt": prompt, "Everywhere": screen}.get(place.name)
        for bindings, does in merged(place):
            for binding in bindings:
                action = binding.action
                if action in seen or action == "command_palette" or binding.id is None or binding.id.startswith("answer."):
                    continue
                seen.add(action)
                keys = app.get_key_display(next(iter(binding.make_bindings([binding]))))
                yield SystemCommand(
                    f"{binding.description} ({keys})", does, partial(app.run_action, action, _namespace(app, binding.id, home))
                )


def _namespace(app: App[None], binding_id: str, home: DOMNode | None) -> DOMNode:
    return app if home is None or binding_id in ("quit", "palette", "keys") else home
