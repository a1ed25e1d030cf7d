"""Votes, kept as one JSON object a line in a file of the user's own."""

from collections.abc import Callable
from pathlib import Path

from anoman_tui.core.stats import Vote

FILE = "votes.jsonl"


class VoteBook:
    """The votes of a folder: the KeepVotes of the front ends. `redact` takes keys out of every text before it is kept."""

    def __init__(self, folder: Path, redact: Callable[[str], str] = str) -> None:
        self._file, self._redact = folder / FILE, redact

    def add(self, vote: Vote) -> None:
        """Keep a vote. Raises OSError."""
        raise NotImplementedError

    def all(self) -> list[Vote]:
        """The votes, oldest first; lines that cannot be read are passed over. Raises OSError, but not where there is no file."""
        raise NotImplementedError
