"""Every binding as an entry of the command palette."""

from collections.abc import Iterator
from functools import partial

from textual.app import App, SystemCommand
from textual.dom import DOMNode
from textual.screen import Screen

from anoman_tui.ui.keys import key_name, merged, places
from anoman_tui.ui.session import MAX_PANES


def commands(app: App[None], screen: Screen[None], prompt: DOMNode, panes: int) -> Iterator[SystemCommand]:
    """The palette's entries, in the order of the help."""
    beyond = {f"screen.focus_pane({number})" for number in range(panes + 1, MAX_PANES + 1)}
    seen = {"command_palette", "app.show_keys", "screen.leave", *beyond}
    for place in places(app, screen, in_prompt=True):
        home = {"In the prompt": prompt, "Everywhere": screen}.get(place.name)
        for bindings, does in merged(place):
            for binding in bindings:
                action = binding.action
                if action in seen or binding.id is None or binding.id.startswith("answer."):
                    continue
                seen.add(action)
                if len(bindings) > 1:
                    does = binding.tooltip
                keys = ", ".join(key_name(one.key) for one in binding.make_bindings([binding]))
                where = "" if place.name == "Everywhere" else f", {place.name[0].lower()}{place.name[1:]}"
                yield SystemCommand(does, f"{keys}{where}", partial(app.run_action, action, _namespace(app, binding.id, home)))


def _namespace(app: App[None], binding_id: str, home: DOMNode | None) -> DOMNode:
    return app if home is None or binding_id in ("quit", "palette", "keys") else home
