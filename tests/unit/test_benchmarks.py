"""The benchmarks run; what they find is no matter here."""

import math
from pathlib import Path

from benchmarks.content import MARK, Ask, chat_frames, markdown
from benchmarks.micro import micro
from benchmarks.streams import percentile
from benchmarks.table import Of, Row, compared, document, rows_of
from benchmarks.table import markdown as as_table


def test_micro_benchmarks_run() -> None:
    """Claim: every single part can be measured, and each takes time."""
    found = micro(240)
    assert found
    assert all(value > 0 for value in found.values())


def test_marks_survive_in_every_token() -> None:
    """Claim: each token holds its mark, a model's name says what it asks for, and each token has a frame."""
    texts = list(markdown("b", 240))
    assert [int(found[2]) for text in texts if (found := MARK.search(text.encode()))] == list(range(240))
    assert Ask.read(Ask("b", 200, 240, 50).model) == Ask("b", 200, 240, 50)
    assert sum(token for token, _ in chat_frames(iter(texts), "m", 240)) == 240


def test_rows() -> None:
    """Claim: a budget on a value or a ratio is met or not, a value that is missing meets none, and rows come back from JSON."""
    rows = [
        Row("a", "start", "ms", 300, 280, "bare", 1.15, Of.RATIO),
        Row("b", "help", "ms", 300, budget=200),
        Row("c", "lost", "s", math.nan, budget=1),
        Row("d", "free", "ms", 0.5),
    ]
    assert [row.met for row in rows] == [True, False, False, None]
    stored = document(rows[:2] + rows[3:], Path())
    assert rows_of(stored) == rows[:2] + rows[3:]
    assert "| start | 300 ms | 300 ms | 1.00 |" in compared(stored, stored)
    assert "1.07" in as_table(rows)
    assert percentile([3, 1, 2], 0.5) == 2
