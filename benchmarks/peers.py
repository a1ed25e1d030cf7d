"""Other programs on the same server, those of them that are on the PATH: their start, and one stream of 200 tokens a second.

curl and llm print lines, so their start is the first token on the screen. oterm speaks Ollama's protocol and is only started.
"""

import json
import math
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.content import Ask
from benchmarks.server import Server, serving
from benchmarks.streams import Program, measure, percentile
from benchmarks.table import Row
from benchmarks.terminal import HERE, Terminal, environment

RATE, TOKENS = 200, 800
START_S = 60.0


@dataclass(frozen=True, slots=True)
class Peer:
    """How to start a program and make it answer."""

    argv: tuple[str, ...]
    """`{root}` and `{model}` are filled in."""
    ready: str
    keys: bytes = b""
    """What makes it answer; empty leaves the stream out."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Its settings, below the home folder."""


def _line(command: str) -> tuple[str, ...]:
    """A plain command that starts with a newline, so that its own start does not count with the stream."""
    return ("sh", "-c", f"echo ready; read line; exec {command}")


BODY = (
    json.dumps({"model": "{model}", "stream": True, "messages": [{"role": "user", "content": "hi"}]}).replace("{", "{{").replace("}", "}}")
)
BODY = BODY.replace("{{model}}", "{model}")
PEERS: Mapping[str, Peer] = {
    "curl": Peer(_line(f"curl -sN {{root}}/v1/chat/completions -d '{BODY}'"), "ready", b"\n"),
    "llm": Peer(
        _line("llm -m lab hi"),
        "ready",
        b"\n",
        {
            ".config/io.datasette.llm/extra-openai-models.yaml": (
                '- model_id: lab\n  model_name: {model}\n  api_base: "{root}/v1"\n  api_key_name: lab\n'
            ),
            ".config/io.datasette.llm/keys.json": '{{"lab": "x"}}',
        },
    ),
    "elia": Peer(
        ("elia",),
        "Enter your message",
        b"hi\n",
        {
            ".config/elia/config.toml": (
                'default_model = "lab"\n[[models]]\nid = "lab"\nname = "openai/{model}"\ndisplay_name = "lab"\n'
                'api_base = "{root}/v1"\napi_key = "x"\n'
            )
        },
    ),
    "oterm": Peer(("oterm",), "oterm"),
}


def peers() -> list[Row]:
    """Rows of every program that is there."""
    rows: list[Row] = []
    with serving() as server:
        for name, peer in PEERS.items():
            if shutil.which(name):
                rows += _measured(name, peer, server)
    return rows


def _measured(name: str, peer: Peer, server: Server) -> list[Row]:
    ask = Ask("a", RATE, TOKENS, 50)
    fill: Callable[[str], str] = lambda text: text.format(root=server.root, model=ask.model)  # noqa: E731
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for path, text in peer.files.items():
            (home / path).parent.mkdir(parents=True, exist_ok=True)
            (home / path).write_text(fill(text), "utf-8")
        argv = [fill(part) if "{" in part else part for part in peer.argv]
        rows = [Row(f"{name}_start", f"{name}: start", "ms", _start(argv, peer, home))]
        if peer.keys:
            env = {"HOME": folder, "XDG_CONFIG_HOME": f"{folder}/.config", "LITELLM_LOCAL_MODEL_COST_MAP": "True", "OPENAI_API_KEY": "x"}
            run = measure(Program(argv, peer.ready.encode(), HERE, peer.keys, env), server, 1, TOKENS)
            cost = run.cpu_ms * 1000 / run.tokens if run.tokens else math.nan
            rows += [
                Row(f"{name}_p50", f"{name}: sent to shown, 1 x {RATE}/s, p50", "ms", percentile(run.late_ms, 0.5)),
                Row(f"{name}_p99", f"{name}: sent to shown, 1 x {RATE}/s, p99", "ms", percentile(run.late_ms, 0.99)),
                Row(f"{name}_cpu", f"{name}: CPU of 1,000 tokens", "ms", cost),
            ]
        return rows


def _start(argv: list[str], peer: Peer, home: Path) -> float:
    """ms to its screen, warm; nan where it does not come."""
    times = [math.nan, math.nan]
    for at in range(2):
        terminal = Terminal(argv, environment(home))
        try:
            times[at] = (terminal.wait(peer.ready.encode(), START_S) - terminal.began_ns) / 1e6
        except TimeoutError:
            return math.nan
        finally:
            terminal.close()
    return times[1]
