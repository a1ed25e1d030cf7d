"""Settings that are plainly valid, read by the standard library alone, so that a start need not load a validator.

Whatever is not plainly valid gives None, and the thorough way (`thorough_settings`) reads it again and says what is wrong. So
this module has no messages, and may be strict where the thorough way is lenient.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from anoman_tui.core.request import Secret
from anoman_tui.core.target import Auth, Policy, Shape
from anoman_tui.settings import ProviderSettings, Settings

PREFIX = "ANOMAN_TUI_"
NAME = re.compile(r"[a-z0-9][a-z0-9_]*")
"""How providers and sets may be named."""
NUMBER = re.compile(r"\d{1,9}(\.\d{1,9})?")
LARGEST = 1e9
WORDS = {"true": True, "1": True, "false": False, "0": False}


class _NotPlainError(Exception):
    """A value that only the thorough way can judge."""


def quick_settings(toml: Mapping[str, Any], environ: Mapping[str, str], given: Mapping[str, Any]) -> Settings | None:
    """The settings of a file, the environment and the command line; None where the thorough way must read them."""
    try:
        plain = _read(Settings, {**toml, **_variables(environ), **given})
    except _NotPlainError:
        return None
    return Settings(**plain) if all(NAME.fullmatch(name) for name in (*plain.get("providers", ()), *plain.get("sets", ()))) else None


def _variables(environ: Mapping[str, str]) -> dict[str, Any]:
    """Numbers, words and text out of the environment. Raises _NotPlainError for a variable with parts, of a table, or in small letters."""
    kinds = {field.name: field.type for field in fields(Settings)}
    found: dict[str, Any] = {}
    for variable, value in environ.items():
        if not variable.upper().startswith(PREFIX):
            continue
        name = variable[len(PREFIX) :].lower()
        if variable.upper() != variable or "__" in name:
            raise _NotPlainError
        if value and name in kinds:
            found[name] = _from_text(kinds[name], value)
    return found


def _from_text(kind: Any, value: str) -> Any:
    if kind == str | None:
        return value
    if kind is bool and value in WORDS:
        return WORDS[value]
    if kind in (int, float, float | None) and NUMBER.fullmatch(value):
        return float(value) if "." in value else int(value)
    raise _NotPlainError


def _read(kind: type, table: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a table by name. Raises _NotPlainError for an unknown name and for a value that is not plainly of its type."""
    known = {field.name: field for field in fields(kind)}
    made: dict[str, Any] = {}
    for name, value in table.items():
        field = known.get(name)
        read = _READERS.get(field.type) if field is not None else None
        if field is None or read is None:
            raise _NotPlainError
        made[name] = read(value)
        if field.metadata and not made[name] > 0:
            raise _NotPlainError
    return made


def _text(value: Any) -> str:
    if not isinstance(value, str) or not (value.isascii() or _is_unicode(value)):
        raise _NotPlainError
    return value


def _is_unicode(value: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _NotPlainError
    return value


def _whole(value: Any) -> int:
    if type(value) is not int or abs(value) > LARGEST:
        raise _NotPlainError
    return value


def _number(value: Any) -> float:
    if type(value) not in (int, float) or not abs(value) <= LARGEST:
        raise _NotPlainError
    return float(value)


def _texts(value: Any) -> list[str]:
    if not isinstance(value, list):
        raise _NotPlainError
    return [_text(one) for one in value]


def _table(key: Callable[[Any], Any], one: Callable[[Any], Any]) -> Callable[[Any], dict[Any, Any]]:
    def read(value: Any) -> dict[Any, Any]:
        if not isinstance(value, dict):
            raise _NotPlainError
        return {key(name): one(inner) for name, inner in value.items()}

    return read


def _one_of(kind: type[Shape | Policy | Auth]) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        try:
            return kind(_text(value))
        except ValueError:
            raise _NotPlainError from None

    return read


def _shapes(value: Any) -> list[Shape]:
    return [_one_of(Shape)(one) for one in _texts(value)]


def _provider(value: Any) -> ProviderSettings:
    if not isinstance(value, dict):
        raise _NotPlainError
    return ProviderSettings(**_read(ProviderSettings, value))


_READERS: Mapping[Any, Callable[[Any], Any]] = {
    str | None: _text,
    bool: _flag,
    bool | None: _flag,
    int: _whole,
    float: _number,
    float | None: _number,
    list[str]: _texts,
    list[str] | None: _texts,
    list[Shape] | None: _shapes,
    dict[str, str]: _table(_text, _text),
    dict[Shape, str]: _table(_one_of(Shape), _text),
    dict[str, list[str]]: _table(_text, _texts),
    dict[str, ProviderSettings]: _table(_text, _provider),
    Policy | None: _one_of(Policy),
    Auth | None: _one_of(Auth),
    Path | None: lambda value: Path(_text(value)),
    Secret | None: lambda value: Secret(_text(value)),
}
"""By the type of a field. A type that is missing here is left to the thorough way."""
