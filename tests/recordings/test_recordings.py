"""Streams of real servers, read as their bytes say: whole, byte by byte, and cut at every frame.

`readings.json` holds the right reading of each recording. It was made from the raw bytes by other code than ours and by
eye, so it is not our own output written down.
"""

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from anoman_tui.core.document import pane_record
from anoman_tui.core.events import Ending, Headers
from anoman_tui.core.pane import PaneState
from anoman_tui.core.target import Shape
from tests.support import play

HERE = Path(__file__).resolve().parent
SHAPES = {
    "openai-chat": Shape.CHAT,
    "openai-responses": Shape.RESPONSES,
    "anthropic-messages": Shape.MESSAGES,
    "gemini": Shape.GEMINI,
}
READINGS: Mapping[str, Any] = json.loads((HERE / "readings.json").read_text("utf-8"))
BLANK_LINE = re.compile(rb"\r\n\r\n|\n\n|\r\r")


@cache
def recording(name: str) -> tuple[Shape, int, Headers, tuple[bytes, ...]]:
    """A recording's shape, status, headers and reads."""
    data = json.loads((HERE / name).read_text("utf-8"))
    headers = tuple((key.lower(), value) for key, value in data["headers"])
    return SHAPES[data["shape"]], data["status"], headers, tuple(base64.b64decode(chunk["bytes_b64"]) for chunk in data["chunks"])


STREAMS = [name for name, want in READINGS.items() if want["served_from"] == "stream" and recording(name)[1] == 200]


def read(name: str, pieces: list[bytes], ending: Ending | None = None) -> PaneState:
    """Our state after these reads of the recording."""
    shape, status, headers, _ = recording(name)
    return play(shape, pieces, status=status, headers=headers, ending=ending or Ending(READINGS[name]["ending"]))


def check(record: Mapping[str, Any], want: Mapping[str, Any]) -> None:
    """Compare a record with the right reading."""
    text = want["text"]
    if isinstance(text, str):
        assert record["text"] == text
    else:
        assert len(record["text"]) == text["length"]
        assert hashlib.sha256(record["text"].encode()).hexdigest() == text["sha256"]
    for name in ("outcome", "served_from", "reasoning", "finish_reason"):
        assert record[name] == want[name], name
    usage = dict(record["usage"])
    if usage.pop("source") == "reported":
        assert usage == want["usage"]
    else:
        assert want["usage"] is None
    calls = [{"name": call["name"], "arguments": json.loads(call["arguments"])} for call in record["tool_calls"]]
    assert calls == want["tools"]
    assert (record["error"] is None) == (want["outcome"] == "completed")
    for word in want["error_words"]:
        assert word in json.dumps(record["error"], ensure_ascii=False)


def test_every_recording_has_a_reading() -> None:
    """Claim: no recording lies here unread, and there are all 91."""
    files = {file.relative_to(HERE).as_posix() for file in HERE.rglob("*.json")} - {"readings.json"}
    assert files == set(READINGS)
    assert len(files) == 91


@pytest.mark.parametrize("name", READINGS)
def test_a_recording_is_read_as_its_bytes_say(name: str) -> None:
    """Claim: read by read, each recording gives the outcome, text, usage, finish reason and error that stand in its bytes."""
    check(pane_record(read(name, list(recording(name)[3])), 1), READINGS[name])


@pytest.mark.parametrize("name", READINGS)
def test_a_recording_reads_the_same_byte_by_byte(name: str) -> None:
    """Claim: one byte a read gives the same reading; it also does as one block."""
    body = b"".join(recording(name)[3])
    check(pane_record(read(name, [body]), 1), READINGS[name])
    if len(body) < 40_000:
        check(pane_record(read(name, [body[at : at + 1] for at in range(len(body))]), 1), READINGS[name])


@pytest.mark.parametrize("name", STREAMS)
def test_a_recording_cut_at_any_frame_is_never_whole(name: str) -> None:
    """Claim: cut at any frame before its protocol's end, cleanly or not, it is not completed and its text is a prefix."""
    shape, _, _, pieces = recording(name)
    body = b"".join(pieces)
    whole = pane_record(read(name, [body]), 1)
    cuts = [0, *(found.end() for found in BLANK_LINE.finditer(body))]
    end = _end(shape, body)
    every = max(1, len(cuts) // 60)
    for cut in sorted({*cuts[::every], *cuts[-4:]} - {cuts[-1]}):
        for ending in (Ending.CLEAN, Ending.CUT):
            record = pane_record(read(name, [body[:cut]], ending), 1)
            assert whole["text"].startswith(record["text"])
            assert (whole["reasoning"] or "").startswith(record["reasoning"] or "")
            if cut < end or (shape is Shape.GEMINI and ending is Ending.CUT):
                assert record["outcome"] in ("truncated", "failed"), (cut, ending)


def _end(shape: Shape, body: bytes) -> int:
    """Where the frame that ends the protocol ends; past the body where there is none."""
    mark = {
        Shape.CHAT: b"data: [DONE]",
        Shape.RESPONSES: b'"response.completed"',
        Shape.MESSAGES: b'"message_stop"',
        Shape.GEMINI: b'"finishReason":"',
    }[shape]
    compact = body.replace(b'"finishReason": "', b'"finishReason":"')
    at = compact.rfind(mark) if shape is not Shape.GEMINI else compact.find(mark)
    return len(body) + 1 if at < 0 else at
