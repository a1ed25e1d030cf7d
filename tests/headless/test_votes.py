"""The table of win rates, as text and as JSON."""

import io
import json
import os
from pathlib import Path

from anoman_tui.core.stats import Vote, VotedPane
from anoman_tui.headless.votes import print_votes
from anoman_tui.history.votes import VoteBook
from tests.headless.test_command import run


def a_vote(models: str, *winners: int) -> Vote:
    """A vote on panes of models named by single letters, all through chat."""
    panes = tuple(VotedPane(f"anoman/chat/{model}", model) for model in models)
    return Vote("2026-01-01T00:00:00Z", "q", None, {}, panes, winners)


def printed(votes: list[Vote], **options: bool | str) -> str:
    """What is printed."""
    out = io.StringIO()
    print_votes(votes, out, **options)  # type: ignore[arg-type] # the options are those of the function
    return out.getvalue()


def test_the_table() -> None:
    """Claim: the best comes first with votes, wins, ties, rate, interval and chance; a name cannot move the cursor."""
    lines = printed([a_vote("abc", 0)] * 20 + [a_vote("abc", 0, 1)] + [a_vote("a\x1b", 0)]).splitlines()
    lines = [line for line in lines if line.strip()]
    assert lines[0].split() == ["model", "votes", "wins", "ties", "win", "rate", "95", "%", "interval", "chance"]
    assert lines[2].split() == ["a", "22", "21", "1", "98", "%", "82", "%", "to", "100", "%", "34", "%", "above", "chance"]
    assert "\x1b" not in "".join(lines)
    assert "22 votes" in lines[-1]


def test_the_document() -> None:
    """Claim: the same as JSON, with shares from 0 to 1."""
    document = json.loads(printed([a_vote("ab", 0)], as_json=True, by="pane"))
    assert {name: document[name] for name in ("schema", "schema_version", "votes", "by")} == {
        "schema": "anoman-tui/votes",
        "schema_version": "1.0",
        "votes": 1,
        "by": "pane",
    }
    assert document["rates"][0] == {
        "name": "anoman/chat/a",
        "votes": 1,
        "wins": 1,
        "ties": 0,
        "rate": 1,
        "low": 0.206543,
        "high": 1,
        "chance": 0.5,
        "against_chance": None,
    }


def test_nothing_to_compare() -> None:
    """Claim: no votes, and votes within one model, each say so."""
    assert printed([]).startswith("no votes yet")
    assert "--by pane tells shapes and parameters apart" in printed([a_vote("aa", 0)])


def test_the_command() -> None:
    """Claim: the command reads the votes of the state folder; a wrong choice is one sentence and exit code 2."""
    folder = Path(os.environ["XDG_STATE_HOME"])
    VoteBook(folder / "anoman-tui").add(a_vote("ab", 1))
    done = run("votes", "--json", XDG_STATE_HOME=str(folder))
    assert (done.returncode, json.loads(done.stdout)["rates"][0]["name"]) == (0, "b")
    done = run("votes", "--by", "colour")
    assert (done.returncode, done.stderr) == (2, b"anoman-tui: --by colour: choose model or pane\n")
