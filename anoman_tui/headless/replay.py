"""`anoman-tui replay`: a recorded run, printed like a live one."""

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Protocol, TextIO

from anoman_tui.core.pane import PaneState
from anoman_tui.core.ports import OpenStream
from anoman_tui.core.request import Request
from anoman_tui.core.run import RunHead
from anoman_tui.headless.run import Output, print_streams


class Played(Protocol):
    """A recorded run that can be played."""

    @property
    def requests(self) -> tuple[Request, ...]:
        """The requests of its panes."""

    @property
    def head(self) -> RunHead:
        """What was known of the run before its first stream."""

    @property
    def prices(self) -> Sequence[Decimal | None]:
        """The list prices of its panes, as they were estimated then."""

    @property
    def states(self) -> Sequence[PaneState]:
        """The states that its panes began with."""

    @property
    def numbers(self) -> Sequence[int]:
        """The numbers of its panes; one that was never sent is left out."""

    @property
    def open_stream(self) -> OpenStream:
        """Plays one of the requests."""


def replay(played: Played, output: Output, version: str, out: TextIO, bundle: Path | None = None) -> int:
    """Play all panes to their end and print the result; returns the exit code. `bundle` names a file for the bug bundles."""
    return print_streams(
        played.open_stream,
        played.requests,
        output,
        version,
        out,
        head=played.head,
        prices=played.prices,
        states=played.states,
        numbers=played.numbers,
        bundle=bundle,
    )
