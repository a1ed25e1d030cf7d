"""Two engines behind one small protocol: scripted, and llama.cpp in a process of its own."""

from collections.abc import AsyncIterator
from typing import Protocol

from anoman_tui.emulator.answer import Finish, Piece
from anoman_tui.emulator.ask import Ask


class EngineRefusedError(Exception):
    """The engine refused before the first piece; the message may go to the client. `status` is an HTTP status."""

    def __init__(self, status: int, code: str, message: str, retry_after_s: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.retry_after_s = retry_after_s


class UpstreamBrokenError(Exception):
    """The stream broke half-way. The message is the provider's own and must never reach the client."""


class Upstream(Protocol):
    """An accepted request: iterate once, then close. Closing stops the generation at once."""

    input_tokens: int

    def __aiter__(self) -> AsyncIterator[Piece | Finish]:
        """Pieces as they are generated, then one `Finish`. Raises `UpstreamBrokenError`."""

    async def aclose(self) -> None:
        """Stop the generation and let go of everything."""


class Engine(Protocol):
    """Something that answers."""

    name: str

    async def open(self, ask: Ask) -> Upstream:
        """Hand a request over; returns once it was accepted. Raises `EngineRefusedError`."""
