"""What differs between the two gateways once a request was accepted."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from anoman_tui.emulator.answer import Answer
from anoman_tui.emulator.ask import Ask
from anoman_tui.emulator.encoders import Encoder, Ident, chat, gemini, messages, responses
from anoman_tui.emulator.generation import Event, Failed, Generation


@dataclass(frozen=True, slots=True)
class Ending:
    """The last frames of a body; `clean` False cuts the connection instead of ending the body."""

    frames: list[bytes] = field(default_factory=list)
    clean: bool = True


class Policy(Protocol):
    """One gateway's way with an accepted request."""

    limit_s: float | None

    def encoder(self) -> Encoder:
        """The encoder of this request's stream."""

    def observe(self, generation: Generation, event: Event) -> None:
        """Keep the books; called for every event of the generation."""

    def client_left(self, generation: Generation) -> None:
        """The client closed the connection before the end."""

    def done(self, encoder: Encoder, answer: Answer) -> Ending:
        """How a whole stream ends."""

    def failed(self, generation: Generation, failure: Failed) -> Ending:
        """How a stream ends that broke half-way."""

    def body(self, answer: Answer) -> Mapping[str, Any]:
        """The JSON answer where no stream was asked for."""


def whole_body(ask: Ask, ident: Ident, answer: Answer) -> dict[str, Any]:
    """The JSON answer in the shape that was asked."""
    if ask.shape == "messages":
        return messages.whole(ident, answer)
    if ask.shape == "gemini":
        return gemini.whole(ident, answer)
    if ask.shape == "responses":
        return responses.whole(ident, answer, ask.max_tokens)
    return chat.whole(ident, answer)
