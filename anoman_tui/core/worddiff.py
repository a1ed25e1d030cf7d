"""What one text says otherwise than another, word by word."""

from collections.abc import Iterator
from typing import Literal

from anoman_tui.core.matching import Pair, matches
from anoman_tui.core.records import dataclass
from anoman_tui.core.words import Words, words_of

Kind = Literal["same", "base", "other"]

ISLAND = 2
"""So few matching words between two larger changes are taken for chance, such as one comma that both sentences have."""


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of text that both have, or only the base, or only the other. Never empty."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Diff:
    """The runs of two texts in order: `same` and `base` joined are the base exactly, `same` and `other` the other."""

    runs: tuple[Run, ...]
    first: int | None
    """The index of the first run that differs, be it in blanks alone; None where the texts are the same."""
    same: int
    """Words of both; the next two count words of one alone."""
    only_base: int
    only_other: int


def diff(base: str, other: str) -> Diff:
    """Compare two texts by words; in bounded time on any input, at the price of a coarser result for texts that share little."""
    one, two = words_of(base), words_of(other)
    numbers: dict[str, int] = {}
    left = [numbers.setdefault(word, len(numbers)) for word in one.words]
    right = [numbers.setdefault(word, len(numbers)) for word in two.words]
    pairs = _without_islands(matches(left, right), len(left), len(right))
    runs = _joined(_pieces(one, two, pairs))
    first = next((index for index, run in enumerate(runs) if run.kind != "same"), None)
    return Diff(tuple(runs), first, len(pairs), len(left) - len(pairs), len(right) - len(pairs))


def _without_islands(pairs: list[Pair], left: int, right: int) -> list[Pair]:
    """The matches without those of a word or two between larger changes: reading on across them is harder than without."""
    groups: list[list[Pair]] = []
    for pair in pairs:
        if groups and (groups[-1][-1][0] + 1, groups[-1][-1][1] + 1) == pair:
            groups[-1].append(pair)
        else:
            groups.append([pair])
    kept: list[Pair] = []
    for index, group in enumerate(groups):
        after = groups[index + 1][0] if index + 1 < len(groups) else (left, right)
        before = kept[-1] if kept else (-1, -1)
        if len(group) > ISLAND or min(_change(before, group[0]), _change(group[-1], after)) <= 2 * len(group):
            kept += group
    return kept


def _change(one: Pair, two: Pair) -> int:
    """The words between two matches, on the side that has more."""
    return max(two[0] - one[0], two[1] - one[1]) - 1


def _pieces(one: Words, two: Words, pairs: list[Pair]) -> Iterator[Run]:
    """The runs, neighbours of one kind not joined yet."""
    a = b = 0
    for i, j in pairs:
        yield from _between(one.text[a : one.starts[i]], two.text[b : two.starts[j]])
        yield Run("same", one.words[i])
        a, b = one.ends[i], two.ends[j]
    yield from _between(one.text[a:], two.text[b:])


def _between(base: str, other: str) -> Iterator[Run]:
    """What lies between two matching words: the blanks that both begin and end with are theirs together."""
    if base == other:
        yield Run("same", base)
        return
    head = _common(base[: len(base) - len(base.lstrip())], other[: len(other) - len(other.lstrip())])
    yield Run("same", base[:head])
    base, other = base[head:], other[head:]
    tail = _common(base[len(base.rstrip()) :][::-1], other[len(other.rstrip()) :][::-1])
    yield Run("base", base[: len(base) - tail])
    yield Run("other", other[: len(other) - tail])
    yield Run("same", base[len(base) - tail :])


def _common(one: str, two: str) -> int:
    """How many characters two texts begin with together."""
    size = min(len(one), len(two))
    return next((at for at in range(size) if one[at] != two[at]), size)


def _joined(pieces: Iterator[Run]) -> list[Run]:
    """Runs without empty ones, and neighbours of one kind as one."""
    parts: list[tuple[Kind, list[str]]] = []
    for piece in pieces:
        if not piece.text:
            continue
        if parts and parts[-1][0] == piece.kind:
            parts[-1][1].append(piece.text)
        else:
            parts.append((piece.kind, [piece.text]))
    return [Run(kind, "".join(texts)) for kind, texts in parts]
