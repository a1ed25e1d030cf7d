"""The word diff: exact joins on any two texts, readable runs, and bounded work on hostile ones."""

import random
import time
from difflib import SequenceMatcher
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anoman_tui.core.matching import matches
from anoman_tui.core.worddiff import Diff, diff
from anoman_tui.core.words import words_of


def shown(found: Diff) -> str:
    """The runs in the notation of a wdiff."""
    marks = {"same": ("", ""), "base": ("[-", "-]"), "other": ("{+", "+}")}
    return "".join(f"{marks[run.kind][0]}{run.text}{marks[run.kind][1]}" for run in found.runs)


def joined(found: Diff, kind: str) -> str:
    """One of the two texts again."""
    return "".join(run.text for run in found.runs if run.kind in ("same", kind))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't pay 3.14, e.g. for a/b!", ["Don't", "pay", "3.14", ",", "e.g", ".", "for", "a/b", "!"]),
        ("**bold** f(x) == y", ["**", "bold", "**", "f", "(", "x", ")", "==", "y"]),
        ("潮は1日2回。", ["潮", "は", "1", "日", "2", "回", "。"]),
        ("ज्वार दिन में", ["ज्वार", "दिन", "में"]),
        ("مرحبا، العالم 🌊", ["مرحبا،", "العالم", "🌊"]),
        (" \n\t", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    """Claim: blanks divide words, signs at their ends are words of their own, and Han and Kana go by character."""
    assert words_of(text).words == words


@pytest.mark.parametrize(
    ("base", "other", "runs"),
    [
        ("", "", ""),
        ("same text", "same text", "same text"),
        ("", "all new", "{+all new+}"),
        ("The cat sat.", "The dog sat.", "The [-cat-]{+dog+} sat."),
        ("The cat sat.", "The cat sat down.", "The cat sat{+ down+}."),
        ("one two  three", "one two\nthree", "one two[-  -]{+\n+}three"),
        ("a b c d e", "a c d e", "a [-b -]c d e"),
        ("潮は一日に二回", "潮は一日に三回", "潮は一日に[-二-]{+三+}回"),
        ("x red green blue , x one two three", "x uno dos tres , x four five six", None),
    ],
)
def test_what_is_shown(base: str, other: str, runs: str | None) -> None:
    """Claim: changed words stand out with the blanks around them left in common; a comma between two changes is one change."""
    found = diff(base, other)
    if runs is not None:
        assert shown(found) == runs
    else:
        assert "[-red green blue-]" in shown(found)
    assert (found.first is None) == (base == other)


def test_counts_and_the_first_difference() -> None:
    """Claim: words are counted once each, and `first` is the run where the texts part."""
    found = diff("The quick brown fox jumps", "The quick red fox jumps high")
    assert (found.same, found.only_base, found.only_other) == (4, 1, 2)
    assert found.first == 1
    assert found.runs[1].text == "brown"
    assert diff("a b", "a  b").first is not None


WORDS = st.lists(st.sampled_from(["a", "b", "c", "the", ",", "\n", "  ", "潮", "d'e", "🌊"]), max_size=60).map(" ".join)
ANY = st.one_of(st.text(max_size=80), WORDS, st.text(alphabet="ab ,\n", max_size=60))


@given(ANY, ANY)
def test_the_runs_are_both_texts_exactly(base: str, other: str) -> None:
    """Claim: joined runs give both texts again; no run is empty, and no two neighbours are of one kind; counts add up."""
    found = diff(base, other)
    assert (joined(found, "base"), joined(found, "other")) == (base, other)
    assert all(run.text for run in found.runs)
    assert all(one.kind != two.kind for one, two in pairwise(found.runs))
    assert found.same + found.only_base == len(words_of(base).words)
    assert found.same + found.only_other == len(words_of(other).words)
    differing = [index for index, run in enumerate(found.runs) if run.kind != "same"]
    assert found.first == (differing[0] if differing else None)


@given(st.lists(st.integers(0, 5), max_size=40), st.lists(st.integers(0, 5), max_size=40))
def test_matches_rise_and_are_equal(base: list[int], other: list[int]) -> None:
    """Claim: in short texts every pair holds equal items and both places rise, and there are as many pairs as there can be."""
    pairs = matches(base, other)
    assert all(base[i] == other[j] for i, j in pairs)
    assert all(one[0] < two[0] and one[1] < two[1] for one, two in pairwise(pairs))
    assert len(pairs) == longest(base, other)


def longest(base: list[int], other: list[int]) -> int:
    """The length of the longest common subsequence, by the textbook."""
    row = [0] * (len(other) + 1)
    for one in base:
        above, row = row, [0]
        for place, two in enumerate(other):
            row.append(above[place] + 1 if one == two else max(above[place + 1], row[place]))
    return row[-1]


def test_a_word_that_moved_does_not_hide_what_stayed() -> None:
    """Claim: a word that occurs once and stands elsewhere is not held to at the price of all others."""
    found = diff("one two one two one two one two last", "last one two one two one two one two")
    assert (found.same, found.only_base, found.only_other) == (8, 1, 1)


def test_repeated_items_alone_are_matched_as_well_as_can_be() -> None:
    """Claim: without anchors the match is the longest there is."""
    chance = random.Random(7)
    for _ in range(50):
        base = [chance.randrange(3) for _ in range(40)] * 2
        other = [chance.randrange(3) for _ in range(40)] * 2
        assert len(matches(base, other)) == longest(base, other)


def test_edits_of_a_long_answer_are_found_as_they_were_made() -> None:
    """Claim: of 3,000 words with 60 changed, the diff reports no more than those 60, and about as `difflib` would."""
    chance = random.Random(3)
    base = [f"w{chance.randrange(400)}" for _ in range(3_000)]
    other = list(base)
    for place in chance.sample(range(3_000), 60):
        other[place] = "changed"
    found = diff(" ".join(base), " ".join(other))
    assert found.only_base <= 62
    assert found.same >= sum(block.size for block in SequenceMatcher(None, base, other, autojunk=False).get_matching_blocks()) - 5


def hostile() -> dict[str, tuple[str, str]]:
    """Texts that make a simple algorithm take minutes."""
    chance = random.Random(1)
    common = [f"w{number}" for number in range(100)]
    mixed = [" ".join(chance.choice(common) for _ in range(30_000)) for _ in range(2)]
    unique = [f"u{number}" for number in range(30_000)]
    return {
        "one letter": ("a " * 100_000, "a " * 99_000 + "b"),
        "one letter in the middle": ("x " + "a " * 100_000 + "y", "z " + "a " * 60_000 + "q " + "a " * 30_000 + "r"),
        "nothing in common": (" ".join(f"a{n}" for n in range(30_000)), " ".join(f"b{n}" for n in range(30_000))),
        "a hundred words shuffled": (mixed[0], mixed[1]),
        "all words reversed": (" ".join(unique), " ".join(reversed(unique))),
        "two letters in turn": ("a b " * 50_000, "b a " * 50_000 + "a"),
        "signs": (".,;:" * 25_000, ";.:," * 25_000),
        "one endless word": ("a" * 1_000_000, "a" * 999_999 + "b"),
        "blanks": (" " * 500_000 + "a", "\t" * 500_000 + "a"),
    }


@pytest.mark.parametrize("name", list(hostile()))
def test_hostile_texts_take_bounded_time(name: str) -> None:
    """Claim: none takes more than a second of work on a machine of today, and the joins hold."""
    base, other = hostile()[name]
    start = time.process_time()
    found = diff(base, other)
    assert time.process_time() - start < 3, "three times the claim, for a machine that is busy"
    assert (joined(found, "base"), joined(found, "other")) == (base, other)
