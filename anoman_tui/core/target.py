"""What a pane talks to: the endpoint shape, the provider, the target, and the pane argument that names one.

The pane argument is `[PROVIDER/][SHAPE/]MODEL[@BASE_URL]`. The base begins at the last `@http://` or `@https://`; any
other `@` belongs to the model, and so does a second part that is no shape.
"""

import re
from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from urllib.parse import SplitResult, quote, urlsplit

from anoman_tui.core.records import dataclass


class Shape(StrEnum):
    """The endpoint shapes: who defined the request and the stream."""

    CHAT = "chat"
    """OpenAI chat completions."""
    RESPONSES = "responses"
    """OpenAI Responses."""
    MESSAGES = "messages"
    """Anthropic Messages."""
    GEMINI = "gemini"
    """Google streamGenerateContent."""
    PLAYGROUND = "playground"
    """Anoman playground run."""


class Policy(StrEnum):
    """What a provider promises about the end of a stream; `outcome` judges by it."""

    STRICT = "strict"
    """The protocol's own terminal; on chat and playground `[DONE]` after a finish reason."""
    LENIENT = "lenient"
    """A finish reason and a clean end of the body are enough, with a finding."""
    ANOMAN = "anoman"
    """`[DONE]` with no error frame (Anoman streaming page, wire format and mid-stream errors)."""
    ANYPATH = "anypath"
    """Strict, and on chat a usage chunk before `[DONE]` (AnyPath streaming page, handle stream errors)."""


class Auth(StrEnum):
    """How a key travels."""

    BEARER = "bearer"
    X_API_KEY = "x-api-key"
    X_GOOG_API_KEY = "x-goog-api-key"


DEFAULT_PATHS: Mapping[Shape, str] = {
    Shape.CHAT: "/v1/chat/completions",
    Shape.RESPONSES: "/v1/responses",
    Shape.MESSAGES: "/v1/messages",
    Shape.GEMINI: "/v1beta/models/{model}:streamGenerateContent?alt=sse",
    Shape.PLAYGROUND: "/anoman/v1/playground/run",
}
"""Paths below a root, by the convention of each shape's own SDK."""


@dataclass(frozen=True, slots=True)
class Provider:
    """A server that we know how to talk to. `key_env` names variables, never holds a key."""

    name: str
    label: str
    base_url: str
    """A root without `/v1`; empty for the embedded gateway, whose address is known once it runs."""
    shapes: Mapping[Shape, str]
    """The shapes on offer, each with its path below the root."""
    policy: Policy = Policy.STRICT
    auth: Mapping[Shape, Auth] = field(default_factory=dict)
    """How the key travels, per shape; Bearer where none is named."""
    key_env: tuple[str, ...] = ()
    """Variables that may hold the key, the first one set wins."""
    base_url_env: str | None = None
    """A variable that may move the root; it moves only together with a key of the same family."""
    headers: Mapping[str, str] = field(default_factory=dict)
    include_usage: bool = True
    """Whether chat requests carry `stream_options.include_usage`."""
    cancel_note: str = "stopped reading; how the provider bills a stopped stream is not documented here"
    """What a stop costs, in the provider's own terms."""
    total_limit_s: float | None = None
    """The provider's documented ceiling for one stream in seconds."""
    local: bool = False
    """True for the embedded gateway on this machine."""
    needs_key: bool = True

    def auth_for(self, shape: Shape) -> Auth:
        """How the key travels for `shape`."""
        return self.auth.get(shape, Auth.BEARER)


BARE = Provider(
    name="",
    label="",
    base_url="",
    shapes=DEFAULT_PATHS,
    needs_key=False,
    cancel_note="stopped; closing the connection is all a client can do, and what the server bills is not known",
)
"""The provider of a pane that names only a base URL: strict, and no key is sent."""


@dataclass(frozen=True, slots=True)
class Target:
    """One provider, endpoint shape and model, at a root URL. Holds no key."""

    provider: Provider
    shape: Shape
    model: str
    base_url: str
    """The root; empty for the embedded gateway until it runs."""
    sends_key: bool = False
    """Whether the provider's key may go to this host."""

    @property
    def policy(self) -> Policy:
        """The completion policy of the provider."""
        return self.provider.policy

    @property
    def name(self) -> str:
        """The target as a pane argument without the base URL."""
        return "/".join(part for part in (self.provider.name, self.shape.value, self.model) if part)

    @property
    def argument(self) -> str:
        """The pane argument that gives this target again."""
        moved = self.base_url and self.base_url != self.provider.base_url
        return f"{self.name}@{self.base_url}" if moved else self.name

    @property
    def path(self) -> str:
        """The path below the root, with the model in it where the shape has it there."""
        path = self.provider.shapes.get(self.shape, DEFAULT_PATHS[self.shape])
        return path.replace("{model}", quote(self.model, safe="")) if "{model}" in path else path

    def at(self, base_url: str) -> "Target":
        """The same target at another root."""
        return Target(self.provider, self.shape, self.model, base_url, self.sends_key)

    @property
    def url(self) -> str:
        """The whole request URL; just the path while the root is not known yet."""
        return join_url(self.base_url, self.path)


class PaneArgumentError(ValueError):
    """A pane argument that cannot be read; the message says what, where and how to mend it."""


def root_of(base_url: str) -> str:
    """The root of a base URL: no trailing slash, and no trailing `/v1` or `/v1beta`."""
    return re.sub(r"/(v1|v1beta)$", "", base_url.rstrip("/")).rstrip("/")


def join_url(base_url: str, path: str) -> str:
    """Join a root and a path so that `/v1/v1` never comes out."""
    return root_of(base_url) + path


def masked(text: str) -> str:
    """A URL, or a text that holds one, without its user name, password and query, which may be secrets."""
    return re.sub(r"\?.*", "?***", re.sub(r"(?<=://)[^/@\s]*(?=@(?!https?://))", "***", text), flags=re.DOTALL)


def check_base_url(base_url: str, where: str) -> str:
    """Return the root of `base_url`, or raise PaneArgumentError naming `where`."""
    try:
        parts = urlsplit(base_url)
    except ValueError:
        parts = urlsplit("")
    if not _port_fits(parts):
        raise PaneArgumentError(f"{where}: the port in the base URL is no number from 1 to 65535")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise PaneArgumentError(
            f"{where}: the base URL {masked(base_url)!r} is no http:// or https:// address; give one like http://127.0.0.1:8080/v1"
        )
    if parts.username is not None or parts.password is not None:
        raise PaneArgumentError(f"{where}: the base URL holds a user name or password; put the key in the provider's variable instead")
    if parts.query or parts.fragment:
        raise PaneArgumentError(f"{where}: the base URL has a query or fragment; end it at the path, as in http://127.0.0.1:8080/v1")
    if any(ord(c) <= 32 or ord(c) == 127 for c in base_url):
        raise PaneArgumentError(f"{where}: the base URL holds a blank or control character; remove it")
    return root_of(base_url)


def _port_fits(parts: SplitResult) -> bool:
    try:
        return parts.port is None or parts.port > 0
    except ValueError:
        return False


def same_host(one: str, other: str) -> bool:
    """Whether two URLs have the same scheme, host and port; what decides that a key may be sent."""
    a, b = urlsplit(one), urlsplit(other)
    ports = {"http": 80, "https": 443}
    return (a.scheme, a.hostname, a.port or ports.get(a.scheme)) == (b.scheme, b.hostname, b.port or ports.get(b.scheme))


def parse_pane(argument: str, providers: Mapping[str, Provider]) -> Target:
    """Read a pane argument. Raises PaneArgumentError with one sentence that says how to mend it."""
    where = f"pane {masked(argument)!r}"
    named, base = _split_base(argument.strip())
    parts = named.split("/")
    provider = providers.get(parts[0]) if len(parts) > 1 else None
    if provider is not None:
        parts = parts[1:]
    shape = None
    if len(parts) > 1 and parts[0] in Shape.__members__.values():
        shape = Shape(parts[0])
        parts = parts[1:]
    model = "/".join(parts)
    if not model:
        raise PaneArgumentError(f"{where}: no model is named; give [PROVIDER/][SHAPE/]MODEL[@BASE_URL], as in anoman/chat/gpt-4o-mini")
    if provider is None and base is None:
        known = ", ".join(sorted(providers))
        raise PaneArgumentError(
            f"{where}: neither a provider nor @BASE_URL is given; begin with one of {known}, or end with @http://HOST:PORT"
        )
    provider = provider or BARE
    shape = shape or next(iter(provider.shapes))
    if shape not in provider.shapes:
        offered = ", ".join(provider.shapes)
        raise PaneArgumentError(f"{where}: {provider.name} does not offer the shape {shape}; it offers {offered}")
    if base is None:
        return Target(provider, shape, model, provider.base_url, sends_key=provider.needs_key)
    root = check_base_url(base, where)
    keyed = bool(provider.base_url) and provider.needs_key and same_host(root, provider.base_url)
    return Target(provider, shape, model, root, sends_key=keyed)


def _split_base(argument: str) -> tuple[str, str | None]:
    at = max(argument.rfind("@http://"), argument.rfind("@https://"))
    return (argument, None) if at < 0 else (argument[:at], argument[at + 1 :])
