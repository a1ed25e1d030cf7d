"""Setting one pane up: what it talks to, and what is its own."""

from contextlib import suppress

from anoman_tui.core.panes import MAX_TEXT, PaneSpec
from anoman_tui.core.records import dataclass
from anoman_tui.core.request import Params
from anoman_tui.core.sanitize import clean_line
from anoman_tui.core.target import BARE, PaneArgumentError, Provider, Target, check_base_url, parse_pane
from anoman_tui.ui.form import param_fields, read_header_lines, read_param_fields, shown_headers
from anoman_tui.ui.problems import pane_problems
from anoman_tui.ui.screens.dialog import Dialog, FieldError
from anoman_tui.ui.session import Session
from anoman_tui.ui.widgets.fields import LineField, PickField, TextField
from anoman_tui.ui.widgets.model_field import ModelField

OTHER = "other server"
"""What stands in the place of a provider where there is only a base URL."""
AS_FOR_ALL, NONE, OWN = "as for all panes", "none", "its own"
MAX_MODEL = 400


@dataclass(frozen=True, slots=True)
class Shared:
    """What holds for all panes, which the editor shows where a pane has nothing of its own."""

    params: Params
    system: str | None


class PaneEditor(Dialog[PaneSpec]):
    """Asks for one pane, beginning with what is wanted most often: another model. What cannot work is said while one types."""

    AUTO_FOCUS = "#model Input"

    def __init__(self, title: str, spec: PaneSpec, session: Session, shared: Shared) -> None:
        self._session, self._shared = session, shared
        target = spec.target
        provider = target.provider
        own_root = "" if target.base_url == provider.base_url else target.base_url
        system = AS_FOR_ALL if spec.system is None else OWN if spec.system else NONE
        self._provider_field = PickField("provider", "Provider", provider.name or OTHER, [*session.providers, OTHER])
        self._shape_field = PickField("shape", "Shape", target.shape.value, [shape.value for shape in provider.shapes])
        self._model_field = ModelField("model", target.model, session.list_models)
        self._base_field = LineField("base_url", "Base URL", own_root, _root_hint(provider))
        self._system_field = PickField("system", "System prompt", system, (AS_FOR_ALL, NONE, OWN))
        self._system_text = TextField("system_text", "  its own", spec.system or "", clean_line(shared.system or "", 200))
        fields = (
            self._provider_field,
            self._shape_field,
            self._model_field,
            self._base_field,
            *param_fields(spec.params, shared.params),
            self._system_field,
            self._system_text,
            TextField("headers", "Headers", shown_headers(spec.headers), "name: value, one a line; no keys", rows=2),
        )
        super().__init__(title, fields, about=" ")

    def on_mount(self) -> None:
        """List the models."""
        self._list_models()
        self._look()

    # -- what the fields say -----------------------------------------------------------------------------------------

    @property
    def _provider(self) -> Provider:
        """Raises FieldError."""
        name = self.text("provider")
        if name == OTHER:
            return BARE
        try:
            return self._session.providers[name]
        except KeyError:
            known = ", ".join(self._session.providers)
            raise FieldError(f"there is no provider {clean_line(name, 40)!r}: take one of {known}, or {OTHER}", "provider") from None

    def _root(self, provider: Provider) -> str:
        """The base URL, empty for the provider's own. Raises FieldError."""
        text = self.text("base_url")
        if not text and provider is BARE:
            raise FieldError(f"{OTHER}: give its base URL, such as http://127.0.0.1:8080/v1", "base_url")
        try:
            return check_base_url(text, "this pane") if text else ""
        except PaneArgumentError as wrong:
            raise FieldError(str(wrong), "base_url") from None

    def _target(self, model: str) -> Target:
        """Raises FieldError."""
        provider = self._provider
        shape, root = self.text("shape"), self._root(provider)
        if shape not in provider.shapes:
            offered = ", ".join(provider.shapes)
            raise FieldError(f"{provider.label or OTHER} does not offer the shape {clean_line(shape, 40)!r}; it offers {offered}", "shape")
        named = "/".join(part for part in (provider.name, shape, model) if part)
        try:
            target = parse_pane(f"{named}@{root}" if root else named, self._session.providers)
        except PaneArgumentError as wrong:
            raise FieldError(str(wrong), "model") from None
        if target.model != model:
            raise FieldError("a model's name cannot hold @http", "model")
        return target

    def read(self) -> PaneSpec:
        """The pane."""
        model = self.text("model")
        if not model or not model.isprintable() or len(model) > MAX_MODEL:
            raise FieldError("give the name of a model, as its server knows it", "model")
        target = self._target(model)
        params = read_param_fields({name: self.text(name) for name in ("temperature", "max_tokens", "stop", "effort")})
        return PaneSpec(target, params, self._system(), read_header_lines(self.text("headers")))

    def _system(self) -> str | None:
        text = self._system_text.text
        match self.text("system"):
            case "none":
                return ""
            case "its own":
                if not text.strip():
                    raise FieldError(f"the system prompt is empty: write one, or take {AS_FOR_ALL!r} or {NONE!r}", "system_text")
                if len(text) > MAX_TEXT:
                    raise FieldError(f"the system prompt is longer than {MAX_TEXT:,} characters", "system_text")
                return text
            case _:
                return None

    # -- while one types ---------------------------------------------------------------------------------------------

    def changed(self, name: str) -> None:
        """Keep the fields in step, and say what cannot work."""
        if name == "system_text" and self._system_text.text.strip() and self.text("system") != OWN:
            self._system_field.put(OWN)
        if name == "provider":
            self._follow_provider()
        self._look()

    def _follow_provider(self) -> None:
        try:
            provider = self._provider
        except FieldError:
            return
        self._base_field.placeholder = _root_hint(provider)
        shapes = [shape.value for shape in provider.shapes]
        self._shape_field.set_choices(shapes)
        if self._shape_field.line.value not in shapes:
            self._shape_field.put(shapes[0])

    def _look(self) -> None:
        """Show where the pane would talk to, and what is doubtful about that."""
        model = self.text("model") or "-"
        try:
            target = self._target(model)
            params = read_param_fields({name: self.text(name) for name in ("temperature", "max_tokens", "stop", "effort")})
        except FieldError as wrong:
            self.tell(" ")
            self.show_problem(str(wrong), warning=True)
            return
        self.tell(f"POST {clean_line(target.url, 200)}")
        told = [*pane_problems(PaneSpec(target, params), self._shared.params, self._session), self._model_field.doubt(target)]
        self.show_problem("; ".join(filter(None, told)), warning=True)

    # -- the models --------------------------------------------------------------------------------------------------

    def on_descendant_focus(self) -> None:
        """List the models once one gets there."""
        if self._model_field.line.has_focus:
            self._list_models()

    def on_model_field_arrived(self) -> None:
        """Look whether the model is among them."""
        self._look()

    def _list_models(self) -> None:
        with suppress(FieldError):
            self._model_field.ask(self._target("-"))


def _root_hint(provider: Provider) -> str:
    if provider is BARE:
        return "such as http://127.0.0.1:8080/v1"
    return "the embedded gateway on this machine" if provider.local else provider.base_url
