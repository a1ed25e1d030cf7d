"""Voting on blind answers, what is kept of it, and the table of win rates."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial

import pytest
from textual.pilot import Pilot

from anoman_tui.core.panes import read_spec
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.stats import Vote, VotedPane
from anoman_tui.ui.app import AnomanApp
from anoman_tui.ui.cells import plain_text
from anoman_tui.ui.judging import Stage
from anoman_tui.ui.rates import table
from anoman_tui.ui.run import RunMode
from anoman_tui.ui.screens.rates import RatesScreen
from tests.ui.fakes import FakeNetwork, wait_until
from tests.ui.scenes import draw, frame
from tests.ui.test_blind import PANES, begin, end, hidden_app, notices, stage_of

MODELS = ("zebra-model", "okapi-model", "tapir/tapir-model")


@dataclass
class Votes:
    """Keeps votes in a list; a test may let it fail."""

    kept: list[Vote] = field(default_factory=list)
    broken: str = ""

    def add(self, vote: Vote) -> None:
        """Keep a vote."""
        if self.broken:
            raise OSError(28, self.broken)
        self.kept.append(vote)

    def all(self) -> list[Vote]:
        """The votes kept so far."""
        return list(self.kept)


def moment() -> datetime:
    """When a test votes."""
    return datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


def voting_app(network: FakeNetwork, votes: Votes) -> AnomanApp:
    """An app whose votes a test sees."""
    return hidden_app(network, votes=votes, wall_clock=moment)


async def ready(network: FakeNetwork, pilot: Pilot[None]) -> None:
    """All answers are in, and the vote is asked for."""
    await begin(network, pilot)
    await end(network, pilot)
    await pilot.press("escape", "V")
    await pilot.pause()


async def test_a_vote_reveals_in_place_and_is_kept_with_the_prompt() -> None:
    """Claim: the digit of a pane votes for it; names appear where the panes stand, and the vote holds prompt, answers and winner."""
    network, votes = FakeNetwork(), Votes()
    app = voting_app(network, votes)
    async with app.run_test(size=(120, 40)) as pilot:
        await ready(network, pilot)
        assert any("Which is best?" in row and "1 A" in row and "n none good" in row for row in frame(pilot))
        await pilot.press("1")
        await wait_until(pilot, lambda: len(votes.kept) == 1)
        assert stage_of(app) is Stage.REVEALED
        await draw(pilot)
        rows = "\n".join(frame(pilot))
        assert "your vote: A is better" in rows
        assert rows.index("tapir-model") < rows.index("okapi") < rows.index("zebra-model"), "they stand as they were judged"
        vote = votes.kept[0]
        assert (vote.prompt, vote.at, vote.blind, vote.run_id) == (
            "Who are you?",
            "2026-03-04T05:06:07.000Z",
            True,
            app.compare.board.head.run_id if app.compare.board.head else None,
        )
        assert [pane.model for pane in vote.panes] == list(reversed(MODELS))
        assert vote.winners == (0,)
        assert [pane.outcome for pane in vote.panes] == ["truncated", "failed", "completed"]
        assert vote.panes[0].answer == "some words some words some words "
        assert vote.panes[1].params == {"temperature": 0.77, "system": "be an ibex"}
        await pilot.press("b")
        await draw(pilot)
        rows = "\n".join(frame(pilot))
        assert rows.index("zebra-model") < rows.index("okapi") < rows.index("tapir-model")
        assert stage_of(app) is Stage.OFF


async def test_ties_none_and_not_now() -> None:
    """Claim: t marks who is equally good, n votes for none, letters vote as digits do, Esc and Tab put it off."""
    network, votes = FakeNetwork(), Votes()
    app = voting_app(network, votes)

    async def again() -> None:
        await pilot.press("R")
        for one in network.streams[-3:]:
            one.open()
            one.text("words")
            one.finish(2)
        app.compare.frame()
        await pilot.press("V")
        await wait_until(pilot, lambda: app.compare.votebar.has_focus)

    async with app.run_test(size=(100, 30)) as pilot:
        await ready(network, pilot)
        await pilot.press("escape")
        assert app.compare.answer.has_focus
        assert stage_of(app) is Stage.READY
        await pilot.press("V", "tab")
        assert not app.compare.votebar.has_focus
        await pilot.press("escape", "V", "t", "2")
        assert any("Equally good:" in row and "[1 A]" in row and "[2 B]" not in row for row in frame(pilot))
        await pilot.press("1", "enter")
        await pilot.pause()
        assert any("at least two answers" in notice for notice in notices(app))
        await pilot.press("1", "enter")
        await wait_until(pilot, lambda: len(votes.kept) == 1)
        assert any("A and C are equally good" in row for row in frame(pilot))
        await again()
        await pilot.press("enter", "6", "n")
        await wait_until(pilot, lambda: len(votes.kept) == 2)
        assert any("none is good" in row for row in frame(pilot))
        await again()
        await pilot.press("t", "escape", "c")
        await wait_until(pilot, lambda: len(votes.kept) == 3)
        assert [vote.winners for vote in votes.kept] == [(0, 2), (), (2,)]


async def test_an_empty_answer_is_not_voted_on() -> None:
    """Claim: panes without any text take no part; with fewer than two answers there is no vote."""
    network, votes = FakeNetwork(), Votes()
    app = voting_app(network, votes)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("escape", "b")
        for texts in (("", "words", "words"), ("", "", "words")):
            app.compare.editor.text = "hello"
            await pilot.press("f5")
            for one, text in zip(network.streams[-3:], texts, strict=True):
                one.open()
                if text:
                    one.text(text)
                one.finish(2)
            app.compare.frame()
            await pilot.press("V")
            await pilot.pause()
            if texts[1]:
                assert any("1 A" in row and "3 C" not in row for row in frame(pilot) if "Which" in row)
                await pilot.press("3")
                await pilot.press("t")
                await wait_until(pilot, lambda: len(votes.kept) == 1)
                assert [pane.model for pane in votes.kept[0].panes] == [MODELS[2], MODELS[1]]
                assert votes.kept[0].winners == (0, 1)
        assert any("nothing to choose between" in notice for notice in notices(app))
        assert not app.compare.votebar.has_focus


async def test_a_vote_that_cannot_be_saved_is_said_and_saved_later() -> None:
    """Claim: the sentence says why, the table counts the vote, and the next vote writes both."""
    network, votes = FakeNetwork(), Votes(broken="No space left on device")
    app = voting_app(network, votes)
    async with app.run_test(size=(100, 30)) as pilot:
        await ready(network, pilot)
        await pilot.press("2")
        await wait_until(pilot, lambda: any("No space left" in notice for notice in notices(app)))
        assert stage_of(app) is Stage.REVEALED
        await pilot.press("V")
        await wait_until(pilot, lambda: isinstance(app.screen, RatesScreen))
        await wait_until(pilot, lambda: any("1 vote: this shows nothing yet" in row for row in frame(pilot)))
        await pilot.press("escape", "R")
        votes.broken = ""
        await end(network, pilot)
        for one in network.streams[-3:]:
            assert one.closed
        app.compare.frame()
        await pilot.press("V")
        await pilot.pause()
        assert any("nothing to choose between" in notice for notice in notices(app)), "no text came this time"
        await pilot.press("R")
        for one in network.streams[-3:]:
            one.open()
            one.text("words")
            one.finish(2)
        app.compare.frame()
        await pilot.press("V", "3")
        await wait_until(pilot, lambda: len(votes.kept) == 2)
        assert [vote.winners for vote in votes.kept] == [(1,), (2,)]


async def test_the_table_opens_by_model_or_by_pane() -> None:
    """Claim: V shows it where there is nothing to vote on; votes within one model are told by pane; p changes that."""
    votes = Votes([a_vote("aa", 0)])
    app = voting_app(FakeNetwork(), votes)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("escape", "V")
        await wait_until(pilot, lambda: isinstance(app.screen, RatesScreen))
        await wait_until(pilot, lambda: any("Win rates by pane" in row for row in frame(pilot)))
        await pilot.press("p")
        await pilot.pause()
        assert any("none between two models" in row for row in frame(pilot))
        await pilot.press("escape", "V", "p")
        await wait_until(pilot, lambda: any("none between two models" in row for row in frame(pilot)))
        assert app.compare.board.mode is RunMode.PARALLEL, "a key that comes right behind is the table's, not the pane's"


def a_vote(models: str, *winners: int) -> Vote:
    """A vote on panes of models named by single letters, each through a shape of its own."""
    shapes = ("chat", "messages", "playground")
    panes = tuple(VotedPane(f"anoman/{shape}/{model}", model) for shape, model in zip(shapes, models, strict=False))
    return Vote("2026-01-01T00:00:00Z", "q", None, {}, panes, winners)


def said(votes: Sequence[Vote], width: int = 100, by: str = "model") -> list[str]:
    """The table as text."""
    return [line.rstrip() for line in plain_text(table(votes, by, width)).splitlines()]


@pytest.mark.parametrize("width", [50, 60, 74, 103])
def test_the_table_is_honest(width: int) -> None:
    """Claim: no width is exceeded; few votes show nothing, a clear lead is said from ten votes on, an even split is not."""
    assert said([])[0].startswith("no votes yet")
    few = said([a_vote("ab", 0)] * 3, width)
    assert any(line.startswith("3 votes: this shows nothing yet") for line in few)
    assert not any("above" in line for line in few[:6] if "%" in line)
    many = said([a_vote("ab", 0)] * 12, width)
    assert sum("above" in line.split() for line in many) == 2, "in the row, and in the words on it"
    even = said([a_vote("ab", 0), a_vote("ab", 1)] * 8, width)
    assert "no clear difference yet" in " ".join(even)
    assert all(len(line) <= width for line in (*few, *many, *even))


def test_one_model_at_three_temperatures_is_three_rows() -> None:
    """Claim: panes that differ in what is their own alone are told apart, at every width, however long their names are."""
    model = "a-model-with-a-name-that-is-rather-long"
    panes = tuple(VotedPane(f"local_anoman/chat/{model}", model, params={"temperature": one, "max_tokens": 40}) for one in (0.0, 0.7, 1.5))
    vote = Vote("2026-01-01T00:00:00Z", "q", None, {}, panes, (2,))
    for width in (70, 103):
        rows = said([vote], width, "pane")
        assert sum("temp" in row for row in rows) == 3
        assert any("temp 1.5, max 40" in row for row in rows), "the whole of it can be read"
    assert "none between two models" in said([vote])[0]


def test_the_panes_of_these_tests_are_what_they_seem() -> None:
    """The names that the tests look for are those of the panes."""
    assert tuple(read_spec(pane, BUILT_IN).target.model for pane in PANES) == MODELS


def _stands_in(pilot: Pilot[None], number: int) -> bool:
    return any(row.startswith(f"▸{number}") for row in frame(pilot))


async def test_answers_can_be_read_while_the_vote_is_asked_for() -> None:
    """Claim: the arrows show the other answers, one at a time where the screen is narrow, and the vote is still asked for."""
    network, votes = FakeNetwork(), Votes()
    app = voting_app(network, votes)
    async with app.run_test(size=(80, 24)) as pilot:
        await ready(network, pilot)
        assert "Which is best?" in "\n".join(frame(pilot))
        at = app.compare.stage.current
        for key, to in (("right", (at + 1) % 3), ("left", at), ("h", (at - 1) % 3)):
            await pilot.press(key, "down")
            await wait_until(pilot, partial(_stands_in, pilot, to + 1))
        assert "Which is best?" in "\n".join(frame(pilot))
        await pilot.press("2")
        await wait_until(pilot, lambda: len(votes.kept) == 1)
        assert votes.kept[0].winners == (1,)
