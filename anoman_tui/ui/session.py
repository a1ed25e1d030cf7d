"""What the screen is given by the composition root, so that it knows neither network nor files."""

import random
from collections.abc import Callable, Mapping
from dataclasses import field
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

from anoman_tui.core.budget import Price
from anoman_tui.core.pane import PaneState
from anoman_tui.core.panes import PaneSpec, Setup
from anoman_tui.core.ports import KeepVotes, ListModels, ListPrice, OpenStream, Playback, Recordings, SavedSets, StartTape
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.records import dataclass
from anoman_tui.core.request import Params
from anoman_tui.core.run import RunHead
from anoman_tui.core.target import Provider
from anoman_tui.ui.memory import Memory
from anoman_tui.ui.source import Source

if TYPE_CHECKING:
    from anoman_tui.core.library import KeepPrompts

MAX_PANES = 6
"""The screen shows one to six panes."""


Share = Callable[[Setup, str, RunHead | None], tuple[Path, tuple[str, ...]]]
"""Writes the file to pass on: panes, prompt and a run; its path, and the headers that were left out as secrets."""


def now() -> datetime:
    """The present date and time in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Session:
    """One sitting at the screen."""

    panes: tuple[PaneSpec, ...]
    """One to six panes, in order."""
    open_stream: OpenStream
    clock: Callable[[], int] = perf_counter_ns
    """Nanoseconds; the same clock that stamps the events."""
    prompt: str = ""
    """Stands in the editor at the start."""
    send: bool = False
    """Whether the prompt is sent at once."""
    params: Params = field(default_factory=Params)
    """For all panes; each pane may have its own."""
    system: str | None = None
    """For all panes, as well."""
    providers: Mapping[str, Provider] = field(default_factory=lambda: BUILT_IN)
    """The providers that a pane may be given, by name."""
    problem_of: Callable[[PaneSpec], str] | None = None
    """Why a pane cannot be sent to from this machine, as one sentence; empty where it can. Called often, and answers at once."""
    list_models: ListModels | None = None
    """The models that a provider lists; called on a thread of its own. None knows no lists."""
    sets: SavedSets | None = None
    """The pane sets; None keeps none."""
    prompts: "KeepPrompts | None" = None
    """The prompt library; None keeps no prompts."""
    theme: str | None = None
    """The name of a theme; None takes the default one."""
    theme_dirs: tuple[Path, ...] = ()
    """Folders of theme files; a later folder wins over an earlier one."""
    notices: tuple[str, ...] = ()
    """One-line messages shown once at the start."""
    gateway_note: Callable[[], str] | None = None
    """One line on the embedded gateway: its engine and why; asked again while the screen is open."""
    start_tape: StartTape | None = None
    """Records each run; None records nothing."""
    recordings: Recordings | None = None
    """The recorded runs; None where there are none to show."""
    list_price: ListPrice | None = None
    """Estimates what a finished stream cost by list prices, where its server said nothing; None leaves it unknown."""
    price: Price | None = None
    """The list price of a request before it is sent; called on a thread of its own. None knows no price."""
    ask_above: Decimal | None = None
    """The sum in USD above which a send is asked about; None never asks."""
    cap: Decimal | None = None
    """The sum in USD that a session may cost; None is without a limit."""
    share: Share | None = None
    """Called on a thread of its own; raises ValueError with one sentence. None writes nothing."""
    first: Playback | None = None
    """A recording that is shown at the start."""
    on_exit: Callable[[tuple[PaneState, ...]], None] | None = None
    """Called once after the screen has closed, with the last state of every pane that ran."""
    votes: KeepVotes | None = None
    """Where votes are kept; None keeps none beyond the sitting."""
    shuffle: Callable[[list[Any]], None] = random.shuffle
    """Puts the panes of a blind run into an order of chance, in place."""
    state_dir: Path | None = None
    """The folder for what the user takes out, and for what the screen remembers; None keeps nothing."""
    memory: Memory = field(default_factory=Memory)
    """What is remembered of the last sitting; `panes` is what to remember of this one."""
    keymap: Mapping[str, str] = field(default_factory=dict)
    """The user's keys by the id of an action; several are joined by commas."""
    enter_sends: bool = True
    """Whether Enter sends the prompt; otherwise it starts a new line, and Ctrl+J sends."""
    version: str = ""
    """The program's version, for the run document."""
    wall_clock: Callable[[], datetime] = now
    """The date and time, for the run document."""
    warm: Callable[[], None] | None = None
    """Loads what the first answer needs; called on a thread of its own once the screen stands."""
    frames_per_second: int = 60
    """How often new text is drawn at most while something streams."""
    sparing: bool = False
    """Whether few bytes go to the terminal: few frames, numbers once a second, and text that scrolls by a part of a page."""

    def __post_init__(self) -> None:
        if not 1 <= len(self.panes) <= MAX_PANES:
            raise ValueError(f"the screen shows one to {MAX_PANES} panes, not {len(self.panes)}")

    @property
    def live(self) -> Source:
        """The network as the source of streams."""
        return Source(self.open_stream, self.clock, self.start_tape, self.list_price)
