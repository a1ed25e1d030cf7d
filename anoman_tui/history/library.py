"""The prompt library: the prompts that come with the program, then those of the user's own folder.

A prompt is a text file, `.md` or `.txt`, whose name is the prompt's. It may begin with a head of `name: value` lines
between two lines of `---`; everything below is the prompt:

    ---
    title: A word in season
    system: "You are terse.\\nYou rhyme."
    temperature: 0.2
    ---
    Write a line on {{season}}.

A value is text to the end of its line, or JSON text in double quotes where it has line ends. A file that begins with no
`---` is a prompt from its first letter to its last. Blank lines around a prompt are left away.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from anoman_tui.core.jsonish import Json, UnreadableError, dumps, loads
from anoman_tui.core.library import Library, SavedPrompt, Source
from anoman_tui.core.panes import read_params
from anoman_tui.core.sanitize import clean_line
from anoman_tui.files import read_bounded, why, write_private
from anoman_tui.history.sets import NAME, NAME_RULE
from anoman_tui.history.setup import floats

SUFFIXES: Final = (".md", ".txt")
MAX_BYTES: Final = 1024 * 1024
MAX_FILES: Final = 1_000
_MARK: Final = "---"
_TEXTS: Final[tuple[str, ...]] = ("title", "about", "tags", "system", "panes")
_PARAMS: Final[tuple[str, ...]] = ("temperature", "max_tokens", "stop", "effort")


class PromptError(ValueError):
    """A prompt that cannot be read or saved; the message is one sentence."""


class PromptExistsError(PromptError):
    """There is a prompt of this name already."""


class PromptLibrary:
    """The prompts of some folders, one's own last: the KeepPrompts of the front ends."""

    def __init__(self, samples: Sequence[Path], own: Path) -> None:
        self._samples, self._own = tuple(samples), own

    def read(self) -> Library:
        """All prompts, samples first."""
        return read_library([*(("sample", folder) for folder in self._samples), ("own", self._own)])

    def save(
        self, name: str, text: str, *, system: str | None = None, params: Mapping[str, Any] | None = None, replace: bool = False
    ) -> str:
        """Save a prompt of one's own; returns its file. Raises PromptError."""
        return str(save_prompt(self._own, name, text, system=system, params=params, replace=replace))


def read_library(folders: Sequence[tuple[Source, Path]]) -> Library:
    """The prompts of these folders, in this order and by name within one; a folder that is not there is empty."""
    prompts: list[SavedPrompt] = []
    problems: list[str] = []
    for source, folder in folders:
        for file in _files(folder, problems):
            try:
                prompts.append(read_prompt(file, source))
            except PromptError as wrong:
                problems.append(str(wrong))
    return Library(tuple(prompts), tuple(problems))


def _files(folder: Path, problems: list[str]) -> Iterator[Path]:
    try:
        found = [file for file in folder.iterdir() if file.suffix in SUFFIXES and not file.name.startswith(".")]
    except FileNotFoundError:
        return
    except OSError as error:
        problems.append(f"{_shown(folder)}: the prompts cannot be listed ({why(error)})")
        return
    found.sort(key=lambda file: (file.name.casefold(), file.name))
    if len(found) > MAX_FILES:
        problems.append(f"{_shown(folder)}: only the first {MAX_FILES} of {len(found)} prompts are read")
    yield from found[:MAX_FILES]


def _shown(path: Path) -> str:
    return clean_line(str(path), 300)


def read_prompt(file: Path, source: Source = "own") -> SavedPrompt:
    """The prompt of one file. Raises PromptError, which names the file and, in its head, the line."""
    shown = _shown(file)
    try:
        text = read_bounded(file, MAX_BYTES).decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise PromptError(f"{shown}: cannot be read ({why(error)})") from None
    except UnicodeDecodeError:
        raise PromptError(f"{shown}: is no UTF-8 text; convert it first, for example with iconv") from None
    except ValueError as wrong:
        raise PromptError(f"{shown}: {wrong}") from None
    try:
        head, text = _parts(text)
        params = {name: head[name] for name in _PARAMS if name in head}
        read_params(params, "the head")
    except ValueError as wrong:
        raise PromptError(f"{shown}: {wrong}") from None
    if not text.strip():
        raise PromptError(f"{shown}: holds no prompt")
    name = file.stem
    return SavedPrompt(
        name=name,
        title=clean_line(head.get("title", ""), 80) or clean_line(name.replace("-", " ").replace("_", " "), 80).capitalize(),
        text=text.strip("\n"),
        source=source,
        path=str(file),
        about=clean_line(head.get("about", ""), 300),
        tags=tuple(tag for part in head.get("tags", "").split(",") if (tag := clean_line(part, 40))),
        system=head.get("system"),
        params=params,
        panes=tuple(head.get("panes", "").split()),
    )


def _parts(text: str) -> tuple[dict[str, Any], str]:
    """The head of a file and the prompt. Raises ValueError."""
    lines = text.split("\n")
    if lines[0].rstrip() != _MARK:
        return {}, text
    head: dict[str, Any] = {}
    for number, line in enumerate(lines[1:], 2):
        if line.rstrip() == _MARK:
            return head, "\n".join(lines[number:])
        name, colon, value = line.partition(":")
        name = name.strip()
        if not colon or not name:
            raise ValueError(f"line {number} is no `name: value`, and the head of the file goes on to the next line of {_MARK}")
        if name not in _TEXTS + _PARAMS:
            raise ValueError(f"line {number}: {clean_line(name, 40)!r} is unknown here; there are: {', '.join(_TEXTS + _PARAMS)}")
        if name in head:
            raise ValueError(f"line {number}: {name} is there twice")
        head[name] = _value(name, value.strip(), number)
    raise ValueError(f"the head of the file has no end; put a line of {_MARK} below it, or begin the prompt with another line")


def _value(name: str, given: str, number: int) -> Json:
    if name in _TEXTS or name == "effort":
        value = _json(given) if given.startswith('"') else given
        wanted, fits = "text; text in double quotes is JSON", isinstance(value, str)
    elif name == "stop":
        value = _json(given) if given[:1] in ('"', "[") else given
        value = [value] if isinstance(value, str) else value
        wanted = 'text, or a JSON list such as ["END"]'
        fits = isinstance(value, list) and all(isinstance(one, str) and one for one in value)
    else:
        value = floats(_json(given))
        wanted, fits = "number", isinstance(value, int | float) and not isinstance(value, bool)
    if not fits:
        raise ValueError(f"line {number}: {name} is no {wanted}")
    return value


def _json(given: str) -> Json:
    try:
        return loads(given)
    except UnreadableError:
        return None


def save_prompt(
    folder: Path, name: str, text: str, *, system: str | None = None, params: Mapping[str, Any] | None = None, replace: bool = False
) -> Path:
    """Save a prompt as NAME.md; returns the file. Raises PromptError; PromptExistsError for a taken name, unless `replace` is given."""
    name = name.strip()
    if not NAME.fullmatch(name):
        raise PromptError(f"the name {clean_line(name, 60)!r} cannot be used; take {NAME_RULE}")
    if not text.strip():
        raise PromptError("there is no prompt to save")
    file = _file_of(folder, name)
    if file.exists() and not replace:
        raise PromptExistsError(f"there is a prompt {file.stem} already; save again to replace it")
    head = {"system": system, **{name: value for name, value in (params or {}).items() if name in _PARAMS}}
    lines = [f"{name}: {_written(value)}" for name, value in head.items() if value is not None]
    if lines or text.strip("\n").startswith(_MARK):
        text = "\n".join([_MARK, *lines, _MARK, text.strip("\n")])
    try:
        write_private(file, f"{text.strip(chr(10))}\n".encode("utf-8", "replace"))
    except OSError as error:
        raise PromptError(f"{_shown(file)}: the prompt cannot be saved ({why(error)})") from None
    return file


def _file_of(folder: Path, name: str) -> Path:
    """The file of a prompt: the one that has its name already, in whatever case, else a new one."""
    there = (file for file in _files(folder, []) if file.stem.casefold() == name.casefold())
    return next(there, folder / f"{name}{SUFFIXES[0]}")


def _written(value: Any) -> str:
    return dumps(list(value) if isinstance(value, tuple) else value)
