"""The arguments of the bare command and of `run` where they are plain, read without the library that reads the others.

Anything out of the ordinary gives None: another subcommand, `--help`, an option that is not known here, one without its value,
given twice or in a rarer form, a value that begins with a dash or is out of bounds. The thorough way (`cli`) reads it then, and
says what is wrong.
"""

import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anoman_tui.bare import Bare
from anoman_tui.core.request import Params

if TYPE_CHECKING:
    from anoman_tui.run_command import RunCommand

NUMBER = re.compile(r"\d{1,9}(\.\d{1,9})?")
MOST_TEMPERATURE = 2
LEAST_IDLE_S = 0.1
SHORT = {"-p": "--pane", "-o": "--output"}

Flags = Mapping[str, tuple[str, bool]]
Values = Mapping[str, Callable[[str], object]]


class _NotPlainError(Exception):
    """An argument that only the thorough way can judge."""


def quick_arguments(arguments: Sequence[str], environ: Mapping[str, str]) -> "Bare | RunCommand | None":
    """The command that was typed; None where the thorough way must read it."""
    if os.name != "posix" or any(name.startswith("_") and name.endswith("_COMPLETE") for name in environ):
        return None
    try:
        if arguments[:1] == ["run"]:
            return _run(_read(list(arguments[1:]), RUN_FLAGS, RUN_VALUES, RUN_LISTS, words=1))
        return _bare(_read(list(arguments), FLAGS, VALUES, LISTS, words=0))
    except _NotPlainError:
        return None


def _read(given: list[str], flags: Flags, values: Values, lists: Mapping[str, str], words: int) -> dict[str, Any]:
    found: dict[str, Any] = {name: [] for name in (*lists.values(), "words")}
    given.reverse()
    while given:
        option, inline, value = given.pop().partition("=")
        name = SHORT.get(option, option) if not inline else option
        if name in lists:
            found[lists[name]].append(_value(given, inline, value))
        elif name in flags and not inline:
            _put(found, *flags[name])
        elif name in values:
            _put(found, name.removeprefix("--"), values[name](_value(given, inline, value)))
        elif words > len(found["words"]) and (option == "-" or not option.startswith("-")):
            found["words"].append(f"{option}{inline}{value}")
        else:
            raise _NotPlainError
    if len(found["words"]) != words:
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


ASKED: Values = {
    "--set": str,
    "--system": str,
    "--temperature": _number(0, MOST_TEMPERATURE),
    "--max-tokens": _count,
    "--idle-timeout": _number(LEAST_IDLE_S),
    "--config": Path,
}
"""What both commands take."""

LISTS = {"--pane": "pane"}
FLAGS: Flags = {
    "--send": ("send", True),
    "--plain": ("plain", True),
    "--mouse": ("mouse", True),
    "--no-mouse": ("mouse", False),
    "--low-bandwidth": ("low_bandwidth", True),
    "--no-low-bandwidth": ("low_bandwidth", False),
}
VALUES: Values = {**ASKED, "--prompt": str, "--theme": str, "--fps": _count}

RUN_LISTS = {**LISTS, "--var": "var"}
RUN_FLAGS: Flags = {
    "--json": ("json", True),
    "--ndjson": ("ndjson", True),
    "--record": ("record", True),
    "--no-record": ("record", False),
    "--no-stream": ("no_stream", True),
}
RUN_VALUES: Values = {**ASKED, "--output": str, "--bundle": Path}


def _bare(found: Mapping[str, Any]) -> Bare:
    return Bare(
        panes=tuple(found["pane"]),
        prompt=found.get("prompt", ""),
        send=found.get("send", False),
        theme=found.get("theme"),
        mouse=found.get("mouse"),
        fps=found.get("fps"),
        low_bandwidth=found.get("low_bandwidth"),
        plain=found.get("plain", False),
        **_asked(found),
    )


def _run(found: Mapping[str, Any]) -> "RunCommand":
    from anoman_tui.run_command import RunCommand

    return RunCommand(
        found["words"][0],
        var=tuple(found["var"]),
        panes=tuple(found["pane"]),
        output=found.get("output", "table"),
        json=found.get("json", False),
        ndjson=found.get("ndjson", False),
        record=found.get("record"),
        no_stream=found.get("no_stream", False),
        bundle=found.get("bundle"),
        **_asked(found),
    )


def _asked(found: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "set_name": found.get("set"),
        "system": found.get("system"),
        "params": Params(found.get("temperature"), found.get("max-tokens")),
        "idle_timeout_s": found.get("idle-timeout"),
        "config": found.get("config"),
    }
