"""One frame in full: how it came, which rules it broke, and its data as JSON laid out, or as it stood."""

from collections.abc import Iterator
from typing import Final

from anoman_tui.core.contract import Finding, rules_of
from anoman_tui.core.frames import WireFrame
from anoman_tui.core.jsonish import UnreadableError, dumps, loads
from anoman_tui.core.sanitize import clean, clean_line
from anoman_tui.core.target import Target
from anoman_tui.ui.cells import Cell, Row, Tone
from anoman_tui.ui.wire.cells import moment, span
from anoman_tui.ui.wire.log import FRAMES, Entry, PaneLog

MAX_SHOWN: Final = 40_000
"""Characters of a frame that are shown; the raw frames can be copied whole."""
MAX_LINES: Final = 4_000
MAX_READ: Final = 1024 * 1024
"""Characters of a frame that are laid out as JSON."""
_KINDS: Final = {
    "data": "a frame with data",
    "comment": "a comment",
    "empty": "a block without data",
    "body": "a body that is no event stream",
    "open": "a block without the blank line that ends it",
}


def opened(log: PaneLog, at: int, zero_ns: int, broken: tuple[Finding, ...], *, raw: bool) -> list[Row]:
    """The rows for an entry; long ones are for the widget to wrap."""
    entry = log.entries[at]
    frame = entry.frame
    if frame is None:
        said = f"nothing came for {span(entry.ns)}" if entry.kind == "gap" else clean_line(entry.said, 4_000)
        return [(Cell(f"{moment(entry.t_ns - zero_ns)}  ", Tone.MUTED), Cell(said))]
    rows: list[Row] = [*_facts(log, at, entry, frame, zero_ns), *_rules(log.target, broken), ()]
    if frame.event:
        rows.append((Cell("event: ", Tone.MUTED), Cell(clean_line(frame.event, 400), Tone.STRONG)))
    if frame.rest:
        rows += _text(frame.rest, Tone.MUTED)
    rows += _text(frame.data if raw else _pretty(frame.data), Tone.TEXT) if frame.data else [(Cell("no data", Tone.MUTED),)]
    return rows


def _facts(log: PaneLog, at: int, entry: Entry, frame: WireFrame, zero_ns: int) -> Iterator[Row]:
    number = "" if frame.number is None else f", number {frame.number}"
    yield (Cell(f"{(entry.t_ns - zero_ns) / 1e6:+,.3f} ms  ", Tone.STRONG), Cell(f"{frame.size:,} bytes, {_KINDS[frame.kind]}{number}"))
    first, last = log.together(at)
    others = last - first - 1
    joined = f", with {others:,} other{'s' if others > 1 else ''} in it" if others else ""
    came = f"came in read {entry.read + 1:,}" if entry.first == entry.read else f"came in reads {entry.first + 1:,} to {entry.read + 1:,}"
    before = next((log.entries[n] for n in range(at - 1, -1, -1) if log.entries[n].kind in FRAMES or log.entries[n].kind == "head"), None)
    waited = "" if before is None else f"; {span(entry.t_ns - before.t_ns)} after what came before"
    yield (Cell(f"{came}{joined}{waited}", Tone.MUTED),)


def _rules(target: Target, broken: tuple[Finding, ...]) -> Iterator[Row]:
    """What was broken, with the words of the rule and the place where it is written."""
    known = {rule.id: rule for rule in rules_of(target)} if broken else {}
    for found in broken:
        yield (Cell(f"! {clean_line(found.rule, 80)}: ", Tone.BAD), Cell(clean_line(found.message, 400)))
        if (rule := known.get(found.rule)) is not None:
            yield (Cell(f"  the rule: {rule.says} ({rule.page})", Tone.MUTED),)


def _pretty(data: str) -> str:
    if len(data) > MAX_READ or data.lstrip()[:1] not in ("{", "["):
        return data
    try:
        return dumps(loads(data), indent=2)
    except (UnreadableError, RecursionError):
        return data


def _text(text: str, tone: Tone) -> list[Row]:
    """Foreign text, safe and bounded."""
    lines = clean(text[:MAX_SHOWN]).split("\n")
    rows: list[Row] = [(Cell(line, tone),) for line in lines[:MAX_LINES]]
    shown = sum(len(line) + 1 for line in lines[:MAX_LINES]) - 1 if len(lines) > MAX_LINES else min(len(text), MAX_SHOWN)
    if len(text) > shown:
        more = f"… {len(text) - shown:,} more characters are not shown here; Y in the pane copies the raw frames"
        rows.append((Cell(more, Tone.WARN),))
    return rows
