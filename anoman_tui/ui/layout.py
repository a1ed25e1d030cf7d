"""How the panes share the screen: a function of its size and of what the user asked for."""

from enum import StrEnum

from anoman_tui.core.records import dataclass

MIN_WIDTH, MIN_HEIGHT = 60, 12
"""Below this there is room for one sentence only; the streams go on."""
COLUMNS_FROM = 100
"""Cells from which on several panes stand side by side."""
MIN_COLUMN = 33
"""Cells that one of up to three columns needs."""
MIN_COLUMN_OF_MANY = 38
"""Cells that one of four and more columns needs; two rows of wider panes read better than one of narrower ones."""
MIN_PANE_ROWS = 12
"""Rows that a pane needs when panes stand on each other."""
RACE_ROWS_FROM, RACE_ROWS_LEAST = 33, 21
"""Rows of the screen, beside one per pane, from which the race lane has room: by itself, and when it is asked for."""
AROUND = 4
"""Rows of the title line, the prompt and the footer."""


class Mode(StrEnum):
    """The kinds of layout."""

    SMALL = "small"
    LANES = "lanes"
    """One line per pane on top, the current pane below at full width."""
    COLUMNS = "columns"
    ZOOM = "zoom"
    """The current pane alone."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything goes."""

    mode: Mode
    columns: int = 1
    gateway_rows: int = 1
    """Rows of the gateway's facts under a pane."""
    prompt_rows: int = 1
    """Rows that the prompt may grow to."""
    race: bool = False
    """Whether the race lane is shown, in rows of its own."""
    bars: bool = False
    """Whether each status lane carries its part of the race."""


def layout_for(
    width: int, height: int, panes: int, *, zoomed: bool = False, prefer: Mode | None = None, race: bool | None = None
) -> Layout:
    """The layout for a screen. `prefer` is LANES or COLUMNS, and `race` whether to show the race lane, where the user chose."""
    prompt_rows = 3 if height < 20 else 4 if height < 30 else 8
    if width < MIN_WIDTH or height < MIN_HEIGHT:
        return Layout(Mode.SMALL)
    rows = height >= (RACE_ROWS_FROM if race is None else RACE_ROWS_LEAST) + panes and width >= COLUMNS_FROM and race is not False
    if zoomed:
        return Layout(Mode.ZOOM, 1, gateway_rows(width, height), prompt_rows, race=rows)
    columns = _columns(width, height, panes)
    if prefer is Mode.COLUMNS and columns is None:
        columns = panes
    if columns is None or (prefer is Mode.LANES and panes > 1):
        return Layout(
            Mode.LANES, 1, gateway_rows(width, height), prompt_rows, bars=race is True or (race is None and width >= COLUMNS_FROM)
        )
    stacked = -(-panes // columns)
    return Layout(Mode.COLUMNS, columns, gateway_rows(width // columns, height // stacked), prompt_rows, race=rows)


def gateway_rows(width: int, height: int) -> int:
    """Rows for the gateway's facts in a pane of a width on a screen of a height; the narrower, the more they need."""
    if height < 14:
        return 0
    if height < 20:
        return 1
    wanted = 2 if width >= 76 else 3 if width >= 50 else 5
    return min(wanted, 2 if height < 30 else 3 if height < 36 else 5)


def _columns(width: int, height: int, panes: int) -> int | None:
    """How many columns, with as few rows of panes as there can be; None where panes would be too small."""
    if panes > 1 and width < COLUMNS_FROM:
        return None
    least = MIN_COLUMN if panes <= 3 else MIN_COLUMN_OF_MANY
    for stacked in range(1, panes + 1):
        columns = -(-panes // stacked)
        tall = stacked == 1 or (height - AROUND) // stacked >= MIN_PANE_ROWS
        if width // columns >= least and tall and (columns > 1 or panes == 1):
            return columns
    return None
