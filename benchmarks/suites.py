"""The benchmarks by name; each gives rows. Budgets stand here."""

import json
import math
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import starting
from benchmarks.content import SINGLY, Ask
from benchmarks.server import Server, serving
from benchmarks.streams import READY_S, Program, Run, measure, panes, percentile
from benchmarks.table import Of, Row
from benchmarks.terminal import Terminal, environment

LETTERS = "abc"
PROBE_LIMIT_S = 60.0
EVENT_BUDGET = 1.43
"""16 µs, where httpx-sse and json alone took 11.2."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much to measure."""

    tree: Path
    """Whose package is measured."""
    runs: int
    """Rounds; medians are taken over them."""
    scale: float
    """Lengths of streams are multiplied by this."""

    def tokens(self, count: int) -> int:
        """So many tokens, scaled."""
        return max(100, int(count * self.scale))


def start(plan: Plan) -> list[Row]:
    """To the first whole screen, to the help, to the first request."""
    ours, theirs = starting.first_screens(plan.tree, plan.runs)
    helped, bare = starting.help_ms(plan.tree, plan.runs)
    asked, alone = starting.first_request_ms(plan.tree, plan.runs)
    return [
        Row("start", "start to the first whole screen", "ms", ours, theirs, "three Statics", 1.15, Of.RATIO),
        Row("help", "--help", "ms", helped, bare, "python -c pass", 200),
        Row("run", "run to the first request on the wire", "ms", asked, alone, "httpx alone", 400),
    ]


def micro(plan: Plan) -> list[Row]:
    """Single parts in a loop."""
    found = json.loads(_inside(plan, "micro", str(plan.tokens(20_000))))
    return [
        Row("tap_to_fold", "an event from the tap to the state, in memory", "µs", found["tap_to_fold_us_per_event"]),
        Row("decode", "decoding one frame", "µs", found["decode_us_per_frame"]),
        Row("document", "1,000 tokens into the document, with the lines shown", "ms", found["document_us_per_token"]),
        Row("document_growth", "the same, last quarter of the text against the second", "x", found["document_growth"], budget=1.15),
        Row("sanitise", "1,000 tokens through the sanitiser", "ms", found["sanitise_us_per_token"]),
        Row("sanitise_hostile", "1,000 hostile tokens through it", "ms", found["sanitise_hostile_us_per_token"]),
    ]


def decode(plan: Plan) -> list[Row]:
    """From the socket to the folded state, each event in a chunk of its own, as servers send them."""
    ask = Ask("a", SINGLY, plan.tokens(20_000), 20)
    with serving() as server:
        found = [
            (
                float(_inside(plan, "decode", f"chat/{ask.model}@{server.root}/v1")),
                float(_module(plan, "benchmarks.references", "decode", server.root, ask.model)),
            )
            for _ in range(plan.runs)
        ]
    ours, theirs = (statistics.median(pair[at] for pair in found) for at in (0, 1))
    return [Row("event", "an event from the socket to the state", "µs", ours, theirs, "httpx-sse + json", EVENT_BUDGET, Of.RATIO)]


def latency(plan: Plan) -> list[Row]:
    """From the server's send to the screen at three rates, and what it costs."""
    rows: list[Row] = []
    with serving() as server:
        for rate, tokens, budgets in ((50, 250, (None, None)), (200, 1_000, (12.0, 25.0)), (1_000, 4_000, (None, None))):
            runs = [_ours(plan, server, rate, plan.tokens(tokens)) for _ in range(plan.runs)]
            for share, budget in zip((0.5, 0.99), budgets, strict=True):
                value = statistics.median(percentile(run.late_ms, share) if run.whole else math.nan for run in runs)
                name = f"p{share * 100:.0f}"
                rows.append(Row(f"late_{rate}_{name}", f"sent to shown, 3 x {rate}/s, {name}", "ms", value, budget=budget))
            cost = statistics.median(_cpu(run) for run in runs)
            if rate == 1_000:
                null = _reference(plan, server, "null", rate, plan.tokens(tokens))
                widget = _reference(plan, server, "markdown", rate, plan.tokens(1_000))  # more would take it minutes
                what = "CPU of 1,000 tokens, 3 x 1000/s"
                rows.append(Row("cpu_1000", what, "ms", cost, _cpu(widget), "Markdown widget"))
                rows.append(Row("cpu_1000_null", what, "ms", cost, _cpu(null), "nothing drawn"))
            else:
                rows.append(Row(f"cpu_{rate}", f"CPU of 1,000 tokens, 3 x {rate}/s", "ms", cost))
    return rows


def burst(plan: Plan) -> list[Row]:
    """As fast as it goes."""
    tokens = plan.tokens(20_000)
    with serving() as server:
        runs = [_ours(plan, server, 0, tokens) for _ in range(plan.runs)]
    value = statistics.median(run.all_shown_s if run.whole else math.nan for run in runs)
    return [Row("burst", f"burst of 3 x {tokens:,} tokens, whole on the screen", "s", value, budget=0.8)]


def growth(plan: Plan) -> list[Row]:
    """Long answers: the cost of a token, and memory."""
    tokens = plan.tokens(32_000)
    with serving() as server:
        run = _ours(plan, server, 400, tokens, 200)
    early, late = _slope(run, tokens // 16, tokens // 4), _slope(run, tokens // 4, tokens)
    what = f"CPU of a token from {tokens // 4:,} to {tokens:,} against {tokens // 16:,} to {tokens // 4:,}"
    return [
        Row("growth", what, "x", late / early, budget=1.15),
        Row("growth_cpu", f"CPU of 1,000 tokens from {tokens // 4:,} on, 3 x 400/s", "ms", late / 3),
        Row("growth_late", f"sent to shown, 3 x {tokens:,} tokens, p99", "ms", percentile(run.late_ms, 0.99)),
        Row("memory", f"memory after 3 x {tokens:,} tokens", "MB", run.memory_mb, budget=150),
        Row("terminal", "written to the terminal a second, 3 x 400/s", "KB", run.terminal_bytes / 1000 / (tokens / 400)),
    ]


def inside(plan: Plan) -> list[Row]:
    """What only a look inside the process tells: the loop's lag, typing, and whether the times shown are true."""
    tokens = plan.tokens(12_000)
    with serving() as server:
        busy = [_probed(plan, server, panes(server, 1_000, tokens), "") for _ in range(plan.runs)]
        server.log()
        ask = Ask("c", 200, 20, 50)
        probes = [
            _probed(plan, server, panes(server, 1_000, 10 * tokens, 2), f"chat/{ask.model}@{server.root}/v1") for _ in range(plan.runs)
        ]
    lag = [late for found in busy for late in found["lag_ms"]]
    typed = [late for found in busy for late in found["typing_ms"]]
    wrong = [error for found in probes for error in found["error_ms"]]
    return [
        Row("lag", "lateness of the screen's loop while letters are typed, 3 x 1000/s, p99", "ms", percentile(lag, 0.99)),
        Row("typing_p50", "a typed letter to its drawing, 3 x 1000/s, p50", "ms", percentile(typed, 0.5)),
        Row("typing_p99", "a typed letter to its drawing, 3 x 1000/s, p99", "ms", percentile(typed, 0.99)),
        Row("ttft_p50", "error of TTFT beside 2 x 1000/s, p50", "ms", percentile(wrong, 0.5), budget=0.7),
        Row("ttft_p95", "error of TTFT beside 2 x 1000/s, p95", "ms", percentile(wrong, 0.95), budget=2),
        Row("ttft_max", "error of TTFT beside 2 x 1000/s, largest", "ms", max(wrong, default=math.nan), budget=4),
    ]


def drawing(plan: Plan) -> list[Row]:
    """What drawing alone costs, and how late it lets the loop run: 30 frames a second, fed from inside."""
    tokens = plan.tokens(4_000)
    found = [_fed(plan, 1_000, tokens) for _ in range(plan.runs)]
    what = "CPU of 1,000 tokens, 3 x 1000/s, 30 frames a second, without a network"
    spent = statistics.median(run["cpu_us"] for run in found)
    late = statistics.median(percentile(run["lag_ms"], 0.99) for run in found)
    return [Row("drawing", what, "ms", spent, budget=55), Row("drawing_lag", "lateness of the loop in it, p99", "ms", late, budget=2.5)]


def _fed(plan: Plan, rate: int, tokens: int) -> Any:
    options = [word for letter in LETTERS for word in ("-p", f"chat/{letter}@http://127.0.0.1:1")]
    with tempfile.TemporaryDirectory() as home:
        file = Path(home, "fed.json")
        command = [sys.executable, "-m", "benchmarks.feeding", str(file), str(rate), str(tokens), *options]
        terminal = Terminal([*command, "--fps", "30", "--prompt", "hi", "--send"], environment(Path(home), plan.tree))
        try:
            terminal.settle(3.0, READY_S + PROBE_LIMIT_S)
        finally:
            terminal.close()
        return json.loads(file.read_text("utf-8"))


SUITES: Mapping[str, Callable[[Plan], list[Row]]] = {
    "start": start,
    "micro": micro,
    "decode": decode,
    "latency": latency,
    "drawing": drawing,
    "burst": burst,
    "inside": inside,
    "growth": growth,
}


def _ours(plan: Plan, server: Server, rate: float, tokens: int, limit_s: float = 90.0) -> Run:
    argv = [sys.executable, "-m", "anoman_tui", *panes(server, rate, tokens)]
    return measure(Program(argv, b"Send", plan.tree), server, 3, tokens, limit_s)


def _reference(plan: Plan, server: Server, kind: str, rate: float, tokens: int) -> Run:
    models = [Ask(letter, rate, tokens, 50).model for letter in LETTERS]
    argv = [sys.executable, "-m", "benchmarks.references", kind, server.root, *models]
    return measure(Program(argv, b"Send", plan.tree), server, 3, tokens, 60)


def _cpu(run: Run) -> float:
    """ms of 1,000 tokens."""
    return run.cpu_ms * 1000 / run.tokens if run.tokens else math.nan


def _slope(run: Run, first: int, last: int) -> float:
    """CPU in ms of 1,000 tokens of each stream between two lengths."""
    inner = [(tokens, spent) for tokens, spent in run.cpu_at if first <= tokens <= last]
    if len(inner) < 2:
        return math.nan
    return (inner[-1][1] - inner[0][1]) * 1000 / (inner[-1][0] - inner[0][0])


def _probed(plan: Plan, server: Server, options: Sequence[str], probe: str) -> dict[str, list[float]]:
    """The screen with a probe in it. Times to first tokens come back as errors against the server's own."""
    with tempfile.TemporaryDirectory() as home:
        file = Path(home, "probe.json")
        terminal = Terminal(
            [sys.executable, "-m", "benchmarks.inside", "screen", str(file), probe, *options, "--prompt", "hi", "--send"],
            environment(Path(home), plan.tree),
        )
        try:
            terminal.settle(2.0, READY_S + PROBE_LIMIT_S) if not probe else terminal.settle(3.0, READY_S + PROBE_LIMIT_S)
            while terminal.alive and terminal.pump(0.5):
                pass
        finally:
            terminal.close()
        found: dict[str, list[float]] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    true = [(sent["sent_ns"][0] - sent["request_ns"]) / 1e6 for sent in server.log() if sent["model"][0] == "c" and sent["sent_ns"]]
    told = found.get("ttft_ms", [])
    errors = [abs(ours - server_ms) for ours, server_ms in zip(told, true, strict=False)] if probe else []
    return {"lag_ms": [], "typing_ms": [], **found, "error_ms": errors}


def _inside(plan: Plan, *arguments: str) -> str:
    return _module(plan, "benchmarks.inside", *arguments)


def _module(plan: Plan, module: str, *arguments: str) -> str:
    """What a module of ours prints, run with the package of the tree."""
    with tempfile.TemporaryDirectory() as home:
        env = environment(Path(home), plan.tree)
        command = [sys.executable, "-m", module, *arguments]
        return subprocess.run(command, env=env, cwd=home, check=True, capture_output=True, text=True).stdout
