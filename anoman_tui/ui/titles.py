"""What the screen calls a pane: its target in words, its title, and its line among the lanes.

Text of servers and of the command line is made safe here, since it goes into titles and lines of fixed size.
"""

from anoman_tui.core.records import dataclass
from anoman_tui.core.sanitize import clean_line
from anoman_tui.core.target import Target
from anoman_tui.ui.cells import Cell, Item, Row, Tone, width_of
from anoman_tui.ui.view import PaneView, verdict_cell


@dataclass(frozen=True, slots=True)
class TargetView:
    """A target in words."""

    place: str
    """The provider's label, or the host where no provider is named."""
    local: bool
    shape: str
    model: str
    host: str
    """The host where it is not the provider's own, else empty."""
    url: str


def target_view(target: Target) -> TargetView:
    """The target as titles name it."""
    provider = target.provider
    host = target.base_url.partition("//")[2].partition("/")[0]
    own = not target.base_url or target.base_url == provider.base_url or provider.local
    place = provider.label.removeprefix("LOCAL ") or provider.name or host
    return TargetView(
        place=clean_line(place, 40),
        local=provider.local,
        shape=target.shape.value,
        model=clean_line(target.model, 120),
        host="" if own or place == host else clean_line(host, 60),
        url=clean_line(target.url, 200),
    )


def title(target: Target, number: int, focused: bool, *, with_model: bool, name: str = "", base: bool = False, own: str = "") -> Item:
    """The title of a pane: a mark where the keys act, number, provider, shape, and the model where there is room.

    A `name` takes the place of all that tells of the target; `=` marks the pane that others are compared with.
    `own` is what the pane has of its own, and stands behind the model.
    """
    head = Cell(f"{'▸' if focused else ' '}{number} {'= ' if base else ''}", Tone.STRONG)
    if name:
        return (head, Cell(name))
    seen = target_view(target)
    parts = [seen.place, seen.shape, *([seen.model, *filter(None, [seen.host, own])] if with_model else [])]
    local = (Cell("LOCAL", Tone.STRONG), Cell(" ")) if seen.local else ()
    return (head, *local, Cell(" · ".join(parts)))


def heading(target: Target, seen: PaneView, number: int, focused: bool, room: int, *, base: bool, own: str) -> tuple[Item, Row]:
    """A pane's title with as much as `room` cells hold, and what stands in the line below: what was left out, else the address."""
    named = target_view(target)
    if seen.name:
        return title(target, number, focused, with_model=False, name=seen.name, base=base), (Cell("", Tone.MUTED),)
    url = Cell("" if seen.idle else named.url, Tone.MUTED)
    whole = title(target, number, focused, with_model=True, base=base, own=own)
    if width_of(whole) <= room:
        return whole, (url,)
    with_model = title(target, number, focused, with_model=True, base=base)
    if own and width_of(with_model) <= room:
        return with_model, (Cell(own), *(() if seen.idle else (Cell(" · ", Tone.MUTED), url)))
    below = " · ".join(filter(None, (named.model, own, named.host)))
    return title(target, number, focused, with_model=False, base=base), (Cell(below),)


def bar_cells(width: int) -> int:
    """Cells of a lane that its part of the race gets."""
    return max(16, min(60, width - (86 if width >= 100 else 66)))


def lane(
    target: Target, seen: PaneView, number: int, focused: bool, width: int, bar: Row = (), *, base: bool = False, own: str = ""
) -> tuple[Row, Row]:
    """A pane as one line: who it is, its part of the race, and how it goes. The race takes the place of what is said last.

    `own` is what tells the pane from another of the same target, and so stands first.
    """
    named = target_view(target)
    who = seen.name or " ".join(filter(None, [own and f"{own} ·", named.place, named.shape, named.model]))
    left = (*title(target, number, focused, with_model=False, name=seen.name, base=base)[:-1], Cell(who))
    if seen.idle:
        return left, (Cell(seen.word, seen.tone),)
    right = [
        *((Cell(" "), *bar) if bar else ()),
        Cell(f" {seen.word:<5} ", seen.tone, "state"),
        Cell(f"{seen.first:>6} ", about="ttft_ms"),
        Cell(f"{seen.tokens:>6} tok ", about="output_tokens"),
        Cell(f"{seen.rate:>5}/s ", about="rate" if seen.running else "output_tps"),
    ]
    if not bar or width >= 100:
        right.append(Cell(f"{seen.elapsed:>6}", about="elapsed"))
    if width >= (112 if bar else 76):
        right.append(Cell(f" {seen.cost:>10}", about="cost"))
    if width >= 92:
        right.append(Cell(f" {seen.verdict:>5}", verdict_cell(seen).tone, "rules"))
    else:  # only what is broken, in a column of its own
        right.append(Cell(f" {seen.verdict if seen.verdict.startswith('!') else '':<2}", Tone.BAD, "rules"))
    return left, tuple(right)
