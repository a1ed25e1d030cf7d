"""The gateway as a child process: its line, its end, its failures."""
# ruff: noqa: D103 - the names say what the tests check

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from anoman_tui.emulator.options import GatewayOptions
from anoman_tui.emulator.process import EmbeddedGateway, GatewayStartError
from anoman_tui.emulator.spawn import clean_environment

from .kit import KEY, PATHS, body


@pytest.fixture
def gateway() -> Iterator[EmbeddedGateway]:
    one = EmbeddedGateway(GatewayOptions(engine="scripted"))
    one.start()
    yield one
    one.stop()


def open_stream(url: str) -> socket.socket:
    """A connection with a stream under way."""
    content = httpx.Request("POST", url + PATHS["anypath", "responses"], json=body("responses", "scripted-slow", "Tides?"), headers=KEY)
    port = urlsplit(url).port
    assert port is not None
    sock = socket.create_connection(("127.0.0.1", port), timeout=10)
    lines = [f"POST {content.url.path} HTTP/1.1", *(f"{name}: {value}" for name, value in content.headers.items())]
    sock.sendall("\r\n".join([*lines, "", ""]).encode() + content.content)
    assert sock.recv(1000).startswith(b"HTTP/1.1 200")
    return sock


def test_the_child_says_where_it_listens_and_ends_at_once_with_an_open_stream(gateway: EmbeddedGateway) -> None:
    address = gateway.ready.result(10)
    assert (address.anoman, address.anypath) == (f"{address.url}/anoman", f"{address.url}/anypath")
    assert (address.engine, address.engine_reason) == ("scripted", "The scripted engine was chosen.")
    assert {"claude-sonnet-4-6", "gpt-4o-mini", "gemini-2.5-flash", "scripted-break"} <= set(address.models)
    with open_stream(address.url):
        began = time.monotonic()
        gateway.stop()
        took = time.monotonic() - began
    assert took < 0.9
    gateway.stop()


def test_the_child_is_not_the_terminal_s_to_interrupt(gateway: EmbeddedGateway) -> None:
    gateway.ready.result(10)
    assert gateway.pid is not None
    if hasattr(os, "getpgid"):
        assert os.getpgid(gateway.pid) != os.getpgid(0)


def test_a_child_that_cannot_start_says_why(gateway: EmbeddedGateway) -> None:
    taken = urlsplit(gateway.ready.result(10).url).port or 0
    second = EmbeddedGateway(GatewayOptions(port=taken, engine="scripted"))
    second.start()
    with pytest.raises(GatewayStartError, match=f"did not start: The gateway cannot listen on port {taken}: Address already in use."):
        second.ready.result(10)
    second.stop()


def test_the_child_s_environment_has_no_keys_and_no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANOMAN_API_KEY", "HTTPS_PROXY", "http_proxy"):
        monkeypatch.setenv(name, "x")
    assert "x" not in clean_environment().values()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_end_it_without_a_word(number: signal.Signals) -> None:
    command = [sys.executable, "-m", "anoman_tui.emulator", "--engine", "scripted", "--foreground"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        line = child.stdout.readline()
        assert '"pid"' in line
        child.send_signal(number)
        assert child.wait(5) == 0
        assert child.stdout.read() + child.stderr.read() == ""


def test_the_parent_s_side_needs_no_server_packages() -> None:
    code = (
        "import sys, anoman_tui.emulator.process; print([m for m in sys.modules if m.split('.')[0] in ('starlette', 'uvicorn', 'httpx')])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_the_server_side_imports_neither_httpx_nor_the_transport() -> None:
    code = (
        "import sys, anoman_tui.emulator.serve, anoman_tui.emulator.engines.llama_child;"
        "print([m for m in sys.modules if m.split('.')[0] == 'httpx' or m.startswith('anoman_tui.') and '.emulator' not in m])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_a_model_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    from anoman_tui.emulator.local import find_model

    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed")
    found, reason = find_model(tmp_path / "none.gguf")
    assert found is None
    assert "none.gguf" in reason
