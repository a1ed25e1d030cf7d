"""Small JSON documents of a server, such as its model list."""

from collections.abc import Awaitable, Callable
from typing import Any

import httpx

from anoman_tui.core.jsonish import UnreadableError, loads
from anoman_tui.core.request import HttpRequest, Prompt, Request
from anoman_tui.core.target import Target, join_url
from anoman_tui.transport.clients import Clients
from anoman_tui.transport.failures import explain
from anoman_tui.transport.limits import Limits
from anoman_tui.transport.stream import with_key

MAX_DOCUMENT = 8 * 1024 * 1024


async def fetch_json(
    clients: Clients, prepare: Callable[[Request], Awaitable[HttpRequest]], target: Target, path: str, limits: Limits
) -> tuple[int, dict[str, Any]]:
    """GET one JSON object below the target's root. Raises OSError with one sentence when the server cannot be read."""
    url, key = target.url, None
    try:
        http = await prepare(Request(target, Prompt("")))
        root = http.url.removesuffix(target.path) if http.url.endswith(target.path) else target.base_url
        url, key = join_url(root, path), http.key
        headers = {**with_key(http), "accept": "application/json"}
        async with clients.for_url(url).stream(
            "GET", url, headers=headers, timeout=httpx.Timeout(30, connect=limits.connect_s)
        ) as response:
            body = b""
            async for data in response.aiter_bytes():
                body += data
                if len(body) > MAX_DOCUMENT:
                    raise OSError(f"the document at {url} is larger than {MAX_DOCUMENT:,} bytes")
    except OSError:
        raise
    except Exception as error:
        raise OSError(explain(error, url, key, headers_came=False)[1]) from None
    try:
        value = loads(body.decode("utf-8", "replace"))
    except UnreadableError:
        value = None
    if not isinstance(value, dict):
        raise OSError(f"the document at {url} is no JSON object (HTTP {response.status_code})")
    return response.status_code, value
