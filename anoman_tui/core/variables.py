r"""Variables in a prompt: `{{name}}` stands for a value that is asked for before the prompt is sent.

A name is a letter or `_`, then letters, digits, `_` and `-`; blanks may stand inside the braces. Braces around anything
else are text. A backslash right before the braces, as in `\{{name}}`, makes them text too; `fill` drops that backslash.
"""

import re
from collections.abc import Mapping
from typing import Final

from anoman_tui.core.late import late

_VARIABLE: Final = late(lambda: re.compile(r"(?P<escape>\\?)(?P<text>\{\{[ \t]*+(?P<name>[A-Za-z_][A-Za-z0-9_-]*+)[ \t]*+\}\})"))


def names(text: str) -> tuple[str, ...]:
    """The distinct names of the variables in a prompt, in order of first use."""
    return tuple(dict.fromkeys(found["name"] for found in _VARIABLE.finditer(text) if not found["escape"]))


def fill(text: str, values: Mapping[str, str]) -> str:
    """The prompt as it is sent. Values go in as they are, braces in them too; a variable without a value stays."""

    def one(found: re.Match[str]) -> str:
        return found["text"] if found["escape"] else values.get(found["name"], found["text"])

    return _VARIABLE.sub(one, text)
