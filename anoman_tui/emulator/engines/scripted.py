"""Scripted models: deterministic Markdown at a set speed, with faults where the model has one."""

import asyncio
import hashlib
import random
from collections.abc import AsyncGenerator, AsyncIterator

from anoman_tui.emulator.answer import Finish, Piece, Usage
from anoman_tui.emulator.ask import Ask
from anoman_tui.emulator.engines import EngineRefusedError, UpstreamBrokenError
from anoman_tui.emulator.engines.script import write_answer, write_reasoning
from anoman_tui.emulator.models import MODELS, ModelSpec
from anoman_tui.emulator.tokens import count_tokens, tokenize

_STALL_S = 900.0


class ScriptedEngine:
    """Answers from templates. The same prompt and model give the same answer; `pace` 0 leaves out every pause."""

    name = "scripted"

    def __init__(self, pace: float = 1.0) -> None:
        self._pace = pace

    async def open(self, ask: Ask) -> "ScriptedUpstream":
        """Accept the request after a short wait, as a provider would. Raises `EngineRefusedError` for a limited model."""
        spec = MODELS[ask.model]
        await asyncio.sleep(0.02 * self._pace)
        if spec.fault == "limited":
            raise EngineRefusedError(429, "rate_limit_exceeded", "Rate limit reached for this model; try again in 2 s.", retry_after_s=2)
        return ScriptedUpstream(ask, spec, self._pace)


class ScriptedUpstream:
    """One scripted answer on its way."""

    def __init__(self, ask: Ask, spec: ModelSpec, pace: float) -> None:
        self.input_tokens = count_tokens(ask.input_text) + 3 * len(ask.turns)
        self._ask, self._spec, self._pace = ask, spec, pace
        self._rng = random.Random(_seed(ask))  # noqa: S311 - the same prompt must give the same answer
        self._pieces = self._generate()

    def __aiter__(self) -> AsyncIterator[Piece | Finish]:
        return self._pieces

    async def aclose(self) -> None:
        """Stop generating."""
        await self._pieces.aclose()

    async def _generate(self) -> AsyncGenerator[Piece | Finish, None]:
        spec, limit = self._spec, self._ask.max_tokens
        answer, stopped_by = self._answer()
        script = [Piece("reasoning", token) for token in self._reasoning()] + [Piece("text", token) for token in tokenize(answer)]
        reasoning = sum(piece.kind == "reasoning" for piece in script)
        cut = limit is not None and limit < len(script)
        planned = script[:limit] if cut else script
        due = asyncio.get_running_loop().time() + spec.first_token_s * self._pace * self._rng.uniform(0.9, 1.2)
        for count, piece in enumerate(planned):
            await self._fail(count, len(planned))
            await _until(due)
            due += self._pace / spec.tokens_per_s * self._rng.uniform(0.6, 1.4)
            yield piece
        usage = Usage(self.input_tokens, len(planned), min(reasoning, len(planned)))
        yield Finish("length" if cut else "stop", None if spec.fault == "unmetered" else usage, None if cut else stopped_by)

    async def _fail(self, count: int, planned: int) -> None:
        # In the middle of an answer that is too short: a model with a fault has it on a greeting, too.
        if count != min(self._spec.fault_after, planned // 2):
            return
        if self._spec.fault in ("break", "interrupt"):
            raise UpstreamBrokenError("scripted provider: connection reset by peer at 10.4.0.17:8443")
        if self._spec.fault == "stall":
            await asyncio.sleep(_STALL_S)
            raise UpstreamBrokenError("scripted provider: no data for too long")

    def _reasoning(self) -> list[str]:
        return tokenize(write_reasoning(self._ask.prompt, self._spec.reasoning, self._rng)) if self._spec.reasoning else []

    def _answer(self) -> tuple[str, str | None]:
        text = write_answer(self._ask.prompt, self._spec.length, self._rng)
        hits = [(text.index(stop), stop) for stop in self._ask.stop if stop in text]
        if not hits:
            return text, None
        at, stop = min(hits)
        return text[:at], stop


async def _until(due: float) -> None:
    # A sleep even when it is late: the loop must get its turn, so that a cancel is seen between two tokens.
    await asyncio.sleep(max(0.0, due - asyncio.get_running_loop().time()))


def _seed(ask: Ask) -> int:
    text = "\x1f".join([ask.model, ask.system or "", *(turn.text for turn in ask.turns)])
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:8])
