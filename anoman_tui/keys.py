"""Where a provider's key comes from, and whether it can be one. A key never stands in a message."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

from anoman_tui.core.records import dataclass
from anoman_tui.core.request import Secret
from anoman_tui.core.target import Provider
from anoman_tui.problems import MissingKeyError
from anoman_tui.settings import ProviderSettings

COMMAND_S = 10.0


@dataclass(frozen=True, slots=True)
class FoundKey:
    """A key and where it was found."""

    key: Secret
    source: str


def find_key(provider: Provider, settings: ProviderSettings | None, environ: Mapping[str, str]) -> FoundKey | None:
    """The provider's key from the first place that has one; None when no place has. Raises MissingKeyError for a bad one."""
    if settings is not None:
        if settings.api_key_cmd:
            return _checked(_run(settings.api_key_cmd, provider.name), f"providers.{provider.name}.api_key_cmd")
        if settings.api_key_file is not None:
            return _checked(_first_line(settings.api_key_file), str(settings.api_key_file))
        if settings.api_key is not None:
            return _checked(settings.api_key.reveal(), f"providers.{provider.name}.api_key")
    for name in provider.key_env:
        if value := environ.get(name):
            return _checked(value, f"${name}")
    return None


def need_key(provider: Provider, settings: ProviderSettings | None, environ: Mapping[str, str]) -> FoundKey:
    """The provider's key. Raises MissingKeyError that names the places where one is looked for."""
    found = find_key(provider, settings, environ)
    if found is None:
        raise MissingKeyError(_no_key(provider))
    return found


def key_problem(provider: Provider, settings: ProviderSettings | None, environ: Mapping[str, str]) -> str:
    """Why there is no usable key, in one sentence; empty where there is one, or where a command has to be run to know. Quick."""
    if settings is not None and settings.api_key_cmd:
        return ""
    try:
        return "" if find_key(provider, settings, environ) is not None else _no_key(provider)
    except MissingKeyError as error:
        return str(error)


def _no_key(provider: Provider) -> str:
    places = " or ".join(f"${name}" for name in provider.key_env) or f"providers.{provider.name}.api_key_env in config.toml"
    return f"{provider.label}: there is no key; set {places}"


def _checked(value: str, source: str) -> FoundKey:
    key = value.strip()
    if not key:
        raise MissingKeyError(f"{source}: the key is empty")
    if not key.isascii():
        raise MissingKeyError(f"{source}: the key holds a smart quote or another letter outside ASCII; paste it again")
    if any(ord(letter) <= 32 or ord(letter) == 127 for letter in key):
        raise MissingKeyError(f"{source}: the key holds a blank or a line end; paste it again as one word")
    return FoundKey(Secret(key), source)


def _run(command: list[str], name: str) -> str:
    where = f"providers.{name}.api_key_cmd"
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_S, check=True, stdin=subprocess.DEVNULL)  # noqa: S603
    except FileNotFoundError:
        raise MissingKeyError(f"{where}: there is no program {command[0]!r}") from None
    except subprocess.TimeoutExpired:
        raise MissingKeyError(f"{where}: the command took longer than {COMMAND_S:g} s") from None
    except (subprocess.CalledProcessError, OSError, UnicodeDecodeError) as error:
        raise MissingKeyError(f"{where}: the command failed ({type(error).__name__})") from None
    return done.stdout.strip().splitlines()[0] if done.stdout.strip() else ""


def _first_line(file: Path) -> str:
    try:
        return file.expanduser().read_text("utf-8").strip().partition("\n")[0]
    except (OSError, UnicodeDecodeError) as error:
        raise MissingKeyError(f"{file}: the key file cannot be read ({type(error).__name__})") from None
