"""How long a start takes, warm: to the first whole screen, to the help, to the first request on the wire."""

import json
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.references import STATICS
from benchmarks.streams import READY_S
from benchmarks.terminal import Terminal, environment

NOWHERE = "http://127.0.0.1:9/v1"


def first_screens(tree: Path, runs: int) -> tuple[float, float]:
    """Medians in ms of ours with three panes, and of a Textual program of three Statics, run by turns."""
    with tempfile.TemporaryDirectory() as home:
        program = Path(home, "statics.py")
        program.write_text(STATICS, "utf-8")
        panes = [part for letter in "abc" for part in ("--pane", f"chat/{letter}@{NOWHERE}")]
        ours = lambda: _screen([sys.executable, "-m", "anoman_tui", *panes], b"Send", Path(home), tree)  # noqa: E731
        theirs = lambda: _screen([sys.executable, str(program)], b"ready", Path(home), tree)  # noqa: E731
        return by_turns(ours, theirs, runs)


def _screen(argv: Sequence[str], ready: bytes, home: Path, tree: Path) -> float:
    terminal = Terminal(argv, environment(home, tree))
    try:
        return (terminal.wait(ready, READY_S) - terminal.began_ns) / 1e6
    finally:
        terminal.close()


def by_turns(ours: Callable[[], float], theirs: Callable[[], float], runs: int) -> tuple[float, float]:
    """Medians of two measures taken by turns, so that a busy machine troubles both; a first round only warms up."""
    rounds = [(ours(), theirs()) for _ in range(runs + 1)][1:]
    return statistics.median(one for one, _ in rounds), statistics.median(other for _, other in rounds)


def help_ms(tree: Path, runs: int) -> tuple[float, float]:
    """Medians in ms of `--help`, and of an interpreter that does nothing."""
    with tempfile.TemporaryDirectory() as home:
        env = environment(Path(home), tree)

        def run(*arguments: str) -> float:
            began = time.perf_counter()
            subprocess.run([sys.executable, *arguments], env=env, cwd=home, check=True, stdout=subprocess.DEVNULL)
            return (time.perf_counter() - began) * 1000

        return by_turns(lambda: run("-m", "anoman_tui", "--help"), lambda: run("-c", "pass"), runs)


def first_request_ms(tree: Path, runs: int) -> tuple[float, float]:
    """Medians in ms from the start of `run` to the last byte of its request, and of a request by httpx alone."""
    with tempfile.TemporaryDirectory() as home, socket.create_server(("127.0.0.1", 0)) as listener:
        env = environment(Path(home), tree)
        root = f"http://127.0.0.1:{listener.getsockname()[1]}"
        body = json.dumps({"model": "m", "messages": []})
        bare = f"import httpx; httpx.post({root!r} + '/v1/chat/completions', content={body!r}, timeout=5)"

        def run(*arguments: str) -> float:
            arrived: list[float] = []
            thread = threading.Thread(target=_answer, args=(listener, arrived))
            thread.start()
            began = time.perf_counter()
            subprocess.run([sys.executable, *arguments], env=env, cwd=home, check=False, stdout=subprocess.DEVNULL)
            thread.join()
            return (arrived[0] - began) * 1000

        ours = ("-m", "anoman_tui", "run", "hi", "--no-record", "--json", "--pane", f"chat/m@{root}")
        return by_turns(lambda: run(*ours), lambda: run("-c", bare), runs)


def _answer(listener: socket.socket, arrived: list[float]) -> None:
    """Note when a request is there, and refuse it."""
    link, _ = listener.accept()
    with link:
        data = b""
        while b"\r\n\r\n" not in data or not data.partition(b"\r\n\r\n")[2]:
            data += link.recv(65_536)
        arrived.append(time.perf_counter())
        link.sendall(b"HTTP/1.1 503 Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
