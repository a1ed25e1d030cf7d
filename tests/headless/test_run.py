"""`run` without a screen: the three outputs, exit codes, an interrupt, and hostile text."""

import base64
import io
import json
import queue
import unicodedata
from collections import deque
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from anoman_tui.core.events import Closed, Ending, Stamped
from anoman_tui.core.pane import PaneState
from anoman_tui.core.ports import Handle, Sink, Tape
from anoman_tui.core.request import Params, Prompt, Request
from anoman_tui.core.run import RunHead
from anoman_tui.core.target import Policy, Shape
from anoman_tui.headless.collect import Collector
from anoman_tui.headless.run import Output, run
from anoman_tui.recording.recorder import FileTape, Keeping
from tests.support import MS, a_target, events_of, sse
from tests.unit.shape_rows import ROWS

CASES = Path(__file__).resolve().parent.parent / "cases"
SHAPES = {
    "openai-chat": Shape.CHAT,
    "openai-responses": Shape.RESPONSES,
    "anthropic-messages": Shape.MESSAGES,
    "gemini": Shape.GEMINI,
    "anoman-playground": Shape.PLAYGROUND,
}
WHOLE = sse(
    '{"id":"c","model":"m","choices":[{"delta":{"content":"Hello"}}]}',
    '{"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}',
    '{"_anoman":{"cost_usd":"0.000041","guardrails":{"pii":{"status":"pass"}}}}',
    "[DONE]",
)
CUT = sse('{"choices":[{"delta":{"content":"Hel"}}]}')


class FakeHandle:
    """A stream that only notes its cancel."""

    def __init__(self) -> None:
        self.cancelled = 0

    def cancel(self) -> None:
        """Note it."""
        self.cancelled += 1


class FakeNetwork:
    """Plays events into the sinks, one list a pane, in the order of the requests."""

    def __init__(self, *panes: Sequence[Stamped]) -> None:
        self._panes = deque(panes)
        self.handles: list[FakeHandle] = []
        self.requests: list[Request] = []

    def open(self, request: Request, sink: Sink) -> Handle:
        """Play the next list."""
        self.requests.append(request)
        for stamped in self._panes.popleft():
            sink.on_events((stamped,))
        self.handles.append(FakeHandle())
        return self.handles[-1]


def carried(output: Output, *bodies: bytes | Sequence[Stamped], shape: Shape = Shape.CHAT, **more: Any) -> tuple[int, str, FakeNetwork]:
    """The exit code and the output of a run over these bodies or events."""
    network = FakeNetwork(*(events_of(shape, [body]) if isinstance(body, bytes) else body for body in bodies))
    out = io.StringIO()
    requests = [Request(a_target(shape), Prompt("Say hello", "Be brief"), Params(temperature=0)) for _ in bodies]
    return run(network.open, requests, output, "0.1.0", out, **more), out.getvalue(), network


def lines(text: str) -> list[dict[str, Any]]:
    """NDJSON read back."""
    return [json.loads(line) for line in text.splitlines()]


def test_json() -> None:
    """Claim: one document with the run's head and a record per pane, in the order of the panes."""
    code, text, _ = carried(Output.JSON, WHOLE, CUT)
    document = json.loads(text)
    assert code == 1
    assert (document["schema"], document["prompt"], document["system"], document["params"], document["mode"]) == (
        "anoman-tui/run", "Say hello", "Be brief", {"temperature": 0}, "parallel",
    )  # fmt: skip
    assert document["started_at"].endswith("Z")
    assert [(pane["pane"], pane["outcome"], pane["text"]) for pane in document["panes"]] == [
        (1, "completed", "Hello"),
        (2, "truncated", "Hel"),
    ]


def test_a_run_that_cannot_be_recorded_is_whole_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Claim: the document is printed as ever, and one sentence on stderr says what is wrong and how to mend it."""
    (tmp_path / "runs").write_text("in the way")

    def start_tape(head: RunHead, states: Sequence[PaneState]) -> Tape:
        return FileTape(head, states, Keeping(tmp_path / "runs"), version="1")

    code, text, _ = carried(Output.JSON, WHOLE, start_tape=start_tape)
    assert code == 0
    assert json.loads(text)["panes"][0]["outcome"] == "completed"
    said = capsys.readouterr().err
    assert said.startswith(f"anoman-tui: {tmp_path / 'runs'}")
    assert "could not be recorded" in said
    assert "record = false" in said


def test_ndjson() -> None:
    """Claim: the same facts live, a JSON object a line, each with the run's id, and at last the exit code."""
    code, text, _ = carried(Output.NDJSON, WHOLE, CUT)
    told = lines(text)
    assert (told[0]["type"], told[-1]) == ("run.start", {"v": 1, "type": "run.end", "run_id": told[0]["run_id"], "exit_code": code})
    assert len({line["run_id"] for line in told}) == 1
    first = [line["type"] for line in told if line.get("pane") == 1]
    assert first == ["headers", "delta", "finish", "usage", "gateway", "pane.end"]
    end = next(line for line in told if line["type"] == "pane.end" and line["pane"] == 1)
    document = json.loads(carried(Output.JSON, WHOLE, CUT)[1])
    assert {name: value for name, value in end.items() if name not in ("v", "type", "run_id", "t_ms")} == document["panes"][0]


def test_ndjson_times_are_since_the_request() -> None:
    """Claim: the times of the lines rise and count from the request headers."""
    told = [line for line in lines(carried(Output.NDJSON, WHOLE)[1]) if "t_ms" in line]
    times = [line["t_ms"] for line in told]
    assert times == sorted(times)
    assert times[0] == 10


def test_table() -> None:
    """Claim: the answers, then one table with state, finish, counts, cost and their marks; a partial answer is called so."""
    code, text, _ = carried(Output.TABLE, WHOLE, CUT)
    assert code == 1
    for word in ("Hello", "DONE", "CUT", "stop", "3=", "2=", "$0.000041=", "the answer above is partial", "without [DONE]"):
        assert word in text


@pytest.mark.parametrize(
    ("bodies", "code"),
    [((WHOLE,), 0), ((WHOLE, WHOLE), 0), ((WHOLE, CUT), 1), ((CUT,), 3), ((CUT, b""), 3), ((sse('{"error":{"message":"x"}}'), WHOLE), 1)],
)
def test_exit_codes_are_the_same_for_every_output(bodies: tuple[bytes, ...], code: int) -> None:
    """Claim: the exit code depends on the outcomes alone."""
    assert {carried(output, *bodies)[0] for output in Output} == {code}


def test_a_list_price_stands_beside_the_gateways() -> None:
    """Claim: our own estimate is in the record and has a line of its own, and the gateway's cost stays."""
    price: dict[str, Any] = {"price": lambda state: Decimal("0.5") if state.usage else None}
    record = json.loads(carried(Output.JSON, WHOLE, CUT, **price)[1])["panes"]
    assert [pane["cost"]["list_usd"] for pane in record] == ["0.5", None]
    assert record[0]["cost"]["usd"] == "0.000041"
    assert [line["list_usd"] for line in lines(carried(Output.NDJSON, WHOLE, CUT, **price)[1]) if line["type"] == "price"] == ["0.5"]


class Interrupting:
    """A queue at which the user presses Ctrl+C as soon as it is empty."""

    def __init__(self) -> None:
        self._items: deque[Any] = deque()
        self._pressed = False

    def put(self, item: Any) -> None:
        """Keep an item."""
        self._items.append(item)

    def get(self, timeout: float | None = None) -> Any:
        """The next item; Ctrl+C once, then nothing more."""
        if self._items:
            return self._items.popleft()
        if not self._pressed:
            self._pressed = True
            raise KeyboardInterrupt
        raise queue.Empty


@pytest.mark.parametrize("output", Output)
def test_an_interrupt_writes_what_there_is(output: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: Ctrl+C stops every stream, writes what came in the form that was asked for, and gives 130."""
    monkeypatch.setattr("anoman_tui.headless.collect.queue.SimpleQueue", Interrupting)
    running = [stamped for stamped in events_of(Shape.CHAT, [CUT]) if not isinstance(stamped.event, Closed)]
    code, text, network = carried(output, WHOLE, running)
    assert code == 130
    assert [handle.cancelled for handle in network.handles] == [1, 1]
    assert "Hel" in text
    match output:
        case Output.JSON:
            assert [pane["outcome"] for pane in json.loads(text)["panes"]] == ["completed", "cancelled"]
        case Output.NDJSON:
            ends = [line for line in lines(text) if line["type"] == "pane.end"]
            assert [(line["pane"], line["outcome"]) for line in ends] == [(1, "completed"), (2, "cancelled")]
            assert lines(text)[-1]["exit_code"] == 130
        case Output.TABLE:
            assert "STOP" in text


def test_an_interrupt_waits_for_the_streams_to_close(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: what a stream still tells while it closes is taken, with its own ending."""
    monkeypatch.setattr("anoman_tui.headless.collect.queue.SimpleQueue", Interrupting)
    kept: list[Sink] = []

    class Late(FakeHandle):
        def cancel(self) -> None:
            """Tell the end."""
            kept[0].on_events((Stamped(50 * MS, Closed(Ending.CANCELLED)),))

    def opened(request: Request, sink: Sink) -> Handle:
        kept.append(sink)
        return Late()

    collector = Collector(opened, [Request(a_target(), Prompt("x"))])
    (state,) = collector.run()
    assert collector.interrupted
    assert state.stamps.closed == 50 * MS


def test_no_stream_may_write_control_characters() -> None:
    """Claim: whatever a server sends in text, names, errors and metadata, the table has no control or format character of its."""
    evil = "\x1b[2J\x1b]52;c;aGk=\x07\u202e\x9b31m\x00\r\u2028"
    quoted = json.dumps(evil)[1:-1]
    bodies = (
        sse(
            f'{{"model":"{quoted}","choices":[{{"delta":{{"content":"{quoted}text","refusal":"{quoted}no",'
            f'"tool_calls":[{{"index":0,"function":{{"name":"{quoted}f","arguments":"{quoted}"}}}}]}},"finish_reason":"{quoted}"}}]}}',
            "[DONE]",
        ),
        sse(f'{{"error":{{"message":"{quoted}gone","type":"{quoted}","code":"{quoted}"}}}}'),
        sse(f'{{"_anoman":{{"guardrails":{{"{quoted}":{{"status":"{quoted}"}}}}}}}}', f'{{"type":"{quoted}"}}', "5"),
        evil.encode(),
    )
    _, text, _ = carried(Output.TABLE, *bodies)
    assert "text" in text
    assert "gone" in text
    assert not [char for char in text if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp") and char != "\n"]


@pytest.mark.parametrize("output", Output)
def test_the_stream_cases_can_be_printed(output: Output) -> None:
    """Claim: of all stream cases nothing that must never reach a terminal as such does, and the table has no control character."""
    for file in CASES.glob("*/case.json"):
        case = json.loads(file.read_text("ascii"))
        pieces = [base64.b64decode(chunk["bytes_b64"]) for chunk in case["chunks"]]
        headers = tuple((name.lower(), value) for name, value in case["headers"].items())
        shape = SHAPES[case["shape"]]
        _, text, _ = carried(output, events_of(shape, pieces, status=case["status"], headers=headers), shape=shape)
        assert not [char for char in text if unicodedata.category(char) in ("Cc", "Cs") and char != "\n"], case["id"]
        if output is Output.TABLE:
            assert not [word for word in case["expect"].get("never_raw") or [] if word in text], case["id"]


def test_json_is_always_utf8() -> None:
    """Claim: half a surrogate pair in an answer does not keep the document from being written."""
    body = sse('{"choices":[{"delta":{"content":"a\\ud83d"},"finish_reason":"stop"}]}', "[DONE]")
    for output in Output:
        carried(output, body)[1].encode("utf-8")


def test_every_known_deviation_can_be_printed() -> None:
    """Claim: each output can show every deviation that is known, all in one run."""
    for shape in Shape:
        bodies = [row.body for row in ROWS if row.shape is shape]
        for output in Output:
            code, text, _ = carried(output, *bodies, shape=shape)
            assert code in (0, 1)
            assert text


def test_many_panes_are_all_opened_at_once() -> None:
    """Claim: any number of panes run; each gets its own request."""
    code, text, network = carried(Output.JSON, *[WHOLE] * 40)
    assert code == 0
    assert len(network.requests) == len(json.loads(text)["panes"]) == 40


def test_the_watcher_sees_every_batch() -> None:
    """Claim: the collector tells each batch with the pane's number and its state after it."""
    seen: list[tuple[int, PaneState]] = []
    network = FakeNetwork(events_of(Shape.CHAT, [WHOLE]), events_of(Shape.CHAT, [CUT]))
    requests = [Request(a_target(policy=Policy.ANOMAN), Prompt("x")) for _ in range(2)]
    states = Collector(network.open, requests, lambda pane, state, batch: seen.append((pane, state))).run()
    assert [next(state for pane, state in reversed(seen) if pane == number) for number in range(2)] == states
