"""The local model: whether it can run here, and why not."""

from typing import Literal

from anoman_tui.emulator.engines import Engine
from anoman_tui.emulator.options import GatewayOptions

LocalState = Literal["off", "starting", "ready", "unavailable"]


class LocalModel:
    """stub."""

    def __init__(self, options: GatewayOptions) -> None:
        self.state: LocalState = "off"
        self.reason = "The scripted engine was chosen."

    @property
    def serves(self) -> bool:
        """Whether real names are served by the local model."""
        return self.state in ("starting", "ready")

    @property
    def engine_name(self) -> str:
        """The engine of the real names."""
        return "llama.cpp" if self.serves else "scripted"

    async def ready(self) -> Engine | None:
        """The engine."""
        return None

    def start(self) -> None:
        """Start."""

    def close(self) -> None:
        """Stop."""
