"""What both gateways share: keys, errors, limits, the books, the end."""
# ruff: noqa: D103 - the names say what the tests check

import asyncio
import json
from dataclasses import replace
from typing import Any

import httpx
import pytest

from anoman_tui.emulator.ask import Gateway, Shape

from .kit import KEY, PATHS, QUICK, REAL_TIME, blocks, body, running, text_of

ALL = sorted(PATHS)


@pytest.mark.parametrize(("gateway", "shape"), ALL)
async def test_every_endpoint_streams_a_whole_answer(gateway: Gateway, shape: Shape) -> None:
    async with running() as client:
        response = await client.post(gateway, shape, "scripted-reasoning")
        entry = client.entry()
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert response.headers["cache-control"] == "no-cache"
    assert response.headers["x-request-id"] == entry["request_id"]
    assert "## Explain tides" in text_of(shape, blocks(response.text))
    assert entry["state"] == ("completed" if gateway == "anoman" else "settled")
    assert entry["usage"]["output_tokens"] == entry["pieces"] == entry["pieces_sent"] > entry["usage"]["reasoning_tokens"] > 0


@pytest.mark.parametrize(("gateway", "shape"), [pair for pair in ALL if pair[1] != "gemini"])
async def test_without_stream_the_answer_is_json(gateway: Gateway, shape: Shape) -> None:
    async with running() as client:
        response = await client.post(gateway, shape, "gpt-4o-mini", stream=False)
    assert response.headers["content-type"] == "application/json"
    assert ("_anoman" in response.json()) == (gateway == "anoman")
    assert "usage" in response.json()


@pytest.mark.parametrize(("gateway", "shape"), ALL)
async def test_a_limited_model_answers_429(gateway: Gateway, shape: Shape) -> None:
    async with running() as client:
        response = await client.post(gateway, shape, "scripted-limited")
    assert response.status_code == 429
    assert response.headers["retry-after"] == "2"
    assert any(name in response.headers for name in ("x-ratelimit-remaining-requests", "anthropic-ratelimit-requests-remaining"))
    assert response.json()["error"]["message"].startswith("Rate limit")


@pytest.mark.parametrize(("gateway", "shape"), ALL)
async def test_no_key_answers_401_in_the_shape_s_envelope(gateway: Gateway, shape: Shape) -> None:
    url = PATHS[gateway, shape].format(model="gpt-4o-mini")
    async with running() as client:
        response = await client.http.post(url, json={}, headers={"authorization": "Basic abc"})
    assert response.status_code == 401
    told = response.json()
    if shape == "messages":
        assert told["error"]["type"] == "authentication_error"
    elif shape == "gemini":
        assert told["error"]["status"] == "UNAUTHENTICATED"
    else:
        assert told["error"]["code"] == "invalid_api_key"
    assert "x-request-id" in response.headers


@pytest.mark.parametrize("headers", [{"x-api-key": "k"}, {"x-goog-api-key": "k"}, {"authorization": "bearer k"}])
async def test_a_key_is_accepted_in_every_usual_place(headers: dict[str, str]) -> None:
    async with running() as client:
        response = await client.http.get("/anypath/v1/models", headers=headers)
    assert "gpt-4o-mini" in [model["id"] for model in response.json()["data"]]


async def test_wrong_requests() -> None:
    url = PATHS["anoman", "chat"]
    async with running(replace(QUICK, max_body_bytes=1000)) as client:
        assert (await client.http.post(url, content=b"{", headers=KEY)).status_code == 400
        assert (await client.http.post(url, content=b"[]", headers=KEY)).status_code == 400
        assert (await client.http.post(url, content=b"[" * 900, headers=KEY)).status_code == 400
        assert (await client.http.post(url, content=b" " * 2000, headers=KEY)).status_code == 413
        unknown = await client.http.post(url, json=body("chat", "no-such-model", "Hi"), headers=KEY)
        route = await client.http.get("/anoman/v1/responses", headers=KEY)
        method = await client.http.get(url, headers=KEY)
        outside = await client.http.get("/")
    assert (unknown.status_code, unknown.json()["error"]["code"]) == (404, "model_not_found")
    assert (route.status_code, route.json()["error"]["code"]) == (404, "not_found")
    assert (method.status_code, method.json()["error"]["code"], method.headers["allow"]) == (405, "method_not_allowed", "POST")
    assert outside.status_code == 404


@pytest.mark.parametrize(
    ("shape", "field", "sign"),
    [
        ("chat", {"max_completion_tokens": 5}, '"finish_reason":"length"'),
        ("chat", {"max_tokens": 5}, '"finish_reason":"length"'),
        ("messages", {"max_tokens": 5}, '"stop_reason":"max_tokens"'),
        ("responses", {"max_output_tokens": 5}, "event: response.incomplete"),
        ("gemini", {"generationConfig": {"maxOutputTokens": 5}}, '"finishReason":"MAX_TOKENS"'),
    ],
)
async def test_token_limits_in_each_shape(shape: Shape, field: dict[str, Any], sign: str) -> None:
    async with running() as client:
        response = await client.post("anypath", shape, "gpt-4o-mini", **field)
        assert client.entry()["usage"]["output_tokens"] == 5
    assert sign in response.text


async def test_streaming_is_decided_by_the_body_never_by_accept() -> None:
    content = body("chat", "gpt-4o-mini", "Explain tides")
    async with running() as client:
        url = PATHS["anypath", "chat"]
        one = await client.http.post(url, json=content, headers={**KEY, "accept": "application/json"})
        two = await client.http.post(url, json={**content, "stream": False}, headers={**KEY, "accept": "text/event-stream"})
    assert one.headers["content-type"].startswith("text/event-stream")
    assert two.headers["content-type"] == "application/json"


async def test_each_token_is_a_write_of_its_own() -> None:
    async with running(REAL_TIME) as client, client.stream("anoman", "chat", "scripted-fast", max_tokens=20) as response:
        reads = [part async for part in response.aiter_raw()]
    assert len(reads) > 15


async def test_ledger_and_health_are_open_and_show_no_prompt() -> None:
    async with running() as client:
        response = await client.post("anoman", "chat", "gpt-4o-mini", "Explain the secret tides")
        one = await client.http.get("/_ledger", params={"request_id": response.headers["x-request-id"]})
        health = (await client.http.get("/_health")).json()
    assert [entry["state"] for entry in one.json()] == ["completed"]
    assert "secret" not in one.text
    assert health["engine"] == "scripted"
    assert health["engine_reason"].endswith(".")
    assert "smollm2-135m-instruct" not in health["models"]


async def test_stopping_cancels_open_streams_at_once() -> None:
    loop = asyncio.get_running_loop()
    async with running(REAL_TIME) as client:
        async with client.stream("anoman", "chat", "scripted-slow") as one, client.stream("anypath", "responses", "scripted-slow") as two:
            began = loop.time()
            client.server.request_stop()
            ends = await asyncio.gather(one.aread(), two.aread(), return_exceptions=True)
        assert [type(end) for end in ends] == [httpx.RemoteProtocolError] * 2
        entries = client.server.hub.ledger.to_json()
    assert loop.time() - began < 1
    assert json.dumps(entries).count('"cancelled"') == 2


async def test_a_fault_of_the_gateway_is_an_error_in_the_shape_s_envelope(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    async with running() as client:
        monkeypatch.setattr(client.server.hub, "answer", broken)
        response = await client.post("anypath", "messages", "gpt-4o-mini")
    assert (response.status_code, response.json()["error"]["code"]) == (500, "internal_error")
    assert response.headers["request-id"] == response.json()["request_id"]
