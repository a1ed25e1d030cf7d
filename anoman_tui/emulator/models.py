"""The models the gateway serves, as data: their speed, length and faults."""

from dataclasses import dataclass
from typing import Literal, get_args

Fault = Literal["none", "break", "interrupt", "stall", "unmetered", "limited", "uncertified"]
WireFault = Literal[
    "none",
    "swapped-model",
    "no-usage",
    "sequence",
    "buffered",
    "late-metadata",
    "done-after-error",
    "truncated",
    "no-role",
    "no-metadata",
    "open-block",
    "no-finish",
    "zero-usage",
    "total-usage",
    "cached-usage",
    "shrunk-usage",
    "denied-limit",
    "json-beside",
]
"""What goes wrong on the way to the client, though the model did its work."""


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """How a scripted model behaves.

    `tokens_per_s` is its rate, `first_token_s` the wait before the first token, `length` the answer's length in tokens
    (about), `reasoning` the number of reasoning tokens before it (about). `fault` is what goes wrong and `fault_after` after how
    many tokens. `wire` is what goes wrong on the way to the client. `real` says that llama.cpp serves the name where it runs.
    """

    name: str
    owner: str
    tokens_per_s: float
    first_token_s: float
    length: int
    reasoning: int = 0
    fault: Fault = "none"
    fault_after: int = 40
    real: bool = False
    wire: WireFault = "none"


MODELS: dict[str, ModelSpec] = {
    spec.name: spec
    for spec in (
        ModelSpec("claude-sonnet-4-6", "anthropic", 70, 0.40, 360, real=True),
        ModelSpec("gpt-4o-mini", "openai", 110, 0.25, 260, real=True),
        ModelSpec("gemini-2.5-flash", "google", 150, 0.30, 320, real=True),
        ModelSpec("smollm2-135m-instruct", "huggingface", 90, 0.20, 220, real=True),
        ModelSpec("scripted-fast", "scripted", 200, 0.10, 300),
        ModelSpec("scripted-slow", "scripted", 12, 0.80, 160),
        ModelSpec("scripted-long", "scripted", 120, 0.25, 2000),
        ModelSpec("scripted-reasoning", "scripted", 60, 0.30, 240, reasoning=90),
        ModelSpec("scripted-break", "scripted", 60, 0.25, 300, fault="break"),
        ModelSpec("scripted-interrupt", "scripted", 60, 0.25, 300, fault="interrupt"),
        ModelSpec("scripted-stall", "scripted", 60, 0.25, 300, fault="stall"),
        ModelSpec("scripted-unmetered", "scripted", 120, 0.25, 120, fault="unmetered"),
        ModelSpec("scripted-limited", "scripted", 60, 0.25, 200, fault="limited"),
        ModelSpec("scripted-uncertified", "scripted", 60, 0.25, 200, fault="uncertified"),
        *(
            ModelSpec(f"fault-{wire}", "scripted", 120, 0.40, 60, fault="break" if wire == "done-after-error" else "none", wire=wire)
            for wire in get_args(WireFault)
            if wire != "none"
        ),
    )
}

LOCAL_MODEL = "smollm2-135m-instruct"


def listed_models(*, local: bool) -> list[str]:
    """The names to list; the local model is listed only where llama.cpp serves it."""
    return [name for name in MODELS if local or name != LOCAL_MODEL]
