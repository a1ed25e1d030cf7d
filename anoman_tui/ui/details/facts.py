"""A fact with its mark, and how facts are laid into a given width."""

from collections.abc import Iterable, Iterator, Sequence

from rich.cells import cell_len, set_cell_size

from anoman_tui.core.metrics import Source
from anoman_tui.core.records import dataclass
from anoman_tui.ui.cells import Cell, Row, Tone
from anoman_tui.ui.document.lines import wrap_ranges

NAME, VALUE, ORIGIN = 18, 15, 13
"""Cells of the columns; what a number means takes the rest of the row."""
INDENT = 2
MEASURED = "measured"
ORIGINS = {
    Source.REPORTED: "reported",
    Source.ESTIMATED: "our estimate",
    Source.NOT_SENT: "not sent",
    Source.CONTRADICTED: "contradicted",
}
MARKS = (
    ("=", "reported by the server"),
    ("~", "our estimate"),
    ("--", "not sent, so unknown; never 0"),
    ("≠", "reported, but contradicted by what came"),
)


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the sheet."""

    name: str
    value: str
    origin: str = ""
    """Where a number comes from, in words."""
    means: str = ""
    """The definition."""
    about: str = ""
    """What a click elsewhere on the screen asks for to be led here."""
    tone: Tone = Tone.TEXT
    why: str = ""
    """Where this very value comes from, and why it has its mark."""


@dataclass(frozen=True, slots=True)
class Section:
    """Facts that belong together."""

    title: str
    facts: tuple[Fact, ...]


def marked(name: str, value: str | None, source: Source, means: str, about: str = "", why: str = "") -> Fact:
    """A number with its mark."""
    shown = source if value is not None else Source.NOT_SENT
    tone = Tone.MUTED if value is None else Tone.WARN if shown is Source.CONTRADICTED else Tone.TEXT
    return Fact(name, shown.value if value is None else f"{value}{shown.value}", ORIGINS[shown], means, about, tone, why)


def measured(name: str, value: str | None, means: str, about: str = "", why: str = "") -> Fact:
    """A number that this program measured; `why` says why there is none, since its definition says all where there is one."""
    if value is None:
        return Fact(name, Source.NOT_SENT.value, "not known", means, about, Tone.MUTED, why)
    return Fact(name, value, MEASURED, means, about)


def lay(sections: Iterable[Section], width: int) -> tuple[list[Row], dict[str, int]]:
    """The sheet as rows of at most `width` cells, and the row of each fact that can be asked for."""
    rows: list[Row] = []
    places: dict[str, int] = {}
    for section in sections:
        if rows:
            rows.append(())
        rows.append((Cell(section.title, Tone.ACCENT),))
        for fact in section.facts:
            if fact.about:
                places.setdefault(fact.about, len(rows))
            rows += _fact(fact, width)
    return rows, places


def _fact(fact: Fact, width: int) -> Iterator[Row]:
    name = Cell(" " * INDENT + _column(fact.name, NAME), Tone.MUTED)
    if fact.origin:
        yield from _number(name, fact, width)
        return
    yield from _flow(name, fact.value, fact.tone, width)
    if fact.why:
        indent = INDENT + NAME if width >= 60 else 2 * INDENT
        yield from ((Cell(" " * indent), Cell(part, Tone.MUTED)) for part in _wrapped(fact.why, width - indent))


def _number(name: Cell, fact: Fact, width: int) -> Iterator[Row]:
    """A number, where it comes from, and what it means: beside it where there is room, else below."""
    head = (name, Cell(_column(fact.value, VALUE), fact.tone), Cell(_column(fact.origin, ORIGIN), Tone.MUTED))
    room = width - sum(cell.width for cell in head)
    says = f"{fact.means}; {fact.why}" if fact.why else fact.means
    if cell_len(says) <= room:
        yield (*head, Cell(says))
        return
    yield head
    indent = INDENT + NAME
    yield from ((Cell(" " * indent), Cell(part)) for part in _wrapped(says, width - indent))


def _flow(name: Cell, value: str, tone: Tone, width: int) -> Iterator[Row]:
    """A name and a text of any length beside it, or below it where the name leaves too little room."""
    beside = width - name.width >= 20
    indent = name.width if beside else 2 * INDENT
    if not beside:
        yield from ((Cell(" " * INDENT + part, Tone.MUTED),) for part in _wrapped(name.text.strip(), width - INDENT))
    for at, part in enumerate(_wrapped(value, width - indent)):
        yield (name if beside and at == 0 else Cell(" " * indent), Cell(part, tone))


def _wrapped(text: str, width: int) -> Sequence[str]:
    return [text[start:end] for start, end, _ in wrap_ranges(text, max(8, width))]


def _column(text: str, width: int) -> str:
    """The text with blanks up to a column's width, and at least one."""
    return set_cell_size(text, width - 1) + " " if cell_len(text) < width else text + " "
