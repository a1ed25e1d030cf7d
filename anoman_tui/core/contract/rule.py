"""What a rule is, and what it finds."""

from collections.abc import Callable
from enum import Enum

from anoman_tui.core.events import Ending, FailureKind, FrameFacts
from anoman_tui.core.outcome import Outcome, outcome
from anoman_tui.core.pane import PaneState
from anoman_tui.core.records import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One departure from a rule, with the frame that shows it where there is one."""

    rule: str
    severity: str
    """`warning` or `error`."""
    message: str
    frame: int | None = None


def frames(count: int) -> str:
    """So many frames, in words."""
    return "1 frame" if count == 1 else f"{count} frames"


class Held(Enum):
    """What a rule says of a stream that does not break it."""

    HOLDS = "holds"
    WAITING = "waiting"
    """It cannot be judged yet."""
    UNJUDGED = "unjudged"
    """It does not concern this stream, or can no longer be judged."""


@dataclass(frozen=True, slots=True)
class Broken:
    """The stream breaks the rule: how, and in which frame."""

    message: str
    frame: int | None = None


Result = Held | Broken


@dataclass(frozen=True, slots=True)
class View:
    """A stream as the rules see it."""

    state: PaneState
    outcome: Outcome | None

    @classmethod
    def of(cls, state: PaneState) -> "View":
        """The view of a state."""
        return cls(state, outcome(state))

    @property
    def over(self) -> bool:
        """Whether no more frames can come."""
        return self.state.closed is not None

    @property
    def whole(self) -> bool:
        """Whether the protocol's end came without an error before it."""
        return self.outcome is Outcome.COMPLETED

    @property
    def told_error(self) -> bool:
        """Whether the server itself told of an error; a frame that cannot be read is one for us alone."""
        return self.state.error is not None and self.state.error.kind is not FailureKind.UNREADABLE

    @property
    def ended_after_error(self) -> bool:
        """Whether a terminal followed the server's error: that alone is wrong then, and not what the terminal lacks."""
        return self.told_error and self.state.trace.end_after_error is not None

    @property
    def stopped(self) -> bool:
        """Whether the user or a limit of ours ended it, so that it owes nothing more."""
        return self.state.closed is not None and self.state.closed.ending in (Ending.CANCELLED, Ending.TOTAL, Ending.SIZE)

    def first(self, *kinds: str) -> tuple[int, FrameFacts] | None:
        """The first frame of these kinds."""
        return next((entry for entry in self.state.trace.facts if entry[1].kind in kinds), None)

    def at_end(self, *, then: Callable[[], Result]) -> Result:
        """What only a whole stream can show: waiting while it runs, unjudged where it was not whole."""
        if self.whole and self.over:
            return then()
        return Held.UNJUDGED if self.over or self.state.error is not None else Held.WAITING


@dataclass(frozen=True, slots=True)
class Rule:
    """One documented rule. `page` names the place where it is written."""

    id: str
    says: str
    page: str
    check: Callable[[View], Result]
    severity: str = "warning"
