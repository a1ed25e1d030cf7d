"""The network thread: one event loop that carries all streams, apart from whatever the screen does.

Each read is stamped with the time at which its bytes came in. A stream has a connection of its own: keep-alive reuse
loses requests on servers that close after a stream, and a shared connection would couple the panes' times.
"""

import asyncio
import contextlib
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from anoman_tui.core.ports import Handle, Sink
from anoman_tui.core.request import HttpRequest, Request
from anoman_tui.core.target import Target
from anoman_tui.transport.clients import Clients
from anoman_tui.transport.failures import SetupError
from anoman_tui.transport.lateness import HEARTBEAT_S, Lateness
from anoman_tui.transport.limits import Limits
from anoman_tui.transport.stream import Stream

Prepare = Callable[[Request], Awaitable[HttpRequest]]
"""Makes the HTTP request of a prompt, key and all; raises SetupError with one sentence where it cannot."""


class Network:
    """Carries streams on a thread of its own. Start streams from any thread; close it once."""

    def __init__(self, prepare: Prepare, limits: Limits, *, clock: Callable[[], int] = time.perf_counter_ns) -> None:
        self._prepare = prepare
        self._limits = limits
        self._clock = clock
        self._clients = Clients(clock)
        self._streams: set[Stream] = set()
        self._lateness = Lateness()
        self._beating = False
        self._closed = False
        self._loop = asyncio.SelectorEventLoop()  # Windows' other loop cannot watch sockets
        self._thread = threading.Thread(target=self._main, name="network", daemon=True)
        self._thread.start()

    def open(self, request: Request, sink: Sink) -> Handle:
        """Start one stream; the sink hears of it on the network thread. This is the OpenStream of the front ends."""
        stream = Stream(request, sink, self._limits, self._clock, self._lag_since)
        self._loop.call_soon_threadsafe(self._start, stream)
        return _StreamHandle(stream, self._loop, self._clock)

    def warm(self, urls: Iterable[str]) -> None:
        """Load what connections need and make the clients for these URLs: a tenth of a second that no stream's times need bear."""
        asyncio.run_coroutine_threadsafe(self._warm(list(urls)), self._loop).result(timeout=self._limits.connect_s)

    async def _warm(self, urls: Sequence[str]) -> None:
        from httpx import InvalidURL

        for url in urls:
            with contextlib.suppress(SetupError, InvalidURL):  # told when something is sent there
                self._clients.for_url(url)
        from anyio.lowlevel import checkpoint  # what httpx waits with; it loads its part for asyncio when it is first used

        await checkpoint()

    def fetch_json(self, target: Target, path: str, prepare: Prepare | None = None) -> tuple[int, dict[str, Any]]:
        """Get one JSON object of the target's server. Raises OSError with one sentence when that fails."""
        coroutine = self._fetch(target, path, prepare or self._prepare)
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(timeout=self._limits.connect_s + 30)

    def close(self, timeout_s: float = 2.0) -> None:
        """Cancel all streams, close their sockets and end the thread."""
        if self._closed:
            return
        self._closed = True
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(lambda: self._loop.create_task(self._shut()))
        self._thread.join(timeout_s)

    def _main(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
            self._loop.run_until_complete(self._settle())
        finally:
            self._loop.close()

    def _start(self, stream: Stream) -> None:
        self._streams.add(stream)
        task = self._loop.create_task(stream.run(self._prepare, self._clients))
        stream.task = task
        task.add_done_callback(lambda _: self._streams.discard(stream))
        if not self._beating:
            self._beating = True
            self._next_beat()

    def _next_beat(self) -> None:
        self._lateness.due_ns = self._clock() + round(HEARTBEAT_S * 1e9)
        self._loop.call_later(HEARTBEAT_S, self._beat)

    def _beat(self) -> None:
        """Measure how late the loop runs, while any stream is open."""
        self._lateness.beat(self._clock())
        self._beating = bool(self._streams)
        if self._beating:
            self._next_beat()
        else:
            self._lateness.due_ns = None

    def _lag_since(self, start_ns: int) -> float:
        """How late the loop ran since a moment, in milliseconds."""
        return self._lateness.since(start_ns, self._clock())

    async def _fetch(self, target: Target, path: str, prepare: Prepare) -> tuple[int, dict[str, Any]]:
        from anoman_tui.transport.fetch import fetch_json

        return await fetch_json(self._clients, prepare, target, path, self._limits)

    async def _settle(self) -> None:
        """Close bodies that were left in the middle, and let tasks that do so end; the collector would find the loop gone."""
        await self._loop.shutdown_asyncgens()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        if others:
            await asyncio.wait(others, timeout=1)

    async def _shut(self) -> None:
        for stream in list(self._streams):
            stream.cancel(self._clock())
        tasks = [stream.task for stream in self._streams if stream.task is not None]
        if tasks:
            await asyncio.wait(tasks, timeout=1)
        await self._clients.close()
        self._loop.stop()


class _StreamHandle:
    """A stream as the front ends hold it."""

    def __init__(self, stream: Stream, loop: asyncio.AbstractEventLoop, clock: Callable[[], int]) -> None:
        self._stream = stream
        self._loop = loop
        self._clock = clock

    def cancel(self) -> None:
        """Close the connection at once; safe from any thread and more than once."""
        asked = self._clock()
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._stream.cancel, asked)
