"""The command as the shell sees it: misplaced options, odd prompts, streams that cannot be written."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "anoman_tui"]
LOCAL = ["--pane", "local_anoman/chat/scripted-fast"]


def run(*arguments: str | bytes, stdin: bytes = b"", **environ: str) -> "subprocess.CompletedProcess[bytes]":
    """Run the command in a bare environment."""
    kept = {"PATH": os.environ.get("PATH", ""), "HOME": os.environ["XDG_DATA_HOME"], **environ}
    return subprocess.run([*COMMAND, *arguments], input=stdin, capture_output=True, env=kept, timeout=60)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--pane", "openai/chat/x", "run", "hi"], "put --pane after `run`"),
        (["--set", "mine", "--theme", "paper", "models"], "put --set, --theme after `models`"),
        (["run", "hi", "--json", "--ndjson"], "--json and --ndjson exclude each other"),
        (["run", "   "], "the prompt is empty"),
        (["run", b"caf\xe9"], "the prompt is not UTF-8 text"),
        (["run", "hi", "-o", "xml"], "there is no such format"),
        ([], "the screen needs a terminal"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_sentence(arguments: list[str | bytes], said: str) -> None:
    """Nothing is sent, and the exit code is 2."""
    done = run(*arguments)
    words = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b"")
    assert said in words
    assert words.count("\n") == 1


def test_a_prompt_on_standard_input_is_utf_8_whatever_the_locale_says() -> None:
    """`run -` reads bytes."""
    done = run("run", "-", "--json", *LOCAL, stdin="pasang surut 🌊".encode(), LC_ALL="C")
    assert json.loads(done.stdout)["prompt"] == "pasang surut 🌊"
    assert run("run", "-", *LOCAL, stdin=b"caf\xe9").returncode == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_an_output_that_cannot_be_written_is_one_sentence() -> None:
    """A full disk is no traceback."""
    kept = {"PATH": os.environ.get("PATH", ""), "HOME": os.environ["XDG_DATA_HOME"]}
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*COMMAND, "run", "hi", *LOCAL], stdout=full, stderr=subprocess.PIPE, env=kept, timeout=60)
    assert done.returncode == 1
    assert done.stderr.decode().startswith("anoman-tui: standard output cannot be written")
    assert b"Traceback" not in done.stderr
