"""List prices by `genai-prices`, whose data comes with the package. An estimate, always marked as one.

Importing it and its first use take half a second, so both happen on a thread of their own and only once a stream has
ended.
"""

import threading
from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING

from anoman_tui.core.events import ListPriced, Stamped
from anoman_tui.core.metrics import Source, output_tokens
from anoman_tui.core.pane import PaneState
from anoman_tui.core.ports import Sink
from anoman_tui.core.target import Target

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from genai_prices import Usage

MAKERS = {"openai": "openai", "anthropic": "anthropic", "google": "google", "openrouter": "openrouter"}
"""Our providers that the price list knows by name. A gateway sells other makers' models, so for one the maker is found by the model."""


class ListPrices:
    """Prices finished streams one after the other on one thread."""

    def __init__(self, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None

    def __call__(self, state: PaneState, sink: Sink) -> None:
        """Hand one ListPriced to `sink` later; nothing where there is no usage to price."""
        if not priceable(state):
            return
        with self._lock:
            if self._pool is None:
                from concurrent.futures import ThreadPoolExecutor

                self._pool = ThreadPoolExecutor(1, thread_name_prefix="prices")
            self._pool.submit(lambda: sink.on_events((Stamped(self._clock(), ListPriced(list_price(state))),)))

    def close(self) -> None:
        """Let the thread go; what is not priced yet stays unpriced."""
        with self._lock:
            if self._pool is not None:
                self._pool.shutdown(wait=False, cancel_futures=True)
                self._pool = None


def priceable(state: PaneState) -> bool:
    """Whether the counts and the target allow an estimate: models on this machine cost nothing that a list knows."""
    usage = state.usage
    counted = usage is not None and usage.input_tokens is not None and output_tokens(state).source is Source.REPORTED
    return counted and not state.target.provider.local and state.target.provider.name not in ("", "ollama")


def priced(state: PaneState) -> Decimal | None:
    """The list price where the target has one."""
    return list_price(state) if priceable(state) else None


def expected(target: Target, input_tokens: int, output_tokens: int) -> Decimal | None:
    """The list price in USD of a request that was not sent yet; None for a model that no list knows.

    The first call takes half a second: make it away from the screen.
    """
    from genai_prices import Usage

    return _price(target.provider.name, [target.model], Usage(input_tokens=input_tokens, output_tokens=output_tokens))


def list_price(state: PaneState) -> Decimal | None:
    """The list price of the reported usage in USD; None for a model that the list does not know, or counts that contradict."""
    from genai_prices import Usage

    usage = state.usage
    if usage is None or usage.input_tokens is None or usage.output_tokens is None:
        return None
    counts = Usage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cached_tokens,
        cache_write_tokens=usage.cache_write_tokens,
    )
    return _price(state.target.provider.name, [name for name in (state.served_model, state.target.model) if name], counts)


def _price(provider: str, models: list[str], counts: "Usage") -> Decimal | None:
    """The list price of the first model that the list knows."""
    from genai_prices import calc_price

    maker = MAKERS.get(provider)
    for model in _names(models, vendor=maker == "openrouter"):
        try:
            return Decimal(calc_price(counts, model, provider_id=maker).total_price)
        except (LookupError, ValueError):
            continue
    return None


def _names(models: list[str], *, vendor: bool) -> list[str]:
    """The models in order; without their vendor's prefix where the list has none."""
    return list(dict.fromkeys(name if vendor else name.rpartition("/")[2] for name in models))
