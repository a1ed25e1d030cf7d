"""Parameters and headers as they are typed into fields, and read out of them."""

import re
from collections.abc import Mapping
from typing import Any, Final

from anoman_tui.core.panes import EFFORTS, read_headers, read_params
from anoman_tui.core.request import Params
from anoman_tui.core.target import PaneArgumentError
from anoman_tui.ui.screens.dialog import FieldError
from anoman_tui.ui.widgets.fields import Field, LineField, PickField

_WORD: Final = re.compile(r'"(?:[^"\\]|\\.)*"|\S+')
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r"}


def param_fields(params: Params, shared: Params | None = None) -> tuple[Field, ...]:
    """Fields for parameters. `shared` are those that hold where a field is empty; None leaves it to the server."""

    def hint(value: object, otherwise: str) -> str:
        return otherwise if shared is None or value in (None, "") else f"as for all panes: {value}"

    both = Params() if shared is None else shared
    return (
        LineField("temperature", "Temperature", _number(params.temperature), hint(both.temperature, "0 to 2; empty: the server's own")),
        LineField("max_tokens", "Max tokens", _number(params.max_tokens), hint(both.max_tokens, "empty: the server's own")),
        LineField("stop", "Stop", shown_stops(params.stop), hint(shown_stops(both.stop), 'texts that end the answer: END "\\n\\n"')),
        PickField("effort", "Effort", params.effort or "", EFFORTS, hint(both.effort, "of reasoning; empty: the server's own"), free=True),
    )


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def read_param_fields(texts: Mapping[str, str]) -> Params:
    """Parameters out of the texts of such fields, by their names. Raises FieldError."""
    temperature = texts["temperature"].replace(",", ".")
    given: dict[str, Any] = {
        "temperature": _read(float, temperature),
        "max_tokens": _read(int, texts["max_tokens"].replace("_", "")),
        "stop": list(read_stops(texts["stop"])),
        "effort": texts["effort"] or None,
    }
    for name, value in given.items():
        try:
            read_params({name: value}, "this pane")
        except PaneArgumentError as wrong:
            raise FieldError(str(wrong).partition(": ")[2], name) from None
    return read_params(given, "")


def _read(kind: type[float] | type[int], text: str) -> object:
    """A number, or the text itself, which is refused as none."""
    try:
        return kind(text) if text else None
    except ValueError:
        return text


def shown_stops(stops: tuple[str, ...]) -> str:
    """Stop texts in one line: those with blanks or signs are quoted."""
    return " ".join(_quoted(stop) for stop in stops)


def _quoted(text: str) -> str:
    if re.fullmatch(r'[^\s"\\]+', text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")
    return f'"{escaped}"'


def read_stops(line: str) -> tuple[str, ...]:
    """Stop texts out of one line; `\\n`, `\\t`, `\\r`, `\\"` and `\\\\` mean what they mean elsewhere."""
    words = (found.group() for found in _WORD.finditer(line))
    bare = (word[1:-1] if len(word) > 1 and word[0] == word[-1] == '"' else word for word in words)
    read = (re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), word) for word in bare)
    return tuple(word for word in read if word)


def shown_headers(headers: Mapping[str, str]) -> str:
    """Headers as `name: value` lines."""
    return "\n".join(f"{name}: {value}" for name, value in headers.items())


def read_header_lines(text: str) -> Mapping[str, str]:
    """Headers out of `name: value` lines. Raises FieldError for the field `headers`."""
    made: dict[str, str] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, colon, value = line.partition(":")
        if not colon or not name.strip():
            raise FieldError(f"headers: {line[:60]!r} is no `name: value` line", "headers")
        made[name.strip()] = value.strip()
    try:
        return read_headers(made, "headers")
    except PaneArgumentError as wrong:
        raise FieldError(str(wrong), "headers") from None
