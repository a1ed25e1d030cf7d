"""Votes: intervals, shares, ties, and what chance would give."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anoman_tui.core.stats import Vote, VotedPane, by_pane, wilson, win_rates


def a_vote(models: str, *winners: int) -> Vote:
    """A vote on panes named by single letters."""
    panes = tuple(VotedPane(f"p/chat/{model}", model) for model in models)
    return Vote("2026-01-01T00:00:00Z", "q", None, {}, panes, winners)


@pytest.mark.parametrize(
    ("wins", "n", "low", "high"),
    [
        (0, 0, 0.0, 1.0),
        (0, 10, 0.0, 0.2775),
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (1, 1, 0.2065, 1.0),
        (81, 263, 0.2553, 0.3662),
    ],
)
def test_wilson_against_published_figures(wins: int, n: int, low: float, high: float) -> None:
    """Claim: the interval is Wilson's without continuity correction (Newcombe 1998, table I, for 81 of 263)."""
    assert wilson(wins, n) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(0, 2_000), st.integers(0, 2_000))
def test_the_interval_holds_the_share_and_stays_a_share(wins: int, more: int) -> None:
    """Claim: 0 <= low <= share <= high <= 1."""
    low, high = wilson(wins, wins + more)
    if wins + more:
        assert 0 <= low <= wins / (wins + more) + 1e-12
        assert wins / (wins + more) - 1e-12 <= high <= 1


def test_wins_ties_and_none_good() -> None:
    """Claim: a win counts 1, a tie of k panes 1/k, none good 0; the best comes first; chance is the mean of 1/panes."""
    rates = win_rates([a_vote("abc", 0), a_vote("abc", 0, 1), a_vote("ab", 1), a_vote("abc")])
    assert [(rate.name, rate.votes, rate.wins, rate.ties) for rate in rates] == [("a", 4, 1, 1), ("b", 4, 1, 1), ("c", 3, 0, 0)]
    assert [rate.rate for rate in rates] == [1.5 / 4, 1.5 / 4, 0]
    assert rates[0].chance == pytest.approx((1 / 3 + 1 / 3 + 1 / 2 + 1 / 3) / 4)
    assert (rates[0].low, rates[0].high) == wilson(1.5, 4)


def test_a_model_in_two_panes_is_one_contestant_with_two_shares() -> None:
    """Claim: its panes count together, and a vote of one model alone compares nothing; by pane argument it does."""
    rates = {rate.name: rate for rate in win_rates([a_vote("aab", 1), a_vote("aaa", 2)])}
    assert (rates["a"].votes, rates["a"].wins) == (1, 1)
    assert rates["a"].chance == pytest.approx(2 / 3)
    pair = Vote("", "q", None, {}, (VotedPane("p/chat/a", "a"), VotedPane("p/messages/a", "a")), (1,))
    assert win_rates([pair]) == ()
    assert [rate.name for rate in win_rates([pair], by_pane)] == ["p/messages/a", "p/chat/a"]


def test_a_verdict_needs_votes() -> None:
    """Claim: two wins of two say nothing against chance, twenty of twenty do; winners that are not there are nobody."""
    assert {rate.verdict for rate in win_rates([a_vote("ab", 0)] * 2)} == {""}
    assert [rate.verdict for rate in win_rates([a_vote("ab", 0)] * 20)] == ["above", "below"]
    assert [rate.rate for rate in win_rates([a_vote("ab", 7, -1)])] == [0, 0]
