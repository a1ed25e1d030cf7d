"""Settings with every check that pydantic makes: the one source of what is accepted and of what is said where it is not."""

import os
import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from pathlib import Path
from types import GenericAlias
from typing import Any

import pydantic
from pydantic import BaseModel, ConfigDict, SecretStr, ValidationError, create_model
from pydantic_settings import BaseSettings, InitSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict, SettingsError

from anoman_tui.core.request import Secret
from anoman_tui.problems import ConfigError
from anoman_tui.quick_settings import NAME, PREFIX
from anoman_tui.settings import ProviderSettings, Settings


def _field(field: "Field[Any]", kind: Any) -> tuple[Any, Any]:
    """A field of a plain class as `create_model` takes it."""
    if field.default_factory is not MISSING:
        return kind, pydantic.Field(default_factory=field.default_factory, **field.metadata)
    return kind, pydantic.Field(default=field.default, **field.metadata)


_PROVIDER = create_model(
    "_PROVIDER",
    __config__=ConfigDict(extra="forbid", hide_input_in_errors=True),
    **{one.name: _field(one, SecretStr | None if one.name == "api_key" else one.type) for one in fields(ProviderSettings)},  # type: ignore[call-overload]
)


class _Base(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="__", env_ignore_empty=True, extra="forbid", hide_input_in_errors=True
    )


_SETTINGS = create_model(
    "_SETTINGS",
    __base__=_Base,
    **{one.name: _field(one, GenericAlias(dict, (str, _PROVIDER)) if one.name == "providers" else one.type) for one in fields(Settings)},  # type: ignore[call-overload]
)


def _settings_from(toml: Mapping[str, Any]) -> type[BaseSettings]:
    """The settings class with the file's contents as its last source.

    `.env` files are never read: one in a cloned folder could send a key to another host.
    """

    class Loaded(_SETTINGS):  # type: ignore[misc, valid-type]
        @classmethod
        def settings_customise_sources(
            cls, settings_cls: type[BaseSettings], init_settings: Any, env_settings: Any, *_: Any, **__: Any
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            return init_settings, env_settings, InitSettingsSource(settings_cls, dict(toml))

    return Loaded


def thorough_settings(toml: Mapping[str, Any], given: Mapping[str, Any], file: Path) -> Settings:
    """The settings of the command line, the environment and a file that holds `toml`. Raises ConfigError."""
    try:
        checked = _settings_from(toml)(**given)
    except SettingsError as error:
        named = re.search(r'field "(\w+)"', str(error))
        variable = f"{PREFIX}{named.group(1).upper()}" if named else f"a variable that begins with {PREFIX}"
        raise ConfigError(f"${variable}: the value is no JSON of the form that this setting needs") from None
    except ValidationError as error:
        raise ConfigError(_explain(error, file, toml, given)) from None
    settings = _plain(checked)
    for name in (*settings.providers, *settings.sets):
        if not NAME.fullmatch(name):
            raise ConfigError(f"{file}: the name {name!r} of a provider or set may hold only a-z, 0-9 and _")
    return settings


def _plain(checked: BaseSettings) -> Settings:
    values = {one.name: getattr(checked, one.name) for one in fields(Settings)}
    values["providers"] = {name: _plain_provider(one) for name, one in values["providers"].items()}
    return Settings(**values)


def _plain_provider(checked: BaseModel) -> ProviderSettings:
    values = {one.name: getattr(checked, one.name) for one in fields(ProviderSettings)}
    key = values["api_key"]
    return ProviderSettings(**{**values, "api_key": None if key is None else Secret(key.get_secret_value())})


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


def _holds(fields_: Any, path: list[str]) -> bool:
    for step in path:
        if not isinstance(fields_, Mapping) or step not in fields_:
            return False
        fields_ = fields_[step]
    return True
