"""What the token server says: tokens with marks in them, as Markdown, and the chat frames that carry them.

A mark is `z`, the letter of a stream and the number of the token in five digits. It passes through Markdown, wrapping and
escape sequences unharmed, so a terminal's raw bytes tell which token has reached the screen.
"""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

MARK = re.compile(rb"z([a-f])(\d{5})")
SINGLY = math.inf
"""A rate: as fast as it goes, but each event in a chunk of its own, as servers send them."""
PERIOD = 120
"""Tokens of one round of heading, paragraph, list, code and table."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What a model's name asks of the server: `LETTER-RATE-TOKENS-DELAY`, as in `a-200-1600-50`."""

    letter: str
    rate: float
    """Tokens a second; 0 sends as fast as it goes."""
    tokens: int
    delay_ms: float
    """From the request's last byte to the first token."""

    @property
    def model(self) -> str:
        """The name of the model."""
        return f"{self.letter}-{self.rate:g}-{self.tokens}-{self.delay_ms:g}"

    @classmethod
    def read(cls, model: str) -> "Ask":
        """What `model` asks for. Raises ValueError."""
        letter, rate, tokens, delay = model.split("-")
        return cls(letter, float(rate), int(tokens), float(delay))


def mark(letter: str, number: int) -> str:
    """The mark of a token."""
    return f"z{letter}{number:05d}"


def markdown(letter: str, tokens: int) -> Iterator[str]:
    """Tokens of an answer in Markdown: each round has a heading, a paragraph with emphasis, a list, code and a table."""
    for number in range(tokens):
        yield _token(mark(letter, number), number % PERIOD)


def _token(text: str, at: int) -> str:
    if at == 0:
        return f"## {text}\n\n"
    if at < 50:
        word = f"**{text}**" if at % 9 == 0 else f"`{text}`" if at % 11 == 0 else text
        return word + ("\n\n" if at == 49 else " ")
    if at < 74:
        place = at - 50
        return ("- " if place % 6 == 0 else "") + text + ("\n" if place % 6 == 5 else " ") + ("\n" if place == 23 else "")
    if at < 98:
        place = at - 74
        return ("```python\n" if place == 0 else "") + text + (" = ", "(", ")\n")[place % 3] + ("```\n\n" if place == 23 else "")
    if at < 118:
        place = at - 98
        ruler = "|---|---|---|---|\n" if place == 3 else ""
        return f"| {text}" + (" |\n" if place % 4 == 3 else " ") + ruler + ("\n" if place == 19 else "")
    return text + (" " if at == 118 else "\n\n")


def chat_frames(texts: Iterator[str], model: str, tokens: int) -> Iterator[tuple[bool, bytes]]:
    """The frames of a chat stream in order; True marks those that carry a token."""
    head = {"id": "chatcmpl-0123456789abcdefghijklmnop", "object": "chat.completion.chunk", "created": 1_764_000_000, "model": model}
    yield False, _frame({**head, "system_fingerprint": "fp_0123456789", "choices": [_choice({"role": "assistant", "content": ""})]})
    for text in texts:
        yield True, _frame({**head, "system_fingerprint": "fp_0123456789", "choices": [_choice({"content": text})]})
    yield False, _frame({**head, "choices": [{**_choice({}), "finish_reason": "stop"}]})
    usage = {"prompt_tokens": 9, "completion_tokens": tokens, "total_tokens": tokens + 9}
    yield False, _frame({**head, "choices": [], "usage": usage}) + b"data: [DONE]\n\n"


def _choice(delta: dict[str, str]) -> dict[str, object]:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}


def _frame(fields: dict[str, object]) -> bytes:
    return b"data: " + json.dumps(fields, separators=(",", ":")).encode() + b"\n\n"
