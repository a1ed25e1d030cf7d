"""What the embedded gateway can be told when it starts."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

EngineChoice = Literal["auto", "scripted", "llama"]
ENGINE_CHOICES: tuple[EngineChoice, ...] = ("auto", "scripted", "llama")


@dataclass(frozen=True, slots=True)
class GatewayOptions:
    """Options of one gateway process.

    `port` 0 takes a free port. `pace` multiplies every pause of the scripted engine: 1 is real time, 0 does not pause at
    all. `limit_s` is AnyPath's ceiling for one request in seconds. `max_body_bytes` is the largest request body accepted.
    """

    port: int = 0
    cache: bool = True
    engine: EngineChoice = "auto"
    gguf: Path | None = None
    pace: float = 1.0
    limit_s: float = 600.0
    max_body_bytes: int = 4 * 1024 * 1024
