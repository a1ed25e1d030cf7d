"""Votes, kept as one JSON object a line in a file of the user's own.

A line is written at once and whole. One that was torn by a crash is passed over, and so is anything else that is no vote;
fields that this version does not know are let be.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from anoman_tui.core.jsonish import Json, UnreadableError, dumps, items, loads, obj, text_of
from anoman_tui.core.stats import Vote, VotedPane
from anoman_tui.files import private_folder
from anoman_tui.history.setup import floats

FILE: Final = "votes.jsonl"
MAX_BYTES: Final = 64 * 1024 * 1024
"""So much of the end of the file is read."""
MAX_TEXT: Final = 100_000
"""Characters of a prompt or an answer that are kept; the run's recording has the rest."""
CUT: Final = "\n[cut here]"
MAX_PANES: Final = 100


class VoteBook:
    """The votes of a folder: the KeepVotes of the front ends. `redact` takes keys out of every text before it is kept."""

    def __init__(self, folder: Path, redact: Callable[[str], str] = str) -> None:
        self._file, self._redact = folder / FILE, redact

    def add(self, vote: Vote) -> None:
        """Keep a vote. Raises OSError."""
        line = (dumps(self._kept(asdict(vote))) + "\n").encode()
        private_folder(self._file.parent)
        handle = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        with open(handle, "r+b", buffering=0) as file:
            if file.seek(0, os.SEEK_END):
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":
                    line = b"\n" + line  # a torn line must not swallow this one
            if file.write(line) != len(line):
                raise OSError(f"{self._file}: the vote was not written whole")

    def _kept(self, value: Any) -> Any:
        if isinstance(value, str):
            text = self._redact(value)
            return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + CUT
        if isinstance(value, Mapping):
            return {str(name): self._kept(inner) for name, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self._kept(inner) for inner in value]
        return value

    def all(self) -> list[Vote]:
        """The votes, oldest first; lines that cannot be read are passed over. Raises OSError, but not where there is no file."""
        try:
            with self._file.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - MAX_BYTES))
                lines = file.read(MAX_BYTES).split(b"\n")
        except FileNotFoundError:
            return []
        return [vote for line in lines if line and (vote := _vote(line)) is not None]


def _vote(line: bytes) -> Vote | None:
    try:
        fields = obj(loads(line.decode("utf-8")))
    except (UnreadableError, UnicodeDecodeError):
        return None
    panes = tuple(_pane(obj(pane)) for pane in items(fields.get("panes"))[:MAX_PANES])
    if len(panes) < 2 or not all(pane.pane for pane in panes):
        return None
    system = fields.get("system")
    return Vote(
        at=text_of(fields.get("at")),
        prompt=text_of(fields.get("prompt")),
        system=system if isinstance(system, str) else None,
        params=floats(obj(fields.get("params"))),
        panes=panes,
        winners=tuple(sorted({place for place in items(fields.get("winners")) if _is_place(place, len(panes))})),
        note=text_of(fields.get("note")),
        run_id=text_of(fields.get("run_id")),
        blind=fields.get("blind") is not False,
    )


def _pane(fields: Mapping[str, Json]) -> VotedPane:
    pane = text_of(fields.get("pane"))
    return VotedPane(
        pane=pane,
        model=text_of(fields.get("model")) or pane,
        answer=text_of(fields.get("answer")),
        outcome=text_of(fields.get("outcome")),
        params=floats(obj(fields.get("params"))),
    )


def _is_place(value: Json, panes: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < panes
