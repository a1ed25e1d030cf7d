"""What the recording tests share: a tape into a folder, a run over real sockets, and its replay."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from anoman_tui.core.document import pane_record
from anoman_tui.core.pane import PaneState, fold
from anoman_tui.core.request import Params, Prompt, Request, Secret
from anoman_tui.core.run import RunHead
from anoman_tui.core.target import Target
from anoman_tui.recording.reader import read_run
from anoman_tui.recording.recorder import FileTape, Keeping
from anoman_tui.recording.replay import Replay
from anoman_tui.recording.steps import batches
from anoman_tui.transport.body import BodyReader
from anoman_tui.transport.network import Network
from tests.transport.client import KEY, Recorder

HEAD = RunHead("0123456789abcdef0123456789abcdef", "2026-11-29T13:00:00.000Z", Prompt("Say something."), Params())


def a_tape(folder: Path, targets: Sequence[Target], *, head: RunHead = HEAD, secrets: Sequence[Secret] = (), **keeping: Any) -> FileTape:
    """A tape for a run of these targets."""
    states = [PaneState(target) for target in targets]
    return FileTape(head, states, Keeping(folder, **keeping), version="1", secrets=lambda: secrets)


def record(network: Network, folder: Path, targets: Sequence[Target], **more: Any) -> tuple[Path, list[dict[str, Any]]]:
    """Stream from these targets at once and record it; the file, and the records of the live run."""
    tape = a_tape(folder, targets, secrets=[Secret(KEY)], **more)
    recorders = [Recorder() for _ in targets]
    for number, (target, recorder) in enumerate(zip(targets, recorders, strict=True), 1):
        network.open(Request(target, HEAD.prompt, HEAD.params), tape.sink(number, recorder))
    live = [
        pane_record(recorder.state(target), number) for number, (target, recorder) in enumerate(zip(targets, recorders, strict=True), 1)
    ]
    tape.close()
    assert not tape.problem
    return tape.path, live


def replayed(file: Path, speed: float | None = None) -> list[dict[str, Any]]:
    """The records of the replay of a file, played through its OpenStream."""
    with Replay(read_run(file), BodyReader, speed) as replay:
        recorders = [Recorder() for _ in replay.requests]
        for request, recorder in zip(replay.requests, recorders, strict=True):
            replay.open_stream(request, recorder)
        pairs = zip(replay.run.panes, recorders, strict=True)
        return [pane_record(_state(pane.state, recorder), pane.number) for pane, recorder in pairs]


def at_once(file: Path) -> list[dict[str, Any]]:
    """The records of a file without playing it: all of its events folded."""
    run = read_run(file)
    made = []
    for pane in run.panes:
        state = pane.state
        for batch in batches(run, pane, BodyReader):
            state = fold(state, batch)
        made.append(pane_record(state, pane.number))
    return made


def _state(start: PaneState, recorder: Recorder) -> PaneState:
    recorder.until()
    return fold(start, recorder.events)
