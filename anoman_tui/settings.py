"""What can be set, as plain data: names, types, defaults and bounds stand here once, for both ways of reading them."""

from dataclasses import field
from pathlib import Path
from typing import Any

from anoman_tui.core.records import dataclass
from anoman_tui.core.request import Secret
from anoman_tui.core.target import Auth, Policy, Shape

POSITIVE: dict[str, Any] = {"gt": 0}
"""The bound of a number that must be above 0."""
NOT_NEGATIVE: dict[str, Any] = {"ge": 0}
"""The bound of a number that may be 0."""


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """One provider of the user's, or changes to a built-in one."""

    label: str | None = None
    base_url: str | None = None
    """A root URL; a trailing `/v1` is accepted."""
    shapes: list[Shape] | None = None
    paths: dict[Shape, str] = field(default_factory=dict)
    """Paths below the root, where they differ from the shape's own."""
    policy: Policy | None = None
    auth: Auth | None = None
    api_key_env: str | None = None
    """The variable that holds the key."""
    api_key_file: Path | None = None
    """A file whose first line is the key."""
    api_key_cmd: list[str] | None = None
    """A command that prints the key, as a list of words; no shell."""
    api_key: Secret | None = None
    headers: dict[str, str] = field(default_factory=dict)
    include_usage: bool | None = None
    cancel_note: str | None = None
    total_limit_s: float | None = field(default=None, metadata=POSITIVE)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings. Variables are `ANOMAN_TUI_` and the name; parts are joined by `__`."""

    providers: dict[str, ProviderSettings] = field(default_factory=dict)
    sets: dict[str, list[str]] = field(default_factory=dict)
    """Pane sets by name: each a list of pane arguments."""
    panes: list[str] = field(default_factory=list)
    """The panes of a start without `--pane` or `--set`."""
    theme: str | None = None
    keys: dict[str, str] = field(default_factory=dict)
    """Keys of the screen by the id of an action, several joined by commas: `stop-pane = "x,f8"`."""
    enter_sends: bool = True
    """Whether Enter sends the prompt; otherwise it starts a new line, and Ctrl+J sends."""
    mouse: bool = True
    """Whether the screen takes the mouse; otherwise the terminal's own selection works."""
    fps: int = field(default=60, metadata=POSITIVE)
    """At most this many frames a second are drawn."""
    low_bandwidth: bool = False
    """Whether few bytes go to the terminal, as over a slow line."""
    idle_timeout_s: float = field(default=120, metadata=POSITIVE)
    connect_timeout_s: float = field(default=10, metadata=POSITIVE)
    total_timeout_s: float | None = field(default=None, metadata=POSITIVE)
    max_body_mb: int = field(default=256, metadata=POSITIVE)
    cache: bool = True
    """Whether the embedded gateway has its semantic cache."""
    record: bool = True
    """Whether runs are recorded."""
    keep_runs: int = field(default=200, metadata=POSITIVE)
    """How many recorded runs are kept."""
    keep_mb: int = field(default=200, metadata=POSITIVE)
    """How large all recorded runs may be together."""
    ask_above_usd: float = field(default=0.05, metadata=NOT_NEGATIVE)
    """What a send may cost by list prices, in USD, before one is asked."""
    cap_usd: float | None = field(default=None, metadata=POSITIVE)
    """What a session at the screen may cost, in USD; no limit where it is not set."""
