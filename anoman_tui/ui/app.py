"""The application: composes the screen, the themes and the ways out, and nothing else."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from textual.actions import ActionParseResult, parse
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.filter import LineFilter
from textual.screen import Screen

from anoman_tui.ui import signals
from anoman_tui.ui.guard import Guard
from anoman_tui.ui.keymap import Keymap, read_keymap
from anoman_tui.ui.keys import key_name
from anoman_tui.ui.memory import save
from anoman_tui.ui.screens.compare import CompareScreen
from anoman_tui.ui.session import Session
from anoman_tui.ui.themes import DEFAULT_THEME, NO_COLOR_THEME, load_themes, only_theme
from anoman_tui.ui.widgets.prompt import PromptEditor

GUARD = Guard()


class AnomanApp(App[None]):
    """The screen program. Its exit code is `return_code`: 0 after a quit, 128 + n after signal n, 1 after a crash."""

    TITLE = "anoman-tui"
    CSS_PATH = Path(__file__).with_name("anoman.tcss")
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "show_keys", "Keys", id="keys", tooltip="Show the keys for this place"),
        Binding("ctrl+p,f2", "command_palette", "More", id="palette", tooltip="Find any action by name", priority=True),
        Binding("ctrl+q", "quit", "Quit", id="quit", tooltip="Stop everything and quit at once", priority=True),
    ]

    def __init__(self, session: Session) -> None:
        # Without colours the terminal's own are used, so that what is left of a theme cannot paint black on black.
        super().__init__(ansi_color=True if os.environ.get("NO_COLOR") is not None else None)
        self.session = session
        self.compare = CompareScreen(session)
        self.keymap = self._read_keymap()
        wanted = session.theme or session.memory.theme or DEFAULT_THEME
        if (only := only_theme(session.theme_dirs, wanted)) is not None:
            self.register_theme(only)
            self.compare.after_first_paint(self._read_themes)
        else:
            self._read_themes()
        self._no_theme = ""
        self.set_reactive(App.theme, self._first_theme(wanted))
        self._read_with = self.get_css_variables()
        self.stylesheet.set_variables(self._read_with)

    def _read_keymap(self) -> Keymap:
        """The user's keys; where there are none, nothing needs to be looked at."""
        session = self.session
        if session.enter_sends and not session.keymap:
            return Keymap({}, ())
        from anoman_tui.ui.places import contexts

        return read_keymap(session.keymap, contexts(self, self.compare), enter_sends=session.enter_sends)

    def get_default_screen(self) -> Screen[None]:
        """The comparison is the only full screen."""
        return self.compare

    def on_mount(self) -> None:
        """Put on the theme and listen to signals."""
        if not self.is_headless:
            signals.install(self.leave)
        self.set_keymap(dict(self.keymap.keys))
        for problem in self.keymap.problems:
            self.compare.say(problem, warning=True)
        if self._no_theme:
            self.compare.say(f"there is no theme {self._no_theme}; the default one is used", warning=True)

    def _read_themes(self) -> None:
        """Read all theme files, and say which cannot be used once the screen stands."""
        loaded = load_themes(self.session.theme_dirs)
        for theme in loaded.themes:
            if theme.name not in self.available_themes:
                self.register_theme(theme)
        if loaded.notice:
            self.compare.after_first_paint(lambda: self.compare.say(loaded.notice, warning=True))

    def get_css_variables(self) -> dict[str, str]:
        """The colours of the theme; there are none before it is chosen."""
        return super().get_css_variables() if hasattr(self, "_no_theme") else {}

    def _first_theme(self, wanted: str) -> str:
        """The theme to begin with: the styles are read with its colours, and need not be read again for them."""
        if wanted not in self.available_themes and wanted != DEFAULT_THEME:
            self._no_theme, wanted = wanted, DEFAULT_THEME
        chosen = NO_COLOR_THEME if self.no_color else wanted
        return chosen if chosen in self.available_themes else self.theme

    def refresh_css(self, animate: bool = True) -> None:
        """Read the styles again where the colours have changed since they were read."""
        variables = self.get_css_variables()
        if variables != self._read_with:
            self._read_with = variables
            super().refresh_css(animate)

    async def run_action(
        self, action: "str | ActionParseResult", default_namespace: DOMNode | None = None, namespaces: Mapping[str, DOMNode] | None = None
    ) -> bool:
        """Do what a key or the palette asks for; while names are hidden, not what could tell them."""
        place, name, _ = parse(action) if isinstance(action, str) else action
        of_app = place == "app" or (not place and default_namespace in (None, self))
        of_screen = (place == "screen" and self.screen is self.compare) or (not place and default_namespace is self.compare)
        if (of_app or of_screen) and self.compare.gate(name):
            return True
        return await super().run_action(action, default_namespace, namespaces)

    def get_key_display(self, binding: Binding) -> str:
        """Keys as they are written on keyboards."""
        return key_name(binding.key)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Nothing unsafe reaches the terminal, whatever a widget drew."""
        return [*super().get_line_filters(), GUARD]

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:  # noqa: ARG002  the base class names it
        """Every action by name, and the choice of theme."""
        from anoman_tui.ui.commands import commands
        from anoman_tui.ui.places import places

        yield SystemCommand("Theme", "Change the colours", self.action_change_theme)
        compare = self.compare
        homes = {"In the prompt": lambda: compare.editor, "In a pane": lambda: compare.answer, "Everywhere": lambda: compare}
        yield from commands(self, places(self, compare, self.keymap.keys, in_prompt=True), homes, len(self.compare.board.slots))

    def action_show_keys(self) -> None:
        """Show the keys for the place that has the focus."""
        from anoman_tui.ui.places import places, wire_place
        from anoman_tui.ui.screens.help import HelpScreen
        from anoman_tui.ui.screens.wire import WireScreen

        if isinstance(self.screen, HelpScreen):
            self.screen.dismiss()
            return
        in_prompt = isinstance(self.compare.focused, PromptEditor)
        note = "" if self.session.gateway_note is None or self.compare.judging.hides else self.session.gateway_note()
        shown, wire = places(self, self.compare, self.keymap.keys, in_prompt=in_prompt), wire_place(self.keymap.keys)
        shown = (wire, *shown) if isinstance(self.screen, WireScreen) else (*shown, wire)
        self.push_screen(HelpScreen(shown, note, self.get_key_display))

    async def action_quit(self) -> None:
        """Close every connection and go."""
        self.leave(0)

    def leave(self, code: int) -> None:
        """Close every connection and end with an exit code."""
        self.compare.board.stop_all()
        self.exit(return_code=code)

    def _fatal_error(self) -> None:
        """Show where it broke, and no values: they may hold a prompt or a key."""
        import rich
        from rich.segment import Segments
        from rich.traceback import Traceback

        self.bell()
        traceback = Traceback(show_locals=False, width=None, suppress=[rich])
        self._exit_renderables.append(Segments(self.console.render(traceback, self.console.options)))
        self._close_messages_no_wait()


def run(session: Session, *, mouse: bool = True) -> int:
    """Show the screen until it is left; the exit code."""
    app = AnomanApp(session)
    app.run(mouse=mouse)
    if session.state_dir is not None:
        memory = app.compare.remembered()
        save(session.state_dir, memory if app.no_color else replace(memory, theme=app.theme))
    if session.on_exit is not None:
        session.on_exit(app.compare.board.states)
    return app.return_code or 0
