"""Every way that a stream can end by our side or by a broken connection replays to the same record."""

import io
import json
from pathlib import Path

import pytest

from anoman_tui.core.document import pane_record
from anoman_tui.core.events import Ending, TextDelta
from anoman_tui.core.request import HttpRequest, Request
from anoman_tui.core.target import Shape
from anoman_tui.headless.replay import replay
from anoman_tui.headless.run import Output
from anoman_tui.recording.reader import read_run
from anoman_tui.recording.replay import Replay
from anoman_tui.transport.body import BodyReader
from anoman_tui.transport.failures import SetupError
from anoman_tui.transport.limits import Limits
from anoman_tui.transport.network import Network
from tests.recording.kit import HEAD, a_tape, at_once, record, replayed
from tests.support import a_target, events_of, sse
from tests.transport.client import Recorder, a_network
from tests.transport.server import Server, Talk

TEXT = sse('{"id":"c","model":"m","choices":[{"delta":{"content":"Hello"}}]}')


@pytest.fixture
def server() -> Server:
    """A raw HTTP server; each test closes it."""
    return Server()


async def _hang(talk: Talk) -> None:
    await talk.head()
    await talk.send(TEXT)
    await talk.until_left()


def test_a_stopped_stream(server: Server, tmp_path: Path) -> None:
    """Claim: a stream that the user stopped replays as stopped, with the same time to stop."""
    network, target = a_network(), a_target(root=server.url("hang", _hang))
    tape, recorder = a_tape(tmp_path, [target]), Recorder()
    handle = network.open(Request(target, HEAD.prompt), tape.sink(1, recorder))
    recorder.until(TextDelta)
    handle.cancel()
    live = pane_record(recorder.state(target), 1)
    tape.close()
    network.close()
    server.close()
    assert live["outcome"] == "cancelled"
    assert live["timing"]["cancel_local_ms"] is not None
    assert at_once(tape.path) == replayed(tape.path) == [live]


@pytest.mark.parametrize(
    ("limits", "ending"), [({"max_body": 30}, Ending.SIZE), ({"total_s": 0.3}, Ending.TOTAL), ({"idle_s": 0.3}, Ending.IDLE)]
)
def test_our_limits(server: Server, tmp_path: Path, limits: dict[str, float], ending: Ending) -> None:
    """Claim: a stream that one of our limits ended replays to the same record, and its file names the limit."""
    network = a_network(**limits)
    size = limits.get("max_body")
    file, live = record(network, tmp_path, [a_target(root=server.url("hang", _hang))], max_body=size if size is None else int(size))
    network.close()
    server.close()
    assert f'"event": "limit", "which": "{ending.value}"' in file.read_text()
    assert at_once(file) == live


def test_no_connection_and_no_request(tmp_path: Path) -> None:
    """Claim: a stream that never began replays to the same error."""
    network = a_network(connect_s=2)
    file, live = record(network, tmp_path / "a", [a_target(root="http://127.0.0.1:9")])
    network.close()

    async def refuse(_: Request) -> HttpRequest:
        raise SetupError("the key is missing")

    setup = Network(refuse, Limits())
    other, failed = record(setup, tmp_path / "b", [a_target()])
    setup.close()
    assert at_once(file) == live
    assert at_once(other) == failed
    assert failed[0]["error"]["message"] == "the key is missing"


def test_packed_and_broken_bodies(server: Server, tmp_path: Path) -> None:
    """Claim: a body packed in a way that cannot be read, one that is packed wrongly, and an error page replay alike."""

    async def packed(talk: Talk) -> None:
        await talk.head(content_encoding="br")
        await talk.send(b"\x00\x01")
        await talk.end()

    async def wrong(talk: Talk) -> None:
        await talk.head(content_encoding="gzip")
        await talk.send(b"no gzip at all")
        await talk.end()

    async def refused(talk: Talk) -> None:
        await talk.head(403, "application/json")
        await talk.send(b'{"error":{"message":"blocked","code":"guardrail_blocked","_anoman":{"guardrails":{"pii":{"status":"block"}}}}}')
        await talk.end()

    network = a_network()
    targets = [a_target(root=server.url(name, script)) for name, script in (("packed", packed), ("wrong", wrong), ("refused", refused))]
    file, live = record(network, tmp_path, targets)
    network.close()
    server.close()
    assert [pane["outcome"] for pane in live] == ["failed", "failed", "blocked"]
    assert live[2]["gateway"] == {"guardrails": {"pii": {"status": "block"}}}
    assert at_once(file) == live


def test_a_pane_that_was_never_sent_leaves_the_numbers_of_the_others(tmp_path: Path) -> None:
    """Claim: where a waiting pane was taken out of a run, the others keep their numbers in the document, as a whole and live."""
    tape = a_tape(tmp_path, [a_target(), a_target(), a_target()])
    for number in (1, 3):
        sink = tape.sink(number, Recorder())
        for stamped in events_of(Shape.CHAT, [TEXT], ending=Ending.CUT):
            sink.on_events((stamped,))
    tape.close()
    for output in (Output.JSON, Output.NDJSON):
        out = io.StringIO()
        replay(Replay(read_run(tape.path), BodyReader, None), output, "1", out)
        text = out.getvalue()
        told = json.loads(text)["panes"] if output is Output.JSON else [json.loads(line) for line in text.splitlines()]
        assert {one["pane"] for one in told if "pane" in one} == {1, 3}
