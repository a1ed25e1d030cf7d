"""AnyPath's way: a hold, a generation that outlives its client, and truncation in place of an error frame."""

from decimal import Decimal
from typing import Any

from anoman_tui.emulator.answer import Answer, Usage
from anoman_tui.emulator.ask import Ask
from anoman_tui.emulator.encoders import Encoder, Ident
from anoman_tui.emulator.encoders.chat import OpenAIChat
from anoman_tui.emulator.encoders.gemini import Gemini
from anoman_tui.emulator.encoders.messages import Messages
from anoman_tui.emulator.encoders.responses import Responses
from anoman_tui.emulator.errors import GatewayError
from anoman_tui.emulator.generation import Done, Event, Failed, Generation, Opened, Refused
from anoman_tui.emulator.ledger import Entry
from anoman_tui.emulator.models import MODELS
from anoman_tui.emulator.policy import Ending, whole_body
from anoman_tui.emulator.prices import cost_usd
from anoman_tui.emulator.tokens import count_tokens

_HOLD_OUTPUT_TOKENS = 4096


class AnyPathPolicy:
    """The rules of "AnyPath streaming page" for one accepted request; takes the hold when it is made."""

    def __init__(self, ask: Ask, ident: Ident, entry: Entry, limit_s: float) -> None:
        self.limit_s: float | None = limit_s
        self._ask, self._ident, self._entry = ask, ident, entry
        entry.hold = hold_for(ask)

    def encoder(self) -> Encoder:
        """The vendor's own frames for each shape."""
        if self._ask.shape == "messages":
            return Messages(self._ident)
        if self._ask.shape == "gemini":
            return Gemini(self._ident, sse=self._ask.sse)
        return Responses(self._ident, self._ask.max_tokens) if self._ask.shape == "responses" else OpenAIChat(self._ident)

    def observe(self, generation: Generation, event: Event) -> None:
        """Settle at the end, whether or not anyone still listens ("How streaming settles")."""
        if isinstance(event, Done):
            self._entry.settle(event.answer.usage)
        elif isinstance(event, Refused):
            self._entry.settle(None, event.error.code)
        elif isinstance(event, Failed):
            self._entry.settle(generation.usage_so_far, event.reason)
        elif isinstance(event, Opened):
            self._entry.engine = generation.engine_name

    def client_left(self, generation: Generation) -> None:
        """A disconnect does not stop the provider's work."""

    def done(self, encoder: Encoder, answer: Answer) -> Ending:
        """The shape's own terminal, nothing more."""
        return Ending(encoder.finish(answer))

    def failed(self, generation: Generation, failure: Failed) -> Ending:  # noqa: ARG002 - one interface for both gateways
        """Truncation: no terminal event, no error frame. Most failures cut the connection; `interrupt` ends the body cleanly."""
        spec = MODELS[self._ask.model]
        return Ending(clean=spec.fault in ("interrupt", "unmetered") or spec.wire == "done-after-error")

    def body(self, answer: Answer) -> dict[str, Any]:
        """The JSON answer."""
        return whole_body(self._ask, self._ident, answer)


def hold_for(ask: Ask) -> Decimal:
    """The pre-authorised amount in US dollars: the input and the most that may be generated, at list price."""
    return cost_usd(ask.model, Usage(2 * count_tokens(ask.input_text) + 64, ask.max_tokens or _HOLD_OUTPUT_TOKENS))


def check(ask: Ask) -> None:
    """What AnyPath refuses before dispatch: an uncertified channel (503) and a chat stream without `include_usage` (400)."""
    if ask.stream and MODELS[ask.model].fault == "uncertified":
        message = f"model_unavailable: no channel of {ask.model} has passed streaming certification."
        raise GatewayError(503, "model_unavailable", message, "model")
    if ask.shape == "chat" and ask.stream and not ask.include_usage:
        message = "Streaming chat completions require stream_options.include_usage: true."
        raise GatewayError(400, "include_usage_required", message, "stream_options.include_usage")
