"""Anoman's way: `_anoman` second to last, an error frame half-way, and a cancel that stops the provider."""

from typing import Any

from anoman_tui.emulator.answer import Answer, Usage
from anoman_tui.emulator.ask import Ask
from anoman_tui.emulator.cache import SemanticCache
from anoman_tui.emulator.encoders import DONE, Encoder, Ident, frame, named
from anoman_tui.emulator.encoders.chat import AnomanChat
from anoman_tui.emulator.encoders.messages import Messages
from anoman_tui.emulator.generation import Done, Event, Failed, Generation, Opened, Refused
from anoman_tui.emulator.guardrails import Verdict
from anoman_tui.emulator.ledger import Entry, State
from anoman_tui.emulator.models import MODELS
from anoman_tui.emulator.policy import Ending, whole_body
from anoman_tui.emulator.prices import cost_usd, money, weighted_tokens

REGION = "id"
_PROXY_LIMIT_S = 100.0


class AnomanPolicy:
    """The rules of "Anoman streaming page" for one accepted request."""

    def __init__(self, asked: Ask, ident: Ident, entry: Entry, verdict: Verdict, cache: SemanticCache | None) -> None:
        # Only streams may take as long as they like ("Cloudflare proxy note").
        self.limit_s: float | None = None if asked.stream else _PROXY_LIMIT_S
        self._asked, self._ident, self._entry, self._verdict, self._cache = asked, ident, entry, verdict, cache

    def encoder(self) -> Encoder:
        """Anoman's chat chunks for chat and playground, Anthropic's events for messages."""
        return Messages(self._ident) if self._asked.shape == "messages" else AnomanChat(self._ident)

    def observe(self, generation: Generation, event: Event) -> None:
        """Metering happens when the stream closes; a cancelled stream still records its partial usage."""
        entry = self._entry
        if isinstance(event, Done):
            entry.end("completed", event.answer.usage)
            if self._cache is not None and MODELS[self._asked.model].wire == "none":
                self._cache.put(self._asked, event.answer)
        elif isinstance(event, Refused):
            entry.end("rejected", reason=event.error.code)
        elif isinstance(event, Failed):
            gone = event.reason == "cancelled" and entry.closed_seen_ms is not None
            cancelled: State = "streaming_cancelled" if self._asked.stream else "cancelled"
            entry.end(cancelled if gone else "failed", generation.usage_so_far, "client_closed" if gone else event.reason)
        elif isinstance(event, Opened):
            entry.engine = generation.engine_name

    def client_left(self, generation: Generation) -> None:
        """Closing the connection cancels the upstream call ("Stopping a stream early")."""
        generation.task.cancel()

    def done(self, encoder: Encoder, answer: Answer) -> Ending:
        """The shape's terminal, the `_anoman` frame, `[DONE]`; on Messages the metadata comes unnamed after `message_stop`."""
        return Ending([*encoder.finish(answer), frame({"_anoman": self._metadata(answer.usage)}), DONE])

    def failed(self, generation: Generation, failure: Failed) -> Ending:  # noqa: ARG002 - the provider's reason stays here
        """The error frame and `[DONE]`, without metadata and never with the provider's own text."""
        error = stream_error(self._asked.model, generation.chars, generation.usage_so_far.output_tokens)
        if self._asked.shape == "messages":
            # Anthropic's SDK skips unnamed events; an unnamed error would look like a whole answer to it.
            return Ending([named("error", {"type": "error", "error": error}), DONE])
        return Ending([frame({"error": error}), DONE])

    def body(self, answer: Answer) -> dict[str, Any]:
        """The JSON answer with its metadata."""
        return {**whole_body(self._asked, self._ident, answer), "_anoman": self._metadata(answer.usage)}

    def cached_body(self, answer: Answer) -> dict[str, Any]:
        """The JSON answer of a cache hit: nothing was generated, so nothing is charged."""
        return {**whole_body(self._asked, self._ident, answer), "_anoman": self._metadata(answer.usage, hit=True)}

    def _metadata(self, usage: Usage, *, hit: bool = False) -> dict[str, Any]:
        model = self._asked.model
        charged = Usage(0, 0) if hit else usage
        return {
            "guardrails": self._verdict.to_json(),
            "routing": {"mode": "realtime", "region": REGION},
            "cache": {"hit": hit},
            "cost_usd": money(cost_usd(model, charged)),
            "weighted_tokens": weighted_tokens(model, charged),
        }


def stream_error(model: str, chars: int, tokens: int) -> dict[str, Any]:
    """The error object of a broken stream in one of the two documented forms; models of the fault `interrupt` get the second."""
    second = model in MODELS and MODELS[model].fault == "interrupt"
    partial = {"completion_tokens": tokens} if second else {"accumulated_chars": chars}
    return {
        "type": "provider_error",
        "code": "stream_interrupted" if second else "upstream_error",
        "message": "upstream stream interrupted",
        "_anoman": {"failure_class": "upstream_error", **partial},
    }
