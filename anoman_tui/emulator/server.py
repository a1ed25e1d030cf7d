"""uvicorn, made quiet and quick to leave."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import Iterator

import uvicorn

from anoman_tui.emulator.app import make_app
from anoman_tui.emulator.hub import Hub
from anoman_tui.emulator.options import GatewayOptions

HOST = "127.0.0.1"


class GatewayServer(uvicorn.Server):
    """A server on a socket of ours that stops at once when told to, open streams or not, and logs nothing."""

    def __init__(self, options: GatewayOptions) -> None:
        self.hub = Hub(options)
        for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
            # Above every level: a cut stream is on purpose here, and an error line would tear the terminal.
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        super().__init__(
            uvicorn.Config(
                make_app(self.hub),
                http="h11",
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_keep_alive=30,
            )
        )
        self.socket = listen(options.port)
        self._stop = asyncio.Event()

    @property
    def url(self) -> str:
        """The root URL, for instance `http://127.0.0.1:8123`."""
        return f"http://{HOST}:{self.socket.getsockname()[1]}"

    async def run_until_stopped(self) -> None:
        """Serve until `request_stop`; then cancel what runs and leave."""
        try:
            await self.serve(sockets=[self.socket])
        finally:
            self.socket.close()

    def request_stop(self) -> None:
        """Stop as soon as the loop turns; call it on the loop's thread."""
        self.should_exit = True
        self._stop.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the caller."""
        yield

    async def main_loop(self) -> None:
        """Tick once a second (uvicorn's `Date` header) until stopped."""
        counter = 0
        while not await self.on_tick(counter):
            counter += 10
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stop.wait(), 1.0)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:  # noqa: ARG002 - uvicorn's interface
        """Cancel open streams first, then close the connections; uvicorn's own way would wait for the clients."""
        for server in self.servers:
            server.close()
        tasks = list(self.server_state.tasks)
        for task in tasks:
            task.cancel()
        await self.hub.close()
        await asyncio.gather(*tasks, return_exceptions=True)
        for connection in list(self.server_state.connections):
            connection.transport.close()
        # One turn of the loop, so that the transports really close.
        await asyncio.sleep(0)


def listen(port: int) -> socket.socket:
    """A listening socket on the loopback interface; raises `OSError` where the port is taken."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((HOST, port))
        sock.listen(128)
    except OSError:
        sock.close()
        raise
    sock.setblocking(False)
    return sock
