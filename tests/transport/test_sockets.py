"""The network below httpx over real sockets: times that do not bend, one segment a request, TLS, proxies, and ends."""

import asyncio
import os
import socket
import ssl
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import anyio
import httpcore
import httpx
import pytest

from anoman_tui.core.document import pane_record
from anoman_tui.core.events import HeadersReceived, HeadersSent, TextDelta
from anoman_tui.core.metrics import DEGRADED_LAG_MS
from anoman_tui.core.request import Prompt, Request
from anoman_tui.transport.arrival import CONTROL_SIZE, request_arrivals
from anoman_tui.transport.clients import Clients
from anoman_tui.transport.lateness import STOPPED_MS, Lateness
from anoman_tui.transport.limits import Limits
from anoman_tui.transport.network import Network
from anoman_tui.transport.sockets import AHEAD, READ_SIZE, Channel, Sockets
from anoman_tui.transport.stream import Stream
from tests.support import a_target, sse
from tests.transport.client import Recorder, a_network, stream
from tests.transport.server import WAIT_S, Server, Talk

TLS = Path(__file__).parent / "tls"
HELLO = sse('{"choices":[{"index":0,"delta":{"content":"Hello"}}]}')
END = sse('{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}', "[DONE]")
MS = 1_000_000
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells when a TCP segment came in")


async def whole(talk: Talk) -> None:
    """A whole answer."""
    await talk.head()
    await talk.send(HELLO)
    await talk.send(END)
    await talk.end()


@pytest.fixture
def secure(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that speaks TLS, with a certificate that this process trusts."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS / "cert.pem", TLS / "key.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(TLS / "cert.pem"))
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    made = Server(context)
    yield made
    made.close()


# Times.


@linux
def test_a_loop_that_is_late_bends_no_time(server: Server, network: Network) -> None:
    """Claim: bytes that came while the loop was busy are stamped when they came."""
    busy_ms, sent_ns, gate = 120, [], server.gate()

    async def script(talk: Talk) -> None:
        await talk.head()
        await gate.passed()
        await asyncio.sleep(busy_ms / 3e3)
        sent_ns.append(time.perf_counter_ns())
        await talk.send(HELLO)
        await talk.send(END)
        await talk.end()

    recorder, target = Recorder(), a_target(root=server.url("late", script))
    network.warm([target.url])
    _until_noted()
    network.open(Request(target, Prompt("Hi")), recorder)
    recorder.until(HeadersReceived)
    network._loop.call_soon_threadsafe(time.sleep, busy_ms / 1e3)
    gate.open()
    came = recorder.until(TextDelta).t_ns
    assert -MS < came - sent_ns[0] < busy_ms / 3 * MS


@pytest.mark.parametrize(
    ("late_ms", "told", "unsure_ms", "doubt_ms"),
    [
        (50.0, True, 1.5, 1.5),  # late, but no read waited
        (50.0, True, 80.0, 50.0),
        (5.0, True, 80.0, 5.0),
        (50.0, False, 0.0, 50.0),
        (STOPPED_MS + 1, True, 0.0, STOPPED_MS + 1),  # the machine stood still, and the system's times with it
    ],
)
def test_how_late_times_may_be(late_ms: float, told: bool, unsure_ms: float, doubt_ms: float) -> None:
    """Claim: the loop's lateness, or less where the system told all times and no read waited so long."""
    made = Stream(Request(a_target(), Prompt("Hi")), Recorder(), Limits(), time.perf_counter_ns, lambda _: late_ms)
    made._channel = cast(Channel, SimpleNamespace(wire=SimpleNamespace(told=told, unsure_ns=unsure_ms * MS)))
    assert made._doubt_ms() == doubt_ms


def _until_noted() -> None:
    """Wait until the system notes arrivals, which it does a moment after it was asked."""
    end = time.monotonic() + WAIT_S
    with socket.create_server(("127.0.0.1", 0)) as listener, socket.create_connection(listener.getsockname()) as near:
        far, _ = listener.accept()
        with far:
            assert request_arrivals(near)
            control: Sequence[object] = ()
            while not control and time.monotonic() < end:
                far.send(b"x")
                _, control, _, _ = near.recvmsg(1, CONTROL_SIZE)
    assert control


def test_where_the_system_does_not_tell_a_late_loop_is_said(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: without arrival times everything is read as ever, and a loop that was late makes the times doubtful."""
    monkeypatch.setattr("anoman_tui.transport.sockets.request_arrivals", lambda _: False)
    monkeypatch.setattr(Lateness, "since", lambda *_: DEGRADED_LAG_MS + 30)
    network = a_network()
    record = pane_record(stream(network, a_target(root=server.url("whole", whole))), 1)
    network.close()
    assert (record["outcome"], record["text"]) == ("completed", "Hello")
    assert record["timing"]["degraded"] is True


def test_time_zero_is_when_the_request_leaves(server: Server, network: Network) -> None:
    """Claim: the request was not read before it is said to have been sent, nor answered before."""
    read_ns: list[int] = []

    async def script(talk: Talk) -> None:
        read_ns.append(time.perf_counter_ns())
        await whole(talk)

    recorder = Recorder()
    network.open(Request(a_target(root=server.url("zero", script)), Prompt("Hi")), recorder)
    headers = recorder.until(HeadersReceived).t_ns
    assert recorder.until(HeadersSent).t_ns <= read_ns[0] <= headers + MS


# One connection.


@asynccontextmanager
async def connected(serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], object]) -> AsyncIterator[Channel]:
    """A channel to a server that does as told."""
    server = await asyncio.start_server(serve, "127.0.0.1", 0)  # type: ignore[arg-type] # a coroutine or a plain function
    async with server:
        sockets = Sockets(time.perf_counter_ns)
        channel = await sockets.connect_tcp("127.0.0.1", server.sockets[0].getsockname()[1], timeout=WAIT_S)
        try:
            yield channel
        finally:
            await channel.aclose()
            sockets.close()


async def test_head_and_body_leave_together() -> None:
    """Claim: what is written in pieces leaves when the answer is read, in one piece, and is told once."""
    told: list[int] = []
    first: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first.set_result(await reader.read(READ_SIZE))
        writer.write(b"answer")
        writer.close()

    async with connected(serve) as channel:
        channel.on_sent = told.append
        await channel.write(b"head ")
        await channel.write(b"")
        await channel.write(b"body")
        assert not told
        assert await channel.read(READ_SIZE) == b"answer"
        assert await first == b"head body"
        assert await channel.read(READ_SIZE) == b""
        assert await channel.read(READ_SIZE) == b"", "the end stays the end"
    assert len(told) == 1


async def test_a_read_takes_no_more_than_asked() -> None:
    """Claim: a small read leaves the rest for the next one."""

    def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"abcdef")
        writer.close()

    async with connected(serve) as channel:
        assert [await channel.read(4), await channel.read(4), await channel.read(4)] == [b"abcd", b"ef", b""]


async def test_a_client_that_does_not_read_is_felt_by_the_server() -> None:
    """Claim: no more than a few reads are kept ahead, and what waits is whole and in order when it is read at last."""
    size = 64 * AHEAD * READ_SIZE
    data = bytes(range(251)) * (size // 251)

    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await writer.drain()
        writer.close()

    async with connected(serve) as channel:
        await asyncio.wait_for(_until(lambda: not channel.wire._reading), WAIT_S)
        assert len(channel.wire._came) == AHEAD
        got = bytearray()
        while part := await channel.read(READ_SIZE):
            got += part
        assert got == data


async def test_a_request_larger_than_the_systems_buffers() -> None:
    """Claim: it is sent whole."""
    data = b"x" * 8_000_000

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        got = await reader.readexactly(len(data))
        writer.write(b"%d" % len(got))
        writer.close()

    async with connected(serve) as channel:
        await channel.write(data)
        assert await channel.read(READ_SIZE) == b"8000000"


async def test_a_reset_is_told_in_the_systems_words() -> None:
    """Claim: a connection that is reset fails the read with the reason, after all bytes before it."""

    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        writer.transport.abort()

    async with connected(serve) as channel:
        for _ in range(2):
            with pytest.raises(httpcore.ReadError, match="reset"):
                await channel.read(READ_SIZE)
        await channel.write(b"to nobody")
        with pytest.raises(httpcore.ReadError, match="reset"):
            await channel.read(READ_SIZE)


async def test_a_read_has_its_limit() -> None:
    """Claim: a read with a limit ends with it, and a closed connection is not read."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async with connected(serve) as channel:
        with pytest.raises(httpcore.ReadTimeout):
            await channel.read(READ_SIZE, timeout=0.01)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(channel.read(READ_SIZE), 0.01)
        waiting = asyncio.create_task(channel.read(READ_SIZE))
        await asyncio.sleep(0)
        await channel.aclose()
        with pytest.raises(httpcore.ReadError):
            await waiting
        with pytest.raises(anyio.ClosedResourceError):
            await channel.wire.send(b"x")


async def _until(test: Callable[[], bool]) -> None:
    while not test():  # noqa: ASYNC110 - it looks at a state that no event tells
        await asyncio.sleep(0.001)


async def test_nobody_listens() -> None:
    """Claim: a refused connection and a name that is none fail as connections."""
    sockets = Sockets(time.perf_counter_ns)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        for host in ("127.0.0.1", "localhost"):
            with pytest.raises(httpcore.ConnectError):
                await sockets.connect_tcp(host, free.getsockname()[1], timeout=WAIT_S)
    with pytest.raises(httpcore.ConnectError):
        await sockets.connect_tcp("gateway.invalid", 80, timeout=WAIT_S)
    sockets.close()


async def test_every_connection_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: straight connections and those through proxies are made by `Sockets`; an httpx that hides its pools is noticed."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    clients = Clients()
    for url in ("http://127.0.0.1:1", "http://gateway.invalid", "https://gateway.invalid"):
        transport = clients.for_url(url)._transport_for_url(httpx.URL(url))
        assert isinstance(transport, httpx.AsyncHTTPTransport)
        assert isinstance(transport._pool._network_backend, Sockets)
    await clients.close()


# TLS and proxies.


def test_a_stream_over_tls(secure: Server, network: Network) -> None:
    """Claim: TLS reads as plain HTTP does, with times for connecting, sending and arriving."""
    record = pane_record(stream(network, a_target(root=secure.url("whole", whole))), 1)
    assert (record["outcome"], record["text"]) == ("completed", "Hello")
    timing = record["timing"]
    assert timing["connect_ms"] > 0
    assert 0 <= timing["ttfh_ms"] <= timing["ttft_ms"]


def test_a_tls_stream_that_is_cut(secure: Server, network: Network) -> None:
    """Claim: a connection that breaks inside the answer is a cut, and keeps what came."""

    async def script(talk: Talk) -> None:
        await talk.head()
        await talk.send(HELLO)
        talk.reset()

    record = pane_record(stream(network, a_target(root=secure.url("cut", script))), 1)
    assert (record["outcome"], record["text"]) == ("truncated", "Hello")


def test_a_tls_record_that_is_broken(secure: Server, network: Network) -> None:
    """Claim: what cannot be decrypted cuts the answer, and keeps what came; it is no connection that was never made."""

    async def script(talk: Talk) -> None:
        await talk.head()
        await talk.send(HELLO)
        os.write(talk._writer.get_extra_info("socket").fileno(), b"\x17\x03\x03\x00\x20" + bytes(32))
        await talk.until_left()

    record = pane_record(stream(network, a_target(root=secure.url("broken", script))), 1)
    assert (record["outcome"], record["text"]) == ("truncated", "Hello")


def test_a_certificate_that_is_not_trusted(secure: Server, monkeypatch: pytest.MonkeyPatch, network: Network) -> None:
    """Claim: the pane fails as a connection, with the library's words on the certificate, and nothing was sent."""
    monkeypatch.delenv("SSL_CERT_FILE")
    error = pane_record(stream(network, a_target(root=secure.url("whole", whole))), 1)["error"]
    assert error["kind"] == "connection"
    assert "CERTIFICATE_VERIFY_FAILED" in error["message"]
    assert secure.asked == []


def test_a_server_that_speaks_no_tls(network: Network) -> None:
    """Claim: https to a plain server fails as a connection."""
    with socket.create_server(("127.0.0.1", 0)) as plain:
        recorder, target = Recorder(), a_target(root=f"https://127.0.0.1:{plain.getsockname()[1]}")
        network.open(Request(target, Prompt("Hi")), recorder)
        link, _ = plain.accept()
        with link:
            link.recv(READ_SIZE)
            link.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            error = pane_record(recorder.state(target), 1)["error"]
    assert error["kind"] == "connection"


def test_a_handshake_that_never_ends() -> None:
    """Claim: the connect limit holds for TLS as well."""
    with socket.create_server(("127.0.0.1", 0)) as mute:
        network = a_network(connect_s=0.2)
        error = pane_record(stream(network, a_target(root=f"https://127.0.0.1:{mute.getsockname()[1]}")), 1)["error"]
        network.close()
    assert error["kind"] == "connection"
    assert "connect limit" in error["message"]


def test_tls_through_a_proxy(secure: Server, server: Server, network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: a tunnel through an HTTP proxy carries TLS, and time zero is the request inside it."""
    server.scripts["CONNECT"] = lambda talk: talk.tunnel(secure.port)
    monkeypatch.setenv("HTTPS_PROXY", server.url("x").rsplit("/", 1)[0])
    recorder, target = Recorder(), a_target(root=secure.url("whole", whole))
    network.open(Request(target, Prompt("Hi")), recorder)
    record = pane_record(recorder.state(target), 1)
    assert (record["outcome"], record["text"]) == ("completed", "Hello")
    assert server.asked[0].line.startswith("CONNECT 127.0.0.1:")
    sent = [stamped.t_ns for stamped in recorder.events if isinstance(stamped.event, HeadersSent)]
    assert record["timing"]["ttfh_ms"] == pytest.approx((recorder.until(HeadersReceived).t_ns - sent[-1]) / MS, abs=0.001)
