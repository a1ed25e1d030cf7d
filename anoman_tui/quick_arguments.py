"""The arguments of the bare command where they are plain, read without the library that reads the others.

Anything out of the ordinary gives None: a subcommand, `--help`, an option that is not known here, one without its value, given
twice or in a rarer form, a value that begins with a dash or is out of bounds. The thorough way (`cli`) reads it then, and says
what is wrong.
"""

import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from anoman_tui.bare import Bare
from anoman_tui.core.request import Params

NUMBER = re.compile(r"\d{1,9}(\.\d{1,9})?")
MOST_TEMPERATURE = 2
LEAST_IDLE_S = 0.1


class _NotPlainError(Exception):
    """An argument that only the thorough way can judge."""


def quick_arguments(arguments: Sequence[str], environ: Mapping[str, str]) -> Bare | None:
    """The bare command that was typed; None where the thorough way must read it."""
    if os.name != "posix" or any(name.startswith("_") and name.endswith("_COMPLETE") for name in environ):
        return None
    try:
        return _bare(_read(list(arguments)))
    except _NotPlainError:
        return None


def _read(words: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {"pane": []}
    words.reverse()
    while words:
        option, inline, value = words.pop().partition("=")
        name = option.removeprefix("--")
        if (option == "-p" and not inline) or option == "--pane":
            found["pane"].append(_value(words, inline, value))
        elif option in FLAGS and not inline:
            _put(found, FLAGS[option][0], FLAGS[option][1])
        elif option.startswith("--") and name in VALUES:
            _put(found, name, VALUES[name](_value(words, inline, value)))
        else:
            raise _NotPlainError
    return found


def _value(words: list[str], inline: str, value: str) -> str:
    if not inline:
        if not words:
            raise _NotPlainError
        value = words.pop()
    if value.startswith("-"):
        raise _NotPlainError
    return value


def _put(found: dict[str, Any], name: str, value: object) -> None:
    if name in found:
        raise _NotPlainError
    found[name] = value


def _number(least: float, most: float = math.inf) -> Callable[[str], float]:
    def read(value: str) -> float:
        if not NUMBER.fullmatch(value) or not value.isascii() or not least <= float(value) <= most:
            raise _NotPlainError
        return float(value)

    return read


def _count(value: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) < 10 and int(value) > 0):
        raise _NotPlainError
    return int(value)


FLAGS: Mapping[str, tuple[str, bool]] = {
    "--send": ("send", True),
    "--plain": ("plain", True),
    "--mouse": ("mouse", True),
    "--no-mouse": ("mouse", False),
    "--low-bandwidth": ("low_bandwidth", True),
    "--no-low-bandwidth": ("low_bandwidth", False),
}
VALUES: Mapping[str, Callable[[str], object]] = {
    "set": str,
    "prompt": str,
    "theme": str,
    "system": str,
    "temperature": _number(0, MOST_TEMPERATURE),
    "max-tokens": _count,
    "fps": _count,
    "idle-timeout": _number(LEAST_IDLE_S),
    "config": Path,
}


def _bare(found: Mapping[str, Any]) -> Bare:
    return Bare(
        panes=tuple(found["pane"]),
        set_name=found.get("set"),
        prompt=found.get("prompt", ""),
        send=found.get("send", False),
        theme=found.get("theme"),
        mouse=found.get("mouse"),
        fps=found.get("fps"),
        low_bandwidth=found.get("low_bandwidth"),
        plain=found.get("plain", False),
        system=found.get("system"),
        params=Params(found.get("temperature"), found.get("max-tokens")),
        idle_timeout_s=found.get("idle-timeout"),
        config=found.get("config"),
    )
