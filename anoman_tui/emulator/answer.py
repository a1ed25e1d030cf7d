"""What an engine produces: pieces while it runs, and the answer they add up to."""

from dataclasses import dataclass
from typing import Literal

PieceKind = Literal["text", "reasoning"]
FinishReason = Literal["stop", "length"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A bit of text or reasoning as it was generated, and how many tokens it is."""

    kind: PieceKind
    text: str
    tokens: int = 1


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts. `output_tokens` includes `reasoning_tokens`."""

    input_tokens: int
    output_tokens: int
    reasoning_tokens: int = 0

    @property
    def total_tokens(self) -> int:
        """Input and output together."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class Finish:
    """The last thing an engine yields. `usage` None means that the provider gave no usage evidence."""

    reason: FinishReason
    usage: Usage | None
    stop_sequence: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer."""

    text: str
    reasoning: str
    finish: FinishReason
    usage: Usage
    stop_sequence: str | None = None
