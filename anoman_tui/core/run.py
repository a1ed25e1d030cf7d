"""What is known of a run before its first stream: the head of the run document and of the run file."""

from dataclasses import dataclass
from typing import Any

from anoman_tui.core.request import Params, Prompt


@dataclass(frozen=True, slots=True)
class RunHead:
    """One prompt, sent to several panes at once. `started_at` is RFC 3339 in UTC."""

    run_id: str
    started_at: str
    prompt: Prompt
    params: Params
    mode: str = "parallel"

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
