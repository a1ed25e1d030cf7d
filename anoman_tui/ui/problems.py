"""What is known of a pane before it is sent to."""

from anoman_tui.core.choices import choice_problems
from anoman_tui.core.panes import PaneSpec, over
from anoman_tui.core.request import Params
from anoman_tui.ui.session import Session


def pane_problems(spec: PaneSpec, shared: Params, session: Session) -> tuple[str, ...]:
    """What is known before a pane is sent to: why it cannot be, and what its shape does not take."""
    own = session.problem_of(spec) if session.problem_of is not None else ""
    return (*([own] if own else []), *choice_problems(spec.target, over(spec.params, shared)))
