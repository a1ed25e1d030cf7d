"""Objects that are made when they are first used, so that no start waits for what making them takes."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")


class _Late(Generic[T]):
    """Stands for an object until it is there, and has its attributes from then on."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make

    def __getattr__(self, name: str) -> Any:
        """Called for what was not asked for yet; the next time the attribute is here."""
        made = self.__dict__.get("_made")
        if made is None:
            made = self.__dict__["_made"] = self._make()
        found = self.__dict__[name] = getattr(made, name)
        return found


def late(make: Callable[[], T]) -> T:
    """What `make` gives; it is called when the first attribute is asked for.

    For objects whose attributes never change, such as patterns; and as two threads may make two, for those that keep no state.
    """
    return cast("T", _Late(make))
