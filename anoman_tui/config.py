"""Settings: the command line goes before the environment, and the environment before `config.toml`.

Bad input gives one sentence that names the file or the variable and the key in question, and never a value: a value
may be a misplaced secret.
"""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, InitSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict, SettingsError

from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.target import DEFAULT_PATHS, Auth, PaneArgumentError, Policy, Provider, Shape, check_base_url
from anoman_tui.problems import ConfigError

PREFIX = "ANOMAN_TUI_"
NAME = re.compile(r"[a-z0-9][a-z0-9_]*")


class ProviderSettings(BaseModel):
    """One provider of the user's, or changes to a built-in one."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    label: str | None = None
    base_url: str | None = None
    """A root URL; a trailing `/v1` is accepted."""
    shapes: list[Shape] | None = None
    paths: dict[Shape, str] = Field(default_factory=dict)
    """Paths below the root, where they differ from the shape's own."""
    policy: Policy | None = None
    auth: Auth | None = None
    api_key_env: str | None = None
    """The variable that holds the key."""
    api_key_file: Path | None = None
    """A file whose first line is the key."""
    api_key_cmd: list[str] | None = None
    """A command that prints the key, as a list of words; no shell."""
    api_key: SecretStr | None = None
    headers: dict[str, str] = Field(default_factory=dict)
    include_usage: bool | None = None
    cancel_note: str | None = None
    total_limit_s: float | None = Field(default=None, gt=0)


class Settings(BaseSettings):
    """All settings. Variables are `ANOMAN_TUI_` and the name; parts are joined by `__`."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="__", env_ignore_empty=True, extra="forbid", hide_input_in_errors=True
    )

    providers: dict[str, ProviderSettings] = Field(default_factory=dict)
    sets: dict[str, list[str]] = Field(default_factory=dict)
    """Pane sets by name: each a list of pane arguments."""
    panes: list[str] = Field(default_factory=list)
    """The panes of a start without `--pane` or `--set`."""
    theme: str | None = None
    keys: dict[str, str] = Field(default_factory=dict)
    """Keys of the screen by the id of an action, several joined by commas: `stop-pane = "x,f8"`."""
    enter_sends: bool = True
    """Whether Enter sends the prompt; otherwise it starts a new line, and Ctrl+J sends."""
    mouse: bool = True
    """Whether the screen takes the mouse; otherwise the terminal's own selection works."""
    idle_timeout_s: float = Field(default=120, gt=0)
    connect_timeout_s: float = Field(default=10, gt=0)
    total_timeout_s: float | None = Field(default=None, gt=0)
    max_body_mb: int = Field(default=256, gt=0)
    cache: bool = True
    """Whether the embedded gateway has its semantic cache."""
    record: bool = True
    """Whether runs are recorded."""
    keep_runs: int = Field(default=200, gt=0)
    """How many recorded runs are kept."""
    keep_mb: int = Field(default=200, gt=0)
    """How large all recorded runs may be together."""


def _settings_from(toml: Mapping[str, Any]) -> type[Settings]:
    """The settings class with the file's contents as its last source.

    `.env` files are never read: one in a cloned folder could send a key to another host.
    """

    class Loaded(Settings):
        @classmethod
        def settings_customise_sources(
            cls, settings_cls: type[BaseSettings], init_settings: Any, env_settings: Any, *_: Any, **__: Any
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            return init_settings, env_settings, InitSettingsSource(settings_cls, dict(toml))

    return Loaded


def config_path() -> Path:
    """Where `config.toml` is looked for; `ANOMAN_TUI_CONFIG` moves it."""
    named = os.environ.get(f"{PREFIX}CONFIG")
    return Path(named) if named else Path(platformdirs.user_config_path("anoman-tui")) / "config.toml"


def load(path: Path | None = None, **overrides: Any) -> Settings:
    """The settings. `path` must exist when it is given. Raises ConfigError."""
    explicit = path is not None or bool(os.environ.get(f"{PREFIX}CONFIG"))
    file = path or config_path()
    toml = _read(file, must_exist=explicit)
    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        settings = _settings_from(toml)(**given)
    except SettingsError as error:
        named = re.search(r'field "(\w+)"', str(error))
        variable = f"{PREFIX}{named.group(1).upper()}" if named else f"a variable that begins with {PREFIX}"
        raise ConfigError(f"${variable}: the value is no JSON of the form that this setting needs") from None
    except ValidationError as error:
        raise ConfigError(_explain(error, file, toml, given)) from None
    for name in (*settings.providers, *settings.sets):
        if not NAME.fullmatch(name):
            raise ConfigError(f"{file}: the name {name!r} of a provider or set may hold only a-z, 0-9 and _")
    return settings


def _read(file: Path, *, must_exist: bool) -> dict[str, Any]:
    try:
        with file.open("rb") as stream:
            return tomllib.load(stream)
    except FileNotFoundError:
        if must_exist:
            raise ConfigError(f"{file}: there is no such file; correct --config or ${PREFIX}CONFIG") from None
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: cannot be read ({type(error).__name__})") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file}: is no valid TOML: {error}") from None


def _explain(error: ValidationError, file: Path, toml: Mapping[str, Any], given: Mapping[str, Any]) -> str:
    """The first problem in one sentence, with the place that it came from and without its value."""
    problem = error.errors(include_input=False, include_context=False, include_url=False)[0]
    path = [str(step) for step in problem["loc"]]
    variable = PREFIX + "__".join(path).upper()
    if path and path[0] in given:
        place = f"--{path[0].replace('_', '-')}"
    elif variable in {name.upper() for name in os.environ} and not _holds(toml, path):
        place = f"${variable}"
    else:
        place = f"{file}: {'.'.join(path)}"
    if problem["type"] == "extra_forbidden":
        return f"{place}: there is no such setting; look for a misspelt name"
    return f"{place}: {problem['msg'][:1].lower()}{problem['msg'][1:]}"


def _holds(fields: Any, path: list[str]) -> bool:
    for step in path:
        if not isinstance(fields, Mapping) or step not in fields:
            return False
        fields = fields[step]
    return True


def unknown_variables(environ: Mapping[str, str]) -> list[str]:
    """Variables that begin like ours and that no setting has; most are misspelt."""
    known = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields} | {f"{PREFIX}CONFIG"}
    return sorted(name for name in environ if name.startswith(PREFIX) and name.partition("__")[0].upper() not in known)


def providers_of(settings: Settings, environ: Mapping[str, str]) -> dict[str, Provider]:
    """The built-in providers with the user's changes and additions, moved by their variables. Raises ConfigError."""
    made = {name: _moved(provider, environ) for name, provider in BUILT_IN.items()}
    for name, changes in settings.providers.items():
        if name in made and made[name].local:
            raise ConfigError(f"providers.{name}: the embedded gateway cannot be changed; choose another name")
        made[name] = _provider(name, changes, made.get(name))
    return made


def _moved(provider: Provider, environ: Mapping[str, str]) -> Provider:
    """The provider at the root that its variable names."""
    variable = provider.base_url_env
    if variable is None or not (value := environ.get(variable, "").strip()):
        return provider
    if "://" not in value and provider.name == "ollama":
        value = f"http://{value}"
    try:
        root = check_base_url(value, f"${variable}")
    except PaneArgumentError as error:
        raise ConfigError(str(error)) from None
    if provider.name == "anthropic":
        root = root.removesuffix("/v1")
    return replace(provider, base_url=root)


def _provider(name: str, changes: ProviderSettings, base: Provider | None) -> Provider:
    where = f"providers.{name}"
    if base is None:
        if changes.base_url is None:
            raise ConfigError(f"{where}: base_url is missing; a provider of your own needs one, such as http://127.0.0.1:8080/v1")
        base = Provider(name=name, label=name, base_url="", shapes={Shape.CHAT: DEFAULT_PATHS[Shape.CHAT]}, needs_key=False)
    shapes = {shape: DEFAULT_PATHS[shape] for shape in changes.shapes} if changes.shapes else dict(base.shapes)
    shapes.update(changes.paths)
    try:
        root = check_base_url(changes.base_url, f"{where}.base_url") if changes.base_url else base.base_url
    except PaneArgumentError as error:
        raise ConfigError(str(error)) from None
    keyed = any((changes.api_key_env, changes.api_key_file, changes.api_key_cmd, changes.api_key))
    moved_away = root != base.base_url and bool(base.base_url)
    return replace(
        base,
        label=changes.label or base.label,
        base_url=root,
        shapes=shapes,
        policy=changes.policy or base.policy,
        auth=dict.fromkeys(shapes, changes.auth) if changes.auth else base.auth,
        key_env=(changes.api_key_env,) if changes.api_key_env else (() if moved_away else base.key_env),
        base_url_env=None if changes.base_url else base.base_url_env,
        headers={**base.headers, **{key.lower(): value for key, value in changes.headers.items()}},
        include_usage=base.include_usage if changes.include_usage is None else changes.include_usage,
        cancel_note=changes.cancel_note or base.cancel_note,
        total_limit_s=changes.total_limit_s or base.total_limit_s,
        needs_key=keyed or (base.needs_key and not moved_away),
    )
