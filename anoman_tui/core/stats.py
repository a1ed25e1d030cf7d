"""Votes on answers, and how often a model wins, with what chance alone would give beside it."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Any

from anoman_tui.core.panes import own_words
from anoman_tui.core.records import dataclass


@dataclass(frozen=True, slots=True)
class VotedPane:
    """One of the answers that a vote was about. Holds no key, header or address of an account."""

    pane: str
    """The pane argument."""
    model: str
    """The model as it was asked for."""
    answer: str = ""
    """What it wrote; a very long answer is cut where votes are kept."""
    outcome: str = ""
    """How the stream ended, such as `completed`; empty where that is not known."""
    params: Mapping[str, Any] = field(default_factory=dict)
    """This pane's own parameters and system prompt, where it has any."""


@dataclass(frozen=True, slots=True)
class Vote:
    """One vote: what was asked, what was answered, and which answers were the best."""

    at: str
    """When, RFC 3339 in UTC."""
    prompt: str
    system: str | None
    params: Mapping[str, Any]
    """The parameters for all panes."""
    panes: tuple[VotedPane, ...]
    winners: tuple[int, ...]
    """Places in `panes`, from 0: one for a win, several for a tie, none where no answer is good."""
    note: str = ""
    run_id: str = ""
    """The run that the answers are of, to find its recording by."""
    blind: bool = True
    """Whether names were hidden until the vote."""


@dataclass(frozen=True, slots=True)
class WinRate:
    """How one model did. `low` and `high` are the 95 % Wilson interval of `rate`; shares are from 0 to 1."""

    name: str
    votes: int
    """Votes that it took part in."""
    wins: int
    """Votes that it won alone."""
    ties: int
    """Votes that it won together with others."""
    rate: float
    """Mean score: a win counts 1, a tie of k panes 1/k, anything else 0."""
    low: float
    high: float
    chance: float
    """The rate that picking one pane blindly would give: the mean of its share of the panes."""

    @property
    def verdict(self) -> str:
        """`above` or `below` chance where the interval leaves chance out, else empty: too few votes to say."""
        return "above" if self.low > self.chance else "below" if self.high < self.chance else ""


def by_model(pane: VotedPane) -> str:
    """Count a model's panes together, whatever shape or gateway they came through."""
    return pane.model


def by_pane(pane: VotedPane) -> str:
    """Count each set-up by itself: one model through two shapes is two, and so is one asked at two temperatures."""
    own = own_words(pane.params)
    return f"{pane.pane} · {own}" if own else pane.pane


def wilson(wins: float, n: int, z: float = 1.96) -> tuple[float, float]:
    """The Wilson score interval of a share; (0, 1) where there is nothing to go by. `wins` may hold parts of ties.

    Brown, Cai and DasGupta (2001): it stays inside 0 to 1 and is honest for few votes. With ties it is a little too wide,
    since parts vary less than whole wins.
    """
    if n <= 0:
        return 0.0, 1.0
    share = min(max(wins / n, 0.0), 1.0)
    spread = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    middle, scale = share + z * z / (2 * n), 1 + z * z / n
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


@dataclass(slots=True, repr=False, eq=False)
class _Tally:
    votes: int = 0
    wins: int = 0
    ties: int = 0
    score: float = 0.0
    chance: float = 0.0


def win_rates(votes: Iterable[Vote], key: Callable[[VotedPane], str] = by_model) -> tuple[WinRate, ...]:
    """How often each name won, the best first. A vote whose panes all have one name compares nothing and is left out."""
    tallies: dict[str, _Tally] = {}
    for vote in votes:
        held: dict[str, list[int]] = {}
        for place, pane in enumerate(vote.panes):
            held.setdefault(key(pane), []).append(place)
        if len(held) < 2:
            continue
        winners = {place for place in vote.winners if 0 <= place < len(vote.panes)}
        for name, places in held.items():
            _count(tallies.setdefault(name, _Tally()), places, winners, len(vote.panes))
    rates = (_rate(name, tally) for name, tally in tallies.items())
    return tuple(sorted(rates, key=lambda rate: (-rate.rate, -rate.low, rate.name)))


def _count(tally: _Tally, places: list[int], winners: set[int], panes: int) -> None:
    won = len(winners.intersection(places))
    tally.votes += 1
    tally.chance += len(places) / panes
    if won:
        tally.score += won / len(winners)
        if won == len(winners):
            tally.wins += 1
        else:
            tally.ties += 1


def _rate(name: str, tally: _Tally) -> WinRate:
    n = tally.votes
    return WinRate(name, n, tally.wins, tally.ties, tally.score / n, *wilson(tally.score, n), tally.chance / n)
