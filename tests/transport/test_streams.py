"""Streams over real sockets: stamps, cancelling, limits, broken connections, redirects, error bodies, encodings."""

import asyncio
import gzip
import itertools
import socket
import threading
import time
import zlib

import pytest

from anoman_tui.core.document import pane_record
from anoman_tui.core.events import (
    BodyRead,
    CancelRequested,
    Closed,
    Connected,
    ConnectStarted,
    Ending,
    HeadersReceived,
    HeadersSent,
    Requested,
    TextDelta,
)
from anoman_tui.core.failure import FailureKind
from anoman_tui.core.metrics import timing
from anoman_tui.core.outcome import Outcome, outcome
from anoman_tui.core.ports import Handle
from anoman_tui.core.request import HttpRequest, Prompt, Request
from anoman_tui.core.target import Provider, Shape, Target
from anoman_tui.transport.limits import Limits
from anoman_tui.transport.network import Network
from tests.support import a_target, sse
from tests.transport.client import KEY, Recorder, a_network, stream
from tests.transport.server import Server, Talk

HELLO = sse('{"choices":[{"index":0,"delta":{"content":"Hello"}}]}')
END = sse('{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}', "[DONE]")
CANCEL_MS = 250
"""Far above what it takes, so that a busy machine does not fail the test."""


async def whole(talk: Talk) -> None:
    """A whole answer in three reads."""
    await talk.head()
    await talk.send(HELLO)
    await talk.send(HELLO)
    await talk.send(END)
    await talk.end()


async def stalled(talk: Talk) -> None:
    """One delta, and then nothing until the client leaves."""
    await talk.head()
    await talk.send(HELLO)
    await talk.until_left()


async def silent(talk: Talk) -> None:
    """Not even a response head."""
    await talk.until_left()


def keyed(root: str, shape: Shape = Shape.CHAT) -> Target:
    """A target whose key may be sent."""
    provider = Provider("mine", "Mine", root, {shape: "/v1/x"})
    return Target(provider, shape, "demo", root, sends_key=True)


def opened(network: Network, target: Target) -> tuple[Recorder, Handle]:
    """A running stream and its handle."""
    recorder = Recorder()
    return recorder, network.open(Request(target, Prompt("Hi")), recorder)


def test_a_whole_stream_is_told_in_order(server: Server, network: Network) -> None:
    """Claim: request, connection, headers, reads and their events, then Closed as the last event; stamps never go back."""
    target = a_target(root=server.url("whole", whole))
    recorder, _ = opened(network, target)
    state = recorder.state(target)
    assert outcome(state) is Outcome.COMPLETED
    kinds = [type(stamped.event) for stamped in recorder.events]
    order = [Requested, ConnectStarted, Connected, HeadersSent, HeadersReceived, BodyRead, TextDelta, Closed]
    assert [kind for kind in dict.fromkeys(kinds) if kind in order] == order
    assert kinds.count(Closed) == 1
    assert kinds[-1] is Closed
    times = [stamped.t_ns for stamped in recorder.events]
    assert times == sorted(times)
    assert recorder.threads == {"network"}


def test_every_read_is_handed_over_with_its_stamp(server: Server, network: Network) -> None:
    """Claim: the sink gets the bytes of each read at the stamp that its events bear."""
    target = a_target(root=server.url("whole", whole))
    recorder, _ = opened(network, target)
    recorder.until()
    assert b"".join(data for _, data in recorder.reads) == HELLO + HELLO + END
    stamps = [stamped.t_ns for stamped in recorder.events if isinstance(stamped.event, BodyRead)]
    assert stamps == [t_ns for t_ns, _ in recorder.reads]


def test_time_zero_is_when_the_headers_are_sent(server: Server, network: Network) -> None:
    """Claim: every time is measured from the request headers, is not negative, and rises in the order of the stream."""
    times = timing(stream(network, a_target(root=server.url("whole", whole))))
    assert times.clock == "headers_sent"
    row = [times.ttfh_ms, times.ttfe_ms, times.ttft_ms, times.e2e_ms, times.done_ms]
    known = [value for value in row if value is not None]
    assert len(known) == len(row)
    assert known == sorted(known)
    assert known[0] >= 0
    assert times.connect_ms is not None
    assert times.connect_ms >= 0


def test_the_request_that_is_told_has_no_key_in_its_headers(server: Server, network: Network) -> None:
    """Claim: the server gets the key, and what the sink gets does not hold it outside of its secret."""
    target = keyed(server.url("whole", whole))
    recorder, _ = opened(network, target)
    recorder.until()
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"
    (request,) = recorder.requests
    assert KEY not in repr(request)
    assert KEY not in str(dict(request.headers))
    assert "authorization" not in request.headers
    assert KEY not in str(pane_record(recorder.state(target), 1))


def test_a_bare_target_gets_no_key(server: Server, network: Network) -> None:
    """Claim: a target that may not have the key is asked without any authorization header."""
    stream(network, a_target(root=server.url("whole", whole)))
    assert KEY not in str(server.asked[0].headers)
    assert "authorization" not in server.asked[0].headers


def test_the_request_is_made_for_a_stream(server: Server, network: Network) -> None:
    """Claim: it asks for an event stream, unpacked, under our own name, and closes its connection afterwards."""
    stream(network, a_target(root=server.url("whole", whole)))
    headers = server.asked[0].headers
    assert headers["accept"] == "text/event-stream"
    assert headers["accept-encoding"] == "identity"
    assert headers["user-agent"].startswith("anoman-tui/")
    assert server.asked[0].line == "POST /whole/v1/chat/completions HTTP/1.1"


def test_connections_are_never_used_again(server: Server, network: Network) -> None:
    """Claim: each stream has a connection of its own."""
    for _ in range(3):
        stream(network, a_target(root=server.url("whole", whole)))
    assert server.connections == 3


def test_cancelling_closes_the_socket_at_once(server: Server, network: Network) -> None:
    """Claim: the server sees the connection close right after `cancel`, and the pane is cancelled, not truncated."""
    target = a_target(root=server.url("stalled", stalled))
    recorder, handle = opened(network, target)
    recorder.until(TextDelta)
    asked_ns = time.perf_counter_ns()
    handle.cancel()
    (asked,) = server.asked
    assert asked.left.wait(5)
    assert (asked.left_ns - asked_ns) / 1e6 < CANCEL_MS
    state = recorder.state(target)
    assert outcome(state) is Outcome.CANCELLED
    assert state.text.text == "Hello"
    spent = timing(state).cancel_local_ms
    assert spent is not None
    assert 0 <= spent < CANCEL_MS


def test_cancelling_while_waiting_for_headers(server: Server, network: Network) -> None:
    """Claim: a stream without even a response head can be cancelled, and its socket closes at once."""
    target = a_target(root=server.url("silent", silent))
    recorder, handle = opened(network, target)
    recorder.until(HeadersSent)
    handle.cancel()
    state = recorder.state(target)
    assert outcome(state) is Outcome.CANCELLED
    assert state.status is None


def test_cancelling_twice_and_after_the_end_changes_nothing(server: Server, network: Network) -> None:
    """Claim: a second cancel, and one after the end, are harmless and tell nothing more."""
    target = a_target(root=server.url("stalled", stalled))
    recorder, handle = opened(network, target)
    recorder.until(TextDelta)
    handle.cancel()
    handle.cancel()
    recorder.until()
    handle.cancel()
    stream(network, a_target(root=server.url("whole", whole)))
    kinds = [type(stamped.event) for stamped in recorder.events]
    assert kinds.count(CancelRequested) == 1
    assert kinds.count(Closed) == 1


def test_cancelling_right_after_opening(server: Server, network: Network) -> None:
    """Claim: a stream that is cancelled before it could begin ends as cancelled."""
    target = a_target(root=server.url("silent", silent))
    recorder, handle = opened(network, target)
    handle.cancel()
    assert outcome(recorder.state(target)) is Outcome.CANCELLED


def test_cancelling_one_stream_leaves_the_others(server: Server, network: Network) -> None:
    """Claim: three streams run at once on one thread; one is cancelled and the two others complete."""
    gate = server.gate()

    async def waits(talk: Talk) -> None:
        await talk.head()
        await talk.send(HELLO)
        await gate.passed()
        await talk.send(END)
        await talk.end()

    target = a_target(root=server.url("waits", waits))
    running = [opened(network, target) for _ in range(3)]
    for recorder, _ in running:
        recorder.until(TextDelta)
    running[1][1].cancel()
    running[1][0].until()
    gate.open()
    assert [outcome(recorder.state(target)) for recorder, _ in running] == [Outcome.COMPLETED, Outcome.CANCELLED, Outcome.COMPLETED]
    assert {name for recorder, _ in running for name in recorder.threads} == {"network"}


def test_an_answer_that_ended_is_not_cancelled(server: Server, network: Network) -> None:
    """Claim: a stop within the grace after the protocol's end leaves the answer whole."""

    async def open_end(talk: Talk) -> None:
        await talk.head()
        await talk.send(HELLO + END)
        await talk.until_left()

    target = a_target(root=server.url("open", open_end))
    recorder, handle = opened(network, target)
    recorder.until(TextDelta)
    handle.cancel()
    assert outcome(recorder.state(target)) is Outcome.COMPLETED


def test_keep_alives_are_no_progress(server: Server) -> None:
    """Claim: a stream of comments and pings alone ends at the idle limit, as truncated, and the limit is named."""

    async def pings(talk: Talk) -> None:
        await talk.head()
        await talk.send(HELLO)
        for beat in itertools.cycle([b": ping\n\n", b'event: ping\ndata: {"type":"ping"}\n\n', b"data:\n\n"]):
            await talk.send(beat)
            if await left(talk):
                return

    network = a_network(idle_s=0.3)
    state = stream(network, a_target(Shape.MESSAGES, root=server.url("pings", pings)))
    network.close()
    assert outcome(state) is Outcome.TRUNCATED
    assert state.closed is not None
    assert state.closed.ending is Ending.IDLE
    assert "--idle-timeout" in state.closed.detail
    assert state.wire.pings > 1


async def left(talk: Talk) -> bool:
    """Whether the client leaves within a twentieth of a second."""
    try:
        async with asyncio.timeout(0.05):
            await talk.until_left()
    except TimeoutError:
        return False
    return True


def test_frames_are_progress(server: Server) -> None:
    """Claim: a stream that is slower than the idle limit as a whole, but never silent for that long, completes."""

    async def slow(talk: Talk) -> None:
        await talk.head()
        for _ in range(8):
            await talk.send(HELLO)
            await left(talk)
        await talk.send(END)
        await talk.end()

    network = a_network(idle_s=0.3)
    state = stream(network, a_target(root=server.url("slow", slow)))
    network.close()
    assert outcome(state) is Outcome.COMPLETED


def test_silence_before_the_headers_ends_at_the_idle_limit(server: Server) -> None:
    """Claim: a server that never answers is truncated at the idle limit."""
    network = a_network(idle_s=0.2)
    state = stream(network, a_target(root=server.url("silent", silent)))
    network.close()
    assert (outcome(state), state.status) == (Outcome.TRUNCATED, None)


def test_the_total_limit(server: Server) -> None:
    """Claim: a stream that runs longer than the total limit has failed by a limit that is named."""

    async def endless(talk: Talk) -> None:
        await talk.head()
        while not await left(talk):
            await talk.send(HELLO)

    network = a_network(total_s=0.3)
    state = stream(network, a_target(root=server.url("endless", endless)))
    network.close()
    record = pane_record(state, 1)
    assert record["outcome"] == "failed"
    assert record["error"]["kind"] == "limit"
    assert "0.3 s" in record["error"]["message"]


def test_the_size_limit(server: Server) -> None:
    """Claim: a body over the limit has failed by a limit, and the connection is closed."""

    async def large(talk: Talk) -> None:
        await talk.head()
        await talk.send(HELLO * 200)
        await talk.until_left()

    network = a_network(max_body=1_000)
    record = pane_record(stream(network, a_target(root=server.url("large", large))), 1)
    network.close()
    assert (record["outcome"], record["error"]["kind"]) == ("failed", "limit")
    assert "1,000 bytes" in record["error"]["message"]
    assert server.asked[0].left.wait(5)


def test_a_whole_answer_over_an_open_connection_ends_after_the_grace(server: Server) -> None:
    """Claim: after the protocol's end the pane is done though the server keeps the connection; late metadata is still taken."""

    async def late(talk: Talk) -> None:
        await talk.head()
        await talk.send(HELLO + END)
        await talk.send(sse('{"_anoman":{"cost_usd":"0.1"}}'))
        await talk.until_left()

    network = a_network(grace_s=0.2)
    state = stream(network, a_target(root=server.url("late", late)))
    network.close()
    assert outcome(state) is Outcome.COMPLETED
    assert state.closed is not None
    assert state.closed.ending is Ending.DRAINED
    assert state.metadata == {"cost_usd": "0.1"}


def test_no_server(network: Network) -> None:
    """Claim: a refused connection has failed with the host and what to look at, before any header."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    record = pane_record(stream(network, a_target(root=f"http://127.0.0.1:{port}")), 1)
    assert (record["outcome"], record["error"]["kind"], record["http_status"]) == ("failed", "connection", None)
    assert f"127.0.0.1:{port}" in record["error"]["message"]
    assert "is a server running there" in record["error"]["message"]
    assert record["timing"]["ttfh_ms"] is None


def test_the_server_leaves_before_it_answers(server: Server, network: Network) -> None:
    """Claim: a connection that closes or breaks before the response head has failed, and the sentence says so."""

    async def leaves(talk: Talk) -> None:
        """Send nothing."""

    async def breaks(talk: Talk) -> None:
        talk.reset()

    async def babbles(talk: Talk) -> None:
        await talk.raw(b"SSH-2.0-OpenSSH\r\n\r\n")

    for name, script in (("leaves", leaves), ("breaks", breaks), ("babbles", babbles)):
        record = pane_record(stream(network, a_target(root=server.url(name, script))), 1)
        assert (record["outcome"], record["error"]["kind"]) == ("failed", "connection"), name
        assert record["error"]["message"], name


def test_a_cut_is_told_apart_from_a_stop(server: Server, network: Network) -> None:
    """Claim: a reset inside the body, and a body shorter than its length, are truncated and keep the text."""

    async def breaks(talk: Talk) -> None:
        await talk.head()
        await talk.send(HELLO)
        await gate.passed()
        talk.reset()

    async def short(talk: Talk) -> None:
        await talk.head(content_length="10000")
        await talk.send(HELLO)
        await talk.end()

    gate = server.gate()
    target = a_target(root=server.url("breaks", breaks))
    recorder, _ = opened(network, target)
    recorder.until(TextDelta)
    gate.open()
    for state in (recorder.state(target), stream(network, a_target(root=server.url("short", short)))):
        assert outcome(state) is Outcome.TRUNCATED
        assert state.text.text == "Hello"
        assert state.closed is not None
        assert state.closed.ending is Ending.CUT


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_an_error_and_is_not_followed(server: Server, network: Network, status: int) -> None:
    """Claim: a redirect fails with its place and what to do, and nothing, the key least of all, goes there."""

    async def elsewhere(talk: Talk) -> None:
        await talk.head(status, None, location=server.url("there", whole), content_length="0")

    record = pane_record(stream(network, keyed(server.url("elsewhere", elsewhere))), 1)
    assert (record["outcome"], record["http_status"]) == ("failed", status)
    assert "/there" in record["error"]["message"]
    assert "base URL" in record["error"]["message"]
    assert len(server.asked) == 1


def test_an_error_body_that_stalls_still_gives_the_status(server: Server, network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: the status decides although the body never ends; what came of the body is the message."""
    monkeypatch.setattr("anoman_tui.transport.stream.ERROR_BODY_S", 0.2)

    async def stalls(talk: Talk) -> None:
        await talk.head(503, "text/plain", x_request_id="req-9")
        await talk.send(b"no healthy upstream")
        await talk.until_left()

    record = pane_record(stream(network, a_target(root=server.url("stalls", stalls))), 1)
    assert (record["outcome"], record["http_status"], record["request_id"]) == ("failed", 503, "req-9")
    assert record["error"]["message"] == "no healthy upstream"


def test_a_huge_error_body_is_not_read_to_its_end(server: Server, network: Network) -> None:
    """Claim: of an endless error page only the beginning is read."""

    async def pours(talk: Talk) -> None:
        await talk.head(500, "text/html")
        while True:
            await talk.send(b"<p>sorry</p>" * 1_000)

    record = pane_record(stream(network, a_target(root=server.url("pours", pours))), 1)
    assert record["outcome"] == "failed"
    assert len(record["error"]["message"]) <= 200


def test_a_guardrail_block_keeps_its_metadata(server: Server, network: Network) -> None:
    """Claim: a 403 with `_anoman.guardrails` is blocked, and the guardrails are in the record."""

    async def blocks(talk: Talk) -> None:
        body = b'{"error":{"message":"Blocked","type":"guardrail_blocked","_anoman":{"guardrails":{"pii":{"status":"block"}}}}}'
        await talk.head(403, "application/json", content_length=str(len(body)))
        await talk.send(body)

    record = pane_record(stream(network, a_target(root=server.url("blocks", blocks))), 1)
    assert record["outcome"] == "blocked"
    assert record["gateway"] == {"guardrails": {"pii": {"status": "block"}}}


def test_a_packed_stream_is_unpacked_as_it_comes(server: Server, network: Network) -> None:
    """Claim: gzip and deflate are read, flush by flush, although they were not asked for."""
    for name, bits in (("gzip", 31), ("deflate", 15)):

        async def packed(talk: Talk, name: str = name, bits: int = bits) -> None:
            packer = zlib.compressobj(wbits=bits)
            await talk.head(content_encoding=name)
            for piece in (HELLO, END):
                await talk.send(packer.compress(piece) + packer.flush(zlib.Z_SYNC_FLUSH))
            await talk.send(packer.flush())
            await talk.end()

        state = stream(network, a_target(root=server.url(name, packed)))
        assert (outcome(state), state.text.text) == (Outcome.COMPLETED, "Hello"), name


@pytest.mark.parametrize("label", ["identity", "none", "UTF-8", "gzip, identity"])
def test_encoding_labels_that_pack_nothing(server: Server, network: Network, label: str) -> None:
    """Claim: labels that name no packing do not keep a stream from being read, and several labels are read one by one."""

    async def sloppy(talk: Talk) -> None:
        await talk.head(content_encoding=label)
        await talk.send(gzip.compress(HELLO + END) if "gzip" in label else HELLO + END)
        await talk.end()

    assert outcome(stream(network, a_target(root=server.url("sloppy", sloppy)))) is Outcome.COMPLETED


def test_a_packed_stream_that_is_cut_is_truncated(server: Server, network: Network) -> None:
    """Claim: gzip that ends inside itself, by a clean end of the body, is truncated."""

    async def cut(talk: Talk) -> None:
        await talk.head(content_encoding="gzip")
        await talk.send(gzip.compress(HELLO + END)[:-24])
        await talk.end()

    assert outcome(stream(network, a_target(root=server.url("cut", cut)))) is Outcome.TRUNCATED


@pytest.mark.parametrize(("encoding", "body"), [("br", HELLO + END), ("zstd", HELLO + END), ("gzip", HELLO + END)])
def test_what_cannot_be_unpacked_has_failed(server: Server, network: Network, encoding: str, body: bytes) -> None:
    """Claim: an encoding that cannot be read, and bytes that are not of their encoding, fail with a clear sentence."""

    async def odd(talk: Talk) -> None:
        await talk.head(content_encoding=encoding)
        await talk.send(body)
        await talk.end()

    record = pane_record(stream(network, a_target(root=server.url("odd", odd))), 1)
    assert (record["outcome"], record["error"]["kind"]) == ("failed", "unreadable")
    assert record["text"] == ""


def test_an_error_that_cannot_be_unpacked_still_has_its_status(server: Server, network: Network) -> None:
    """Claim: an error body in an encoding that cannot be read gives the status and a sentence, not the packed bytes."""

    async def odd(talk: Talk) -> None:
        await talk.head(502, "application/json", content_encoding="br")
        await talk.send(b"\x0b\x02\x80packed")
        await talk.end()

    error = pane_record(stream(network, a_target(root=server.url("odd", odd))), 1)["error"]
    assert (error["http_status"], error["kind"]) == (502, "http")
    assert "'br'" in error["message"]
    assert "packed as" in error["message"] or "packs the body as" in error["message"]


def test_closing_the_network_is_quick_and_leaves_no_thread(server: Server) -> None:
    """Claim: closing with open streams takes less than half a second, ends them as cancelled, and ends the thread."""
    network = a_network()
    target = a_target(root=server.url("stalled", stalled))
    running = [opened(network, target) for _ in range(3)]
    for recorder, _ in running:
        recorder.until(TextDelta)
    start = time.perf_counter()
    network.close()
    assert time.perf_counter() - start < 0.5
    assert all(thread.name != "network" for thread in threading.enumerate())
    assert [outcome(recorder.state(target)) for recorder, _ in running] == [Outcome.CANCELLED] * 3
    network.close()


def test_a_failing_preparation_is_a_failed_pane(server: Server) -> None:
    """Claim: whatever goes wrong before the request is a setup failure of that pane, and the network lives on."""

    async def broken(request: Request) -> HttpRequest:
        raise RuntimeError(f"no luck with {KEY}")

    network = Network(broken, Limits())
    for _ in range(2):
        state = stream(network, a_target(root=server.url("whole", whole)))
        assert outcome(state) is Outcome.FAILED
        assert state.error is not None
        assert state.error.kind is FailureKind.SETUP
    network.close()
