"""What a timeline shows while it grows is what it shows when it is asked for the first time."""

from random import Random

import pytest

from anoman_tui.core.events import BodyRead, Closed, Ending, HeadersSent, ReasoningDelta, Stamped, StreamEvent, TextDelta
from anoman_tui.ui.timeline import Timeline

MS = 1_000_000
S = 1_000 * MS


@pytest.mark.parametrize("seed", range(30))
def test_asking_often_changes_nothing(seed: int) -> None:
    """Claim: whatever comes when, and at whatever scales it was shown before, the cells are those of a fresh timeline."""
    random = Random(seed)
    kinds: list[StreamEvent] = [BodyRead(9), TextDelta("a"), ReasoningDelta("r")]
    asked, events, t_ns = Timeline(), [Stamped(S, HeadersSent())], S
    asked.take(events)
    scales = [(8 * S, 190), (8 * S, 60), (30 * S, 190), (2 * S, 190)]
    scale, cells = scales[0]
    for _ in range(120):
        batch = []
        for _ in range(random.randrange(1, 12)):
            t_ns += random.choice([0, 3 * MS, 20 * MS, 400 * MS, -50 * MS])
            batch.append(Stamped(t_ns, random.choice(kinds)))
        asked.take(batch)
        events += batch
        fresh = Timeline()
        fresh.take(events)
        if random.random() < 0.1:
            scale, cells = random.choice(scales)
        assert asked.shown(scale, cells) == fresh.shown(scale, cells)
    asked.take([Stamped(t_ns, Closed(Ending.CLEAN))])
    assert asked.shown(scale, cells) == fresh.shown(scale, cells)
