"""What goes out with a prompt: the library it comes from, the values of its variables, and what holds for all panes."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from anoman_tui.core.panes import Setup, over, read_params, read_spec
from anoman_tui.core.request import Params
from anoman_tui.core.target import PaneArgumentError
from anoman_tui.core.variables import fill, names
from anoman_tui.files import shown_path
from anoman_tui.ui.memory import Memory
from anoman_tui.ui.notes import own_notes, shared_words
from anoman_tui.ui.screens.prompting import PromptingScreen
from anoman_tui.ui.session import MAX_PANES, Session

if TYPE_CHECKING:
    from anoman_tui.core.library import SavedPrompt
    from anoman_tui.ui.screens.library import Taken

Settings = tuple[Params, str | None]
"""Parameters and a system prompt."""


class ChoosingScreen(PromptingScreen, layer=True):
    """Turns keys into what goes out with a prompt."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.values: Mapping[str, str] = dict(session.memory.values)
        """The last values of variables, by their names."""
        self._kept_name = ""
        self._put: Settings | None = None
        self._put_over: Settings = (Params(), None)

    def on_mount(self) -> None:
        """Say what is set for all panes."""
        self.show_shared()

    async def fit_panes(self) -> None:
        """With other panes there may be other settings for all of them."""
        await super().fit_panes()
        self.show_shared()

    def show_shared(self) -> None:
        """Say at the prompt what is set for all panes."""
        self.editor.note("shared", shared_words(*self._settings))

    @property
    def _settings(self) -> Settings:
        return self.board.shared, self.board.system

    def _set(self, settings: Settings) -> None:
        self.board.shared, self.board.system = settings
        self.show_shared()

    def remembered(self) -> Memory:
        """With the values of variables."""
        return replace(super().remembered(), values=self.values)

    # -- for all panes -----------------------------------------------------------------------------------------------

    def action_shared(self) -> None:
        """Ask for the system prompt and the parameters of all panes."""
        from anoman_tui.ui.screens.asking import SharedDialog

        if self.app.screen is not self:
            return

        def accepted(settings: Settings | None) -> None:
            if settings is not None and settings != self._settings:
                self._set(settings)
                self.say(f"for all panes, from the next prompt on: {shared_words(*settings) or 'nothing is set'}")

        own = [f"pane {n} has {note.text}" for n, slot in enumerate(self.board.slots, 1) for note in own_notes(slot.spec)]
        self.app.push_screen(SharedDialog(*self._settings, own), accepted)

    # -- variables -----------------------------------------------------------------------------------------------------

    def submit(self, text: str) -> None:
        """Send a text with its variables filled in. The editor, and with it the history, keeps it as it was typed."""
        if not names(text):
            super().submit(fill(text, {}))
            return
        if self.app.screen is not self:
            return
        from anoman_tui.ui.screens.asking import ValuesDialog

        dialog = ValuesDialog(text, self.values)

        def accepted(values: dict[str, str] | None) -> None:
            self.values = {**self.values, **dialog.values}
            if values is not None:
                super(ChoosingScreen, self).submit(fill(text, values))

        self.app.push_screen(dialog, accepted)

    # -- the library ---------------------------------------------------------------------------------------------------

    async def action_library(self) -> None:
        """Choose a prompt."""
        from anoman_tui.ui.screens.library import LibraryScreen

        kept = self.session.prompts
        if kept is None:
            self.say("no prompts are kept here", warning=True)
        elif self.app.screen is self:
            self.app.push_screen(LibraryScreen(await asyncio.to_thread(kept.read)), self._chosen)

    async def _chosen(self, taken: "Taken | None") -> None:
        if taken is None:
            return
        if taken.prompt is None:
            await self.action_keep_prompt()
            return
        prompt = taken.prompt
        self._kept_name = prompt.name if prompt.source == "own" else ""
        self.editor.take(prompt.text)
        self.set_focus(self.editor)
        set_by_it = self._take_settings(prompt)
        if set_by_it:
            self.say(f"this prompt sets for all panes: {set_by_it} (F6)")
        if taken.panes and prompt.panes:
            await self._open_panes(prompt)

    def _take_settings(self, prompt: "SavedPrompt") -> str:
        """What a prompt sets holds until another one is taken, unless the user changed it since; what it set, in words."""
        if self._put is not None and self._settings == self._put:
            self._set(self._put_over)
        self._put = None
        if not prompt.params and prompt.system is None:
            return ""
        params, self._put_over = read_params(prompt.params, prompt.name), self._settings
        self._put = over(params, self.board.shared), self.board.system if prompt.system is None else prompt.system
        self._set(self._put)
        return shared_words(params, prompt.system)

    async def _open_panes(self, prompt: "SavedPrompt") -> None:
        """Put the panes that go with a prompt in the place of those that are there."""
        if not self.live():
            return
        if self.board.busy:
            self.say("panes are still streaming: stop them (^C), then take the prompt with its panes again", warning=True)
            return
        try:
            specs = tuple(read_spec(pane, self.session.providers) for pane in prompt.panes[:MAX_PANES])
        except PaneArgumentError as wrong:
            self.say(f"the panes of this prompt cannot be opened: {wrong}", warning=True)
            return
        await self._take_setup(Setup(specs, *self._settings), "the panes of this prompt are open")
        self.set_focus(self.editor)

    async def action_keep_prompt(self) -> None:
        """Keep the text of the editor under a name."""
        from anoman_tui.ui.screens.asking import SaveDialog

        kept = self.session.prompts
        if kept is None:
            self.say("no prompts are kept here", warning=True)
            return
        text, (params, system) = self.editor.text, self._settings
        if not text.strip():
            self.say("the prompt is empty: type what is to be kept first", warning=True)
            return

        def save(name: str, over_it: bool, settings: bool) -> str:
            if settings:
                return kept.save(name, text, system=system, params=params.as_dict(), replace=over_it)
            return kept.save(name, text, replace=over_it)

        def accepted(file: str | None) -> None:
            if file is not None:
                self.say(f"the prompt is kept in {shown_path(Path(file))}; F3 lists it")

        own = [one.name for one in (await asyncio.to_thread(kept.read)).prompts if one.source == "own"]
        dialog = SaveDialog(self._kept_name, own, save, settings=bool(system) or params != Params())
        self.app.push_screen(dialog, accepted)
