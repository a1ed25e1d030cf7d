"""Share files: what one person writes another opens, and nothing secret or hidden travels in them."""

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anoman_tui.core.panes import read_setup
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.shared import Shared, lines_of
from anoman_tui.history import share
from anoman_tui.history.share import ShareError, read_share, write_share
from anoman_tui.recording.reader import read_run
from tests.recording.kit import a_tape
from tests.support import a_target

RUN = b'{"format": "anoman-tui/run-file", "version": 1}\n{"pane": 1, "t_ns": 5, "bytes_b64": "eA=="}\n'


def test_what_is_shared_is_opened_again(tmp_path: Path) -> None:
    """Claim: panes, parameters, texts and the run come back exactly; the file is its owner's alone."""
    file = tmp_path / "new" / "share.json"
    panes: tuple[Any, ...] = ({"pane": "anoman/chat/a", "temperature": 0.25, "headers": {"x-team": "blue"}}, "local_anoman/chat/c")
    shared = Shared(panes, {"max_tokens": 10}, "Be kind.", "Why is {{x}} so?\n潮", lines_of(RUN))
    assert write_share(file, shared, "1.2.3") == ()
    assert read_share(file) == shared
    assert read_share(file).run_file == RUN
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    document = json.loads(file.read_text("utf-8"))
    assert (document["schema"], document["schema_version"], document["tool"]["version"]) == ("anoman-tui/share", "1.0", "1.2.3")
    write_share(file, Shared(("anoman/chat/a",)))
    assert read_share(file) == Shared(("anoman/chat/a",))
    assert read_share(file).run_file is None


def test_a_recorded_run_travels_whole(tmp_path: Path) -> None:
    """Claim: the run of a share file is a run file again, byte for byte."""
    tape = a_tape(tmp_path, [a_target(), a_target()])
    tape.close()
    recorded = tape.path.read_bytes()
    write_share(tmp_path / "s.json", Shared(("anoman/chat/a",), run=lines_of(recorded)))
    again = tmp_path / "again.jsonl"
    again.write_bytes(read_share(tmp_path / "s.json").run_file or b"")
    assert again.read_bytes() == recorded
    assert len(read_run(again).panes) == 2


def test_secret_headers_do_not_travel(tmp_path: Path) -> None:
    """Claim: they are left out when a file is written, and again when one is read that somebody else made; both say which."""
    pane = {"pane": "anoman/chat/a", "headers": {"Authorization": "Bearer hidden-1", "x-team": "blue", "x-note": "sk-hidden-hidden-22"}}
    file = tmp_path / "s.json"
    dropped = write_share(file, Shared((pane, {"pane": "anoman/chat/b", "headers": {"cookie": "hidden"}})))
    assert dropped == ("pane 1: Authorization", "pane 1: x-note", "pane 2: cookie")
    assert "hidden" not in file.read_text("utf-8")
    assert read_share(file).panes == ({"pane": "anoman/chat/a", "headers": {"x-team": "blue"}}, {"pane": "anoman/chat/b"})
    file.write_text(json.dumps({"schema": share.SCHEMA, "schema_version": "1.0", "panes": [pane]}), "utf-8")
    found = read_share(file)
    assert (found.panes, found.dropped) == (
        ({"pane": "anoman/chat/a", "headers": {"x-team": "blue"}},),
        ("pane 1: Authorization", "pane 1: x-note"),
    )


def test_no_key_goes_where_a_shared_file_points(tmp_path: Path) -> None:
    """Claim: a pane of another host takes no key along, whatever provider it names."""
    file = tmp_path / "s.json"
    write_share(file, Shared(("openai/chat/a@https://evil.example", "chat/a@https://evil.example")))
    found = read_share(file)
    assert not any(spec.target.sends_key for spec in read_setup(found.panes, found.params, found.system, BUILT_IN).panes)
    with pytest.raises(ShareError, match="user name, a password or a query"):
        write_share(file, Shared(("chat/a@https://me:pw@host",)))


def test_nothing_hides_in_the_texts(tmp_path: Path) -> None:
    """Claim: escape sequences, marks that turn the reading direction and invisible letters show, in the prompt and every system prompt."""
    file = tmp_path / "s.json"
    bad = "a\x1b]52;c;eA==\x07\u202eb\u200bc"
    write_share(file, Shared(({"pane": "anoman/chat/a", "system": bad},), system=bad, prompt=bad))
    found = read_share(file)
    assert isinstance(found.panes[0], dict)
    for text in (found.prompt, found.system or "", found.panes[0]["system"]):
        assert not set(text) & set("\x1b\x07\u202e\u200b")


def good(**changes: Any) -> bytes:
    """A share file with some fields changed."""
    return json.dumps({"schema": "anoman-tui/share", "schema_version": "1.0", "panes": ["anoman/chat/a"], **changes}).encode()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no JSON"),
        (b"\xff\xfe", "no UTF-8"),
        (b"{" * 200_000, "no JSON"),
        (b"[]", "does not say 'anoman-tui/share'"),
        (good(schema="anoman-tui/run"), "does not say"),
        (good(schema_version="2.0"), "its version is '2.0'"),
        (good(schema_version="\x1b[31m"), "its version is"),
        (good(schema_version=1), "its version is ''"),
        (good(key="x"), "'key' is no part"),
        (good(panes=[]), "panes is no list of 1 to 100"),
        (good(panes="anoman/chat/a"), "panes is no list"),
        (good(panes=["a"] * 101), "panes is no list"),
        (good(panes=[{"pane": "x" * 3_000}]), "pane 1 has no pane argument"),
        (good(panes=[{"pane": "a", "headers": []}]), "pane 1: headers"),
        (good(params=3), "params is no object"),
        (good(system=[]), "system is no text"),
        (good(prompt=None), "prompt is no text"),
        (good(prompt="x" * 1_000_001), "prompt is no text of up to"),
        (good(run=[]), "run is no list of lines"),
        (good(run=["a\nb"]), "run is no list of lines"),
        (good(run={"a": 1}), "run is no list of lines"),
    ],
)
def test_a_bad_file_is_one_sentence(tmp_path: Path, data: bytes, said: str) -> None:
    """Claim: each fault is named in one clean line with the file."""
    file = tmp_path / "s.json"
    file.write_bytes(data)
    with pytest.raises(ShareError, match=said) as wrong:
        read_share(file)
    assert str(wrong.value).startswith(f"{file}: ")
    assert str(wrong.value).isprintable()


def test_later_minor_versions_may_know_more(tmp_path: Path) -> None:
    """Claim: fields of a later 1.x are passed over."""
    (tmp_path / "s.json").write_bytes(good(schema_version="1.3", colours=["red"]))
    assert read_share(tmp_path / "s.json") == Shared(("anoman/chat/a",))


def test_files_that_cannot_be_read_or_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: no file, a folder, a pipe that nobody writes to, and too many bytes are one sentence each."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").write_text("")
    for name, said in (("none", "No such file"), (".", "Is a directory|is no file"), ("pipe", "is no file")):
        with pytest.raises(ShareError, match=said):
            read_share(tmp_path / name)
    with pytest.raises(ShareError, match="cannot be written"):
        write_share(tmp_path / "file" / "s.json", Shared(("anoman/chat/a",)))
    monkeypatch.setattr(share, "MAX_BYTES", 400)
    with pytest.raises(ShareError, match="share it without the run"):
        write_share(tmp_path / "s.json", Shared(("anoman/chat/a",), run=("x" * 400,)))
    assert not (tmp_path / "s.json").exists()
    (tmp_path / "s.json").write_bytes(b" " * 401)
    with pytest.raises(ShareError, match="has more than 400 bytes"):
        read_share(tmp_path / "s.json")


JSONS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["pane", "headers", "system", "x"]), inner, max_size=3),
    max_leaves=8,
)


@given(fields=st.dictionaries(st.sampled_from(["panes", "params", "system", "prompt", "run"]), JSONS, max_size=5))
def test_any_document_gives_something_shared_or_one_sentence(fields: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> None:
    """Claim: no document raises anything else."""
    file = tmp_path_factory.getbasetemp() / "any.json"
    file.write_bytes(good(**fields))
    said = ""
    try:
        assert read_share(file).panes
    except ShareError as wrong:
        said = str(wrong)
    assert "\n" not in said
