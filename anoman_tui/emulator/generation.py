"""One request's way through an engine, in a task of its own: metered, limited in time, settled at its end."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from anoman_tui.emulator.answer import Answer, Finish, Piece, Usage
from anoman_tui.emulator.ask import Ask
from anoman_tui.emulator.engines import Engine, EngineRefusedError, Upstream, UpstreamBrokenError

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Opened:
    """The engine accepted the request."""

    input_tokens: int


@dataclass(frozen=True, slots=True)
class Refused:
    """The engine refused it before the first piece."""

    error: EngineRefusedError


@dataclass(frozen=True, slots=True)
class Done:
    """The answer is whole."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Failed:
    """It ended without a whole answer. `reason`: `provider_error`, `timeout`, `no_usage_evidence`,
    `internal_error` or `cancelled`."""

    reason: str


Event = Opened | Piece | Refused | Done | Failed
Outcome = Refused | Done | Failed


class Generation:
    """Runs the engine and queues its events for whoever writes them out; nobody need listen.

    `on_event` sees every event as it happens; the outcome comes last and exactly once, cancelled or not.
    """

    def __init__(
        self, ask: Ask, engine: Callable[[], Awaitable[Engine]], limit_s: float | None, on_event: Callable[["Generation", Event], None]
    ) -> None:
        self.ask = ask
        self.engine_name: str | None = None
        self.events: asyncio.Queue[Event] = asyncio.Queue()
        self._engine, self._limit_s, self._on_event = engine, limit_s, on_event
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._input_tokens = self._output_tokens = self._reasoning_tokens = 0
        self.task = asyncio.create_task(self._run())

    @property
    def usage_so_far(self) -> Usage:
        """What was read and generated until now."""
        return Usage(self._input_tokens, self._output_tokens, self._reasoning_tokens)

    @property
    def chars(self) -> int:
        """Characters of the answer generated until now."""
        return sum(map(len, self._text))

    async def _run(self) -> None:
        outcome: Outcome = Failed("cancelled")
        try:
            async with asyncio.timeout(self._limit_s):
                outcome = await self._drive()
        except TimeoutError:
            outcome = Failed("timeout")
        except Exception:
            # A fault of our own must look like any other broken upstream to the client, and must still settle.
            _LOG.exception("The generation failed.")
            outcome = Failed("internal_error")
        finally:
            self._emit(outcome)

    async def _drive(self) -> Outcome:
        try:
            engine = await self._engine()
            self.engine_name = engine.name
            upstream = await engine.open(self.ask)
        except EngineRefusedError as error:
            return Refused(error)
        try:
            return await self._read(upstream)
        except UpstreamBrokenError:
            return Failed("provider_error")
        finally:
            await upstream.aclose()

    async def _read(self, upstream: Upstream) -> Outcome:
        self._input_tokens = upstream.input_tokens
        self._emit(Opened(upstream.input_tokens))
        async for piece in upstream:
            if isinstance(piece, Finish):
                return self._whole(piece)
            self._output_tokens += piece.tokens
            if piece.kind == "text":
                self._text.append(piece.text)
            else:
                self._reasoning.append(piece.text)
                self._reasoning_tokens += piece.tokens
            self._emit(piece)
        return Failed("provider_error")

    def _whole(self, finish: Finish) -> Outcome:
        if finish.usage is None:
            return Failed("no_usage_evidence")
        return Done(Answer("".join(self._text), "".join(self._reasoning), finish.reason, finish.usage, finish.stop_sequence))

    def _emit(self, event: Event) -> None:
        self._on_event(self, event)
        self.events.put_nowait(event)
