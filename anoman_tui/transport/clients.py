"""HTTP clients, made when they are first needed."""

import time
from collections.abc import Callable

import httpx

from anoman_tui import __version__
from anoman_tui.transport.failures import explain_client
from anoman_tui.transport.loopback import is_loopback
from anoman_tui.transport.sockets import Sockets

USER_AGENT = f"anoman-tui/{__version__}"


class Clients:
    """One client for plain HTTP on the loopback interface, which no proxy may see, and one for everything else.

    HTTP/2 is off, since closing an HTTP/2 stream early does not reach the server; redirects are off, since a redirect
    would carry keys to another host; connections are never reused.
    """

    def __init__(self, clock: Callable[[], int] = time.perf_counter_ns) -> None:
        self._clients: dict[bool, httpx.AsyncClient] = {}
        self._clock = clock
        self._sockets: Sockets | None = None

    def for_url(self, url: str) -> httpx.AsyncClient:
        """The client for a URL. Raises SetupError when the environment does not allow one, and httpx.InvalidURL."""
        parsed = httpx.URL(url)
        plain = parsed.scheme == "http" and is_loopback(parsed.raw_host.decode("ascii"))  # `host` fails for what is no IDNA name
        if plain not in self._clients:
            try:
                client = _client(loopback=plain)
            except Exception as error:
                raise explain_client(error) from None
            if self._sockets is None:
                self._sockets = Sockets(self._clock)
            _connect_by(client, self._sockets)
            self._clients[plain] = client
        return self._clients[plain]

    async def close(self) -> None:
        """Close all connections."""
        for client in self._clients.values():
            await client.aclose()
        self._clients.clear()
        if self._sockets is not None:
            self._sockets.close()
            self._sockets = None


def _client(*, loopback: bool) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        http2=False,
        follow_redirects=False,
        trust_env=not loopback,
        verify=not loopback,  # only plain HTTP goes this way, and building a TLS context takes 30 ms
        limits=httpx.Limits(max_connections=None, max_keepalive_connections=0),
        headers={"user-agent": USER_AGENT, "accept-encoding": "identity"},
    )


def _connect_by(client: httpx.AsyncClient, sockets: Sockets) -> None:
    """Let a client's connections be ours, those to proxies as well. httpcore's pools take a network, but httpx passes none on."""
    for transport in (client._transport, *client._mounts.values()):
        if isinstance(transport, httpx.AsyncHTTPTransport):
            transport._pool._network_backend = sockets
