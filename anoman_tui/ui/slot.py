"""What one pane of the board knows: how it was set up, and the run that it holds."""

from dataclasses import dataclass, field

from anoman_tui.core.headers import request_id
from anoman_tui.core.outcome import outcome
from anoman_tui.core.pane import PaneState
from anoman_tui.core.panes import PaneSpec
from anoman_tui.core.ports import Handle, Sink
from anoman_tui.core.request import Request
from anoman_tui.core.sanitize import clean_line
from anoman_tui.core.target import Target
from anoman_tui.ui.mailbox import Mailbox
from anoman_tui.ui.timeline import Timeline

MAX_OWN = 120
"""Characters of a pane's own settings in titles."""
Turns = tuple[tuple[str, str], ...]
"""(role, text) pairs of a conversation."""


@dataclass(slots=True, repr=False, eq=False)
class Slot:
    """One pane: its set-up and the run it holds, if it ever ran."""

    spec: PaneSpec
    state: PaneState | None = None
    request: Request | None = None
    """What was sent last, or what a retry would send where nothing was."""
    sent: PaneSpec | None = None
    """How the pane was set up when its prompt was sent."""
    first: PaneState | None = None
    """The state that the run begins with once the pane's turn has come."""
    mailbox: Mailbox | None = None
    sink: Sink | None = None
    """What the stream is told to: the mailbox, behind a recording where there is one."""
    timeline: Timeline = field(default_factory=Timeline)
    handle: Handle | None = None
    history: Turns = ()
    """The turns that go before the next prompt."""
    characters_per_token: float | None = None
    """Learned from earlier answers of this target."""
    priced_ns: int | None = None
    """When a list price was asked for."""
    counted: Mailbox | None = None
    """The run that was counted already when the pane was taken away."""
    queued: bool = False
    """Whether the pane waits for those before it."""

    @property
    def target(self) -> Target:
        """What the pane shows: where its answer came from, else where the next prompt will go."""
        return self.spec.target if self.state is None else self.state.target

    @property
    def own(self) -> str:
        """What was, or is to be, sent with this pane's own settings, in a few words; empty where it has none."""
        spec = self.spec if self.state is None or self.sent is None else self.sent
        return clean_line(spec.own, MAX_OWN) if spec.has_own else ""

    @property
    def changed(self) -> bool:
        """Whether the pane was set up anew since its answer."""
        return self.state is not None and self.sent is not None and self.sent != self.spec

    @property
    def streaming(self) -> bool:
        """Whether the pane's stream is open."""
        return self.state is not None and self.state.closed is None

    @property
    def ended(self) -> bool:
        """Whether the pane ran and its outcome is known."""
        return self.state is not None and (self.state.closed is not None or outcome(self.state) is not None)

    def clear(self, request: Request | None = None) -> None:
        """Forget the run, for the next one."""
        self.state, self.first, self.request, self.sent = None, None, request, self.spec
        self.mailbox, self.sink, self.handle = None, None, None
        self.priced_ns, self.queued, self.timeline = None, False, Timeline()


def attempts_of(state: PaneState | None) -> tuple[str, ...]:
    """The request ids of an attempt and of those before it, for the record of the next one."""
    if state is None:
        return ()
    own = request_id(state.headers)
    return state.earlier_request_ids if own is None else (*state.earlier_request_ids, own)
