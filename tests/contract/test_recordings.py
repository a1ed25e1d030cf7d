"""No rule raises a false alarm on what real servers sent."""

import json
from dataclasses import replace

import pytest

from anoman_tui.core.contract import findings, verdict
from anoman_tui.core.events import Ending
from anoman_tui.core.pane import PaneState, fold
from tests.recordings.test_recordings import HERE, READINGS, recording
from tests.support import MS, a_target, events_of, play

WHOLE = [name for name, want in READINGS.items() if want["outcome"] == "completed"]


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_recording_has_no_finding(name: str) -> None:
    """Claim: a recording of a healthy server has no finding, read as it came and byte by byte."""
    shape, status, headers, pieces = recording(name)
    body = b"".join(pieces)
    for cut in (list(pieces), [body[at : at + 1] for at in range(len(body))] if len(body) < 20_000 else [body]):
        state = play(shape, cut, status=status, headers=headers, ending=Ending(READINGS[name]["ending"]))
        assert findings(state) == ()
        judged = verdict(state)
        assert judged.holds == judged.total
        assert judged.waiting == 0


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_recording_was_delivered_well(name: str) -> None:
    """Claim: at the times at which it really came, a recording of a healthy server has no finding on its delivery."""
    shape, status, headers, pieces = recording(name)
    times = [chunk["at_ms"] for chunk in json.loads((HERE / name).read_text("utf-8"))["chunks"]]
    events = events_of(shape, pieces, status=status, headers=headers, ending=Ending(READINGS[name]["ending"]))
    first = 13  # events_of gives read n the time of 13 + n ms
    timed = [replace(one, t_ns=_real(one.t_ns, times, first)) for one in events]
    assert findings(fold(PaneState(a_target(shape)), timed)) == ()


def _real(t_ns: int, times: list[float], first: int) -> int:
    at = t_ns // MS - first
    return t_ns if at < 0 or not times else round(2 * MS + times[min(at, len(times) - 1)] * MS)


def test_there_are_many() -> None:
    """Claim: the healthy recordings are most of all."""
    assert len(WHOLE) > 50
