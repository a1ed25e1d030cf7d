"""What all requests share: engines, ledger, cache, and the generations under way."""

import asyncio
import secrets
import time
from typing import Any

from starlette.responses import JSONResponse
from starlette.types import ASGIApp

from anoman_tui.emulator import anypath, guardrails
from anoman_tui.emulator.anoman import AnomanPolicy
from anoman_tui.emulator.answer import Piece
from anoman_tui.emulator.anypath import AnyPathPolicy
from anoman_tui.emulator.ask import Ask
from anoman_tui.emulator.cache import SemanticCache
from anoman_tui.emulator.encoders import Ident
from anoman_tui.emulator.engines import Engine
from anoman_tui.emulator.engines.scripted import ScriptedEngine
from anoman_tui.emulator.errors import GatewayError
from anoman_tui.emulator.generation import Event, Generation
from anoman_tui.emulator.ledger import Entry, Ledger
from anoman_tui.emulator.local import LocalModel
from anoman_tui.emulator.models import MODELS, listed_models
from anoman_tui.emulator.options import GatewayOptions
from anoman_tui.emulator.policy import Policy
from anoman_tui.emulator.reply import Reply

_LONG_CHARS = 10_000


class Hub:
    """One gateway: takes an `Ask`, gives the response."""

    def __init__(self, options: GatewayOptions) -> None:
        self.options = options
        self.ledger = Ledger()
        self.scripted: Engine = ScriptedEngine(options.pace)
        self.local = LocalModel(options)
        self._cache = SemanticCache() if options.cache else None
        self._running: set[asyncio.Task[None]] = set()

    async def answer(self, ask: Ask, request_id: str) -> ASGIApp:
        """The response to a request, streamed or not. Raises a `GatewayError` for what is refused at once."""
        if ask.model not in MODELS:
            raise GatewayError(404, "model_not_found", f"The model `{ask.model}` does not exist.", "model")
        entry = self.ledger.add(Entry(request_id, ask.gateway, ask.shape, ask.model, ask.stream))
        ident = Ident(request_id.removeprefix("req_"), int(time.time()), ask.model)
        return await self._anoman(ask, entry, ident) if ask.gateway == "anoman" else self._anypath(ask, entry, ident)

    def health(self) -> dict[str, Any]:
        """The JSON of `GET /_health`."""
        return {
            "status": "ok",
            "engine": self.local.engine_name,
            "engine_state": self.local.state,
            "engine_reason": self.local.reason,
            "cache": self._cache is not None,
            "models": self.models(),
            "open_generations": len(self._running),
        }

    def models(self) -> list[str]:
        """The names of the models served."""
        return listed_models(local=self.local.serves)

    async def close(self) -> None:
        """Stop every generation and the local model."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        self.local.close()

    async def _anoman(self, ask: Ask, entry: Entry, ident: Ident) -> ASGIApp:
        if len(ask.input_text) < _LONG_CHARS:
            verdict = guardrails.inspect(ask)
        else:
            # In a thread, so that a very long prompt does not hold up the other streams.
            verdict = await asyncio.to_thread(guardrails.inspect, ask)
        if verdict.blocked_by is not None:
            entry.end("blocked", reason=verdict.blocked_by)
            message = f"The request was blocked by the {verdict.blocked_by} guardrail."
            raise GatewayError(403, "guardrail_blocked", message, extra={"_anoman": {"guardrails": verdict.to_json()}})
        policy = AnomanPolicy(ask, ident, entry, verdict, self._cache)
        cached = self._cache.get(ask) if self._cache is not None else None
        if cached is not None:
            entry.end("cache_hit", cached.usage)
            return JSONResponse(policy.cached_body(cached))
        return self._reply(verdict.ask, entry, policy)

    def _anypath(self, ask: Ask, entry: Entry, ident: Ident) -> ASGIApp:
        try:
            anypath.check(ask)
        except GatewayError as error:
            entry.end("rejected", reason=error.code)
            raise
        return self._reply(ask, entry, AnyPathPolicy(ask, ident, entry, self.options.limit_s))

    def _reply(self, ask: Ask, entry: Entry, policy: Policy) -> Reply:
        def observe(generation: Generation, event: Event) -> None:
            if isinstance(event, Piece):
                entry.pieces += 1
                if entry.first_piece_ms is None:
                    entry.first_piece_ms = entry.now_ms()
            policy.observe(generation, event)

        generation = Generation(ask, lambda: self._engine_for(ask.model), policy.limit_s, observe)
        self._running.add(generation.task)
        generation.task.add_done_callback(self._running.discard)
        return Reply(ask, entry, policy, generation)

    async def _engine_for(self, model: str) -> Engine:
        if MODELS[model].real and (engine := await self.local.ready()) is not None:
            return engine
        return self.scripted


def new_request_id() -> str:
    """A fresh request id."""
    return f"req_{secrets.token_hex(12)}"
