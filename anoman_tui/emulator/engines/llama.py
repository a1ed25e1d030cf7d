"""SmolLM2 through llama.cpp: asks the child process over loopback HTTP."""

import json
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

from anoman_tui.emulator.answer import Finish, Piece, Usage
from anoman_tui.emulator.ask import Ask
from anoman_tui.emulator.engines import EngineRefusedError, UpstreamBrokenError
from anoman_tui.emulator.engines.loopback import LoopbackError, LoopbackReply, post
from anoman_tui.emulator.models import LOCAL_MODEL
from anoman_tui.emulator.tokens import count_tokens

# Unless the client asks for chance, the same prompt gives the same answer.
_DEFAULT_TEMPERATURE, _DEFAULT_TOP_P = 0.0, 0.9
# A model this small can talk in circles for ever: a penalty on repetition, and an end.
_REPEAT_PENALTY, _DEFAULT_MAX_TOKENS = 1.1, 512


class LlamaEngine:
    """Streams from the llama.cpp server on `port`."""

    name = "llama.cpp"

    def __init__(self, port: int, api_key: str) -> None:
        self._port, self._api_key = port, api_key

    async def open(self, ask: Ask) -> "LlamaUpstream":
        """Send the request; returns at the response's head. Raises `EngineRefusedError`."""
        messages = [{"role": turn.role, "content": turn.text} for turn in ask.turns]
        if ask.system:
            messages.insert(0, {"role": "system", "content": ask.system})
        try:
            input_tokens = await self._count(messages) or count_tokens(ask.input_text)
            reply = await post(self._port, "/v1/chat/completions", _body(ask, messages), self._api_key)
            if reply.status != 200:
                await self._refuse(reply)
        except LoopbackError:
            raise EngineRefusedError(502, "upstream_error", "The local model does not answer.") from None
        return LlamaUpstream(reply, input_tokens)

    async def _count(self, messages: list[dict[str, str]]) -> int:
        """The prompt's tokens by the model's own template and tokenizer, so that the first frame can carry them; 0 if unknown."""
        reply = await post(self._port, "/v1/messages/count_tokens", {"model": LOCAL_MODEL, "messages": messages}, self._api_key)
        try:
            counted = await reply.json()
        finally:
            reply.close()
        tokens = counted.get("input_tokens") if isinstance(counted, dict) else None
        return tokens if isinstance(tokens, int) else 0

    async def _refuse(self, reply: LoopbackReply) -> None:
        try:
            body = await reply.json()
        finally:
            reply.close()
        kind = body.get("error", {}).get("type") if isinstance(body, dict) else None
        if kind == "exceed_context_size_error":
            raise EngineRefusedError(400, "context_length_exceeded", "The prompt is longer than the local model's context.")
        raise EngineRefusedError(502, "upstream_error", "The local model refused the request.")


class LlamaUpstream:
    """One answer on its way; closing drops the connection, upon which llama.cpp stops generating."""

    def __init__(self, reply: LoopbackReply, input_tokens: int) -> None:
        self.input_tokens = input_tokens
        self._reply = reply
        self._pieces = self._generate()

    def __aiter__(self) -> AsyncIterator[Piece | Finish]:
        return self._pieces

    async def aclose(self) -> None:
        """Drop the connection."""
        self._reply.close()
        await self._pieces.aclose()

    async def _generate(self) -> AsyncGenerator[Piece | Finish, None]:
        finish: str | None = None
        generated = 0
        try:
            async for data in self._reply.events():
                if data == "[DONE]":
                    return
                chunk: dict[str, Any] = json.loads(data)
                if "error" in chunk:
                    raise UpstreamBrokenError(str(chunk["error"]))
                predicted = chunk.get("timings", {}).get("predicted_n", generated)
                for choice in chunk.get("choices", []):
                    finish = choice.get("finish_reason") or finish
                    if text := choice["delta"].get("content"):
                        yield Piece("text", text, max(0, predicted - generated))
                        generated = predicted
                if usage := chunk.get("usage"):
                    counts = Usage(usage["prompt_tokens"], usage["completion_tokens"])
                    yield Finish("length" if finish == "length" else "stop", counts)
        except (LoopbackError, ValueError, KeyError, TypeError) as error:
            raise UpstreamBrokenError(str(error)) from error


def _body(ask: Ask, messages: list[dict[str, str]]) -> dict[str, Any]:
    return {
        "model": LOCAL_MODEL,
        "messages": messages,
        "stream": True,
        "stream_options": {"include_usage": True},
        # Each chunk then says how many tokens there are: a cancelled stream is billed for those.
        "timings_per_token": True,
        "max_tokens": ask.max_tokens or _DEFAULT_MAX_TOKENS,
        "temperature": _DEFAULT_TEMPERATURE if ask.temperature is None else ask.temperature,
        "top_p": _DEFAULT_TOP_P if ask.top_p is None else ask.top_p,
        "repeat_penalty": _REPEAT_PENALTY,
        "stop": list(ask.stop),
    }
