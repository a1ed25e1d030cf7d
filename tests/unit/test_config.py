"""Settings: where they come from, which goes first, and what is said where they are wrong."""

import os
from pathlib import Path

import pytest

from anoman_tui.config import Settings, load, providers_of, unknown_variables
from anoman_tui.core.target import Auth, Policy, Shape
from anoman_tui.problems import ConfigError
from anoman_tui.thorough_settings import thorough_settings


@pytest.fixture(autouse=True)
def _apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No settings of the machine's own."""
    for name in list(os.environ):
        if name.startswith("ANOMAN_TUI_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))


def written(folder: Path, text: str) -> Path:
    """A settings file."""
    file = folder / "config.toml"
    file.write_text(text, "utf-8")
    return file


def test_defaults() -> None:
    """Claim: without a file and variables the documented defaults hold."""
    settings = load()
    assert (settings.idle_timeout_s, settings.connect_timeout_s, settings.total_timeout_s, settings.cache) == (120, 10, None, True)
    assert (settings.providers, settings.sets, settings.panes, settings.theme) == ({}, {}, [], None)


def test_command_line_then_environment_then_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: the command line goes before the environment, the environment before the file."""
    file = written(tmp_path, 'idle_timeout_s = 1\nconnect_timeout_s = 1\ntheme = "file"\n')
    monkeypatch.setenv("ANOMAN_TUI_IDLE_TIMEOUT_S", "2")
    monkeypatch.setenv("ANOMAN_TUI_CONNECT_TIMEOUT_S", "2")
    settings = load(file, idle_timeout_s=3, theme=None)
    assert (settings.idle_timeout_s, settings.connect_timeout_s, settings.theme) == (3, 2, "file")


def test_the_file_that_a_variable_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: ANOMAN_TUI_CONFIG moves the file, and a file that it names must be there."""
    monkeypatch.setenv("ANOMAN_TUI_CONFIG", str(written(tmp_path, 'theme = "x"\n')))
    assert load().theme == "x"
    monkeypatch.setenv("ANOMAN_TUI_CONFIG", str(tmp_path / "none.toml"))
    with pytest.raises(ConfigError, match="there is no such file"):
        load()


def test_a_dotenv_file_is_never_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: a .env file in the folder changes nothing."""
    (tmp_path / ".env").write_text("ANOMAN_TUI_THEME=evil\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert load().theme is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("idle_timeout_s = 0\n", "idle_timeout_s: input should be greater than 0"),
        ('idle_timeout_s = "secret-value"\n', "idle_timeout_s:"),
        ("idle_timout_s = 5\n", "idle_timout_s: there is no such setting"),
        ('[providers.mine]\nbase_url = "http://h"\napi_kee = "secret-value"\n', "providers.mine.api_kee: there is no such setting"),
        ('[providers.mine]\napi_key = ["secret-value"]\n', "providers.mine.api_key:"),
        ('[providers."My One"]\nbase_url = "http://h"\n', "may hold only"),
        ('[sets]\n"A-B" = []\n', "may hold only"),
        ("panes = [", "is no valid TOML"),
    ],
)
def test_a_bad_file_is_told_in_one_sentence(tmp_path: Path, text: str, words: str) -> None:
    """Claim: a bad setting is told with its file and place, in one line, and without its value."""
    file = written(tmp_path, text)
    with pytest.raises(ConfigError) as raised:
        load(file)
    message = str(raised.value)
    assert words in message
    assert str(file) in message
    assert "secret-value" not in message
    assert "\n" not in message


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """Claim: a missing file, a folder and a file that is no text are told."""
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe")
    for file, words in ((tmp_path / "none.toml", "no such file"), (tmp_path, "cannot be read"), (binary, "cannot be read")):
        with pytest.raises(ConfigError, match=words):
            load(file)


def test_a_bad_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: a bad value in the environment is told by its variable, without the value."""
    monkeypatch.setenv("ANOMAN_TUI_IDLE_TIMEOUT_S", "secret-value")
    with pytest.raises(ConfigError, match=r"\$ANOMAN_TUI_IDLE_TIMEOUT_S") as raised:
        load()
    assert "secret-value" not in str(raised.value)
    monkeypatch.delenv("ANOMAN_TUI_IDLE_TIMEOUT_S")
    monkeypatch.setenv("ANOMAN_TUI_SETS", "{secret-value")
    with pytest.raises(ConfigError, match=r"\$ANOMAN_TUI_SETS") as raised:
        load()
    assert "secret-value" not in str(raised.value)


def test_a_bad_option_is_named() -> None:
    """Claim: a bad value of the command line is told by its option."""
    with pytest.raises(ConfigError, match="--idle-timeout-s"):
        load(idle_timeout_s=-1)


def test_variables_that_no_setting_has() -> None:
    """Claim: variables that begin like ours and fit no setting are found; others are not looked at."""
    environ = {
        "ANOMAN_TUI_IDEL_TIMEOUT_S": "1",
        "ANOMAN_TUI_THEME": "x",
        "ANOMAN_TUI_CONFIG": "x",
        "ANOMAN_TUI_PROVIDERS__A__LABEL": "x",
        "PATH": "x",
    }
    assert unknown_variables(environ) == ["ANOMAN_TUI_IDEL_TIMEOUT_S"]


def settings(**providers: dict[str, object]) -> Settings:
    """Settings with these providers."""
    return thorough_settings({"providers": providers}, {}, Path("config.toml"))


def test_a_provider_of_ones_own() -> None:
    """Claim: a provider needs a base URL, speaks chat unless told otherwise, is strict, and sends a key only where one is named."""
    made = providers_of(settings(mine={"base_url": "http://h:1/v1/"}), {})["mine"]
    assert (made.base_url, list(made.shapes), made.policy, made.needs_key) == ("http://h:1", [Shape.CHAT], Policy.STRICT, False)
    keyed = providers_of(
        settings(
            mine={
                "base_url": "http://h",
                "shapes": ["messages"],
                "api_key_env": "MY_KEY",
                "auth": "x-api-key",
                "policy": "lenient",
                "paths": {"messages": "/a/b"},
            }
        ),
        {},
    )["mine"]
    assert (keyed.needs_key, keyed.key_env, keyed.auth_for(Shape.MESSAGES), keyed.policy) == (
        True,
        ("MY_KEY",),
        Auth.X_API_KEY,
        Policy.LENIENT,
    )
    assert keyed.shapes == {Shape.MESSAGES: "/a/b"}
    with pytest.raises(ConfigError, match=r"providers\.mine: base_url is missing"):
        providers_of(settings(mine={}), {})


def test_a_built_in_provider_that_moves_loses_its_key() -> None:
    """Claim: a built-in provider at another address in the file does not send its old key there unless a key is named with it."""
    moved = providers_of(settings(openai={"base_url": "http://evil.example"}), {})["openai"]
    assert (moved.needs_key, moved.key_env) == (False, ())
    named = providers_of(settings(openai={"base_url": "http://h", "api_key_env": "H_KEY"}), {})["openai"]
    assert (named.needs_key, named.key_env) == (True, ("H_KEY",))
    same = providers_of(settings(openai={"label": "Mine"}), {})["openai"]
    assert (same.label, same.needs_key, same.key_env) == ("Mine", True, ("OPENAI_API_KEY",))


def test_variables_that_move_a_provider() -> None:
    """Claim: a base URL variable moves its provider; a bad one is told by its name; Ollama's may lack the scheme."""
    made = providers_of(settings(), {"ANOMAN_BASE_URL": "http://127.0.0.1:5/anoman/v1", "OLLAMA_HOST": "127.0.0.1:5"})
    assert made["anoman"].base_url == "http://127.0.0.1:5/anoman"
    assert made["ollama"].base_url == "http://127.0.0.1:5"
    with pytest.raises(ConfigError, match=r"\$OPENAI_BASE_URL"):
        providers_of(settings(), {"OPENAI_BASE_URL": "nonsense"})


def test_the_embedded_gateway_cannot_be_changed() -> None:
    """Claim: the local providers are not the user's to change."""
    with pytest.raises(ConfigError, match="the embedded gateway cannot be changed"):
        providers_of(settings(local_anoman={"base_url": "http://h"}), {})


def test_a_key_in_the_settings_shows_itself_nowhere() -> None:
    """Claim: a key in the file is not in the repr or dump of the settings."""
    made = settings(mine={"base_url": "http://h", "api_key": "sk-secret"})
    assert "sk-secret" not in repr(made) + str(made)
