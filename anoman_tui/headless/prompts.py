"""`anoman-tui prompts`: the prompt library as a list, or one prompt as it is sent."""

from typing import TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from anoman_tui.core.library import Library
from anoman_tui.core.sanitize import clean_line

WIDE = 500


def print_prompt(library: Library, name: str, out: TextIO) -> bool:
    """Print the text of one prompt and nothing else; one's own goes before a sample. False where there is none of this name."""
    found = next((one for one in reversed(library.prompts) if one.name.casefold() == name.casefold()), None)
    if found is not None:
        out.write(found.text + "\n")
    return found is not None


def print_prompts(library: Library, out: TextIO, err: TextIO) -> None:
    """Print names, titles and what to look at; files that cannot be read are named on `err`."""
    table = Table(box=box.SIMPLE, pad_edge=False, padding=(0, 1))
    for name in ("name", "title", "tags", "what to look at"):
        table.add_column(name, no_wrap=True)
    for one in library.prompts:
        cells = (clean_line(one.name, 60), one.title, ", ".join(one.tags), one.about)
        table.add_row(*(Text(cell) for cell in cells))
    Console(file=out, highlight=False, markup=False, emoji=False, soft_wrap=True, width=WIDE).print(table)
    err.writelines(f"{problem}\n" for problem in library.problems)
