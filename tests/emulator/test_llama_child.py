"""The process of the local model ends with its parent, whatever it is doing, beside a stand-in for llama.cpp."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

WAIT_S = 20.0
LLAMA = """
import pathlib, time
class Anything:
    def __getattr__(self, name):
        made = Anything()
        setattr(self, name, made)
        return made
CommonParams = Anything
class Server:
    listening_address = "http://127.0.0.1:9"
    def __init__(self, params):
        gate = pathlib.Path(params.model.path)
        gate.with_suffix(".loading").touch()
        while not gate.exists():
            time.sleep(0.01)
    def __del__(self):
        time.sleep(3600)  # as the real one does while a stream is open
"""
ASKED = '{"gguf": "%s", "alias": "m", "api_key": "k", "slots": 1, "context": 64}\n'


@pytest.fixture
def child(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The process, beside a model that is loaded once the file `gate` is there."""
    (tmp_path / "xllamacpp.py").write_text(LLAMA, "utf-8")
    started = subprocess.Popen(
        [sys.executable, "-m", "anoman_tui.emulator.engines.llama_child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    with started:
        assert started.stdin is not None
        started.stdin.write((ASKED % (tmp_path / "gate")).encode())
        started.stdin.flush()
        try:
            yield started
        finally:
            started.kill()


def test_it_ends_with_its_parent(child: subprocess.Popen[bytes], tmp_path: Path) -> None:
    """Claim: once it serves, the end of its standard input ends it at once."""
    (tmp_path / "gate").touch()
    assert child.stdout is not None
    assert child.stdin is not None
    assert b"127.0.0.1:9" in child.stdout.readline()
    child.stdin.close()
    assert child.wait(WAIT_S) == 0


def test_it_ends_where_its_parent_went_while_the_model_was_loaded(child: subprocess.Popen[bytes], tmp_path: Path) -> None:
    """Claim: with nobody left to read that it serves, it ends as well, and leaves no process behind."""
    assert child.stdout is not None
    assert child.stdin is not None
    child.stdout.close()
    child.stdin.close()
    (tmp_path / "gate").touch()
    child.wait(WAIT_S)
