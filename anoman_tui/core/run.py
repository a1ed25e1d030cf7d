"""What is known of a run before its first stream: the head of the run document and of the run file."""

from typing import Any

from anoman_tui.core.records import dataclass
from anoman_tui.core.request import Params, Prompt, Request
from anoman_tui.core.state import PaneState


@dataclass(frozen=True, slots=True)
class RunHead:
    """One prompt, sent to several panes at once. `started_at` is RFC 3339 in UTC."""

    run_id: str
    started_at: str
    prompt: Prompt
    params: Params
    mode: str = "parallel"

    def begin(self, request: Request, characters_per_token: float | None = None, earlier: tuple[str, ...] = ()) -> PaneState:
        """The state that a pane of this run begins with; it names what was asked of this pane alone."""
        system = request.prompt.system
        return PaneState(
            request.target,
            characters_per_token=characters_per_token,
            params=None if request.params == self.params else request.params,
            system=None if system == self.prompt.system else system or "",
            earlier_request_ids=earlier,
        )

    def as_dict(self) -> dict[str, Any]:
        """The fields of the run document."""
        return {
            "run_id": self.run_id,
            "started_at": self.started_at,
            "prompt": self.prompt.text,
            "system": self.prompt.system,
            "params": self.params.as_dict(),
            "mode": self.mode,
        }
