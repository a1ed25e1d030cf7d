"""Inputs that a fuzzer found worth keeping: what holds for any stream holds for them.

The first byte of an input chooses the shape, the policy and whether the connection breaks, the second the size of the reads, and
the rest is the body, as in `tests/fuzz/fuzz_streams.py`.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from anoman_tui.core.document import pane_record
from anoman_tui.core.events import Ending, ErrorReported
from anoman_tui.core.jsonish import dumps
from anoman_tui.core.outcome import Outcome, outcome
from anoman_tui.core.pane import PaneState
from anoman_tui.core.target import Policy, Shape
from tests.support import events_of, play

INPUTS = sorted((Path(__file__).resolve().parent / "fuzz_inputs").iterdir())


def reading(state: PaneState) -> dict[str, Any]:
    """The record without times and reads."""
    record = pane_record(state, 1)
    del record["timing"], record["wire"]
    return record


@pytest.mark.parametrize("file", INPUTS, ids=lambda file: file.name)
def test_a_found_input_holds(file: Path) -> None:
    """Claim: it reads the same however it is cut, gives JSON in UTF-8, and does not complete where an error came first."""
    data = file.read_bytes()
    shape, policy = tuple(Shape)[data[0] % 5], tuple(Policy)[data[0] // 5 % 4]
    ending = Ending.CUT if data[0] // 20 % 2 else Ending.CLEAN
    body, size = data[2:], data[1] % 97 or 1
    whole = reading(play(shape, [body], policy=policy, ending=ending))
    for step in {1, size}:
        pieces = [body[at : at + step] for at in range(0, len(body), step)]
        assert reading(play(shape, pieces, policy=policy, ending=ending)) == whole
    json.loads(dumps(whole).encode("utf-8"))
    state = play(shape, [body], policy=policy, ending=ending)
    errors = [stamped for stamped in events_of(shape, [body], ending=ending) if isinstance(stamped.event, ErrorReported)]
    if outcome(state) is Outcome.COMPLETED and errors:
        assert state.end is not None
        assert state.late_frames


def test_there_are_inputs() -> None:
    """Claim: the inputs are here."""
    assert len(INPUTS) >= 30
