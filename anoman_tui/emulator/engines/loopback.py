"""A very small HTTP/1.1 client for one purpose: POST JSON to a loopback server and read its events as they come.

It knows chunked bodies, bodies with a length and bodies that end with the connection; nothing else is needed there.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any


class LoopbackError(Exception):
    """The connection failed or the answer made no sense."""


class LoopbackReply:
    """An answer whose head has been read. `close` drops the connection, which stops the server's work."""

    def __init__(self, status: int, headers: dict[str, str], reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.status = status
        self._headers, self._reader, self._writer = headers, reader, writer

    async def json(self) -> Any:
        """The whole body as JSON. Raises `LoopbackError`."""
        try:
            return json.loads(b"".join([chunk async for chunk in self._chunks()]))
        except ValueError as error:
            raise LoopbackError(f"unreadable body: {error}") from error

    async def events(self) -> AsyncIterator[str]:
        """The payload of each `data:` line. Raises `LoopbackError` where the body is cut."""
        rest = b""
        async for chunk in self._chunks():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                if line.startswith(b"data:"):
                    yield line[5:].strip().decode("utf-8", "replace")

    def close(self) -> None:
        """Drop the connection at once."""
        self._writer.transport.abort()

    async def _chunks(self) -> AsyncIterator[bytes]:
        try:
            if "chunked" in self._headers.get("transfer-encoding", ""):
                while size := int((await self._reader.readline()).split(b";")[0], 16):
                    yield (await self._reader.readexactly(size + 2))[:-2]
            elif "content-length" in self._headers:
                yield await self._reader.readexactly(int(self._headers["content-length"]))
            else:
                while data := await self._reader.read(65536):
                    yield data
        except (OSError, ValueError, asyncio.IncompleteReadError) as error:
            raise LoopbackError(f"the body was cut: {error!r}") from error


async def post(port: int, path: str, body: Any, api_key: str) -> LoopbackReply:
    """POST JSON to 127.0.0.1 and read the answer's head. Raises `LoopbackError`."""
    payload = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {api_key}\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(payload)}\r\n\r\n"
    )
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError as error:
        raise LoopbackError(f"no connection: {error}") from error
    try:
        writer.write(head.encode() + payload)
        status, headers = await _read_head(reader)
    except BaseException as error:
        writer.transport.abort()
        if isinstance(error, OSError | ValueError | IndexError | asyncio.IncompleteReadError):
            raise LoopbackError(f"unreadable answer: {error!r}") from error
        raise
    return LoopbackReply(status, headers, reader, writer)


async def _read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    fields = (line.partition(":") for line in lines[1:] if line)
    return int(lines[0].split()[1]), {name.strip().lower(): value.strip().lower() for name, _, value in fields}
