"""HTTP clients, made when they are first needed."""

import httpx

from anoman_tui import __version__
from anoman_tui.transport.failures import explain_client
from anoman_tui.transport.loopback import is_loopback

USER_AGENT = f"anoman-tui/{__version__}"


class Clients:
    """One client for plain HTTP on the loopback interface, which no proxy may see, and one for everything else.

    HTTP/2 is off, since closing an HTTP/2 stream early does not reach the server; redirects are off, since a redirect
    would carry keys to another host; connections are never reused.
    """

    def __init__(self) -> None:
        self._clients: dict[bool, httpx.AsyncClient] = {}

    def for_url(self, url: str) -> httpx.AsyncClient:
        """The client for a URL. Raises SetupError when the environment does not allow one."""
        parsed = httpx.URL(url)
        plain = parsed.scheme == "http" and is_loopback(parsed.host)
        if plain not in self._clients:
            try:
                self._clients[plain] = _client(loopback=plain)
            except Exception as error:
                raise explain_client(error) from None
        return self._clients[plain]

    async def close(self) -> None:
        """Close all connections."""
        for client in self._clients.values():
            await client.aclose()
        self._clients.clear()


def _client(*, loopback: bool) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        http2=False,
        follow_redirects=False,
        trust_env=not loopback,
        verify=not loopback,  # only plain HTTP goes this way, and building a TLS context takes 30 ms
        limits=httpx.Limits(max_connections=None, max_keepalive_connections=0),
        headers={"user-agent": USER_AGENT, "accept-encoding": "identity"},
    )
