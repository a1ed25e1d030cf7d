"""The field for a model: the models that a provider lists, found by typing; any other name may be typed."""

from collections.abc import Sequence

from textual.message import Message

from anoman_tui.core.model_list import NoModelsError
from anoman_tui.core.ports import ListModels
from anoman_tui.core.sanitize import clean_line
from anoman_tui.core.target import Target
from anoman_tui.ui.background import in_background
from anoman_tui.ui.widgets.fields import PickField

FREE = "any name may be typed"


class ModelField(PickField):
    """Lists the models of one target's provider at a time."""

    class Arrived(Message):
        """A list is there."""

    def __init__(self, name: str, model: str, list_models: ListModels | None) -> None:
        super().__init__(name, "Model", model, (), "type to search, or any name", free=True)
        self._list_models = list_models
        self._listed: tuple[str, str] | None = None
        """The provider and the root whose models are listed, or asked for."""
        self._listed_count: int | None = None
        """How many models are listed; None where there is no list."""
        self._known: dict[tuple[str, str], frozenset[str]] = {}

    def ask(self, target: Target) -> None:
        """List the models at a target's provider; they may come later."""
        list_models, key = self._list_models, _key(target)
        if list_models is None or key == self._listed:
            return
        self._listed, self._listed_count = key, None
        label = target.provider.label or target.base_url
        self.set_choices(())
        self.tell(f"asking {label} for its models … {FREE}")

        def show(made: Sequence[str] | Exception) -> None:
            if self._listed == key and self.is_attached:
                self._show(key, label, made)

        in_background(lambda: list_models(target), show)

    def _show(self, key: tuple[str, str], label: str, made: Sequence[str] | Exception) -> None:
        if isinstance(made, Exception):
            self._listed = self._listed_count = None
            why = str(made) if isinstance(made, NoModelsError) else f"no list of models ({type(made).__name__})"
            self.tell(f"{why if why.startswith(label) else f'{label}: {why}'}; {FREE}")
            return
        self._known[key] = frozenset(name.casefold() for name in made)
        self.set_choices(made)
        self._listed_count = len(made)
        self._tell_count()
        self.post_message(self.Arrived())

    def _tell_count(self) -> None:
        if self._listed_count is not None:
            none = self._sought and not self.list.option_count
            keys = f"none is named so, {FREE}" if none else "Enter takes the marked one, Tab what is typed"
            self.tell(f"{self._listed_count} models; {keys}")

    def _fill(self) -> None:
        super()._fill()
        self._tell_count()

    def doubt(self, target: Target) -> str:
        """What is doubtful about a name that the list does not have; empty where it has it, or where there is no list."""
        known = self._known.get(_key(target))
        if not known or not self.text or target.model.casefold() in known:
            return ""
        return f"{target.provider.label or target.base_url} lists no model {clean_line(target.model, 60)!r}"


def _key(target: Target) -> tuple[str, str]:
    return target.provider.name, target.base_url
