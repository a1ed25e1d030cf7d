"""The network below httpx: what is written leaves in one piece, and every read knows when its bytes came in.

httpcore lets its network be replaced (AsyncNetworkBackend). A socket is read here as soon as the event loop finds it
readable, whoever waits for it; TLS is anyio's, on top of the same socket.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Final, cast

import anyio
import httpcore
from anyio.abc import ByteStream
from anyio.streams.tls import TLSAttribute, TLSStream

from anoman_tui.transport.arrival import CONTROL_SIZE, Arrivals, keep_arrivals, request_arrivals

READ_SIZE: Final = 65_536
AHEAD: Final = 16
"""Reads that are kept while nobody takes them; then the socket is left alone, and the server feels it."""
EYEBALLS_S: Final = 0.25
"""How long an address may keep another of the same name waiting (RFC 8305)."""
BROKEN: Final = (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError)
"""What a connection that broke raises; ssl.SSLError is an OSError."""


class Wire(ByteStream):
    """One TCP connection of the running loop. Only one task may read it."""

    def __init__(self, connection: socket.socket, clock: Callable[[], int]) -> None:
        self._socket = connection
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._ask = CONTROL_SIZE if request_arrivals(connection) else 0
        self._arrivals = Arrivals(clock)
        self._came: deque[tuple[int, bytes]] = deque()
        self._ended: OSError | None = None
        self._reading = False
        self._closed = False
        self._waiter: asyncio.Future[None] | None = None
        self.read_ns = self.sent_ns = clock()
        """When the bytes of the last read came in, and when the last sending began."""
        self._listen()

    @property
    def told(self) -> bool:
        """Whether the system told when all bytes came in, so that a loop that is late bends no time."""
        return self._arrivals.told

    @property
    def unsure_ns(self) -> int:
        """How much too late a time may be all the same, since several segments were read at once."""
        return self._arrivals.unsure_ns

    async def receive(self, max_bytes: int = READ_SIZE) -> bytes:
        """The next bytes. Raises EndOfStream and BrokenResourceError, the latter with the system's words."""
        while not self._came:
            if self._closed:
                raise anyio.ClosedResourceError
            if self._ended is not None:
                raise anyio.BrokenResourceError(str(self._ended)) from self._ended
            self._waiter = self._loop.create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        self.read_ns, data = self._came[0]
        if not data:  # the end stays the end
            raise anyio.EndOfStream
        self._came.popleft()
        if len(data) > max_bytes:
            self._came.appendleft((self.read_ns, data[max_bytes:]))
            data = data[:max_bytes]
        if not self._reading and len(self._came) < AHEAD:
            self._listen()
        return data

    async def send(self, item: bytes) -> None:
        """Send it all. Raises BrokenResourceError."""
        if self._closed:
            raise anyio.ClosedResourceError
        self.sent_ns = self._clock()
        try:
            await self._loop.sock_sendall(self._socket, item)
        except OSError as error:
            raise anyio.BrokenResourceError(str(error)) from error

    async def send_eof(self) -> None:
        """Say that no more will be sent."""
        self._socket.shutdown(socket.SHUT_WR)

    async def aclose(self) -> None:
        """Close the socket at once."""
        if self._closed:
            return
        self._closed = True
        self._pause()
        self._socket.close()
        self._wake()

    @property
    def extra_attributes(self) -> Mapping[Any, Callable[[], Any]]:
        """None of its own."""
        return {}

    def _listen(self) -> None:
        if not self._closed and self._ended is None and not (self._came and not self._came[-1][1]):
            self._loop.add_reader(self._socket, self._readable)
            self._reading = True

    def _pause(self) -> None:
        if self._reading:
            self._loop.remove_reader(self._socket)
            self._reading = False

    def _readable(self) -> None:
        """Take what the loop found."""
        try:
            if self._ask:
                data, control, _, _ = self._socket.recvmsg(READ_SIZE, self._ask)
            else:
                data, control = self._socket.recv(READ_SIZE), []
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self._ended = error
            self._pause()
        else:
            self._came.append((self._arrivals.of(control) if data else self._arrivals.end(), data))
            if not data or len(self._came) >= AHEAD:
                self._pause()
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class Channel(httpcore.AsyncNetworkStream):
    """What httpcore reads and writes: a wire, or TLS over one. What is written waits until the answer is wanted.

    httpcore writes a request's head and its body one after the other; put together they leave in one segment, and the
    time at which it left is one time.
    """

    def __init__(self, wire: Wire, stream: ByteStream) -> None:
        self.wire = wire
        self._stream = stream
        self._unsent: list[bytes] = []
        self.on_sent: Callable[[int], None] | None = None
        """Told once when the next request leaves: the time at which its sending began."""

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 - httpcore's signature
        """The next bytes; none at the end. Raises httpcore's ReadError and ReadTimeout."""
        if self._unsent:
            await self._flush()
        try:
            if timeout is None:
                return await self._stream.receive(max_bytes)
            async with asyncio.timeout(timeout):
                return await self._stream.receive(max_bytes)
        except anyio.EndOfStream:
            return b""
        except TimeoutError as error:
            raise httpcore.ReadTimeout(str(error)) from error
        except BROKEN as error:
            raise httpcore.ReadError(str(error)) from error

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002, ASYNC109 - httpcore's signature
        """Keep bytes until `read` is called."""
        if buffer:
            self._unsent.append(buffer)

    async def aclose(self) -> None:
        """Close the connection at once."""
        await self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's signature
    ) -> "Channel":
        """The same connection, encrypted from here on. Raises httpcore's ConnectError and ConnectTimeout."""
        try:
            with _connecting():
                async with asyncio.timeout(timeout):
                    stream = await TLSStream.wrap(
                        self._stream, ssl_context=ssl_context, hostname=server_hostname, standard_compatible=False, server_side=False
                    )
        except BaseException:
            await self.aclose()
            raise
        return Channel(self.wire, stream)

    def get_extra_info(self, info: str) -> Any:
        """What httpcore asks for: the TLS object, for the protocol that was agreed on."""
        return self._stream.extra(TLSAttribute.ssl_object, None) if info == "ssl_object" else None  # noqa: S610 - no Django here

    async def _flush(self) -> None:
        """Send what waits. A server may answer and close before it has read all, so that a failure is not raised: the read tells."""
        data, self._unsent = b"".join(self._unsent), []
        with suppress(*BROKEN):
            await self._stream.send(data)
        tell, self.on_sent = self.on_sent, None
        if tell is not None:
            tell(self.wire.sent_ns)


class Sockets(httpcore.AsyncNetworkBackend):
    """Connections of the loop that runs. Times are those of the clock given. Close it once."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._keeper = keep_arrivals()

    def close(self) -> None:
        """Let the system stop to note when bytes come in; connections are closed by those who use them."""
        self._keeper.close()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's signature
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> Channel:
        """Connect to the address of a name that answers first. Raises httpcore's ConnectError and ConnectTimeout."""
        with _connecting():
            async with asyncio.timeout(timeout):
                connection = await _connect(host, port, local_address)
        for option in socket_options or ():
            with suppress(OSError):
                connection.setsockopt(*option)
        wire = Wire(connection, self._clock)
        return Channel(wire, wire)

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


async def _connect(host: str, port: int, local_address: str | None) -> socket.socket:
    """A connected socket that does not block. asyncio tries the addresses; its transport is left for a second handle on the socket."""
    local = None if local_address is None else (local_address, 0)
    loop = asyncio.get_running_loop()
    delay = None if _is_address(host) else EYEBALLS_S
    transport, _ = await loop.create_connection(_Paused, host, port, happy_eyeballs_delay=delay, local_addr=local)
    try:
        connection: socket.socket = transport.get_extra_info("socket").dup()
        return connection
    finally:
        transport.abort()


def _is_address(host: str) -> bool:
    """Whether a host is an address, so that there is no other one to try."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


class _Paused(asyncio.Protocol):
    """Takes nothing from its transport."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Leave every byte to whoever takes the socket."""
        cast(asyncio.Transport, transport).pause_reading()


@contextmanager
def _connecting() -> Iterator[None]:
    """Failures before there is a connection, as httpcore names them."""
    try:
        yield
    except TimeoutError as error:
        raise httpcore.ConnectTimeout(str(error)) from error
    except (OSError, anyio.BrokenResourceError, anyio.EndOfStream) as error:  # ssl.SSLError is an OSError
        raise httpcore.ConnectError(str(error)) from error
