"""A recorded run is read again as it was: every case and every way to end, times included."""

import base64
import json
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from anoman_tui.core.events import Closed, Connected, ConnectStarted, Ending, HeadersReceived, HeadersSent, Requested, TextDelta
from anoman_tui.core.target import Target
from anoman_tui.recording.reader import read_run
from anoman_tui.recording.replay import Replay
from anoman_tui.transport.body import BodyReader
from anoman_tui.transport.network import Network
from tests.recording.kit import HEAD, at_once, record, replayed
from tests.support import a_target, sse
from tests.transport.client import KEY, Recorder, a_network
from tests.transport.server import Server, Talk
from tests.transport.test_cases import AT_ONCE, IDS, SHAPES, case, script

CHAT = sse('{"id":"c","model":"m","choices":[{"delta":{"role":"assistant","content":""}}]}', '{"choices":[{"delta":{"content":"Hello"}}]}')
REST = sse('{"choices":[{"delta":{"content":" you"},"finish_reason":"stop"}]}', "[DONE]")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A raw HTTP server."""
    made = Server()
    yield made
    made.close()


@pytest.fixture(scope="module")
def network() -> Iterator[Network]:
    """A network that gives a silent stream up after a second."""
    made = a_network(idle_s=1.0)
    yield made
    made.close()


@pytest.fixture(scope="module")
def cases(server: Server, network: Network, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, int, dict[str, Any]]]:
    """Every stream case, several in one run: the file, the pane's place in it, and the record of the live run."""
    made: dict[str, tuple[Path, int, dict[str, Any]]] = {}
    for first in range(0, len(IDS), AT_ONCE):
        ids = IDS[first : first + AT_ONCE]
        targets = [a_target(SHAPES[case(name)["shape"]], root=server.url(name, script(case(name)))) for name in ids]
        file, live = record(network, tmp_path_factory.mktemp("runs"), targets)
        made |= {name: (file, at, live[at]) for at, name in enumerate(ids)}
    return made


@pytest.mark.parametrize("case_id", IDS)
def test_every_case_replays_to_the_same_record(case_id: str, cases: dict[str, tuple[Path, int, dict[str, Any]]]) -> None:
    """Claim: whatever a stream did, its recording gives the same record, times included."""
    file, at, live = cases[case_id]
    assert at_once(file)[at] == live


def test_the_player_tells_the_same(cases: dict[str, tuple[Path, int, dict[str, Any]]]) -> None:
    """Claim: played through its OpenStream as fast as it goes, a run of many panes gives the same records, in their order."""
    file = cases[IDS[0]][0]
    assert replayed(file) == [live for other, _, live in cases.values() if other == file]


async def _two_reads(talk: Talk) -> None:
    await talk.head(set_cookie="session=abc", x_request_id="req-1")
    await talk.send(CHAT)
    await talk.send(REST)
    await talk.end()


def test_a_file_is_private_and_tells_no_secret(server: Server, network: Network, tmp_path: Path) -> None:
    """Claim: the file has mode 0600 and holds no key, no header that carries one, and no cookie."""

    async def echo(talk: Talk) -> None:
        await talk.head(set_cookie="session=abc", x_echo=f"Bearer {KEY}")
        half = len(KEY) // 2
        await talk.send(b'data: {"choices":[{"delta":{"content":"' + KEY[:half].encode())
        await talk.send(KEY[half:].encode() + b'"}}]}\n\n')
        await talk.send(REST)
        await talk.end()

    target = a_target(root=server.url("echo", echo))
    keyed = Target(target.provider, target.shape, target.model, target.base_url, sends_key=True)
    file, live = record(network, tmp_path / "runs", [keyed])
    text = file.read_text("ascii")
    body = b"".join(base64.b64decode(line["bytes_b64"]) for line in map(json.loads, text.splitlines()) if "bytes_b64" in line)
    assert KEY not in text
    assert KEY.encode() not in body
    assert KEY[: len(KEY) // 2].encode() not in body
    assert "authorization" not in text
    assert "session=abc" not in text
    assert server.asked[-1].headers["authorization"] == f"Bearer {KEY}"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    again = at_once(file)[0]
    assert again["text"] == live[0]["text"].replace(KEY, "*" * len(KEY))
    assert {**again, "text": ""} == {**live[0], "text": ""}


@pytest.fixture
def two_reads(server: Server, network: Network, tmp_path: Path) -> tuple[Path, list[dict[str, Any]]]:
    """A recorded run of two panes."""
    targets = [a_target(root=server.url("two", _two_reads)), a_target(root=server.url("two"))]
    return record(network, tmp_path, targets)


def test_any_speed_gives_the_recorded_times(two_reads: tuple[Path, list[dict[str, Any]]]) -> None:
    """Claim: the stamps are the recorded ones at every speed."""
    file, live = two_reads
    assert replayed(file, 8) == replayed(file, 0.25) == live


def _spread(file: Path, step_ns: int) -> None:
    """Put the facts of a file at equal distances."""
    head, *lines = file.read_text("ascii").splitlines()
    spread = [json.dumps({**json.loads(line), "t_ns": 10**9 + at * step_ns}) for at, line in enumerate(lines)]
    file.write_text("\n".join([head, *spread]) + "\n", "ascii")


def test_the_replay_keeps_the_recorded_pace(two_reads: tuple[Path, list[dict[str, Any]]]) -> None:
    """Claim: at a speed of 8 a recording of so many seconds takes an eighth of them, and as fast as it goes no time at all."""
    file, _ = two_reads
    _spread(file, 40_000_000)
    run = read_run(file)
    length_s = (run.end_ns - run.start_ns) / 1e9
    started = time.perf_counter()
    replayed(file, 8)
    took = time.perf_counter() - started
    assert length_s / 8 <= took < length_s / 2
    started = time.perf_counter()
    replayed(file, None)
    assert time.perf_counter() - started < length_s / 2


def test_a_replay_can_stand_still_and_go_step_by_step(server: Server, network: Network, tmp_path: Path) -> None:
    """Claim: a paused replay tells nothing; each step tells one more fact; then it goes on to its end."""
    file, live = record(network, tmp_path, [a_target(root=server.url("two", _two_reads))])
    with Replay(read_run(file), BodyReader, None) as replay:
        replay.pause()
        recorder = Recorder()
        replay.open_stream(replay.requests[0], recorder)
        assert not recorder.batches
        for want in (Requested, ConnectStarted, Connected, HeadersSent, HeadersReceived):
            replay.step()
            assert replay.now_ns() <= recorder.until(want).t_ns
            assert isinstance(recorder.batches[-1][-1].event, want)
        assert not recorder.reads
        replay.resume()
        assert recorder.until().t_ns == replay.run.end_ns
    assert recorder.state(replay.requests[0].target).text.text == live[0]["text"]


def test_a_pane_of_a_replay_can_be_stopped(two_reads: tuple[Path, list[dict[str, Any]]]) -> None:
    """Claim: stopping one pane ends it as cancelled, and the other one plays on."""
    file, _ = two_reads
    with Replay(read_run(file), BodyReader, None) as replay:
        replay.pause()
        recorders = [Recorder(), Recorder()]
        handles = [replay.open_stream(request, recorder) for request, recorder in zip(replay.requests, recorders, strict=True)]
        handles[0].cancel()
        handles[0].cancel()
        recorders[0].until()
        replay.resume()
        endings = [recorder.until().event for recorder in recorders]
    assert endings[0] == Closed(Ending.CANCELLED)
    assert isinstance(endings[1], Closed)
    assert endings[1].ending in (Ending.CLEAN, Ending.DRAINED)
    assert not any(isinstance(stamped.event, TextDelta) for stamped in recorders[0].events)


def test_a_request_that_is_not_of_the_run_is_refused(two_reads: tuple[Path, list[dict[str, Any]]]) -> None:
    """Claim: a replay plays only panes that it has."""
    from anoman_tui.core.request import Request

    with Replay(read_run(two_reads[0]), BodyReader, None) as replay, pytest.raises(ValueError, match="no such pane"):
        replay.open_stream(Request(a_target(model="other"), HEAD.prompt), Recorder())
