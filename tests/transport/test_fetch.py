"""Small JSON documents of a server: how they are fetched, and what is said where that fails."""

import pytest

from anoman_tui.core.target import Provider, Shape, Target
from anoman_tui.transport.network import Network
from tests.support import a_target
from tests.transport.client import KEY
from tests.transport.server import Server, Talk


async def models(talk: Talk) -> None:
    """A model list."""
    body = b'{"data":[{"id":"demo"}]}'
    await talk.head(200, "application/json", content_length=str(len(body)))
    await talk.send(body)


def test_a_model_list(server: Server, network: Network) -> None:
    """Claim: the document comes from below the root, with the key where it may go."""
    root = server.url("models", models)
    target = Target(Provider("mine", "Mine", root, {Shape.CHAT: "/v1/chat/completions"}), Shape.CHAT, "demo", root, sends_key=True)
    assert network.fetch_json(target, "/v1/models") == (200, {"data": [{"id": "demo"}]})
    (asked,) = server.asked
    assert asked.line == "GET /models/v1/models HTTP/1.1"
    assert asked.headers["authorization"] == f"Bearer {KEY}"


def test_a_bare_target_sends_no_key(server: Server, network: Network) -> None:
    """Claim: where the key may not go it does not go with a document, either."""
    network.fetch_json(a_target(root=server.url("models", models)), "/v1/models")
    assert "authorization" not in server.asked[0].headers


def test_what_is_no_document(server: Server, network: Network) -> None:
    """Claim: a page, a list, and no server at all each give one sentence as an OSError."""

    async def page(talk: Talk) -> None:
        await talk.head(200, "text/html", content_length="13")
        await talk.send(b"<html></html>")

    async def items(talk: Talk) -> None:
        await talk.head(200, "application/json", content_length="2")
        await talk.send(b"[]")

    for name, script in (("page", page), ("items", items)):
        with pytest.raises(OSError, match="no JSON object"):
            network.fetch_json(a_target(root=server.url(name, script)), "/v1/models")
    with pytest.raises(OSError, match="no connection to 127"):
        network.fetch_json(a_target(root="http://127.0.0.1:9"), "/v1/models")
