"""A request in one form, whatever shape it came in."""

from dataclasses import dataclass
from typing import Literal

Gateway = Literal["anoman", "anypath"]
Shape = Literal["chat", "responses", "messages", "gemini", "playground"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of the conversation; `role` is `user` or `assistant`."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Ask:
    """What a client asked for. `max_tokens` None means no limit was set; `sse` is false only for a Gemini JSON array."""

    gateway: Gateway
    shape: Shape
    model: str
    turns: tuple[Turn, ...]
    system: str | None = None
    stream: bool = False
    sse: bool = True
    include_usage: bool = False
    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    stop: tuple[str, ...] = ()

    @property
    def prompt(self) -> str:
        """The text of the last user turn."""
        return next((turn.text for turn in reversed(self.turns) if turn.role == "user"), "")

    @property
    def input_text(self) -> str:
        """Everything the model reads, as one text."""
        return "\n".join([*([self.system] if self.system else []), *(turn.text for turn in self.turns)])
