"""The official SDKs stream every shape from the gateway; skipped where they are not installed (extra `sdks`)."""
# ruff: noqa: D103 - the names say what the tests check

import asyncio
from collections.abc import Callable

import pytest

from anoman_tui.emulator.options import GatewayOptions

from .kit import running

PROMPT, MODEL, KEY = "Say hello.", "gpt-4o-mini", "any"
# The SDKs' own warnings are not ours to mend.
pytestmark = pytest.mark.filterwarnings("default")


async def stream(read: Callable[[str], str]) -> None:
    """Let a blocking SDK stream from a gateway that runs in this loop."""
    async with running(GatewayOptions(cache=False, engine="scripted", pace=0)) as client:
        text = await asyncio.to_thread(read, client.server.url)
        assert client.entry()["pieces"] > 0
    assert len(text) > 5


async def test_the_openai_sdk_streams_chat_on_both_gateways() -> None:
    openai = pytest.importorskip("openai", reason="the OpenAI SDK is not installed")

    def chat(root: str) -> str:
        client = openai.OpenAI(base_url=f"{root}/v1", api_key=KEY, max_retries=0)
        asked = {"model": MODEL, "messages": [{"role": "user", "content": PROMPT}], "stream_options": {"include_usage": True}}
        chunks = list(client.chat.completions.create(**asked, stream=True))
        assert any(chunk.usage for chunk in chunks)
        return "".join(choice.delta.content or "" for chunk in chunks for choice in chunk.choices or [])

    await stream(lambda url: chat(f"{url}/anoman"))
    await stream(lambda url: chat(f"{url}/anypath"))


async def test_the_openai_sdk_streams_responses_with_its_helper() -> None:
    openai = pytest.importorskip("openai", reason="the OpenAI SDK is not installed")

    def responses(url: str) -> str:
        client = openai.OpenAI(base_url=f"{url}/anypath/v1", api_key=KEY, max_retries=0)
        with client.responses.stream(model=MODEL, input=PROMPT) as events:
            kinds = [event.type for event in events]
            final = events.get_final_response()
        assert kinds[0] == "response.created"
        assert final.usage.output_tokens > 0
        return str(final.output_text)

    await stream(responses)


async def test_the_anthropic_sdk_streams_messages_on_both_gateways() -> None:
    anthropic = pytest.importorskip("anthropic", reason="the Anthropic SDK is not installed")

    def messages(root: str) -> str:
        client = anthropic.Anthropic(base_url=root, api_key=KEY, max_retries=0)
        with client.messages.stream(model=MODEL, max_tokens=64, messages=[{"role": "user", "content": PROMPT}]) as events:
            text = "".join(events.text_stream)
            final = events.get_final_message()
        assert final.stop_reason == "end_turn"
        return text

    await stream(lambda url: messages(f"{url}/anoman/anthropic"))
    await stream(lambda url: messages(f"{url}/anypath"))


@pytest.mark.parametrize("version", [None, "v1beta"])
async def test_the_google_sdk_streams_in_both_versions(version: str | None) -> None:
    genai = pytest.importorskip("google.genai", reason="the Google SDK is not installed")

    def generate(url: str) -> str:
        options = genai.types.HttpOptions(base_url=f"{url}/anypath", api_version=version)
        client = genai.Client(api_key=KEY, http_options=options)
        chunks = list(client.models.generate_content_stream(model=MODEL, contents=PROMPT))
        assert chunks[-1].usage_metadata is not None
        return "".join(chunk.text or "" for chunk in chunks)

    await stream(generate)
