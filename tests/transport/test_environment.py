"""What the environment does to a request: proxies, certificate files, keys with bad characters. No sentence holds the key."""

import logging
import socket
import traceback
from contextlib import ExitStack

import pytest

from anoman_tui.core.document import pane_record
from anoman_tui.core.jsonish import dumps
from anoman_tui.core.request import HttpRequest, Request, Secret
from anoman_tui.core.shapes import http_request
from anoman_tui.core.target import Auth, Provider, Shape, Target
from anoman_tui.transport.clients import Clients
from anoman_tui.transport.failures import SetupError, explain, explain_client, redact
from anoman_tui.transport.limits import Limits
from anoman_tui.transport.loopback import is_loopback
from anoman_tui.transport.network import Network
from anoman_tui.transport.stream import with_key
from tests.support import a_request, a_target, sse
from tests.transport.client import a_network, stream
from tests.transport.server import Server, Talk

PROXY_NAMES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin without any proxy of the machine's own."""
    for name in PROXY_NAMES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


async def whole(talk: Talk) -> None:
    """A whole answer."""
    await talk.head()
    await talk.send(sse('{"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}', "[DONE]"))
    await talk.end()


def test_this_machine_is_never_asked_through_a_proxy(server: Server, network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: with every proxy variable set to a dead address, a loopback server is still reached."""
    for name in PROXY_NAMES[:3]:
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert stream(network, a_target(root=server.url("whole", whole))).text.text == "Hi"


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.9.1", "::1", "[::1]", "x.localhost"])
def test_loopback_hosts(host: str) -> None:
    """Claim: the names and addresses of this machine are known as such."""
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["localhost.example.com", "10.0.0.1", "example.com", "0x7f.1", ""])
def test_other_hosts(host: str) -> None:
    """Claim: nothing else counts as this machine."""
    assert not is_loopback(host)


def refused(network: Network, root: str = "https://gateway.invalid") -> dict[str, object]:
    """The error of a stream that cannot be made."""
    record = pane_record(stream(network, a_target(root=root)), 1)
    assert record["outcome"] == "failed"
    error: dict[str, object] = record["error"]
    return error


def test_a_socks_proxy_without_its_package(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: a SOCKS proxy whose package is missing is named with the variable and the remedy."""
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:9")
    error = refused(network)
    assert error["kind"] == "setup"
    assert "ALL_PROXY" in str(error["message"])
    assert "httpx[socks]" in str(error["message"])


def test_a_certificate_file_that_is_not_there(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: a missing certificate file is named by its variable."""
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/ca.pem")
    error = refused(network)
    assert error["kind"] == "setup"
    assert "SSL_CERT_FILE" in str(error["message"])


def test_a_proxy_that_is_no_address(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: a proxy variable that is no URL is named, and the request never leaves."""
    monkeypatch.setenv("HTTPS_PROXY", "ftp://user:secret-word@proxy")
    error = refused(network)
    assert error["kind"] == "setup"
    assert "HTTPS_PROXY" in str(error["message"])
    assert "secret-word" not in str(error["message"])


def test_a_dead_proxy_is_told_as_no_connection(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: a proxy that does not answer fails the stream as a connection."""
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    assert refused(network)["kind"] == "connection"


def test_behind_a_proxy_time_zero_is_the_request_itself(server: Server, network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: plain HTTP through a proxy is one request to the proxy, with the whole URL, and reads as ever."""
    monkeypatch.setenv("HTTP_PROXY", server.url("unused").rsplit("/", 1)[0])
    server.scripts[""] = whole
    state = stream(network, a_target(root="http://gateway.invalid"))
    assert state.text.text == "Hi"
    assert server.asked[0].line.startswith("POST http://gateway.invalid/v1/chat/completions ")


BAD_KEYS = ["sk-secret-\nword", "sk-secret-“word”", "sk-secret-é", " sk-secret-word\r\n", "sk-secret-\x00word"]


@pytest.mark.parametrize("key", BAD_KEYS)
@pytest.mark.parametrize("auth", Auth)
def test_a_key_that_no_header_can_hold_is_never_shown(server: Server, key: str, auth: Auth, caplog: pytest.LogCaptureFixture) -> None:
    """Claim: a key with a line end, a smart quote or a letter fails the pane with a hint, and stands nowhere."""
    root = server.url("whole", whole)
    target = Target(
        Provider("mine", "Mine", root, {Shape.CHAT: "/v1/x"}, auth={Shape.CHAT: auth}), Shape.CHAT, "demo", root, sends_key=True
    )

    async def prepare(request: Request) -> HttpRequest:
        return http_request(request, Secret(key))

    with caplog.at_level(logging.DEBUG):
        network = Network(prepare, Limits())
        state = stream(network, target)
        network.close()
    record = pane_record(state, 1)
    shown = dumps(record) + caplog.text + repr(state)
    assert (record["outcome"], record["error"]["kind"]) == ("failed", "setup")
    assert "the key holds" in record["error"]["message"]
    assert server.asked == []
    for part in (key, key.strip(), "secret"):
        assert part not in shown


def test_a_secret_shows_itself_nowhere() -> None:
    """Claim: a key is not in the repr, str or format of anything that holds it, and it cannot be pickled or dumped."""
    import copy
    import pickle

    root = "http://127.0.0.1:9"
    target = Target(Provider("mine", "Mine", root, {Shape.CHAT: "/v1/x"}), Shape.CHAT, "demo", root, sends_key=True)
    request = http_request(a_request(target), Secret("sk-secret-word"))
    for shown in (repr(request), str(request), f"{request.key}", f"{request.key!r}", str(vars(type(request.key)))):
        assert "secret-word" not in shown
    for dump in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError) as raised:
            dump(request.key)
        assert "secret-word" not in "".join(traceback.format_exception(raised.value))
    assert with_key(request)["authorization"] == "Bearer sk-secret-word"
    assert "authorization" not in request.headers


@pytest.mark.parametrize("text", ["Bearer sk-secret-word\n", "b'Bearer sk-secret-word\\n'", "sk-secret-word", "x sk-secret-word y"])
def test_redaction(text: str) -> None:
    """Claim: a key is taken out of a text, plain or quoted, whole or without its line end."""
    assert "secret" not in redact(text, Secret("sk-secret-word\n"))
    assert redact(text, None) == text


def test_every_failure_has_a_sentence_without_the_key() -> None:
    """Claim: any exception, also one that quotes the key, becomes one sentence without it and says where it happened."""
    key = Secret("sk-secret-word")
    unreadable = UnicodeEncodeError("ascii", "sk-secret-word", 0, 1, "no")
    for error in (ValueError("bad sk-secret-word"), OSError("sk-secret-word"), unreadable, RuntimeError()):
        _, sentence, info = explain(error, "http://127.0.0.1:9/v1", key, headers_came=False)
        assert sentence
        assert "secret-word" not in sentence
        assert info is not None
        assert "secret-word" not in info.message
    for wrong in (ImportError("x"), FileNotFoundError("x"), ValueError("x")):
        assert isinstance(explain_client(wrong), SetupError)


async def test_one_client_for_this_machine_and_one_for_others() -> None:
    """Claim: clients are made once each, by whether a plain URL is on this machine."""
    clients = Clients()
    here = clients.for_url("http://127.0.0.1:1/a")
    assert clients.for_url("http://localhost:2/b") is here
    there = clients.for_url("https://127.0.0.1:1/a")
    assert there is not here
    assert clients.for_url("http://example.com") is there
    await clients.close()


def test_a_url_that_cannot_be_used(network: Network) -> None:
    """Claim: a URL that HTTP cannot take fails the pane with the URL and an example."""
    for root in ("ftp://127.0.0.1", "http://[::1", "http://xn--a/v1", "http://\u00e9\u00ad.-x/v1"):
        network.warm([root])
        message = str(refused(network, root)["message"])
        assert "cannot be used" in message, root
        assert "http://127.0.0.1:8080/v1" in message


def test_the_connect_limit() -> None:
    """Claim: an address that does not answer fails within the connect limit, as a connection, with what to check."""
    with socket.socket() as full, ExitStack() as waiting:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for _ in range(4):  # the system takes no further connection once the queue is full
            one = waiting.enter_context(socket.socket())
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        network = a_network(connect_s=0.2)
        error = refused(network, f"http://127.0.0.1:{full.getsockname()[1]}")
        network.close()
    assert error["kind"] == "connection"
    assert "connect limit" in str(error["message"])


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "ALL_PROXY"])
def test_a_proxy_that_does_not_run_is_named_by_its_variable(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    """The server may be well; what to correct is the variable. Its password is not shown."""
    monkeypatch.setenv(variable, "http://user:hush-hush@127.0.0.1:9")
    network = a_network()
    try:
        state = stream(network, a_target(root="http://gateway.example"))
    finally:
        network.close()
    assert state.error is not None
    assert f"through the proxy that {variable} names" in state.error.message
    assert "hush" not in state.error.message
