"""The values of a prompt's variables where there is no screen to ask for them."""

from collections.abc import Mapping, Sequence

from anoman_tui.core.sanitize import clean_line
from anoman_tui.core.variables import fill, names
from anoman_tui.problems import ConfigError


def values_of(given: Sequence[str]) -> dict[str, str]:
    """The values out of NAME=VALUE arguments; a later one wins. Raises ConfigError."""
    values: dict[str, str] = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals or names(f"{{{{{name}}}}}") != (name,):
            raise ConfigError(f"--var {clean_line(one, 60)}: give NAME=VALUE, such as --var reader='a child'")
        values[name] = value
    return values


def filled(prompt: str, values: Mapping[str, str]) -> str:
    """The prompt with its variables filled in. Raises ConfigError where a value is missing, or is for none of them."""
    wanted = names(prompt)
    if unused := [name for name in values if name not in wanted]:
        there = f"it has {', '.join(wanted)}" if wanted else "it has none"
        raise ConfigError(f"--var {unused[0]}: the prompt has no such variable; {there}")
    if missing := [name for name in wanted if name not in values]:
        told = f"the variable {missing[0]} has" if len(missing) == 1 else f"the variables {', '.join(missing)} have"
        braces = f"\\{{{{{missing[0]}}}}}"
        raise ConfigError(f"{told} no value: give --var {missing[0]}=VALUE, or write {braces} for those letters")
    return fill(prompt, values)
