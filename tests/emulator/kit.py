"""What the gateway tests share: a server in this loop, requests, frames, and waiting for a condition."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from anoman_tui.emulator.ask import Ask, Gateway, Shape, Turn
from anoman_tui.emulator.options import GatewayOptions
from anoman_tui.emulator.server import GatewayServer

KEY = {"Authorization": "Bearer any-key"}
QUICK = GatewayOptions(engine="scripted", pace=0, cache=False)
REAL_TIME = GatewayOptions(engine="scripted", cache=False)

PATHS: dict[tuple[Gateway, Shape], str] = {
    ("anoman", "chat"): "/anoman/v1/chat/completions",
    ("anoman", "messages"): "/anoman/anthropic/v1/messages",
    ("anoman", "playground"): "/anoman/anoman/v1/playground/run",
    ("anypath", "responses"): "/anypath/v1/responses",
    ("anypath", "chat"): "/anypath/v1/chat/completions",
    ("anypath", "messages"): "/anypath/v1/messages",
    ("anypath", "gemini"): "/anypath/v1beta/models/{model}:streamGenerateContent",
}


def body(shape: Shape, model: str, prompt: str, **more: Any) -> dict[str, Any]:
    """A request body of one shape, streamed."""
    if shape == "gemini":
        return {"contents": [{"role": "user", "parts": [{"text": prompt}]}], **more}
    if shape == "responses":
        return {"model": model, "input": prompt, "stream": True, **more}
    common = {"model": model, "messages": [{"role": "user", "content": prompt}], "stream": True}
    if shape == "messages":
        return {**common, "max_tokens": 4096, **more}
    return {**common, "stream_options": {"include_usage": True}, **more}


def ask(prompt: str = "Tell me a short story", **more: Any) -> Ask:
    """An ask with the usual values."""
    given: dict[str, Any] = {"gateway": "anoman", "shape": "chat", "model": "claude-sonnet-4-6", "stream": True, **more}
    return Ask(turns=(Turn("user", prompt),), **given)


@dataclass
class Client:
    """A gateway that listens and a client for it."""

    server: GatewayServer
    http: httpx.AsyncClient

    def url(self, gateway: Gateway, shape: Shape, model: str) -> str:
        """The path of an endpoint; Gemini's asks for SSE."""
        return PATHS[gateway, shape].format(model=model) + ("?alt=sse" if shape == "gemini" else "")

    async def post(self, gateway: Gateway, shape: Shape, model: str, prompt: str = "Explain tides", **more: Any) -> httpx.Response:
        """Send, and read the whole answer."""
        return await self.http.post(self.url(gateway, shape, model), json=body(shape, model, prompt, **more), headers=KEY)

    @asynccontextmanager
    async def stream(
        self, gateway: Gateway, shape: Shape, model: str, prompt: str = "Explain tides", **more: Any
    ) -> AsyncIterator[httpx.Response]:
        """Send, and leave the answer open."""
        content = body(shape, model, prompt, **more)
        async with self.http.stream("POST", self.url(gateway, shape, model), json=content, headers=KEY) as response:
            yield response

    def entry(self) -> dict[str, Any]:
        """The latest ledger entry."""
        return self.server.hub.ledger.to_json()[-1]


@asynccontextmanager
async def running(options: GatewayOptions = QUICK) -> AsyncIterator[Client]:
    """A gateway in this event loop."""
    server = GatewayServer(options)
    server.hub.local.start()
    task = asyncio.create_task(server.run_until_stopped())
    try:
        async with httpx.AsyncClient(base_url=server.url, trust_env=False, verify=False, timeout=20) as http:
            yield Client(server, http)
    finally:
        server.request_stop()
        await task


async def until(condition: Callable[[], bool], limit_s: float = 5.0) -> None:
    """Wait for a condition, a turn of the loop at a time."""
    async with asyncio.timeout(limit_s):
        while not condition():  # noqa: ASYNC110 - the condition is plain data, there is no event to wait for
            await asyncio.sleep(0.001)


def blocks(text: str) -> list[tuple[str | None, Any]]:
    """Each frame as (event name, data); `[DONE]` stays a string."""
    found = []
    for block in text.replace("\r\n", "\n").split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines())
        if fields:
            data = fields["data"]
            found.append((fields.get("event"), data if data == "[DONE]" else json.loads(data)))
    return found


def text_of(shape: Shape, frames: list[tuple[str | None, Any]]) -> str:
    """The answer's text in the frames of one shape."""
    parts = []
    for _, data in frames:
        if shape == "messages" and data != "[DONE]" and data.get("type") == "content_block_delta":
            parts.append(data["delta"].get("text", ""))
        elif shape == "responses" and data["type"] == "response.output_text.delta":
            parts.append(data["delta"])
        elif shape == "gemini":
            parts += [part["text"] for part in data["candidates"][0]["content"]["parts"] if not part.get("thought")]
        elif shape in ("chat", "playground") and data != "[DONE]" and data.get("choices"):
            parts.append(data["choices"][0]["delta"].get("content", ""))
    return "".join(parts)
