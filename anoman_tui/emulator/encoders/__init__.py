"""From an engine's pieces to the frames of a shape. Pure: no clock, no network."""

import json
from dataclasses import dataclass
from typing import Any, Protocol

from anoman_tui.emulator.answer import Answer, Piece


@dataclass(frozen=True, slots=True)
class Ident:
    """What every frame of one answer repeats: a hexadecimal id, the time in Unix seconds and the model's name."""

    hex: str
    created: int
    model: str


class Encoder(Protocol):
    """Makes the frames of one stream; each item of a list is written to the socket on its own."""

    def start(self, input_tokens: int) -> list[bytes]:
        """The frames before the first piece."""

    def piece(self, piece: Piece) -> list[bytes]:
        """The frames of one piece."""

    def finish(self, answer: Answer) -> list[bytes]:
        """The frames at the end of a whole answer, up to the shape's own terminal."""


DONE = b"data: [DONE]\n\n"


def dumps(value: Any) -> str:
    """Compact JSON, as both gateways send it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def frame(value: Any) -> bytes:
    """An unnamed frame: a single `data:` line and a blank line ("Anoman streaming page, wire format")."""
    return f"data: {dumps(value)}\n\n".encode()


def named(event: str, value: Any) -> bytes:
    """A frame with an `event:` line, as Responses and Messages use."""
    return f"event: {event}\ndata: {dumps(value)}\n\n".encode()
