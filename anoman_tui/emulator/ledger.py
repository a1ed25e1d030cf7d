"""What became of each request: the gateway's own books.

Anoman: a stream that the client closes is `streaming_cancelled` and is billed for what was generated ("Anoman streaming page,
Stopping a stream early"). AnyPath: a hold is taken first, captured from the terminal usage and never above it, and released when the
provider fails, after the time limit or without usage evidence ("AnyPath streaming page, How streaming settles").
"""

import time
from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Literal

from anoman_tui.emulator.answer import Usage
from anoman_tui.emulator.ask import Gateway, Shape
from anoman_tui.emulator.prices import cost_usd, money, weighted_tokens

State = Literal[
    "open", "completed", "streaming_cancelled", "cancelled", "failed", "blocked", "rejected", "cache_hit", "settled", "released"
]


@dataclass(slots=True)
class Entry:
    """One request. All `*_ms` are milliseconds since it was accepted; None is "did not happen"."""

    request_id: str
    gateway: Gateway
    shape: Shape
    model: str
    stream: bool
    state: State = "open"
    engine: str | None = None
    usage: Usage | None = None
    cost: Decimal | None = None
    hold: Decimal | None = None
    captured: Decimal | None = None
    reason: str | None = None
    pieces: int = 0
    pieces_sent: int = 0
    headers_ms: float | None = None
    first_piece_ms: float | None = None
    closed_seen_ms: float | None = None
    ended_ms: float | None = None
    started_at: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"))
    _t0: float = field(default_factory=time.perf_counter)

    def now_ms(self) -> float:
        """Milliseconds since the request was accepted."""
        return round((time.perf_counter() - self._t0) * 1000, 3)

    def end(self, state: State, usage: Usage | None = None, reason: str | None = None) -> None:
        """Close the entry, with the cost of the usage where there is any; a closed entry stays as it is."""
        if self.state != "open":
            return
        self.state, self.usage, self.reason, self.ended_ms = state, usage, reason, self.now_ms()
        if usage is not None:
            self.cost = cost_usd(self.model, usage)

    def settle(self, usage: Usage | None, failure: str | None = None) -> None:
        """Capture from the hold, never above it; release it on a failure or without usage evidence (AnyPath)."""
        if failure is not None or usage is None:
            self.end("released", usage, failure or "no_usage_evidence")
            self.captured = Decimal(0)
            return
        self.end("settled", usage)
        cost = self.cost or Decimal(0)
        self.captured = cost if self.hold is None else min(cost, self.hold)

    def to_json(self) -> dict[str, Any]:
        """The entry as `GET /_ledger` shows it."""
        usage = self.usage
        return {
            "request_id": self.request_id,
            "gateway": self.gateway,
            "shape": self.shape,
            "model": self.model,
            "engine": self.engine,
            "stream": self.stream,
            "state": self.state,
            "routing_mode": "streaming_cancelled" if self.state == "streaming_cancelled" else "realtime",
            "reason": self.reason,
            "usage": None
            if usage is None
            else {
                "input_tokens": usage.input_tokens,
                "output_tokens": usage.output_tokens,
                "reasoning_tokens": usage.reasoning_tokens,
                "total_tokens": usage.total_tokens,
            },
            "cost_usd": _money(self.cost),
            "weighted_tokens": None if usage is None else weighted_tokens(self.model, usage),
            "hold_usd": _money(self.hold),
            "captured_usd": _money(self.captured),
            "pieces": self.pieces,
            "pieces_sent": self.pieces_sent,
            "started_at": self.started_at,
            "headers_ms": self.headers_ms,
            "first_piece_ms": self.first_piece_ms,
            "closed_seen_ms": self.closed_seen_ms,
            "ended_ms": self.ended_ms,
        }


class Ledger:
    """The latest entries, oldest first."""

    def __init__(self, size: int = 1000) -> None:
        self._entries: deque[Entry] = deque(maxlen=size)

    def add(self, entry: Entry) -> Entry:
        """Keep an entry and give it back."""
        self._entries.append(entry)
        return entry

    def to_json(self, request_id: str | None = None) -> list[dict[str, Any]]:
        """All entries, or those of one request id."""
        return [entry.to_json() for entry in self._entries if request_id in (None, entry.request_id)]


def _money(amount: Decimal | None) -> str | None:
    return None if amount is None else money(amount)
