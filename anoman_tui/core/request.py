"""What is asked of a target, before it becomes an HTTP request."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from anoman_tui.core.records import dataclass
from anoman_tui.core.target import Auth, Target


class Secret:
    """A key that shows itself nowhere: not in `repr`, `str`, formatting, pickles or `vars`."""

    __slots__ = ("__value",)

    def __init__(self, value: str) -> None:
        self.__value = value

    def reveal(self) -> str:
        """The key itself, for the header and for redaction only."""
        return self.__value

    def __repr__(self) -> str:
        return "Secret(***)"

    __str__ = __repr__

    def __reduce__(self) -> Any:
        raise TypeError("a key cannot be pickled")


@dataclass(frozen=True, slots=True)
class Params:
    """Generation parameters; None leaves the choice to the server."""

    temperature: float | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    effort: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The parameters that were set, as the run document has them."""
        pairs = {"temperature": self.temperature, "max_tokens": self.max_tokens, "stop": list(self.stop) or None, "effort": self.effort}
        return {name: value for name, value in pairs.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the user typed, with the system prompt and the turns before it as (role, text) pairs."""

    text: str
    system: str | None = None
    history: tuple[tuple[str, str], ...] = ()

    @property
    def turns(self) -> tuple[tuple[str, str], ...]:
        """All turns with the prompt as the last one; roles are `user` and `assistant`."""
        return (*self.history, ("user", self.text))


@dataclass(frozen=True, slots=True)
class Request:
    """One prompt for one target."""

    target: Target
    prompt: Prompt
    params: Params = field(default_factory=Params)
    stream: bool = True
    """False asks for one JSON answer in place of a stream."""


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """The request as it goes on the wire. The key stays apart, so that the rest may be shown and saved."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    auth: Auth | None = None
    key: Secret | None = None
