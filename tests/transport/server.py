"""A raw HTTP/1.1 server for tests: each path is a small script that says what goes over the wire, byte by byte if need be."""

import asyncio
import contextlib
import http
import socket
import ssl
import struct
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

WAIT_S = 10.0
"""No test waits longer than this for something that must happen."""


@dataclass
class Asked:
    """One request as the server saw it, and when its client left."""

    line: str
    headers: dict[str, str]
    body: bytes = b""
    left: threading.Event = field(default_factory=threading.Event)
    left_ns: int = 0


class Talk:
    """One connection, after its request was read: what a script writes to."""

    def __init__(self, asked: Asked, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.asked = asked
        self._reader = reader
        self._writer = writer
        self._chunked = False

    async def head(self, status: int = 200, content_type: str | None = "text/event-stream", **headers: str) -> None:
        """Send the response head. The body is chunked unless a content-length is given."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if content_type is not None:
            named = {"content-type": content_type, **named}
        await self.head_of(status, named)

    async def head_of(self, status: int, headers: Mapping[str, str]) -> None:
        """Send the response head with exactly these headers."""
        self._chunked = not any(name.lower() == "content-length" for name in headers)
        try:
            phrase = http.HTTPStatus(status).phrase
        except ValueError:
            phrase = "Status"
        lines = [f"HTTP/1.1 {status} {phrase}", *(f"{name}: {value}" for name, value in headers.items())]
        if self._chunked:
            lines.append("transfer-encoding: chunked")
        await self.raw("\r\n".join([*lines, "connection: close", "", ""]).encode("latin-1"))

    async def raw(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._writer.write(data)
        await self._writer.drain()

    async def send(self, data: bytes) -> None:
        """Send a piece of the body."""
        if data:
            await self.raw(b"%x\r\n%b\r\n" % (len(data), data) if self._chunked else data)

    async def end(self) -> None:
        """End the body properly."""
        if self._chunked:
            await self.raw(b"0\r\n\r\n")
        with contextlib.suppress(OSError):
            self._writer.write_eof()

    def reset(self) -> None:
        """Break the connection with a reset."""
        self._writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._writer.transport.abort()

    async def tunnel(self, port: int) -> None:
        """Answer a proxy's CONNECT, and carry bytes to and from a port of this machine until both sides have ended."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            await self.raw(b"HTTP/1.1 200 Connection established\r\n\r\n")
            await asyncio.gather(_carry(reader, self._writer), _carry(self._reader, writer))
        finally:
            writer.transport.abort()

    async def until_left(self) -> None:
        """Wait until the client has closed its side, and note when."""
        with contextlib.suppress(ConnectionError):
            await self._reader.read()
        self.asked.left_ns = time.perf_counter_ns()
        self.asked.left.set()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
        writer.write_eof()


Script = Callable[[Talk], Awaitable[None]]


class Gate:
    """Something a script waits for until the test opens it."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._event = asyncio.Event()

    def open(self) -> None:
        """Let the script go on; from any thread."""
        self._loop.call_soon_threadsafe(self._event.set)

    async def passed(self) -> None:
        """Wait in the script."""
        await asyncio.wait_for(self._event.wait(), WAIT_S)


class Server:
    """Serves scripts by the first part of the path, on a thread of its own."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self.scripts: dict[str, Script] = {}
        self.asked: list[Asked] = []
        self.connections = 0
        self._writers: list[asyncio.StreamWriter] = []
        self.loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._main, name="test-server", daemon=True)
        self._thread.start()
        assert self._ready.wait(WAIT_S)

    def url(self, name: str, script: Script | None = None) -> str:
        """The root under which a script is served."""
        if script is not None:
            self.scripts[name] = script
        return f"{'http' if self._tls is None else 'https'}://127.0.0.1:{self.port}/{name}"

    def gate(self) -> Gate:
        """A gate for a script of this server."""
        return Gate(self.loop)

    def close(self) -> None:
        """Stop, with all connections."""
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(WAIT_S)

    def _main(self) -> None:
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._tls))
        self.port: int = server.sockets[0].getsockname()[1]
        self._ready.set()
        self.loop.run_forever()
        server.close()
        for _ in range(4):  # connections that were only just accepted become transports, which can be closed
            self.loop.run_until_complete(asyncio.sleep(0))
        while tasks := asyncio.all_tasks(self.loop):
            for task in tasks:
                task.cancel()
            self.loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        for writer in self._writers:  # TLS would wait for the other side to say goodbye
            writer.transport.abort()
        for _ in range(4):  # closed transports say goodbye in turns of their own
            self.loop.run_until_complete(asyncio.sleep(0))
        self.loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._writers.append(writer)
        try:
            talk = await self._read(reader, writer)
            method, path, _ = talk.asked.line.split(" ")
            name = "CONNECT" if method == "CONNECT" else path.split("/")[1]
            await self.scripts[name](talk)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Talk:
        line, *fields = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").rstrip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (text.partition(":") for text in fields)}
        asked = Asked(line, headers)
        asked.body = await reader.readexactly(int(headers.get("content-length", "0")))
        self.asked.append(asked)
        return Talk(asked, reader, writer)
