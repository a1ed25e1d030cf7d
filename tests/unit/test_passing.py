"""Passing panes, a prompt and a run on: what one person writes, another opens."""

import json
import stat
from pathlib import Path

import pytest

from anoman_tui.compose import Composition
from anoman_tui.config import Settings
from anoman_tui.core.panes import Setup, read_spec
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.request import Params, Prompt
from anoman_tui.core.run import RunHead
from anoman_tui.passing import open_file, share
from anoman_tui.problems import ConfigError

KEY = "sk-this-is-a-secret-key"
HEAD = RunHead("f" * 32, "2026-11-29T10:00:00.000Z", Prompt("hello"), Params())


def a_composition(tmp_path: Path, **environ: str) -> Composition:
    """A composition whose recordings are in a folder of the test's."""

    class Own(Composition):
        @property
        def runs_folder(self) -> Path:
            return tmp_path / "runs"

    return Own(Settings(), environ)


def test_what_one_writes_another_opens(tmp_path: Path) -> None:
    """Claim: panes with all that is their own, the prompt and the run come back, and no key is in the file."""
    composition = a_composition(tmp_path, OPENAI_API_KEY=KEY)
    panes = ("openai/chat/m", {"pane": "chat/m@http://127.0.0.1:8080", "temperature": 0.5, "headers": {"x-team": "blue"}})
    setup = Setup(tuple(read_spec(pane, BUILT_IN) for pane in panes), Params(max_tokens=9), f"never say {KEY}")
    tape = composition.start_tape(HEAD, [HEAD.begin(spec.request(HEAD.prompt, HEAD.params)) for spec in setup.panes])
    tape.close()
    path, dropped = share(composition, tmp_path / "out", setup, f"my key is {KEY}", HEAD)
    assert dropped == ()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert KEY not in path.read_text()
    other = a_composition(tmp_path / "elsewhere")
    opened, prompt, playback, said = open_file(other, path)
    assert opened is not None
    assert opened.panes == setup.panes
    assert (opened.params, opened.system, prompt, said) == (Params(max_tokens=9), "never say ***", "my key is ***", ())
    assert playback is not None
    assert playback.head == HEAD
    assert [request.target.name for request in playback.requests] == ["openai/chat/m", "chat/m"]
    assert playback.speed is None, "it is shown whole at once"
    playback.close()


def test_without_a_recording_only_the_panes_and_the_prompt_are_passed_on(tmp_path: Path) -> None:
    """Claim: a run that was not recorded is no reason to fail."""
    composition = a_composition(tmp_path)
    setup = Setup((read_spec("local_anoman/chat/m", BUILT_IN),))
    for head in (None, HEAD):
        path, _ = share(composition, tmp_path, setup, "hello", head)
        assert open_file(composition, path)[1:3] == ("hello", None)


def test_a_run_file_is_opened_as_well(tmp_path: Path) -> None:
    """Claim: it holds a run and no panes of one's own."""
    composition = a_composition(tmp_path)
    spec = read_spec("openai/chat/m", BUILT_IN)
    composition.start_tape(HEAD, [HEAD.begin(spec.request(HEAD.prompt, HEAD.params))]).close()
    (file,) = (tmp_path / "runs").iterdir()
    setup, prompt, playback, _ = open_file(composition, file)
    assert (setup, prompt) == (None, "")
    assert playback is not None
    assert playback.speed == 1.0
    playback.close()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot be read"),
        (b"", "no share file"),
        (b"\xff\xfe", "no share file"),
        (b"[1]", "no share file"),
        (json.dumps({"schema": "anoman-tui/share", "schema_version": "1.0", "panes": ["nowhere/chat/m"]}).encode(), "neither a provider"),
        (
            json.dumps({"schema": "anoman-tui/share", "schema_version": "1.0", "panes": ["local_anoman/chat/m"], "run": ["{}"]}).encode(),
            "the run in it cannot be read",
        ),
        (b'{"format": "anoman-tui/run-file", "version": 99}\n', "version"),
    ],
)
def test_what_cannot_be_opened_is_told_in_a_sentence(tmp_path: Path, content: bytes | None, said: str) -> None:
    """Claim: the sentence names the file."""
    file = tmp_path / "file.json"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        open_file(a_composition(tmp_path), file)
    assert said in str(caught.value)
    assert "file.json" in str(caught.value)
