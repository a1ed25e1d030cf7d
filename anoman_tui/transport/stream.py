"""One stream: from the prompt to the end of the body, as stamped events."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import cast

import httpx

from anoman_tui.core.events import (
    BodyRead,
    CancelRequested,
    Closed,
    Connected,
    ConnectStarted,
    Ending,
    ErrorInfo,
    ErrorReported,
    FailureKind,
    HeadersReceived,
    HeadersSent,
    Requested,
    Stamped,
    StreamEvent,
)
from anoman_tui.core.headers import joined, safe
from anoman_tui.core.ports import Sink
from anoman_tui.core.request import HttpRequest, Request
from anoman_tui.core.response import MAX_ERROR_BODY, http_error_events, unreadable_encoding
from anoman_tui.core.target import Auth
from anoman_tui.transport.body import BodyReader
from anoman_tui.transport.clients import Clients
from anoman_tui.transport.failures import SetupError, explain
from anoman_tui.transport.lateness import STOPPED_MS
from anoman_tui.transport.limits import Limits, Watch
from anoman_tui.transport.mask import Mask
from anoman_tui.transport.sockets import Channel, Wire
from anoman_tui.transport.tap import TooLargeError

ERROR_BODY_S = 5.0


class Stream:
    """One request and its response. Lives on the network thread; `cancel` is called there."""

    def __init__(self, request: Request, sink: Sink, limits: Limits, clock: Callable[[], int], lag_since: Callable[[int], float]) -> None:
        self._request = request
        self._sink = sink
        total = request.target.provider.total_limit_s
        self._limits = limits if limits.total_s is not None or total is None else replace(limits, total_s=total)
        self._clock = clock
        self._lag_since = lag_since
        self._started_ns = clock()
        self._ending: tuple[Ending, str] | None = None
        self._reader: BodyReader | None = None
        self._watch: Watch | None = None
        self._begun = False
        self._closed = False
        self._channel: Channel | None = None
        self._mask = Mask(None)
        self.task: asyncio.Task[None] | None = None

    def cancel(self, asked_ns: int) -> None:
        """The user asked to stop: say so, then close the connection."""
        if not self._closed and self._ending is None:
            self._emit(CancelRequested(), asked_ns)
            self._end(Ending.CANCELLED, "")

    async def run(self, prepare: Callable[[Request], Awaitable[HttpRequest]], clients: Clients) -> None:
        """Carry the stream to its end. Never raises; the last event is Closed."""
        ending, detail = Ending.REFUSED, ""
        url, key = self._request.target.url, None
        self._begun = True
        try:
            if self._ending is not None:
                raise asyncio.CancelledError
            http = await prepare(self._request)
            url, key = http.url, http.key
            self._mask = Mask(key)
            self._emit(Requested(http.url, self._request.params.max_tokens, self._request.stream))
            self._sink.on_request(self._clock(), http)
            ending, detail = await self._exchange(clients.for_url(http.url), http)
        except asyncio.CancelledError:
            ending, detail = self._ending or (Ending.CANCELLED, "")
        except TooLargeError as error:
            ending, detail = Ending.SIZE, str(error)
        except Exception as error:
            ending, detail, info = explain(error, url, key, headers_came=self._reader is not None)
            if self._reader is not None and info is None:
                self._reader.close_open_block()
            if info is not None:
                self._emit(ErrorReported(info))
        finally:
            if self._watch is not None:
                self._watch.stop()
            self._finish(ending, detail)

    def _finish(self, ending: Ending, detail: str) -> None:
        if self._reader is not None and ending is Ending.IDLE:
            self._reader.close_open_block()
        self._closed = True
        now = self._clock()
        self._emit(Closed(ending, detail, self._doubt_ms()), now)

    def _doubt_ms(self) -> float:
        """How late this stream's times may be: as late as the loop ran, or less where the system told them and nothing stood still."""
        late = self._lag_since(self._started_ns)
        if self._channel is None or not self._channel.wire.told or late >= STOPPED_MS:
            return late
        return min(late, round(self._channel.wire.unsure_ns / 1e6, 3))

    async def _exchange(self, client: httpx.AsyncClient, http: HttpRequest) -> tuple[Ending, str]:
        self._watch = Watch(self._limits, self._end)
        timeout = httpx.Timeout(None, connect=self._limits.connect_s)
        build = client.build_request(
            http.method, http.url, json=http.body, headers=with_key(http), timeout=timeout, extensions={"trace": self._trace}
        )
        response = await client.send(build, stream=True)
        try:
            await self._receive(response)
        finally:
            await response.aclose()
        return Ending.CLEAN, ""

    async def _trace(self, name: str, info: Mapping[str, object]) -> None:
        """Facts of the connection, from httpx's trace events."""
        if name.endswith("connect_tcp.started"):
            self._emit(ConnectStarted())
        elif name.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._emit(Connected())
            self._channel = cast(Channel, info["return_value"])
        elif name.endswith("send_request_headers.started") and self._channel is not None:
            self._channel.on_sent = self._sent

    def _sent(self, t_ns: int) -> None:
        """The request leaves."""
        self._emit(HeadersSent(), t_ns)

    async def _receive(self, response: httpx.Response) -> None:
        headers = self._mask.headers(safe((name.lower(), value) for name, value in response.headers.multi_items()))
        channel: Channel = response.extensions["network_stream"]
        self._emit(HeadersReceived(response.status_code, headers), channel.wire.read_ns)
        if self._watch is not None:
            self._watch.progress()
        if not response.is_success:
            await self._receive_error(response, headers)
            return
        if packed := unreadable_encoding(headers):
            self._emit(ErrorReported(ErrorInfo(FailureKind.UNREADABLE, packed)))
            return
        content_type = joined(headers, "content-type")
        shape = self._request.target.shape
        limit, mask = self._limits.max_body, self._mask.text
        self._reader = reader = BodyReader(shape, self._forward, content_type=content_type, max_body=limit, mask=mask)
        async with aclosing(self._reads(response)) as reads:
            await reader.run(reads)

    async def _reads(self, response: httpx.Response) -> AsyncGenerator[tuple[int, bytes], None]:
        """The reads of the body, each with the time at which it came in."""
        on_read, mask, channel = self._sink.on_read, self._mask.data, response.extensions["network_stream"]
        wire: Wire = channel.wire
        packed = response.headers.get("content-encoding", "").strip().lower() not in ("", "identity")
        source = response.aiter_bytes() if packed else cast(httpx.AsyncByteStream, response.stream)
        async for read in source:
            t_ns = wire.read_ns
            data = mask(read)
            on_read(t_ns, data)
            yield t_ns, data

    def _forward(self, batch: Sequence[Stamped]) -> None:
        """Hand one read's events to the sink, and tell the watch what they mean for the limits."""
        reader, watch = self._reader, self._watch
        self._sink.on_events(batch)
        if reader is None or watch is None:
            return
        if reader.moved:
            reader.moved = False
            watch.progress()
        if reader.ended:
            watch.ended()

    async def _receive_error(self, response: httpx.Response, headers: tuple[tuple[str, str], ...]) -> None:
        """An error status decides, whatever the body does; the body only explains."""
        body = b""
        try:
            async with asyncio.timeout(ERROR_BODY_S):
                async for t_ns, data in self._reads(response):
                    self._emit(BodyRead(len(data)), t_ns)
                    body += data
                    if len(body) >= MAX_ERROR_BODY:
                        break
        except (httpx.HTTPError, httpx.StreamError, TimeoutError):
            pass
        for event in http_error_events(response.status_code, headers, self._mask.data(body)):
            self._emit(event)

    def _emit(self, event: StreamEvent, t_ns: int | None = None) -> None:
        self._sink.on_events((Stamped(self._clock() if t_ns is None else t_ns, event),))

    def _end(self, ending: Ending, detail: str) -> None:
        """End the stream from our side: note why, then cancel the task, which closes the socket."""
        if self._ending is None:
            self._ending = (ending, detail)
            if self.task is not None and self._begun:  # a task that is cancelled before its first step would never say Closed
                self.task.cancel()


def with_key(http: HttpRequest) -> dict[str, str]:
    """The request headers with the key in its place. Raises SetupError for one that no header can hold, before a library quotes it."""
    headers = dict(http.headers)
    if http.key is not None and http.auth is not None:
        secret = http.key.reveal()
        if not all("!" <= letter <= "~" for letter in secret):
            raise SetupError(
                "the key holds a blank, a line end, or a letter outside ASCII such as a smart quote; paste it again as one word"
            )
        match http.auth:
            case Auth.BEARER:
                headers["authorization"] = f"Bearer {secret}"
            case Auth.X_API_KEY | Auth.X_GOOG_API_KEY:
                headers[http.auth.value] = secret
    return headers
