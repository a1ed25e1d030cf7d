"""No rule raises a false alarm on what real servers sent."""

import pytest

from anoman_tui.core.contract import findings, verdict
from anoman_tui.core.events import Ending
from tests.recordings.test_recordings import READINGS, recording
from tests.support import play

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


def test_there_are_many() -> None:
    """Claim: the healthy recordings are most of all."""
    assert len(WHOLE) > 50
