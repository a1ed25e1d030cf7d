"""The vote book: what is written is read again, whatever happened to the file in between."""

import json
import stat
from pathlib import Path

import pytest

from anoman_tui.core.ports import KeepVotes
from anoman_tui.core.stats import Vote, VotedPane
from anoman_tui.history import votes
from anoman_tui.history.votes import CUT, FILE, MAX_TEXT, VoteBook


def a_vote(prompt: str = "Why?", *winners: int) -> Vote:
    """A vote on two panes."""
    panes = (
        VotedPane("anoman/chat/a", "a", "Because.\n", "completed", {"temperature": 0.2, "system": "Short."}),
        VotedPane("chat/b@http://127.0.0.1:1", "b", "潮 \x1b[31m", "truncated"),
    )
    return Vote("2026-01-01T00:00:00Z", prompt, "Be kind.", {"max_tokens": 20, "stop": ["x"]}, panes, winners, "clearer", "run-1", False)


def test_votes_are_read_as_they_were_kept(tmp_path: Path) -> None:
    """Claim: all fields come back, oldest first, from a file that its owner alone can read; without a file there are none."""
    folder = tmp_path / "state"
    book: KeepVotes = VoteBook(folder)
    assert book.all() == []
    given = [a_vote("one", 0), a_vote("two", 0, 1), a_vote("three")]
    for vote in given:
        book.add(vote)
    assert VoteBook(folder).all() == given
    assert stat.S_IMODE((folder / FILE).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert len((folder / FILE).read_text("utf-8").splitlines()) == 3
    assert "\x1b" not in (folder / FILE).read_text("utf-8")


def test_a_torn_line_costs_one_vote(tmp_path: Path) -> None:
    """Claim: a line without its end is passed over, and the next vote is not swallowed by it."""
    book = VoteBook(tmp_path)
    book.add(a_vote("one"))
    with (tmp_path / FILE).open("ab") as file:
        file.write(b'{"at": "2026", "panes": [{"pa')
    assert [vote.prompt for vote in book.all()] == ["one"]
    book.add(a_vote("two"))
    assert [vote.prompt for vote in book.all()] == ["one", "two"]


@pytest.mark.parametrize(
    "line",
    [
        b"[]",
        b"null",
        b"{}",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"panes": 3}',
        b'{"panes": [{"pane": "a"}]}',
        b'{"panes": [{"pane": 1}, {"pane": 2}]}',
    ],
)
def test_what_is_no_vote_is_passed_over(tmp_path: Path, line: bytes) -> None:
    """Claim: no line makes the others unreadable."""
    book = VoteBook(tmp_path)
    book.add(a_vote("one"))
    with (tmp_path / FILE).open("ab") as file:
        file.write(line + b"\n")
    book.add(a_vote("two"))
    assert [vote.prompt for vote in book.all()] == ["one", "two"]


def test_fields_of_other_versions(tmp_path: Path) -> None:
    """Claim: unknown fields are let be, missing ones have their defaults, and winners that are no panes are nobody."""
    line = {"panes": [{"pane": "x/a", "colour": 1}, {"pane": "x/b"}], "winners": [1, 1, 7, -1, True, "0"], "later": {}}
    (tmp_path / FILE).write_text(json.dumps(line) + "\n", "utf-8")
    (vote,) = VoteBook(tmp_path).all()
    assert (vote.winners, vote.prompt, vote.system, vote.panes[0]) == ((1,), "", None, VotedPane("x/a", "x/a"))


def test_long_texts_are_cut_and_keys_taken_out(tmp_path: Path) -> None:
    """Claim: a text beyond the bound says that it is cut; what the redactor hides is nowhere in the file; half a letter does no harm."""
    book = VoteBook(tmp_path, lambda text: text.replace("sk-12345", "***"))
    book.add(a_vote("x" * (MAX_TEXT + 5)))
    book.add(a_vote("my key is sk-12345 \ud800"))
    long, keyed = book.all()
    assert long.prompt == "x" * MAX_TEXT + CUT
    assert keyed.prompt == "my key is *** \ufffd"
    assert b"sk-12345" not in (tmp_path / FILE).read_bytes()


def test_a_huge_file_is_read_from_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: only the newest votes of a file that outgrew its bound are read."""
    book = VoteBook(tmp_path)
    for number in range(20):
        book.add(a_vote(str(number)))
    monkeypatch.setattr(votes, "MAX_BYTES", (tmp_path / FILE).stat().st_size // 4)
    found = [vote.prompt for vote in book.all()]
    assert found == [str(number) for number in range(20 - len(found), 20)]
    assert 3 <= len(found) <= 5


def test_a_folder_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    """Claim: a vote that is not kept raises OSError, and reading a folder in the file's place does as well."""
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        VoteBook(tmp_path / "file").add(a_vote())
    (tmp_path / FILE).mkdir()
    with pytest.raises(OSError, match="votes"):
        VoteBook(tmp_path).all()
