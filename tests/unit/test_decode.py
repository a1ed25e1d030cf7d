"""What servers really send, shape by shape, and how it reads: the deviations that are known, in a table."""

from typing import Any

import pytest

from anoman_tui.core.document import pane_record
from anoman_tui.core.events import Frame
from anoman_tui.core.shapes import SHAPES
from anoman_tui.core.target import Shape
from tests.support import play
from tests.unit.shape_rows import ROWS, Row


def seen(record: dict[str, Any], name: str) -> Any:
    """What the record says under a row's name for it."""
    match name:
        case "usage":
            counts = {key: value for key, value in record["usage"].items() if key != "source" and value is not None}
            return counts if record["usage"]["source"] == "reported" else None
        case "tools":
            return [(call["id"], call["name"], call["arguments"]) for call in record["tool_calls"]]
        case "cost":
            return record["cost"]["usd"]
        case "partial":
            return record["error"]["partial"]
        case _:
            return record[name]


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.shape} {row.name}" for row in ROWS])
def test_a_deviation_reads_as_it_is_meant(row: Row) -> None:
    """Claim: each body in the table gives the outcome, text, counts, calls, metadata and error that stand beside it."""
    record = pane_record(play(row.shape, [row.body], policy=row.policy), 1)
    for name, value in row.want.items():
        if name == "error":
            assert value in str(record["error"])
        elif name == "finding":
            assert value in [finding["rule"] for finding in record["findings"]]
        else:
            assert seen(record, name) == value, name
    if row.want["outcome"] == "completed":
        assert record["error"] is None


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.shape} {row.name}" for row in ROWS])
def test_a_deviation_reads_the_same_however_it_is_cut(row: Row) -> None:
    """Claim: reads of seven bytes give the same record as one read, apart from times and reads."""
    whole = pane_record(play(row.shape, [row.body], policy=row.policy), 1)
    pieces = [row.body[at : at + 7] for at in range(0, min(len(row.body), 7_000), 7)] + [row.body[7_000:]]
    cut = pane_record(play(row.shape, pieces, policy=row.policy), 1)
    for record in (whole, cut):
        del record["timing"], record["wire"]
    assert cut == whole


@pytest.mark.parametrize("shape", Shape)
@pytest.mark.parametrize("data", ["", " ", "[DONE]", "[DONE] ", "null", "5", '"x"', "[]", "{}", "[[]]", "{", '{"error":{}}', "\ud800"])
def test_decode_gives_events_for_any_frame(shape: Shape, data: str) -> None:
    """Claim: every shape gives at least one event for any frame, so that each frame counts."""
    assert SHAPES[shape].decode(Frame("", data))
