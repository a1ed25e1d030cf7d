"""Pane sets: saved, listed, opened and removed by name, with nothing secret in them."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from anoman_tui.core.panes import read_setup
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.history.sets import PaneSet, PaneSets, SetError, SetExistsError

PANES: list[str | dict[str, Any]] = [
    {"pane": "anoman/chat/a", "temperature": 0.2, "headers": {"x-team": "blue"}},
    {"pane": "chat/b@http://127.0.0.1:8080", "system": ""},
    "local_anoman/chat/c",
]


def test_a_set_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    """Claim: panes, parameters and system prompt come back and can be read as panes; the file is its owner's alone."""
    folder = tmp_path / "sets"
    sets = PaneSets(folder)
    assert sets.names() == []
    sets.save(" My set-1 ", PANES, params={"max_tokens": 40, "stop": ["x"]}, system="Be kind.\n")
    sets.save("other", ["anoman/chat/a"])
    again = PaneSets(folder)
    assert again.names() == ["My set-1", "other"]
    found = again.load("my SET-1")
    assert list(found.panes) == PANES
    setup = read_setup(found.panes, found.params, found.system, BUILT_IN)
    assert [spec.target.argument for spec in setup.panes] == ["anoman/chat/a", "chat/b@http://127.0.0.1:8080", "local_anoman/chat/c"]
    assert (setup.panes[0].params.temperature, setup.params.max_tokens, setup.system) == (0.2, 40, "Be kind.\n")
    assert stat.S_IMODE((folder / "My set-1.json").stat().st_mode) == 0o600
    again.remove("MY set-1")
    assert again.names() == ["other"]


def test_a_set_is_not_replaced_by_mistake(tmp_path: Path) -> None:
    """Claim: a name that is taken, in whatever case, is replaced only on request, and then there is one set of it."""
    sets = PaneSets(tmp_path)
    sets.save("Mine", ["anoman/chat/a"])
    with pytest.raises(SetExistsError, match="there is a pane set Mine already"):
        sets.save("mine", ["anoman/chat/b"])
    assert sets.load("mine").panes == ("anoman/chat/a",)
    sets.save("mine", ["anoman/chat/b"], replace=True)
    assert (sets.names(), sets.load("Mine").panes) == (["mine"], ("anoman/chat/b",))


def test_sets_of_the_settings_are_listed_and_left_alone(tmp_path: Path) -> None:
    """Claim: they are opened like any other, and neither saved over nor removed."""
    PaneSets(tmp_path).save("Team", ["anoman/chat/z"])
    sets = PaneSets(tmp_path, {"team": ["anoman/chat/a"]})
    sets.save("zoo", ["anoman/chat/b"])
    assert sets.names() == ["team", "zoo"]
    assert sets.load("Team") == PaneSet("team", ("anoman/chat/a",), configured=True)
    with pytest.raises(SetError, match=r"stands in config\.toml and is changed there"):
        sets.save("Team", ["anoman/chat/b"], replace=True)
    with pytest.raises(SetError, match="is removed there"):
        sets.remove("team")


@pytest.mark.parametrize("name", ["", " ", "../x", "a/b", "x" * 41, ".hidden", "a.b", "naïve", "a\nb", "\x1b[31m"])
def test_names_that_cannot_be_files(tmp_path: Path, name: str) -> None:
    """Claim: a name is letters, digits, blanks inside, _ and -; one sentence says so, and nothing is written."""
    with pytest.raises(SetError, match="cannot be used; take 1 to 40") as wrong:
        PaneSets(tmp_path / "sets").save(name, PANES)
    assert "\x1b" not in str(wrong.value)
    assert not (tmp_path / "sets").exists()
    with pytest.raises(SetError, match="there is no pane set"):
        PaneSets(tmp_path).load(name)


@pytest.mark.parametrize(
    "pane",
    [
        {"pane": "anoman/chat/a", "headers": {"Authorization": "x"}},
        {"pane": "anoman/chat/a", "headers": {"X-Api-Key": "x"}},
        {"pane": "anoman/chat/a", "headers": {"x-my-token": "x"}},
        {"pane": "anoman/chat/a", "headers": {"x-team": "Bearer abcdefgh"}},
        {"pane": "anoman/chat/a", "headers": {"x-team": "sk-abcdefghijklmnop"}},
        "chat/a@http://me:hidden@host/v1",
        {"pane": "chat/a@http://host/v1?key=hidden"},
    ],
)
def test_secrets_are_not_saved(tmp_path: Path, pane: str | dict[str, Any]) -> None:
    """Claim: a header or a base URL that may hold a secret is refused by name, its value is not repeated, and nothing is written."""
    with pytest.raises(SetError, match=r"not saved: pane 2: .*put the key into the provider's variable") as wrong:
        PaneSets(tmp_path / "sets").save("x", ["anoman/chat/b", pane])
    for value in ("hidden", "abcdefgh"):
        assert value not in str(wrong.value)
    assert not (tmp_path / "sets").exists()


GOOD = {"schema": "anoman-tui/set", "schema_version": "1.0", "panes": ["anoman/chat/a"]}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xff", "no UTF-8"),
        (b"{", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"{}", "does not say"),
        (json.dumps({**GOOD, "schema_version": "2.0"}).encode(), "in version 1"),
        (json.dumps({**GOOD, "panes": []}).encode(), "panes is no list"),
        (json.dumps({**GOOD, "panes": [3]}).encode(), "pane 1 has no pane argument"),
        (json.dumps({**GOOD, "panes": [{"pane": "x/a", "headers": 1}]}).encode(), "pane 1: headers"),
        (json.dumps({**GOOD, "params": []}).encode(), "params is no object"),
        (json.dumps({**GOOD, "system": 3}).encode(), "system is no text"),
        (b" " * 4_194_305, "has more than"),
    ],
)
def test_a_damaged_file_is_one_sentence(tmp_path: Path, data: bytes, said: str) -> None:
    """Claim: the sentence names the file and what is wrong; the set can still be removed."""
    (tmp_path / "bad.json").write_bytes(data)
    sets = PaneSets(tmp_path)
    with pytest.raises(SetError, match=said) as wrong:
        sets.load("bad")
    assert "bad.json" in str(wrong.value)
    assert "\n" not in str(wrong.value)
    sets.remove("bad")
    with pytest.raises(SetError, match="there is no saved pane set"):
        sets.remove("bad")


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """Claim: the reason is said in one sentence."""
    (tmp_path / "file").write_text("")
    with pytest.raises(SetError, match="cannot be saved"):
        PaneSets(tmp_path / "file").save("x", ["anoman/chat/a"])
    (tmp_path / "dir.json").mkdir()
    with pytest.raises(SetError, match=r"dir.json"):
        PaneSets(tmp_path).load("dir")
    with pytest.raises(SetError, match="cannot be removed"):
        PaneSets(tmp_path).remove("dir")
