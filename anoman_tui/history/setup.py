"""Panes and what holds for all of them as files have them: checked in form and bounds, and free of secrets.

What the fields mean is for `core.panes` to say, which reads them once the providers are known.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from anoman_tui.core.headers import is_secret_name
from anoman_tui.core.jsonish import Json
from anoman_tui.core.sanitize import clean_line
from anoman_tui.core.target import masked

MAX_PANES: Final = 100
MAX_TEXT: Final = 1_000_000
"""Characters of a system prompt or a prompt."""
MAX_ARGUMENT: Final = 2_000
_SECRET_VALUE: Final = re.compile(
    r"^\s*(bearer|basic|token)\s+\S{6}|\b(sk|pk|rk|ghp|gho|xox[abps]|AKIA|AIza|eyJ)[-_A-Za-z0-9]{12}", re.IGNORECASE
)

PaneFields = str | Mapping[str, Any]
"""A pane argument, or a dict as PaneSpec.as_dict() gives it."""


class SetupError(ValueError):
    """Fields that are no panes or parameters; the message is one sentence without its place."""


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of panes and of what holds for all of them."""

    panes: tuple[PaneFields, ...]
    params: Mapping[str, Any] = field(default_factory=dict)
    system: str | None = None


def read_fields(panes: Json, params: Json, system: Json) -> Fields:
    """The fields out of a file. Raises SetupError."""
    if not isinstance(panes, Sequence) or isinstance(panes, str) or not 1 <= len(panes) <= MAX_PANES:
        raise SetupError(f"panes is no list of 1 to {MAX_PANES} panes")
    if not isinstance(params if params is not None else {}, Mapping):
        raise SetupError("params is no object of parameters")
    if system is not None and (not isinstance(system, str) or len(system) > MAX_TEXT):
        raise SetupError(f"system is no text of up to {MAX_TEXT:,} characters")
    checked = tuple(_pane(floats(pane), number) for number, pane in enumerate(panes, 1))
    return Fields(checked, {} if params is None else floats(dict(params)), system)


def floats(value: Json) -> Json:
    """A JSON value with fractions as floats, as parameters have them."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, Mapping):
        return {str(name): floats(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [floats(inner) for inner in value]
    return value


def _pane(pane: Json, number: int) -> PaneFields:
    argument = pane.get("pane") if isinstance(pane, Mapping) else pane
    if not isinstance(argument, str) or not argument.strip() or len(argument) > MAX_ARGUMENT:
        raise SetupError(f"pane {number} has no pane argument such as anoman/chat/gpt-4o-mini")
    if "@http" in argument and masked(argument) != argument:
        raise SetupError(f"pane {number}: the base URL holds a user name, a password or a query; put the key into the provider's variable")
    if isinstance(pane, str):
        return pane
    headers = pane.get("headers")
    if headers is not None and not isinstance(headers, Mapping):
        raise SetupError(f"pane {number}: headers is no object of names and texts")
    return dict(pane)


def secret_headers(pane: PaneFields) -> tuple[str, ...]:
    """The names of a pane's headers that may hold a secret, by their names or by what they hold."""
    headers = pane.get("headers") if not isinstance(pane, str) else None
    return tuple(str(name) for name, value in (headers or {}).items() if is_secret_name(str(name)) or _SECRET_VALUE.search(str(value)))


def without_secrets(pane: PaneFields) -> PaneFields:
    """The pane without such headers."""
    secret = secret_headers(pane)
    if not secret or isinstance(pane, str):
        return pane
    kept = {name: value for name, value in pane["headers"].items() if str(name) not in secret}
    rest = {name: value for name, value in pane.items() if name != "headers"}
    return {**rest, "headers": kept} if kept else rest


def refuse_secrets(fields: Fields) -> None:
    """Raise SetupError for the first header that may hold a secret."""
    for number, pane in enumerate(fields.panes, 1):
        for name in secret_headers(pane):
            shown = clean_line(name, 60)
            raise SetupError(
                f"pane {number}: the header {shown} may hold a secret and is not kept; put the key into the provider's variable"
            )
