"""Theme files: TOML on disk to Textual themes. A bad file is named in one notice and never ends the program."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from textual.color import Color, ColorParseError
from textual.theme import BUILTIN_THEMES, Theme

from anoman_tui.core.records import dataclass

DEFAULT_THEME = "harbour"
NO_COLOR_THEME = "ansi-dark"

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_PLAIN = re.compile(
    r'(?:\[(?P<table>[a-z]+)\]|(?P<name>[a-z][a-z-]*) = (?:"(?P<text>[^"\\\x00-\x1f\x7f]*)"|(?P<flag>true|false))|#[^\x00-\x1f\x7f]*)?'
)
_REQUIRED = ("primary", "foreground", "background", "surface", "panel")
_COLORS = (*_REQUIRED, "secondary", "accent", "warning", "error", "success", "boost")
_TEXT = ("muted", "primary", "secondary", "accent", "warning", "error", "success")
"""Text colours; each becomes Textual's variable `text-NAME`. All must be given, since the derived ones are often too faint."""
_VARIABLES = frozenset(
    {
        "border",
        "border-blurred",
        "scrollbar",
        "scrollbar-hover",
        "scrollbar-active",
        "scrollbar-background",
        "block-cursor-background",
        "block-cursor-foreground",
        "input-cursor-background",
        "input-cursor-foreground",
        "input-selection-background",
        "input-selection-foreground",
        "screen-selection-background",
        "screen-selection-foreground",
        "footer-key-foreground",
        "footer-foreground",
        "footer-background",
        "footer-description-foreground",
    }
)
MAX_BYTES = 100_000


class ThemeFileError(ValueError):
    """A theme file cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class LoadedThemes:
    """What the theme folders gave."""

    themes: tuple[Theme, ...]
    problems: tuple[str, ...]
    """One sentence per file that was left out."""

    @property
    def notice(self) -> str:
        """All problems in one line, empty where there are none."""
        return f"theme files left out: {'; '.join(self.problems)}" if self.problems else ""


def load_themes(folders: Sequence[Path]) -> LoadedThemes:
    """All themes of the folders, in order of their names; a name in a later folder wins."""
    themes: dict[str, Theme] = {}
    problems: list[str] = []
    for folder in folders:
        for path in sorted(folder.glob("*.toml")):
            try:
                theme = read_theme(path)
            except (ThemeFileError, OSError) as wrong:
                problems.append(f"{path.name} ({wrong})")
            else:
                themes[theme.name] = theme
    return LoadedThemes(tuple(themes[name] for name in sorted(themes)), tuple(problems))


def only_theme(folders: Sequence[Path], name: str) -> Theme | None:
    """The theme of a name where the first folder has it in a file of that name, and no other folder has a file; else None.

    Then no other file can be meant, and a start need not read them.
    """
    if not folders or not _NAME.fullmatch(name) or any(any(folder.glob("*.toml")) for folder in folders[1:]):
        return None
    try:
        theme = read_theme(folders[0] / f"{name}.toml")
    except (ThemeFileError, OSError):
        return None
    return theme if theme.name == name else None


def read_theme(path: Path) -> Theme:
    """The theme of one file. Raises ThemeFileError with the reason, or OSError."""
    if path.stat().st_size > MAX_BYTES:
        raise ThemeFileError("the file is larger than 100 kB")
    try:
        text = path.read_text(encoding="utf-8")
        data = plain_toml(text)
        return theme_of(_toml(text) if data is None else data)
    except UnicodeDecodeError as wrong:
        raise ThemeFileError(f"not readable as TOML: {wrong}") from None


def plain_toml(text: str) -> dict[str, Any] | None:
    """What a file says that is written as those that ship, so that no start waits for a parser; None where it is not."""
    data: dict[str, Any] = {}
    table = data
    for line in text.split("\n"):
        found = _PLAIN.fullmatch(line)
        name = None if found is None else found["table"] or found["name"]
        if found is None or name in table or (found["table"] and name in data):
            return None
        if found["table"]:
            table = data[found["table"]] = {}
        elif name is not None:
            table[name] = found["flag"] == "true" if found["flag"] else found["text"]
    return data


def _toml(text: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as wrong:
        raise ThemeFileError(f"not readable as TOML: {wrong}") from None


def theme_of(data: Mapping[str, Any]) -> Theme:
    """The theme that a file's content describes. Raises ThemeFileError."""
    _only(data, ("name", "title", "dark", "colors", "text", "variables"), "the file")
    name = data.get("name")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ThemeFileError("name must be lower-case letters, digits, - and _, beginning with a letter")
    if name in BUILTIN_THEMES:
        raise ThemeFileError(f"the name {name} belongs to a built-in theme")
    dark = data.get("dark", True)
    if not isinstance(dark, bool):
        raise ThemeFileError("dark must be true or false")
    colors = _colors(data, "colors", _COLORS, _REQUIRED)
    text = _colors(data, "text", _TEXT, _TEXT)
    variables = {f"text-{key}": value for key, value in text.items()}
    variables = {**variables, **_derived(colors, text), **_colors(data, "variables", _VARIABLES, ())}
    theme = Theme(name=name, primary=colors["primary"], dark=dark, variables=variables)
    for key, value in colors.items():
        setattr(theme, key, value)
    return theme


def _derived(colors: Mapping[str, str], text: Mapping[str, str]) -> dict[str, str]:
    """What a file need not say: the keys, cursors and selections in the theme's own readable colours."""
    return {
        "foreground-muted": text["muted"],
        "text-disabled": text["muted"],
        "border": text["primary"],
        "border-blurred": colors["panel"],
        "scrollbar": colors["panel"],
        "scrollbar-hover": text["muted"],
        "scrollbar-active": text["primary"],
        "scrollbar-background": colors["surface"],
        "scrollbar-background-hover": colors["surface"],
        "scrollbar-background-active": colors["surface"],
        "scrollbar-corner-color": colors["surface"],
        "footer-background": colors["panel"],
        "footer-foreground": colors["foreground"],
        "footer-description-foreground": colors["foreground"],
        "footer-key-foreground": text["accent"],
        "block-cursor-background": text["primary"],
        "block-cursor-foreground": colors["background"],
        "input-cursor-background": colors["foreground"],
        "input-cursor-foreground": colors["background"],
        "input-selection-background": text["primary"],
        "input-selection-foreground": colors["background"],
        "screen-selection-background": text["primary"],
        "screen-selection-foreground": colors["background"],
    }


def _colors(data: Mapping[str, Any], table: str, allowed: Sequence[str] | frozenset[str], required: Sequence[str]) -> dict[str, str]:
    """A table of colours, each one checked."""
    given = data.get(table, {})
    if not isinstance(given, dict):
        raise ThemeFileError(f"{table} must be a table")
    _only(given, allowed, table)
    for key in required:
        if key not in given:
            raise ThemeFileError(f"{table}.{key} is missing")
    for key, value in given.items():
        if not isinstance(value, str) or not re.fullmatch(r"#[0-9a-fA-F]{6}", value):
            raise ThemeFileError(f"{table}.{key} must be a colour like #1e90ff")
        try:
            Color.parse(value)
        except ColorParseError:
            raise ThemeFileError(f"{table}.{key} is no colour") from None
    return dict(given)


def _only(given: Mapping[str, Any], allowed: Sequence[str] | frozenset[str], where: str) -> None:
    unknown = sorted(set(given) - set(allowed))
    if unknown:
        raise ThemeFileError(f"{where} has an unknown entry {unknown[0]!r}")
