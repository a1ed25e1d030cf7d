"""The quick way of reading arguments and settings gives what the thorough way gives, or leaves the matter to it."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from anoman_tui import bare as bare_module
from anoman_tui import cli, run_command
from anoman_tui.bare import Bare
from anoman_tui.problems import ConfigError
from anoman_tui.quick_arguments import quick_arguments
from anoman_tui.quick_settings import PREFIX, quick_settings
from anoman_tui.run_command import RunCommand
from anoman_tui.settings import Settings
from anoman_tui.thorough_settings import thorough_settings

# -- arguments ----------------------------------------------------------------------------------------------------------

PLAIN = [
    [],
    ["--pane", "anoman/chat/m"],
    ["-p", "chat/a@http://h", "--pane=chat/b@http://h", "-p", "x"],
    ["--set", "mine", "--prompt", "Say hello.", "--send"],
    ["--prompt="],
    ["--prompt", "a = b -- c", "--theme", "paper"],
    ["--mouse"],
    ["--no-mouse", "--plain"],
    ["--fps", "30", "--low-bandwidth"],
    ["--no-low-bandwidth"],
    ["--system", "Be brief.", "--temperature", "0.7", "--max-tokens", "1"],
    ["--temperature", "2", "--idle-timeout=0.1", "--config", "a/b.toml"],
    ["run", "hi"],
    ["run", "hi", "--json", "-p", "chat/a@http://h", "--pane=b", "--no-record"],
    ["run", "--ndjson", "-", "--var", "a=b=c", "--var=d=e", "--set", "mine", "--record"],
    ["run", "a = b", "-o", "plain", "--no-stream", "--bundle", "out.md"],
    ["run", "", "--output=json", "--system", "", "--temperature", "0", "--max-tokens", "5", "--idle-timeout", "3", "--config=c"],
]
"""Read by the quick way."""
ODD = [
    ["run"],
    ["run", "a", "b"],
    ["run", "--help"],
    ["run", "-x", "hi"],
    ["run", "hi", "-o=json"],
    ["run", "hi", "-ojson"],
    ["run", "hi", "--record", "--no-record"],
    ["run", "hi", "--json", "--json"],
    ["run", "hi", "--prompt", "x"],
    ["run", "hi", "--", "x"],
    ["run", "--", "hi"],
    ["run", "-p", "a", "-1"],
    ["--pane", "a", "run", "hi"],
    ["replay", "x"],
    ["-h"],
    ["--help"],
    ["--version"],
    ["--pane"],
    ["-pchat/a"],
    ["-p=chat/a"],
    ["--theme", "a", "--theme", "b"],
    ["--mouse", "--no-mouse"],
    ["--send=yes"],
    ["--prompt", "--send"],
    ["--temperature", "2.01"],
    ["--temperature", "1e0"],
    ["--temperature", "٣"],
    ["--max-tokens", "0"],
    ["--fps", "0"],
    ["--max-tokens", "1.5"],
    ["--idle-timeout", "0.05"],
    ["--unknown", "x"],
    ["--", "x"],
    ["x"],
    [""],
    ["--pan", "x"],
]
"""Left to the thorough way, whatever that says."""


def thoroughly(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> Bare | RunCommand | None:
    """What the thorough way reads; None where it neither opens the screen nor runs anything."""
    opened: list[Bare | RunCommand] = []

    def open_it(command: Bare | RunCommand) -> int:
        opened.append(command)
        return 0

    monkeypatch.setattr(bare_module, "carry_out", open_it)
    monkeypatch.setattr(run_command, "carry_out_run", open_it)
    CliRunner().invoke(cli.app, arguments)
    return opened[0] if opened else None


@pytest.mark.parametrize("arguments", PLAIN, ids=" ".join)
def test_plain_arguments_are_read_alike(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: both ways read the same out of plain arguments."""
    read = quick_arguments(arguments, {})
    assert read is not None
    assert read == thoroughly(arguments, monkeypatch)


@pytest.mark.parametrize("arguments", ODD, ids=" ".join)
def test_odd_arguments_are_left_to_the_thorough_way(arguments: list[str]) -> None:
    """Claim: what is wrong or rare is not judged twice."""
    assert quick_arguments(arguments, {}) is None


def test_a_shell_that_asks_for_completions_gets_them() -> None:
    """Claim: the library that knows completions answers for them."""
    assert quick_arguments([], {"_ANOMAN_TUI_COMPLETE": "complete_bash"}) is None


OPTIONS = [
    "--pane",
    "-p",
    "--set",
    "--prompt",
    "--send",
    "--theme",
    "--mouse",
    "--no-mouse",
    "--plain",
    "--temperature",
    "--max-tokens",
    "--fps",
]
WORDS = st.sampled_from(
    [
        *OPTIONS,
        "--idle-timeout",
        "--config",
        "--system",
        "--low-bandwidth",
        "--prompt=x",
        "--theme=",
        "a",
        "1",
        "0.5",
        "-1",
        "run",
        "--",
        "9",
        "",
        "-",
        "-o",
        "--json",
        "--record",
        "--no-record",
        "--no-stream",
        "--var",
    ]
)


@given(st.lists(WORDS, max_size=5) | st.lists(WORDS, max_size=5).map(lambda words: ["run", *words]))
def test_the_quick_way_never_reads_something_else(arguments: list[str]) -> None:
    """Claim: whatever is typed, the quick way reads what the thorough way reads, or nothing."""
    read = quick_arguments(arguments, {})
    if read is not None:
        with pytest.MonkeyPatch.context() as monkeypatch:
            assert read == thoroughly(arguments, monkeypatch)


# -- settings -----------------------------------------------------------------------------------------------------------

PROVIDER = {
    "label": "Mine",
    "base_url": "http://h:1/v1",
    "shapes": ["chat", "messages"],
    "paths": {"messages": "/a/b"},
    "policy": "lenient",
    "auth": "x-api-key",
    "api_key_env": "MINE_KEY",
    "api_key_file": "~/key",
    "api_key_cmd": ["pass", "show", "mine"],
    "api_key": "sk-secret",
    "headers": {"X-A": "b"},
    "include_usage": False,
    "cancel_note": "note",
    "total_limit_s": 600,
}
NICE: list[tuple[dict[str, Any], dict[str, str], dict[str, Any]]] = [
    ({}, {}, {}),
    ({"providers": {"mine": PROVIDER, "other": {"base_url": "http://h"}}}, {}, {}),
    ({"sets": {"two": ["a/b", "c"], "none": []}, "panes": ["x"], "keys": {"stop-pane": "x,f8"}, "theme": "ü"}, {}, {}),
    ({"idle_timeout_s": 1.5, "connect_timeout_s": 3, "total_timeout_s": 900, "max_body_mb": 1, "keep_runs": 2, "keep_mb": 3}, {}, {}),
    ({"enter_sends": False, "mouse": False, "cache": False, "record": False}, {}, {}),
    ({"theme": "file", "idle_timeout_s": 1}, {"THEME": "variable", "IDLE_TIMEOUT_S": "2.5", "MOUSE": "0", "CACHE": "false"}, {}),
    ({"theme": "file"}, {"THEME": "variable", "KEEP_RUNS": "7", "TOTAL_TIMEOUT_S": "5"}, {"theme": "line", "mouse": False}),
    ({}, {"THEME": "", "CONFIG": "x", "NO_SUCH_THING": "x", "KEYS": ""}, {"idle_timeout_s": 0.1}),
]
"""A file, variables without their prefix, and what the command line gave: read by the quick way."""
NASTY: list[tuple[dict[str, Any], dict[str, str], dict[str, Any]]] = [
    ({"idle_timout_s": 5}, {}, {}),
    ({"idle_timeout_s": 0}, {}, {}),
    ({"idle_timeout_s": "5"}, {}, {}),
    ({"idle_timeout_s": True}, {}, {}),
    ({"total_timeout_s": float("nan")}, {}, {}),
    ({"total_timeout_s": float("inf")}, {}, {}),
    ({"keep_runs": 1.0}, {}, {}),
    ({"keep_runs": 10**40}, {}, {}),
    ({"mouse": 1}, {}, {}),
    ({"theme": None}, {}, {}),
    ({"theme": "\ud800"}, {}, {}),
    ({"panes": "a"}, {}, {}),
    ({"panes": [1]}, {}, {}),
    ({"sets": {"A-B": []}}, {}, {}),
    ({"sets": ["a"]}, {}, {}),
    ({"keys": {"a": 1}}, {}, {}),
    ({"providers": {"My One": {}}}, {}, {}),
    ({"providers": {"mine": {"api_kee": "x"}}}, {}, {}),
    ({"providers": {"mine": "x"}}, {}, {}),
    ({"providers": {"mine": {"shapes": ["chatty"]}}}, {}, {}),
    ({"providers": {"mine": {"paths": {"chatty": "/"}}}}, {}, {}),
    ({"providers": {"mine": {"policy": "kind"}}}, {}, {}),
    ({"providers": {"mine": {"api_key_cmd": "pass"}}}, {}, {}),
    ({"providers": {"mine": {"total_limit_s": -1}}}, {}, {}),
    ({}, {"IDLE_TIMEOUT_S": "soon"}, {}),
    ({}, {"IDLE_TIMEOUT_S": "0"}, {}),
    ({}, {"KEEP_RUNS": "1.5"}, {}),
    ({}, {"MOUSE": "maybe"}, {}),
    ({}, {"MOUSE": "yes"}, {}),
    ({}, {"PANES": '["a"]'}, {}),
    ({"sets": {"a": []}}, {"SETS": '{"b": ["c"]}'}, {}),
    ({}, {"PROVIDERS__MINE__LABEL": "x"}, {}),
    ({}, {"theme": "small"}, {}),
    ({}, {}, {"idle_timeout_s": -1}),
    ({}, {}, {"theme": "\udcff"}),
]
"""Left to the thorough way, whatever that says."""
Input = tuple[dict[str, Any], dict[str, str], dict[str, Any]]


def both(toml: Mapping[str, Any], environ: Mapping[str, str], line: Mapping[str, Any]) -> tuple[Any, Any]:
    """What the quick and the thorough way give: comparable, or None where it gives nothing."""
    variables = {PREFIX + name: value for name, value in environ.items()}
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.upper().startswith(PREFIX)]:
            patch.delenv(name)
        for name, value in variables.items():
            patch.setenv(name, value)
        try:
            thorough = comparable(thorough_settings(toml, line, Path("config.toml")))
        except ConfigError:
            thorough = None
    quick = quick_settings(toml, variables, line)
    return None if quick is None else comparable(quick), thorough


def comparable(settings: Settings) -> Any:
    """Settings whose keys can be compared."""
    revealed = {name: own.api_key.reveal() if own.api_key else None for name, own in settings.providers.items()}
    return replace(settings, providers={name: replace(own, api_key=None) for name, own in settings.providers.items()}), revealed


@pytest.mark.parametrize("case", NICE)
def test_plain_settings_are_read_alike(case: Input) -> None:
    """Claim: both ways read the same out of plain settings, with the same one going first."""
    quick, thorough = both(*case)
    assert quick is not None
    assert quick == thorough


@pytest.mark.parametrize("case", NASTY)
def test_odd_settings_are_left_to_the_thorough_way(case: Input) -> None:
    """Claim: what is wrong or rare is not judged twice."""
    assert quick_settings(case[0], {PREFIX + name: value for name, value in case[1].items()}, case[2]) is None


VALUES = st.one_of(
    st.booleans(), st.integers(-2, 300), st.floats(width=16), st.sampled_from(["", "chat", "strict", "x", "bearer", "1", "true", "None"])
)
PARTS = st.sampled_from(["a", "label", "shapes", "B", "chat"])
TREES = st.recursive(VALUES, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(PARTS, inner, max_size=2))
NAMES = st.sampled_from(["providers", "sets", "panes", "theme", "keys", "mouse", "idle_timeout_s", "total_timeout_s", "keep_mb", "other"])
TEXTS = st.sampled_from(["", "0", "1", "2.5", "true", "False", "yes", "None", "null", "x", "[]", "{}", " 1", "1_0", "+1", "01"])


@given(
    st.dictionaries(NAMES, TREES, max_size=3),
    st.dictionaries(NAMES.map(str.upper) | NAMES, TEXTS, max_size=2),
    st.fixed_dictionaries({}, optional={"theme": TEXTS, "mouse": st.booleans(), "idle_timeout_s": st.floats(-1, 9)}),
)
def test_the_quick_way_never_reads_other_settings(toml: dict[str, Any], environ: dict[str, str], line: dict[str, Any]) -> None:
    """Claim: whatever is set, the quick way gives what the thorough way gives, or nothing."""
    quick, thorough = both(toml, environ, line)
    assert quick is None or quick == thorough
