"""What stands above a pane's column: who it is, how much came, and how it was delivered."""

from anoman_tui.core.contract import verdict
from anoman_tui.core.delivery import delivery
from anoman_tui.core.outcome import phase
from anoman_tui.core.sanitize import clean_line
from anoman_tui.ui.cells import Cell, Row, Tone, fitted, spread, width_of
from anoman_tui.ui.timeline import GAP_NS
from anoman_tui.ui.titles import title
from anoman_tui.ui.view import QUEUED, READY, TONES
from anoman_tui.ui.wire.cells import size, span
from anoman_tui.ui.wire.model import Pane

ROWS = 3
"""Rows of a head, and one more where the model has no room in the first."""


def needs_model_row(pane: Pane, number: int, width: int) -> bool:
    """Whether the model has no room beside the rest of the first row."""
    return width_of(_first(pane, number, current=False, with_model=True)) + 7 > width


def head(pane: Pane, number: int, width: int, now_ns: int, *, current: bool, model_row: bool = False) -> tuple[Row, ...]:
    """Rows of a width: pane and state, the model where it has a row of its own, counts and verdict, delivery or silence."""
    source = pane.source
    word = phase(source.state).value if source.state is not None else QUEUED if source.queued else READY
    who = _first(pane, number, current=current, with_model=not model_row)
    top: tuple[Row, ...] = (spread(who, (Cell(word, TONES[word]), Cell(" ")), width),)
    if model_row:
        top = (*top, fitted((Cell(f"  {clean_line(source.target.model, 120)}"),), width))
    if source.state is None or pane.log is None:
        said = "waits for the pane before" if source.queued else "nothing was sent yet"
        return (*top, fitted((Cell(f"  {said}", Tone.MUTED),), width), ())
    judged = verdict(source.state)
    mark = (Cell(judged.mark, Tone.BAD if judged.broken else Tone.GOOD), Cell(" ")) if judged.mark else ()
    return (*top, spread((Cell("  "), *_counts(pane, width)), mark, width), fitted(_delivered(pane, now_ns), width))


def _first(pane: Pane, number: int, *, current: bool, with_model: bool) -> Row:
    return title(pane.source.target, number, current, with_model=with_model)


def _counts(pane: Pane, width: int) -> Row:
    log = pane.log
    if log is None:
        return ()
    wide = width >= 44
    told = [_number(log.frames, "frame" if wide else "fr", wide), _number(log.reads, "read" if wide else "rd", wide), size(log.bytes)]
    joined = f"{log.joined:,} {'joined' if wide else 'jn'}" if log.joined else ""
    return (Cell(" · ".join(told), Tone.MUTED), Cell(f" · {joined}" if joined else "", Tone.ACCENT))


def _number(count: int, word: str, plural: bool) -> str:
    return f"{count:,} {word}{'s' if plural and count != 1 else ''}"


def _delivered(pane: Pane, now_ns: int) -> Row:
    """The verdict on the delivery; else what broke a rule outside of any frame; else how long nothing has come."""
    state, log = pane.source.state, pane.log
    if state is None or log is None:
        return ()
    said = [f"{log.mailbox.lost:,} bytes not kept"] if log.mailbox.lost else []
    said += [one.message for one in delivery(state, now_ns)]
    said += [found.message for found in pane.findings if found.frame is None and not found.rule.startswith("delivery-")]
    if said:
        return (Cell("  "), Cell(clean_line(" · ".join(said), 400), Tone.WARN))
    if state.served_json:
        return (Cell("  JSON in place of a stream", Tone.MUTED),)
    since = state.stamps.headers if log.last_ns is None else log.last_ns
    since = state.stamps.headers_sent if since is None else since
    if state.closed is None and since is not None and now_ns - since >= GAP_NS:
        return (Cell(f"  silent for {span(now_ns - since)}", Tone.WARN),)
    return ()
