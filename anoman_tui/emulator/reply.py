"""The response: writes a generation to the socket and watches for the client's leaving at the same time."""

import asyncio
import json

from starlette.types import Receive, Scope, Send

from anoman_tui.emulator import errors
from anoman_tui.emulator.answer import Piece
from anoman_tui.emulator.ask import Ask
from anoman_tui.emulator.errors import GatewayError
from anoman_tui.emulator.faults import Tamper
from anoman_tui.emulator.generation import Done, Failed, Generation, Opened, Refused
from anoman_tui.emulator.ledger import Entry
from anoman_tui.emulator.models import MODELS
from anoman_tui.emulator.policy import Policy

_SSE_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),
]
_JSON_HEADERS = [(b"content-type", b"application/json")]


class Reply:
    """An ASGI response over one generation.

    When the client closes, the time is noted and the policy decides whether the generation goes on; the writing ends in any case.
    """

    def __init__(self, ask: Ask, entry: Entry, policy: Policy, generation: Generation) -> None:
        self._ask, self._entry, self._policy, self._generation = ask, entry, policy, generation

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - the ASGI interface
        """Answer; returns without ending the body where the connection is to be cut."""
        write = self._write_stream if self._ask.stream else self._write_json
        writer = asyncio.create_task(write(send))
        leaving = asyncio.create_task(_disconnected(receive))
        try:
            await asyncio.wait({writer, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not writer.done():
                self._entry.closed_seen_ms = self._entry.now_ms()
                self._policy.client_left(self._generation)
        except asyncio.CancelledError:
            # The server stops: whatever the policy, nothing goes on.
            self._generation.task.cancel()
            raise
        finally:
            writer.cancel()
            leaving.cancel()
            await asyncio.gather(writer, leaving, return_exceptions=True)
        if not writer.cancelled():
            writer.result()

    async def _write_stream(self, send: Send) -> None:
        event = await self._generation.events.get()
        if not isinstance(event, Opened):
            await self._send_error(send, event)
            return
        headers = _SSE_HEADERS if self._ask.sse else _JSON_HEADERS
        await self._start(send, 200, headers)
        encoder, tamper = self._policy.encoder(), Tamper(MODELS[self._ask.model].wire)
        await _send_all(send, tamper.send(encoder.start(event.input_tokens)))
        while isinstance(piece := await self._generation.events.get(), Piece):
            await _send_all(send, tamper.send(encoder.piece(piece)))
            self._entry.pieces_sent += 1
        if isinstance(piece, Done):
            ending = self._policy.done(encoder, piece.answer)
            last = tamper.last(ending.frames, lambda: self._policy.body(piece.answer))
        else:
            ending = self._policy.failed(self._generation, piece if isinstance(piece, Failed) else Failed("provider_error"))
            last = tamper.failed(ending.frames, self._ask.shape)
        await _send_all(send, last)
        if ending.clean:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _write_json(self, send: Send) -> None:
        while isinstance(event := await self._generation.events.get(), Opened | Piece):
            pass
        if not isinstance(event, Done):
            await self._send_error(send, event)
            return
        await self._send_body(send, 200, self._policy.body(event.answer), [])

    async def _send_error(self, send: Send, event: object) -> None:
        if isinstance(event, Refused):
            error = GatewayError(event.error.status, event.error.code, str(event.error), retry_after_s=event.error.retry_after_s)
        elif isinstance(event, Failed) and event.reason == "timeout":
            error = GatewayError(504, "timeout", "The provider took too long.")
        else:
            error = GatewayError(502, "upstream_error", "The provider failed.")
        extra = [(name.encode(), value.encode()) for name, value in errors.headers(self._ask.shape, error).items()]
        await self._send_body(send, error.status, errors.envelope(self._ask.shape, error, self._entry.request_id), extra)

    async def _send_body(self, send: Send, status: int, value: object, headers: list[tuple[bytes, bytes]]) -> None:
        body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        await self._start(send, status, [*_JSON_HEADERS, (b"content-length", str(len(body)).encode()), *headers])
        await send({"type": "http.response.body", "body": body, "more_body": False})

    async def _start(self, send: Send, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        await send({"type": "http.response.start", "status": status, "headers": headers})
        self._entry.headers_ms = self._entry.now_ms()


async def _send_all(send: Send, frames: list[bytes]) -> None:
    # Each frame is a write of its own, so that it leaves at once.
    for body in frames:
        await send({"type": "http.response.body", "body": body, "more_body": True})


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
