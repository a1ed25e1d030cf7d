"""Verdicts on delivery, from stamps alone."""

import pytest

from anoman_tui.core.delivery import delivery
from anoman_tui.core.events import BodyRead, Closed, Ending, Noted, NoteKind, Stamped, StreamEvent, TextDelta
from anoman_tui.core.metrics import DEGRADED_LAG_MS
from anoman_tui.core.pane import PaneState, fold
from tests.support import MS, a_target, opened


def said(*timed: tuple[float, StreamEvent], end_ms: float | None = None, now_ms: float | None = None) -> list[str]:
    """The verdicts on a stream of these events, each with its time in milliseconds."""
    events = [*opened(), *(Stamped(round(at * MS), event, frame) for frame, (at, event) in enumerate(timed, 1))]
    if end_ms is not None:
        events.append(Stamped(round(end_ms * MS), Closed(Ending.CLEAN)))
    state = fold(PaneState(a_target()), events)
    return [verdict.message for verdict in delivery(state, None if now_ms is None else round(now_ms * MS))]


def burst(count: int, first_ms: float, step_ms: float) -> list[tuple[float, StreamEvent]]:
    """Pieces at equal distances."""
    return [(first_ms + at * step_ms, TextDelta("x")) for at in range(count)]


@pytest.mark.parametrize(
    ("timed", "want"),
    [
        (burst(41, 517, 3 / 40), ["buffered upstream: 41 frames in 3 ms after 515 ms"]),
        (burst(41, 517, 8), []),
        (burst(41, 50, 3 / 40), []),
        (burst(5, 517, 0), []),
        (burst(2, 3_002, 100), ["slow first token: headers after 10 ms, token after 3.0 s"]),
        (burst(2, 300, 100), []),
        ([], []),
    ],
)
def test_bursts_and_slow_tokens(timed: list[tuple[float, StreamEvent]], want: list[str]) -> None:
    """Claim: a burst after a wait is buffering, a late token after quick headers is slow, and ordinary streams are neither."""
    assert said(*timed, end_ms=5_000) == want


def test_silence() -> None:
    """Claim: a silent stream is told from one that only kept its connection alive, after its end and while it runs."""
    text, read, ping = TextDelta("x"), BodyRead(1), Noted(NoteKind.PING)
    quiet: list[tuple[float, StreamEvent]] = [(20, read), (20, text), (12_020, read), (12_020, text)]
    alive: list[tuple[float, StreamEvent]] = [(20, read), (20, text)]
    alive += [(at * 1_000, event) for at in range(1, 13) for event in (read, ping)]
    assert said(*quiet, end_ms=12_030) == ["silent for 12 s"]
    assert said(*alive, end_ms=12_030) == ["keep-alives only for 12 s"]
    assert said((20, read), (20, text), now_ms=5_000) == []
    assert said((20, read), (20, text), now_ms=15_020) == ["silent for 15 s"]


@pytest.mark.parametrize(("late_ms", "told"), [(DEGRADED_LAG_MS, True), (DEGRADED_LAG_MS + 1, False)])
def test_a_machine_that_read_late_blames_nobody(late_ms: float, told: bool) -> None:
    """Claim: what one late read brought at once is no burst of the server's."""
    timed = burst(41, 517, 0)
    events = [*opened(), *(Stamped(round(at * MS), event, frame) for frame, (at, event) in enumerate(timed, 1))]
    state = fold(PaneState(a_target()), [*events, Stamped(600 * MS, Closed(Ending.CLEAN, loop_lag_ms=late_ms))])
    assert bool(delivery(state)) is told
