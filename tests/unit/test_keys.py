"""Where a key comes from, and that it stands in no message."""

import sys
from pathlib import Path
from typing import Any

import pytest

from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.request import Secret
from anoman_tui.keys import find_key, key_problem, need_key
from anoman_tui.problems import MissingKeyError
from anoman_tui.settings import ProviderSettings

OPENAI, GOOGLE, LOCAL = BUILT_IN["openai"], BUILT_IN["google"], BUILT_IN["local_anoman"]


def settings(**fields: Any) -> ProviderSettings:
    """Settings of one provider."""
    if "api_key" in fields:
        fields = {**fields, "api_key": Secret(fields["api_key"])}
    return ProviderSettings(**fields)


def prints(words: str) -> list[str]:
    """A command that prints these words."""
    return [sys.executable, "-c", f"print({words!r})"]


def test_from_the_environment() -> None:
    """Claim: the first variable that is set wins, blanks at the ends do not matter, and the place is named."""
    found = find_key(GOOGLE, None, {"GEMINI_API_KEY": "b", "GOOGLE_API_KEY": " a\n"})
    assert found is not None
    assert (found.key.reveal(), found.source) == ("a", "$GOOGLE_API_KEY")
    found = find_key(GOOGLE, None, {"GEMINI_API_KEY": "b"})
    assert found is not None
    assert found.key.reveal() == "b"
    assert find_key(OPENAI, None, {"OPENAI_API_KEY": ""}) is None


def test_the_settings_go_first(tmp_path: Path) -> None:
    """Claim: a command goes before a file, a file before a key in the settings, and that before the environment."""
    file = tmp_path / "key"
    file.write_text("from-file\nsecond line\n", "utf-8")
    environ = {"OPENAI_API_KEY": "from-environ"}
    every: dict[str, Any] = {"api_key_cmd": prints("from-cmd"), "api_key_file": file, "api_key": "from-settings"}
    for name, wanted in (("api_key_cmd", "from-cmd"), ("api_key_file", "from-file"), ("api_key", "from-settings")):
        found = find_key(OPENAI, settings(**every), environ)
        assert found is not None
        assert found.key.reveal() == wanted
        assert "from" not in found.source
        del every[name]
    found = find_key(OPENAI, settings(), environ)
    assert found is not None
    assert found.key.reveal() == "from-environ"


@pytest.mark.parametrize(
    "key", ["sk-secret “x”", "sk-secret-é", "sk-secret\tx", "sk-secret\nx", "sk-secret\x7fx", "sk-secret\u00a0x", "sk-secret x"]
)
def test_a_key_that_no_header_can_hold(key: str) -> None:
    """Claim: a key with a smart quote, a letter outside ASCII, a blank or a line end is refused with its place, and not shown."""
    for own, environ in ((settings(api_key=key), {}), (None, {"OPENAI_API_KEY": key})):
        with pytest.raises(MissingKeyError) as raised:
            find_key(OPENAI, own, environ)
        assert "secret" not in str(raised.value)
        assert "paste it again" in str(raised.value)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["/nowhere/program"], "there is no program"),
        ([sys.executable, "-c", "raise SystemExit('sk-secret')"], "the command failed"),
        ([sys.executable, "-c", ""], "the key is empty"),
        ([sys.executable, "-c", "import sys; sys.stdout.buffer.write(b'\\xff\\xfe')"], "the command failed"),
    ],
)
def test_commands_that_give_no_key(command: list[str], words: str) -> None:
    """Claim: a command that is missing, fails or prints nothing is told in one sentence, without what it printed."""
    with pytest.raises(MissingKeyError, match=words) as raised:
        find_key(OPENAI, settings(api_key_cmd=command), {})
    assert "sk-secret" not in str(raised.value)


def test_a_command_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: a command that does not end is given up after its limit."""
    monkeypatch.setattr("anoman_tui.keys.COMMAND_S", 0.05)
    with pytest.raises(MissingKeyError, match="took longer"):
        find_key(OPENAI, settings(api_key_cmd=[sys.executable, "-c", "import sys; sys.stdin.read(); import time; time.sleep(5)"]), {})


def test_files_that_give_no_key(tmp_path: Path) -> None:
    """Claim: a file that is missing, a folder, no text or empty is told with its name."""
    empty, binary = tmp_path / "empty", tmp_path / "binary"
    empty.write_text("\n", "utf-8")
    binary.write_bytes(b"\xff\xfe")
    for file, words in (
        (tmp_path / "none", "cannot be read"),
        (tmp_path, "cannot be read"),
        (binary, "cannot be read"),
        (empty, "is empty"),
    ):
        with pytest.raises(MissingKeyError, match=words) as raised:
            find_key(OPENAI, settings(api_key_file=file), {})
        assert str(file) in str(raised.value)


def test_what_to_set_where_there_is_none() -> None:
    """Claim: the missing key is told with the provider and every variable that would do."""
    with pytest.raises(MissingKeyError, match=r"Google: there is no key; set \$GOOGLE_API_KEY or \$GEMINI_API_KEY"):
        need_key(GOOGLE, None, {})
    with pytest.raises(MissingKeyError, match=r"providers\.local_anoman\.api_key_env"):
        need_key(LOCAL, None, {})
    assert need_key(OPENAI, None, {"OPENAI_API_KEY": "x"}).key.reveal() == "x"


def test_a_found_key_does_not_show_itself() -> None:
    """Claim: what was found can be printed without showing the key."""
    assert "sk-1" not in repr(need_key(OPENAI, None, {"OPENAI_API_KEY": "sk-1"}))


def test_what_is_wrong_is_known_without_running_a_command(tmp_path: Path) -> None:
    """Claim: a missing or a broken key is told as it would be on sending, and a command is not run to know."""
    assert key_problem(OPENAI, None, {}) == "OpenAI: there is no key; set $OPENAI_API_KEY"
    assert key_problem(OPENAI, None, {"OPENAI_API_KEY": "sk"}) == ""
    assert "smart quote" in key_problem(OPENAI, None, {"OPENAI_API_KEY": "sk\u201d"})
    ran = tmp_path / "ran"
    command = [sys.executable, "-c", f"open({str(ran)!r}, 'w')"]
    assert key_problem(OPENAI, settings(api_key_cmd=command), {}) == ""
    assert not ran.exists()
    assert "cannot be read" in key_problem(OPENAI, settings(api_key_file=tmp_path / "none"), {})
