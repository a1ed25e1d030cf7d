"""Objects that are made when they are first used, so that no start waits for the modules that they need."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")


class _Late(Generic[T]):
    """Stands for an object until it is there, and passes everything on to it."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> T:
        return self._make()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._made, name)


def late(make: Callable[[], T]) -> T:
    """What `make` gives; it is called when the first attribute is asked for. Two threads may make two, so these must keep no state."""
    return cast("T", _Late(make))
