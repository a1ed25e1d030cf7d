"""AnyPath over real sockets, with the scripted engine: frames, truncation, settlement."""
# ruff: noqa: D103 - the names say what the tests check

from dataclasses import replace
from decimal import Decimal

import httpx
import pytest

from anoman_tui.emulator.ask import Shape

from .kit import QUICK, REAL_TIME, blocks, body, running, text_of, until


@pytest.mark.parametrize("version", ["v1", "v1beta"])
async def test_gemini_in_both_versions_and_all_three_forms(version: str) -> None:
    base = f"/anypath/{version}/models/gemini-2.5-flash"
    content = body("gemini", "", "Explain tides")
    async with running() as client:
        sse = await client.http.post(f"{base}:streamGenerateContent?alt=sse&key=k", json=content)
        array = await client.http.post(f"{base}:streamGenerateContent", json=content, headers={"x-goog-api-key": "k"})
        whole = await client.http.post(f"{base}:generateContent", json=content, headers={"x-goog-api-key": "k"})
        missing = await client.http.post(f"{base}:countTokens", json=content, headers={"x-goog-api-key": "k"})
    text = text_of("gemini", blocks(sse.text))
    assert "data: " in sse.text
    assert sse.text.endswith("\r\n\r\n")
    assert text_of("gemini", [(None, chunk) for chunk in array.json()]) == text
    assert text_of("gemini", [(None, whole.json())]) == text
    assert missing.status_code == 404


async def test_anypath_chat_needs_include_usage() -> None:
    async with running() as client:
        for options in (None, {}, {"include_usage": False}):
            response = await client.post("anypath", "chat", "gpt-4o-mini", stream_options=options)
            assert response.status_code == 400
            assert response.json()["error"]["param"] == "stream_options.include_usage"
        frames = blocks((await client.post("anypath", "chat", "gpt-4o-mini")).text)
    assert frames[-1] == (None, "[DONE]")
    assert frames[-2][1]["choices"] == []
    assert frames[-2][1]["usage"]["total_tokens"] > 0


@pytest.mark.parametrize("shape", ["chat", "messages", "responses", "gemini"])
async def test_anypath_refuses_an_uncertified_channel(shape: Shape) -> None:
    async with running() as client:
        response = await client.post("anypath", shape, "scripted-uncertified")
        entry = client.entry()
    assert response.status_code == 503
    assert "model_unavailable" in response.text
    assert response.headers["x-request-id"] == entry["request_id"]
    assert (entry["state"], entry["captured_usd"]) == ("rejected", None)


@pytest.mark.parametrize("shape", ["chat", "messages", "responses", "gemini"])
async def test_anypath_truncates_a_broken_stream(shape: Shape) -> None:
    async with running() as client:
        # A cut: the chunked body never ends.
        received = ""
        async with client.stream("anypath", shape, "scripted-break") as response:
            cut = False
            try:
                async for part in response.aiter_text():
                    received += part
            except httpx.RemoteProtocolError:
                cut = True
        assert cut
        # A clean end without the protocol's own terminal.
        clean = await client.post("anypath", shape, "scripted-interrupt")
        entries = client.server.hub.ledger.to_json()
    for text in (received, clean.text):
        assert len(text_of(shape, blocks(text))) > 50
        for sign in ("[DONE]", '"error":{', "finishReason", "message_stop", "response.completed", "response.failed"):
            assert sign not in text
    assert [(entry["state"], entry["reason"], entry["captured_usd"]) for entry in entries] == [
        ("released", "provider_error", "0.000000")
    ] * 2


async def test_anypath_releases_the_hold_without_usage_evidence() -> None:
    async with running() as client:
        response = await client.post("anypath", "chat", "scripted-unmetered")
        entry = client.entry()
    assert "[DONE]" not in response.text
    assert (entry["state"], entry["reason"], entry["captured_usd"]) == ("released", "no_usage_evidence", "0.000000")


async def test_anypath_releases_the_hold_at_the_time_limit() -> None:
    async with running(replace(QUICK, limit_s=0.05)) as client:
        with pytest.raises(httpx.RemoteProtocolError):
            await client.post("anypath", "responses", "scripted-stall")
        entry = client.entry()
    assert (entry["state"], entry["reason"], entry["captured_usd"]) == ("released", "timeout", "0.000000")


@pytest.mark.parametrize("shape", ["chat", "messages", "responses", "gemini"])
async def test_closing_an_anypath_stream_does_not_stop_the_provider(shape: Shape) -> None:
    async with running(replace(REAL_TIME, pace=0.2)) as client:
        async with client.stream("anypath", shape, "scripted-fast") as response:
            text = response.aiter_raw()
            while client.entry()["pieces"] < 5:
                await anext(text)
        await until(lambda: client.entry()["closed_seen_ms"] is not None)
        assert client.entry()["state"] == "open"
        await until(lambda: client.entry()["state"] != "open")
        entry = client.entry()
    assert entry["state"] == "settled"
    assert entry["pieces_sent"] < entry["pieces"] == entry["usage"]["output_tokens"]
    assert 0 < Decimal(entry["captured_usd"]) == Decimal(entry["cost_usd"]) <= Decimal(entry["hold_usd"])
