"""One pane as its user set it up: what it talks to, and what is its own rather than for all panes."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from types import MappingProxyType
from typing import Any

from anoman_tui.core.headers import is_secret_name
from anoman_tui.core.records import dataclass
from anoman_tui.core.request import Params, Prompt, Request
from anoman_tui.core.target import PaneArgumentError, Provider, Target, masked, parse_pane

EFFORTS = ("none", "minimal", "low", "medium", "high")
"""Reasoning efforts that some provider knows; which of them a model takes is for its server to say."""
MAX_TEMPERATURE = 2.0
MAX_HEADERS = 20
MAX_TEXT = 200_000
"""Characters of a system prompt that is read from a file."""
_FIELDS = frozenset({"pane", "temperature", "max_tokens", "stop", "effort", "system", "headers"})
_WORDS = (("temperature", "temp"), ("max_tokens", "max"), ("effort", "effort"), ("stop", "stop"))
_TOKEN = frozenset("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz")
_OWN = frozenset({"content-type", "content-length", "accept", "accept-encoding", "host", "connection", "transfer-encoding"})
"""Headers that the transport sets, and that would break a request."""


@dataclass(frozen=True, slots=True)
class PaneSpec:
    """A target with the parameters, the system prompt and the headers that go to it alone."""

    target: Target
    params: Params = field(default_factory=Params)
    """Each one that is set goes before that for all panes."""
    system: str | None = None
    """None takes the one for all panes; an empty text sends none."""
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Request headers by their names in lower case; none of them is a secret."""

    @property
    def has_own(self) -> bool:
        """Whether anything is set for this pane alone."""
        return self.params != Params() or self.system is not None or bool(self.headers)

    def request(self, prompt: Prompt, shared: Params) -> Request:
        """The request for a prompt, with what is for all panes where this one has nothing of its own."""
        system = prompt.system if self.system is None else self.system or None
        target = self.target
        if self.headers:
            provider = replace(target.provider, headers={**target.provider.headers, **self.headers})
            target = replace(target, provider=provider)
        return Request(target, replace(prompt, system=system), over(self.params, shared))

    @property
    def own(self) -> str:
        """What is set for this pane alone, in a few words; empty where that is nothing."""
        return own_words(self.as_dict()) if self.has_own else ""

    @property
    def saved(self) -> str | dict[str, Any]:
        """The pane argument, or `as_dict` where the pane has anything of its own."""
        return self.as_dict() if self.has_own else self.target.argument

    def as_dict(self) -> dict[str, Any]:
        """The pane as JSON holds it: the pane argument, and only what is set."""
        own: dict[str, Any] = {"pane": self.target.argument, **self.params.as_dict()}
        if self.system is not None:
            own["system"] = self.system
        if self.headers:
            own["headers"] = dict(self.headers)
        return own


@dataclass(frozen=True, slots=True)
class Setup:
    """Panes with what holds for all of them."""

    panes: tuple[PaneSpec, ...]
    params: Params = field(default_factory=Params)
    system: str | None = None


def own_words(own: Mapping[str, Any]) -> str:
    """What a pane has of its own, in a few words; empty where that is nothing.

    `own` is as `as_dict` has it, or as a file has it that nobody has checked. The user's texts are whole in it, and not made safe.
    """
    told = [f"{word} {_plain(own[name])}" for name, word in _WORDS if own.get(name) is not None]
    if (system := own.get("system")) is not None:
        told.append(f"system {system!r}" if system else "no system prompt")
    headers = own.get("headers")
    return ", ".join([*told, *(f"header {name}" for name in (headers if isinstance(headers, Mapping) else ()))])


def _plain(value: object) -> str:
    if isinstance(value, list | tuple):
        return " ".join(map(repr, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def read_setup(panes: Iterable[object], params: Mapping[str, Any], system: object, providers: Mapping[str, Provider]) -> Setup:
    """Panes and what holds for all of them, out of JSON or TOML. Raises PaneArgumentError with one sentence."""
    if system is not None and not isinstance(system, str):
        raise PaneArgumentError("system is no text")
    return Setup(tuple(read_spec(pane, providers) for pane in panes), read_params(params, "the parameters for all panes"), system)


def over(own: Params, shared: Params) -> Params:
    """The parameters of one pane: its own where they are set, else those for all."""
    return Params(
        shared.temperature if own.temperature is None else own.temperature,
        shared.max_tokens if own.max_tokens is None else own.max_tokens,
        own.stop or shared.stop,
        shared.effort if own.effort is None else own.effort,
    )


def differing(sent: Params, shared: Params) -> Params:
    """What was sent to one pane in the place of what was for all."""
    return Params(
        None if sent.temperature == shared.temperature else sent.temperature,
        None if sent.max_tokens == shared.max_tokens else sent.max_tokens,
        () if sent.stop == shared.stop else sent.stop,
        None if sent.effort == shared.effort else sent.effort,
    )


def read_spec(value: object, providers: Mapping[str, Provider]) -> PaneSpec:
    """A pane out of a pane argument, or of what `as_dict` gave. Raises PaneArgumentError with one sentence."""
    if isinstance(value, str):
        return PaneSpec(parse_pane(value, providers))
    if not isinstance(value, Mapping) or not isinstance(value.get("pane"), str):
        raise PaneArgumentError("a pane is a text such as anoman/chat/gpt-4o-mini, or a table with such a text as `pane`")
    target = parse_pane(value["pane"], providers)
    where = f"pane {masked(value['pane'])!r}"
    if unknown := sorted(str(name)[:40] for name in value if name not in _FIELDS):
        raise PaneArgumentError(f"{where}: {unknown[0]} is no part of a pane; there are: {', '.join(sorted(_FIELDS))}")
    system = value.get("system")
    if system is not None and (not isinstance(system, str) or len(system) > MAX_TEXT):
        raise PaneArgumentError(f"{where}: system is no text of up to {MAX_TEXT} characters")
    return PaneSpec(target, read_params(value, where), system, read_headers(value.get("headers") or {}, where))


def read_params(value: Mapping[str, Any], where: str) -> Params:
    """Parameters out of JSON or TOML; `where` begins the sentence of a PaneArgumentError."""
    temperature, max_tokens, stop, effort = (value.get(name) for name in ("temperature", "max_tokens", "stop", "effort"))
    if temperature is not None and not _is_temperature(temperature):
        raise PaneArgumentError(f"{where}: temperature is no number from 0 to {MAX_TEMPERATURE:g}")
    if max_tokens is not None and (not isinstance(max_tokens, int) or isinstance(max_tokens, bool) or not 1 <= max_tokens <= 10_000_000):
        raise PaneArgumentError(f"{where}: max_tokens is no whole number from 1 to 10000000")
    stops = [stop] if isinstance(stop, str) else [] if stop is None else stop
    if not isinstance(stops, list | tuple) or not all(isinstance(one, str) and one for one in stops):
        raise PaneArgumentError(f"{where}: stop is no list of texts")
    if effort is not None and (not isinstance(effort, str) or not effort.isidentifier()):
        raise PaneArgumentError(f"{where}: effort is no word such as {', '.join(EFFORTS)}")
    return Params(None if temperature is None else float(temperature), max_tokens, tuple(stops), effort)


def _is_temperature(value: object) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and math.isfinite(value) and 0 <= value <= MAX_TEMPERATURE  # type: ignore[arg-type,operator]  # a number by now


def read_headers(value: object, where: str) -> Mapping[str, str]:
    """Request headers of one pane. Raises PaneArgumentError for one that would be a secret, or that the transport sets."""
    if not isinstance(value, Mapping) or len(value) > MAX_HEADERS:
        raise PaneArgumentError(f"{where}: headers are a table of up to {MAX_HEADERS} names and texts")
    made: dict[str, str] = {}
    for given, text in value.items():
        name = str(given).strip().lower()
        if not name or not set(name) <= _TOKEN or not isinstance(text, str) or not _is_header_text(text):
            raise PaneArgumentError(f"{where}: the header {name[:60]!r} is no header name with a text of one line in plain letters")
        if is_secret_name(name):
            raise PaneArgumentError(f"{where}: the header {name[:60]!r} may hold a secret; put the key into the provider's variable")
        if name in _OWN:
            raise PaneArgumentError(f"{where}: the header {name!r} is set by this program and cannot be changed")
        made[name] = text
    return MappingProxyType(made)


def _is_header_text(text: str) -> bool:
    return len(text) <= 2_000 and all(32 <= ord(char) < 127 for char in text)
