"""Real answers from the small local model; skipped where it cannot run."""
# ruff: noqa: D103 - the names say what the tests check

import asyncio
import importlib.util
from pathlib import Path

import pytest

from anoman_tui.emulator.answer import Finish
from anoman_tui.emulator.engines import UpstreamBrokenError
from anoman_tui.emulator.engines.llama import LlamaUpstream
from anoman_tui.emulator.engines.loopback import LoopbackError, post
from anoman_tui.emulator.local import find_model
from anoman_tui.emulator.options import GatewayOptions
from anoman_tui.emulator.process import EmbeddedGateway

from .kit import blocks, running, until

_MODEL, _PROBLEM = find_model(None)
needs_model = pytest.mark.skipif(_MODEL is None, reason=_PROBLEM or "the local model can run")


@needs_model
async def test_the_local_model_answers_counts_and_stops_when_the_client_leaves() -> None:
    async with running(GatewayOptions(cache=False)) as client:
        assert client.server.hub.local.state == "starting"
        # Sent before the model is loaded: the request waits for it.
        response = await client.post("anoman", "chat", "smollm2-135m-instruct", "What is the capital of Indonesia?", max_tokens=12)
        entry = client.entry()
        assert "smollm2-135m-instruct" in client.server.hub.models()

        async with client.stream("anoman", "chat", "claude-sonnet-4-6", "Tell me a long story") as stream:
            text = stream.aiter_raw()
            while client.entry()["pieces"] < 3:
                await anext(text)
        await until(lambda: client.entry()["state"] != "open")
        cancelled = client.entry()
    *_, finish, meta, done = [data for _, data in blocks(response.text)]
    assert done == "[DONE]"
    assert meta["_anoman"]["cache"] == {"hit": False}
    assert finish["usage"]["completion_tokens"] == entry["usage"]["output_tokens"] <= 12
    assert entry["usage"]["input_tokens"] > 10
    assert entry["engine"] == "llama.cpp"
    assert cancelled["state"] == "streaming_cancelled"
    assert 3 <= cancelled["usage"]["output_tokens"] < 200
    assert cancelled["ended_ms"] - cancelled["closed_seen_ms"] < 500


async def test_where_the_local_model_is_missing_the_scripted_engine_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    async with running(GatewayOptions(pace=0)) as client:
        response = await client.post("anoman", "chat", "claude-sonnet-4-6")
        health = client.server.hub.health()
        assert client.entry()["engine"] == "scripted"
    assert "[DONE]" in response.text
    assert (health["engine"], health["engine_state"]) == ("scripted", "unavailable")
    assert health["engine_reason"] == "The package xllamacpp is not installed, so the scripted engine answers."


@needs_model
async def test_a_broken_model_file_gives_a_reason_and_scripted_answers(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF nonsense")
    async with running(GatewayOptions(pace=0, gguf=broken)) as client:
        await client.post("anoman", "chat", "claude-sonnet-4-6")
        assert client.entry()["engine"] == "scripted"
        assert client.server.hub.local.state == "unavailable"
        assert client.server.hub.local.reason.startswith("llama.cpp does not run here (")


async def serve_once(answer: bytes) -> tuple[asyncio.Server, int]:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    return server, server.sockets[0].getsockname()[1]


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


def chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


async def test_events_may_be_split_anywhere_between_chunks() -> None:
    data = b'data: {"a":"caf\xc3\xa9"}\n\n: ping\n\ndata: [DONE]\n\n'
    server, port = await serve_once(CHUNKED + b"".join(chunk(bytes([byte])) for byte in data) + b"0\r\n\r\n")
    async with server:
        reply = await post(port, "/x", {}, "k")
        assert [event async for event in reply.events()] == ['{"a":"café"}', "[DONE]"]
        reply.close()


async def test_a_cut_body_is_a_broken_upstream() -> None:
    data = b'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":null}]}\n\n'
    server, port = await serve_once(CHUNKED + chunk(data))
    async with server:
        upstream = LlamaUpstream(await post(port, "/x", {}, "k"), 3)
        pieces = []
        with pytest.raises(UpstreamBrokenError):
            pieces += [piece async for piece in upstream]
        await upstream.aclose()


async def test_an_answer_without_usage_is_no_finish() -> None:
    data = b'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    server, port = await serve_once(b"HTTP/1.1 200 OK\r\nContent-Length: " + str(len(data)).encode() + b"\r\n\r\n" + data)
    async with server:
        upstream = LlamaUpstream(await post(port, "/x", {}, "k"), 3)
        pieces = [piece async for piece in upstream]
        await upstream.aclose()
    assert len(pieces) == 1
    assert not any(isinstance(piece, Finish) for piece in pieces)


async def test_no_server_is_an_error() -> None:
    server, port = await serve_once(b"")
    server.close()
    await server.wait_closed()
    with pytest.raises(LoopbackError):
        await post(port, "/x", {}, "k")


def test_a_missing_system_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise OSError(name)

    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("ctypes.CDLL", missing)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    assert find_model(None) == (None, "The system library libgomp.so.1 (package libgomp1) is missing, so the scripted engine answers.")


@needs_model
async def test_the_parent_hears_when_the_model_is_loaded() -> None:
    gateway = EmbeddedGateway()
    gateway.start()
    try:
        await asyncio.wrap_future(gateway.ready)
        await until(lambda: gateway.engine[1].startswith("Real answers"), 20)
        assert gateway.engine[0] == "llama.cpp"
    finally:
        await asyncio.to_thread(gateway.stop)
