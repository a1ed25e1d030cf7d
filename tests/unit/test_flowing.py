"""The short way through the fold gives what the long way gives."""

from random import Random

import pytest

from anoman_tui.core import pane
from anoman_tui.core.events import (
    BodyRead,
    EndReported,
    FinishReported,
    HeadersReceived,
    Noted,
    NoteKind,
    ReasoningDelta,
    Stamped,
    StreamEvent,
    TextDelta,
)
from anoman_tui.core.pane import PaneState, fold
from tests.support import a_target


def some_events(random: Random, count: int) -> list[Stamped]:
    """Mostly reads and text, with times that rise, stand still and now and then fall, and a few other events between."""
    others: list[StreamEvent] = [ReasoningDelta("r"), Noted(NoteKind.PING, ""), Noted(NoteKind.FILTER, "f"), HeadersReceived(200, ())]
    events, t_ns, frame = [], 1_000, 0
    for at in range(count):
        t_ns += random.choice([0, 0, 1_000, 40_000_000, -500])
        if random.random() < 0.03:
            events.append(Stamped(t_ns, random.choice(others), random.choice([None, frame])))
        elif random.random() < 0.5:
            events.append(Stamped(t_ns, BodyRead(random.randrange(1, 300))))
        else:
            frame += 1
            events.append(Stamped(t_ns, TextDelta(random.choice(["a", "word ", "", "漢字", "x" * 40])), random.choice([None, frame])))
        if at == count - 20:
            events.append(Stamped(t_ns, FinishReported("stop"), frame))
        if at == count - 10:
            events.append(Stamped(t_ns, EndReported("[DONE]"), frame))
    return events


@pytest.mark.parametrize("seed", range(40))
def test_both_ways_agree(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: state, times, counts and estimates are the same, however the events are cut into batches."""
    random = Random(seed)
    events = some_events(random, 300)
    ratio = random.choice([None, 3.3])
    short = long = PaneState(a_target(), characters_per_token=ratio)
    while events:
        size = random.randrange(1, 80)
        batch, events = events[:size], events[size:]
        short = fold(short, batch)
        with monkeypatch.context() as patch:
            patch.setattr(pane, "flows", lambda _: False)
            long = fold(long, batch)
        for name in PaneState.__slots__:
            assert str(getattr(short, name)) == str(getattr(long, name)), name
