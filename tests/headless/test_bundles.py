"""Bug bundles of a run without a screen."""

import io
from collections.abc import Sequence
from pathlib import Path

import pytest

from anoman_tui.core.ports import Handle, Sink
from anoman_tui.core.request import HttpRequest, Request
from anoman_tui.core.shapes import http_request
from anoman_tui.core.target import Shape
from anoman_tui.headless.bundles import writable
from anoman_tui.headless.run import Output, run
from tests.support import MS, a_request, events_of, sse

BODY = sse('{"choices":[{"delta":{"content":"Hel"}}]}')


class OneHandle:
    """A stream that is over."""

    def cancel(self) -> None:
        """Nothing to cancel."""


def play(request: Request, sink: Sink) -> Handle:
    """A stream of one frame that is cut, told with its request and its read."""
    http: HttpRequest = http_request(request, None)
    sink.on_request(0, http)
    sink.on_read(13 * MS, BODY)
    sink.on_events(events_of(Shape.CHAT, [BODY]))
    return OneHandle()


def carried(requests: Sequence[Request], bundle: Path) -> int:
    """The exit code of a run that writes its bundles."""
    return run(play, requests, Output.JSON, "1.0", io.StringIO(), bundle=bundle)


def test_the_bundles_of_a_run(tmp_path: Path) -> None:
    """Claim: one file holds the bundle of each pane, with its request and frames, and replaces what the file held."""
    file = tmp_path / "ticket.md"
    file.write_text("old")
    assert carried([a_request(text="One"), a_request(text="Two")], file) == 3
    one, two = file.read_text("utf-8").split("\n---\n")
    assert "**What happened:** the body ended without [DONE]" in one
    assert '"content": "One"' in one
    assert '"content": "Two"' in two
    assert ">    1 " in two
    assert "anoman-tui 1.0" in two


@pytest.mark.parametrize(("place", "why"), [(".", "Is a directory"), ("no/such/folder.md", "No such file or directory")])
def test_a_place_that_cannot_be_written(tmp_path: Path, place: str, why: str) -> None:
    """Claim: what cannot be written is told in a sentence before anything is sent; what can be keeps what it holds."""
    assert why in writable(tmp_path / place)
    kept = tmp_path / "kept.md"
    kept.write_text("old")
    assert writable(kept) == ""
    assert kept.read_text() == "old"
