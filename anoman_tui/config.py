"""Settings: the command line goes before the environment, and the environment before `config.toml`.

Bad input gives one sentence that names the file or the variable and the key in question, and never a value: a value
may be a misplaced secret.
"""

import os
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import platformdirs

from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.target import DEFAULT_PATHS, PaneArgumentError, Provider, Shape, check_base_url
from anoman_tui.problems import ConfigError
from anoman_tui.quick_settings import PREFIX, quick_settings
from anoman_tui.settings import ProviderSettings, Settings

__all__ = ["ProviderSettings", "Settings", "config_path", "load", "passed_over", "providers_of", "unknown_variables"]


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
    settings = quick_settings(toml, os.environ, given)
    if settings is None:
        from anoman_tui.thorough_settings import thorough_settings

        settings = thorough_settings(toml, given, file)
    return settings


def _read(file: Path, *, must_exist: bool) -> dict[str, Any]:
    try:
        text = file.read_bytes().decode()
    except FileNotFoundError:
        if must_exist:
            raise ConfigError(f"{file}: there is no such file; correct --config or ${PREFIX}CONFIG") from None
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: cannot be read ({type(error).__name__})") from None
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file}: is no valid TOML: {error}") from None


def unknown_variables(environ: Mapping[str, str]) -> list[str]:
    """Variables that begin like ours and that no setting has; most are misspelt."""
    known = {f"{PREFIX}{one.name.upper()}" for one in fields(Settings)} | {f"{PREFIX}CONFIG"}
    return sorted(name for name in environ if name.startswith(PREFIX) and name.partition("__")[0].upper() not in known)


def passed_over(environ: Mapping[str, str]) -> tuple[str, ...]:
    """One sentence for each variable that begins like ours and that no setting has."""
    return tuple(f"${name} is no setting of this program and is passed over" for name in unknown_variables(environ))


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
