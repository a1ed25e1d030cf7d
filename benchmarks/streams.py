"""Streams in a real terminal, from outside: when does a token that the server sent reach the screen, and what does it cost?"""

import math
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.content import MARK, Ask
from benchmarks.server import Server
from benchmarks.terminal import HERE, Terminal, environment

READY_S, SILENT_S = 30.0, 8.0
REST_S = 1.2
"""Between the first screen and the prompt, so that what loads in the background is not counted."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program with panes, and how to make it answer."""

    argv: Sequence[str]
    ready: bytes
    """What is on its screen once it takes keys: a regular expression."""
    tree: Path = HERE
    """Whose package it runs."""
    keys: bytes = b"hi\r"
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Watch:
    """What has been seen of each stream: (number of the token, time in ns), rising."""

    seen: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    def take(self, data: bytes, now: int) -> None:
        """Look for marks in what was written."""
        for found in MARK.finditer(data):
            row = self.seen.setdefault(found[1].decode(), [])
            number = int(found[2])
            if not row or number > row[-1][0]:
                row.append((number, now))

    def reached(self, streams: int, number: int) -> bool:
        """Whether so many streams have shown this token or a later one."""
        return len(self.seen) >= streams and all(row[-1][0] >= number for row in self.seen.values())


@dataclass(frozen=True, slots=True)
class Run:
    """What one run was like."""

    whole: bool
    """Whether the last token of every stream was shown."""
    late_ms: list[float]
    """Of every token: from the server's send to the screen. A token that a later one has overtaken is shown with it."""
    all_shown_s: float
    """From the first token sent to the last one shown."""
    cpu_ms: float
    """CPU time of all threads of the program, from the prompt to the last token."""
    cpu_at: list[tuple[int, float]]
    """CPU time in ms once so many tokens of a stream were shown."""
    tokens: int
    """Shown by all streams together."""
    terminal_bytes: int
    memory_mb: float


def measure(program: Program, server: Server, streams: int, tokens: int, limit_s: float = 90.0) -> Run:
    """Start a program, let it answer, and watch its terminal until the last token is shown."""
    server.log()
    with tempfile.TemporaryDirectory() as home:
        watch = Watch()
        terminal = Terminal(program.argv, environment(Path(home), program.tree, program.env))
        try:
            terminal.wait(program.ready, READY_S)
            _pump(terminal, REST_S)
            terminal.on_data = watch.take
            cpu, written = terminal.cpu_ns, terminal.bytes
            for key in program.keys:
                terminal.type(bytes([key]))
                terminal.pump(0.02)
            cpu_at = _follow(terminal, watch, cpu, streams, tokens, limit_s)
            spent = (terminal.cpu_ns - cpu) / 1e6
            memory = terminal.memory_mb()
            logs = {stream["model"][0]: stream["sent_ns"] for stream in server.log()}
        finally:
            terminal.close()
    late = [ms for letter, shown in watch.seen.items() for ms in _late(logs.get(letter, []), shown)]
    ends = [(shown[-1][1] - logs[letter][0]) / 1e9 for letter, shown in watch.seen.items() if logs.get(letter)]
    total = sum(shown[-1][0] + 1 for shown in watch.seen.values())
    whole = watch.reached(streams, tokens - 1)
    return Run(whole, late, max(ends, default=math.nan), spent, cpu_at, total, terminal.bytes - written, memory)


def _pump(terminal: Terminal, seconds: float) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0 and terminal.alive:
        terminal.pump(left)


def _follow(terminal: Terminal, watch: Watch, cpu0: int, streams: int, tokens: int, limit_s: float) -> list[tuple[int, float]]:
    """Until all is shown, or nothing has been for a while; what CPU was spent on the way."""
    began, cpu_at = time.monotonic(), [(0, 0.0)]
    while terminal.alive and time.monotonic() - began < limit_s and not watch.reached(streams, tokens - 1):
        terminal.pump(0.25)
        top = min((row[-1][0] for row in watch.seen.values()), default=0)
        if top >= cpu_at[-1][0] + 500:
            cpu_at.append((top, (terminal.cpu_ns - cpu0) / 1e6))
        if time.monotonic_ns() - terminal.last_ns > SILENT_S * 1e9:
            break
    return cpu_at


def _late(sent: Sequence[int], shown: Sequence[tuple[int, int]]) -> list[float]:
    late: list[float] = []
    for number, when in shown:
        late += [(when - sent[at]) / 1e6 for at in range(len(late), min(number + 1, len(sent)))]
    return late


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which a share of all lie; nan of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else math.nan


def panes(server: Server, rate: float, tokens: int, count: int = 3, delay_ms: float = 50) -> list[str]:
    """Options for so many panes."""
    letters = "abcdef"[:count]
    return [part for letter in letters for part in ("--pane", f"chat/{Ask(letter, rate, tokens, delay_ms).model}@{server.root}/v1")]
