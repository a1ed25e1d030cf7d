"""Fuzz the way of a body from bytes to the run document: the tap, the five decoders, the fold, the outcome, the record.

Not a part of the test suite. It needs Python 3.11 and atheris in a virtual environment of its own, beside httpx and httpx-sse:

    python3.11 -m venv /tmp/fuzz && /tmp/fuzz/bin/pip install atheris httpx httpx-sse
    PYTHONPATH=. /tmp/fuzz/bin/python tests/fuzz/fuzz_streams.py CORPUS_DIR -max_total_time=1800 -max_len=8192 -dict=tests/fuzz/streams.dict

`--seed CORPUS_DIR` fills a folder with the bodies of the stream cases and the recordings first. The first byte of an input
chooses the shape, the policy and whether the connection breaks; the second the size of the reads; the rest is the body.

What must hold for any input: nothing raises; the record is JSON in UTF-8; cutting the body otherwise gives the same
record apart from times and reads; no stream completes whose body never held its protocol's end.
"""

import base64
import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

atheris: Any = importlib.import_module("atheris")

with atheris.instrument_imports(include=["anoman_tui", "httpx_sse"]):
    from anoman_tui.core.document import pane_record
    from anoman_tui.core.events import Ending, Frame
    from anoman_tui.core.jsonish import dumps
    from anoman_tui.core.pane import PaneState
    from anoman_tui.core.shapes import SHAPES
    from anoman_tui.core.target import Policy, Shape
    from tests.support import EVENT_STREAM, play

HERE = Path(__file__).resolve().parent
SHAPE_LIST, POLICY_LIST = tuple(Shape), tuple(Policy)
CASE_SHAPES = {"openai-chat": 0, "openai-responses": 1, "anthropic-messages": 2, "gemini": 3, "anoman-playground": 4}
MARKS: dict[Shape, tuple[bytes, ...]] = {
    Shape.CHAT: (b"DONE",),
    Shape.PLAYGROUND: (b"DONE",),
    Shape.RESPONSES: (b"response.completed", b"response.incomplete", b"response.", b"\\u"),
    Shape.MESSAGES: (b"message_stop", b"\\u"),
}


def pieces_of(body: bytes, size: int) -> list[bytes]:
    """The body in reads of `size` bytes, whole where size is 0."""
    return [body[at : at + size] for at in range(0, len(body), size)] if size else [body]


def reading(state: PaneState) -> dict[str, Any]:
    """The record without what depends on the reads."""
    record = pane_record(state, 1)
    for name in ("timing", "wire"):
        record.pop(name)
    return record


def one_input(data: bytes) -> None:
    """Try one input; raises when something does not hold."""
    if len(data) < 2:
        return
    shape = SHAPE_LIST[data[0] % 5]
    policy = POLICY_LIST[data[0] // 5 % 4]
    ending = Ending.CUT if data[0] // 20 % 2 else Ending.CLEAN
    body = data[2:]
    size = data[1] % 97
    state = play(shape, pieces_of(body, size), policy=policy, headers=EVENT_STREAM, ending=ending)
    record = reading(state)
    written = dumps(pane_record(state, 1)).encode("utf-8")
    json.loads(written)
    other = reading(play(shape, pieces_of(body, 0), policy=policy, headers=EVENT_STREAM, ending=ending))
    if dumps(other) != dumps(record):
        raise AssertionError(f"the reading depends on the cuts: {other} {record}")
    streamed = record["outcome"] == "completed" and record["served_from"] == "stream" and policy is Policy.STRICT
    if streamed and shape in MARKS and not any(mark in body for mark in MARKS[shape]):
        raise AssertionError("completed without the protocol's end")
    text = body.decode("utf-8", "replace")
    for spec in SHAPES.values():
        spec.decode(Frame("", text))


def seed(folder: Path) -> None:
    """Fill a folder with real bodies to start from."""
    folder.mkdir(parents=True, exist_ok=True)
    tests = HERE.parent
    for file in sorted((tests / "cases").glob("*/case.json")):
        case = json.loads(file.read_text("ascii"))
        _write(folder, case["id"], case["shape"], case["chunks"])
    for file in sorted((tests / "recordings").glob("**/*.json")):
        recording = json.loads(file.read_text("utf-8"))
        if "chunks" in recording:
            _write(folder, file.stem, recording["shape"], recording["chunks"])


def _write(folder: Path, name: str, shape: str, chunks: list[dict[str, Any]]) -> None:
    body = b"".join(base64.b64decode(chunk["bytes_b64"]) for chunk in chunks)
    if len(body) <= 8_000:
        (folder / name).write_bytes(bytes([CASE_SHAPES[shape], 13]) + body)


def main() -> None:
    """Run the fuzzer, or fill the corpus with `--seed`."""
    if sys.argv[1:2] == ["--seed"]:
        seed(Path(sys.argv[2]))
        return
    entry: Callable[[bytes], None] = one_input
    atheris.Setup(sys.argv, entry)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
