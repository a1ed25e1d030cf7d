"""Which items of two sequences belong together: in order, and in bounded time on any input.

Common ends are trimmed; between them items that occur once in both are anchors (Cohen's patience diff); what lies between
two anchors goes to Myers' greedy algorithm (1986) within a budget. Where that runs out, the rest is left unmatched.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import Final

MAX_LEVELS: Final = 8
"""How often anchors are looked for between anchors; each level reads every item once."""
SMALL: Final = 100
"""Ranges of so few items in all need no anchors; one that was moved would hide what stayed."""
MAX_EDITS: Final = 200
"""Edits that Myers' search looks ahead before it settles for the furthest point it reached."""
BUDGET: Final = 400_000
"""Steps of Myers' search in all."""

Pair = tuple[int, int]
_Range = tuple[int, int, int, int, int]
"""Begin and end in each sequence, and the level."""


def matches(base: Sequence[int], other: Sequence[int]) -> list[Pair]:
    """Pairs of places with equal items, rising in both sequences."""
    return _Matcher(base, other).run()


class _Matcher:
    """One comparison; `budget` is what is left of its steps."""

    def __init__(self, base: Sequence[int], other: Sequence[int]) -> None:
        self._base, self._other = base, other
        self._pairs: list[Pair] = []
        self._budget = BUDGET

    def run(self) -> list[Pair]:
        """All pairs. Ranges wait on a list of their own, so that no input reaches the limit of recursion."""
        waiting: list[_Range] = [(0, len(self._base), 0, len(self._other), 0)]
        while waiting:
            waiting += self._split(*self._trim(waiting.pop()))
        self._pairs.sort()
        return self._pairs

    def _trim(self, one: _Range) -> _Range:
        a, a_end, b, b_end, level = one
        base, other = self._base, self._other
        while a < a_end and b < b_end and base[a] == other[b]:
            self._pairs.append((a, b))
            a, b = a + 1, b + 1
        while a < a_end and b < b_end and base[a_end - 1] == other[b_end - 1]:
            a_end, b_end = a_end - 1, b_end - 1
            self._pairs.append((a_end, b_end))
        return a, a_end, b, b_end, level

    def _split(self, a: int, a_end: int, b: int, b_end: int, level: int) -> list[_Range]:
        """The ranges between the anchors of a range; none where it is done with."""
        if a == a_end or b == b_end:
            return []
        small = a_end - a + b_end - b <= SMALL
        anchors = self._anchors(a, a_end, b, b_end) if level < MAX_LEVELS and not small else []
        if not anchors:
            self._search(a, a_end, b, b_end)
            return []
        self._pairs += anchors
        ranges = []
        for i, j in (*anchors, (a_end, b_end)):
            ranges.append((a, i, b, j, level + 1))
            a, b = i + 1, j + 1
        return ranges

    def _anchors(self, a: int, a_end: int, b: int, b_end: int) -> list[Pair]:
        """Items that occur once in both ranges: the longest run of them that rises in both."""
        base, other = self._base[a:a_end], self._other[b:b_end]
        once = {item for item, times in Counter(base).items() if times == 1}
        once &= {item for item, times in Counter(other).items() if times == 1}
        where = {item: place for place, item in enumerate(other, b) if item in once}
        return _rising([(place, where[item]) for place, item in enumerate(base, a) if item in once])

    def _search(self, a: int, a_end: int, b: int, b_end: int) -> None:
        """Match a range without anchors, piece by piece, as far as the budget goes. Items of one side only are left out first."""
        both = set(self._base[a:a_end]) & set(self._other[b:b_end])
        left = [place for place in range(a, a_end) if self._base[place] in both]
        right = [place for place in range(b, b_end) if self._other[place] in both]
        x = y = 0
        while x < len(left) and y < len(right) and self._budget > 0:
            piece, x, y = self._piece(left, right, x, y)
            self._pairs += [(left[i], right[j]) for i, j in piece]

    def _piece(self, left: list[int], right: list[int], x0: int, y0: int) -> tuple[list[Pair], int, int]:
        """Myers' search from one point: the matches on the way to the end or to the furthest point, and that point."""
        n, m, out = len(left), len(right), x0 - 2
        trace: list[dict[int, int]] = []
        before = {1: x0}
        best = (x0 + y0, 0, 0)
        for edits in range(MAX_EDITS + 1):
            now: dict[int, int] = {}
            trace.append(now)
            for k in range(-edits, edits + 1, 2):
                x = before.get(k + 1, out) if _goes_down(before, edits, k, out) else before.get(k - 1, out) + 1
                y = x - x0 + y0 - k
                if x < x0 or x > n or y < y0 or y > m:
                    continue
                start = x
                while x < n and y < m and self._base[left[x]] == self._other[right[y]]:
                    x, y = x + 1, y + 1
                self._budget -= 1 + x - start
                now[k] = x
                best = max(best, (x + y, edits, k))
            if best[0] == n + m or self._budget <= 0:
                break
            before = now
        _, edits, k = best
        x = trace[edits][k]
        return _walk_back(trace, edits, k, x0, y0), x, x - x0 + y0 - k


def _goes_down(before: dict[int, int], edits: int, k: int, out: int) -> bool:
    """Whether diagonal `k` (x - y) is best reached from the one above it, by an item of the other sequence alone."""
    return k == -edits or (k != edits and before.get(k - 1, out) < before.get(k + 1, out))


def _walk_back(trace: list[dict[int, int]], edits: int, k: int, x0: int, y0: int) -> list[Pair]:
    """The matches on the way from (x0, y0) to the point that `edits` edits reached on diagonal `k`."""
    pairs: list[Pair] = []
    while True:
        end, start, diagonal = trace[edits][k], x0, k
        if edits:
            before = trace[edits - 1]
            down = _goes_down(before, edits, k, x0 - 2)
            k = k + 1 if down else k - 1
            start = before[k] if down else before[k] + 1
        pairs += [(x, x - x0 + y0 - diagonal) for x in range(start, end)]
        if not edits:
            return pairs
        edits -= 1


def _rising(pairs: list[Pair]) -> list[Pair]:
    """The longest subsequence of pairs, sorted by their first part, whose second parts rise (patience sorting)."""
    tops: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for index, (_, place) in enumerate(pairs):
        pile = bisect_left(tops, place)
        before.append(ends[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(place)
            ends.append(index)
        else:
            tops[pile], ends[pile] = place, index
    chosen = []
    index = ends[-1] if ends else -1
    while index >= 0:
        chosen.append(pairs[index])
        index = before[index]
    return chosen[::-1]
