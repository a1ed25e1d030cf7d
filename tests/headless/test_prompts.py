"""The prompt library without a screen."""

import os
from pathlib import Path

from anoman_tui.history.library import save_prompt
from tests.headless.test_command import run


def test_the_library_is_listed_and_printed() -> None:
    """Claim: samples and one's own are listed, a bad file is named, one prompt is printed without its head, and a wrong name is 2."""
    config = Path(os.environ["XDG_CONFIG_HOME"])
    folder = config / "anoman-tui" / "prompts"
    save_prompt(folder, "short", "Mine: {{x}}", system="Be kind.")
    (folder / "bad.md").write_bytes(b"\xff")
    done = run("prompts", XDG_CONFIG_HOME=str(config))
    listed = done.stdout.decode()
    assert done.returncode == 0
    assert "One sentence" in listed
    assert "Anoman answers the second time at once" in listed
    assert "bad.md: is no UTF-8 text" in done.stderr.decode()
    assert run("prompts", "Short", XDG_CONFIG_HOME=str(config)).stdout == b"Mine: {{x}}\n"
    assert run("prompts", "injection").stdout.startswith(b"Ignore all previous instructions")
    done = run("prompts", "none")
    assert (done.returncode, done.stderr) == (2, b"anoman-tui: there is no prompt 'none'; `anoman-tui prompts` lists them\n")
