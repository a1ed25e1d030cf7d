"""The race lane as text: one row per pane on one scale, each from the moment its request began to be written."""

from collections.abc import Sequence

from anoman_tui.core.metrics import timing
from anoman_tui.core.outcome import Outcome, outcome, phase
from anoman_tui.core.pane import PaneState
from anoman_tui.core.records import dataclass
from anoman_tui.ui.cells import Cell, Row, Tone, spread
from anoman_tui.ui.figures import seconds
from anoman_tui.ui.timeline import BYTES, NOTHING, REASONING, TEXT, WAITING, Timeline
from anoman_tui.ui.view import TONES

SIGNS = {
    WAITING: (".", Tone.MUTED),
    BYTES: ("o", Tone.TEXT),
    REASONING: ("t", Tone.ACCENT),
    TEXT: ("#", Tone.GOOD),
    NOTHING: (" ", Tone.MUTED),
}
ENDS = {Outcome.COMPLETED: "|", Outcome.CANCELLED: "x", Outcome.TRUNCATED: "!", Outcome.FAILED: "!", Outcome.BLOCKED: "!"}
LEGEND = (
    (".", "no byte yet"),
    ("o", "bytes without text"),
    ("t", "reasoning"),
    ("#", "text"),
    ("blank", "a gap"),
    (">", "goes on"),
    ("|", "done"),
    ("x", "you stopped it"),
    ("!", "cut, failed or blocked"),
)
"""Signs and their meanings, for the help."""
_STEPS = (1, 2, 3, 5, 8, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 450, 600, 900, 1800, 3600)
GAP_FROM = 90
"""Cells from which a row has room for its longest gap."""
LEGEND_FROM = 150


@dataclass(frozen=True, slots=True)
class Racer:
    """One pane in the race."""

    timeline: Timeline
    state: PaneState | None


def scale_of(racers: Sequence[Racer], now_ns: int) -> int:
    """Nanoseconds that the whole lane stands for: round, so that the rows stand still while time goes by."""
    longest = max((_elapsed(one, now_ns) for one in racers), default=0)
    step = next((step for step in _STEPS if step * 1_000_000_000 > longest), None)
    return step * 1_000_000_000 if step is not None else (longest // 3_600_000_000_000 + 1) * 3_600_000_000_000


def _elapsed(racer: Racer, now_ns: int) -> int:
    zero, end = racer.timeline.zero_ns, racer.timeline.end_ns
    return 0 if zero is None or racer.state is None else max(0, (now_ns if end is None else end) - zero)


def bar(racer: Racer, scale_ns: int, cells: int, now_ns: int) -> Row:
    """A pane's row of signs, exactly `cells` wide."""
    if racer.state is None or racer.timeline.zero_ns is None or cells < 2:
        return (Cell(" " * max(0, cells)),)
    elapsed = _elapsed(racer, now_ns)
    until = min(cells - 1, elapsed * cells // scale_ns)
    kinds = racer.timeline.shown(scale_ns, cells)[:until]
    ended = outcome(racer.state)
    sign = ">" if ended is None else ENDS[ended]
    if not kinds.strip(b"\x00\x04") and ended is None:
        kinds = bytes([WAITING]) * until
    row: list[Cell] = []
    start = 0
    for at in range(1, len(kinds) + 1):
        if at == len(kinds) or kinds[at] != kinds[start]:
            char, tone = SIGNS[kinds[start]]
            row.append(Cell(char * (at - start), tone))
            start = at
    row.append(Cell(sign, TONES[phase(racer.state).value]))
    row.append(Cell(" " * (cells - until - 1)))
    return tuple(row)


class LaneBars:
    """The rows of the race for the status lanes, which have other things to say beside them."""

    def __init__(self, racers: Sequence[Racer], now_ns: int) -> None:
        self._racers = racers
        self._now_ns = now_ns
        self._scale_ns = scale_of(racers, now_ns)

    def bar(self, index: int, cells: int) -> Row:
        """The row of a pane."""
        return bar(self._racers[index], self._scale_ns, cells, self._now_ns)


def lane(racers: Sequence[Racer], current: int, width: int, now_ns: int) -> list[Row]:
    """The scale and a row for each pane."""
    tail = 20 if width >= GAP_FROM else 0
    cells = width - 4 - tail
    scale_ns = scale_of(racers, now_ns)
    rows = [_axis(scale_ns, cells, width)]
    for number, racer in enumerate(racers, 1):
        name = Cell(f"{'▸' if number - 1 == current else ' '}{number}  ", Tone.STRONG)
        gap = [] if racer.state is None or not tail else _gap(racer.state)
        rows.append(spread((name, *bar(racer, scale_ns, cells, now_ns)), gap, width))
    return rows


def _gap(state: PaneState) -> list[Cell]:
    longest = timing(state).stall_max_ms
    about = "stall_max_ms"
    return [Cell("longest gap ", Tone.MUTED, about), Cell(f"{seconds(longest):>6}", about=about)]


def _axis(scale_ns: int, cells: int, width: int) -> Row:
    parts = _parts(scale_ns, cells // 12)
    text = [" "] * cells
    for at in range(parts):
        label = _tick(scale_ns * at / parts / 1e9)
        start = round(at * cells / parts)
        text[start : start + len(label)] = label
    legend = ". waits  o bytes  t thinks  # text" if width >= LEGEND_FROM else ""
    told = "".join(text)[: min(cells, width - len(legend) - 5)]
    return spread((Cell("    "), Cell(told, Tone.MUTED)), [Cell(legend, Tone.MUTED)] if legend else [], width)


def _parts(scale_ns: int, most: int) -> int:
    """In how many parts to cut the scale so that each is a round number of quarter seconds."""
    quarters = scale_ns // 250_000_000
    return next((parts for parts in range(min(6, most), 1, -1) if quarters % parts == 0), 1)


def _tick(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") + "s"
