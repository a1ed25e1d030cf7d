"""Anoman's semantic cache: the same question again is answered at once, as JSON.

Written when a stream closes and only for whole answers; a hit short-circuits the stream ("Anoman streaming page, Known limitations").
Two questions are the same when model, parameters and conversation agree but for case, spacing, sentence punctuation and words that
carry no meaning ("please", articles). The key knows no shape, so that a question streamed as chat hits as a message too.
"""

import re
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

from anoman_tui.emulator.answer import Answer
from anoman_tui.emulator.ask import Ask

_FILLERS = frozenset({"please", "kindly", "a", "an", "the", "tolong"})
# Only at the ends of words: "1.5", "a<b" and "C++" must keep their signs.
_EDGES = re.compile(r"^[.,!?;:\"'()…“”‘’]+|[.,!?;:\"'()…“”‘’]+$")


class SemanticCache:
    """Keeps the last `size` answers for `ttl_s` seconds; `clock` gives seconds."""

    def __init__(self, size: int = 256, ttl_s: float = 3600.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._size, self._ttl_s, self._clock = size, ttl_s, clock
        self._answers: OrderedDict[Hashable, tuple[float, Answer]] = OrderedDict()

    def get(self, ask: Ask) -> Answer | None:
        """The answer to the same question, or None."""
        key = cache_key(ask)
        kept = self._answers.get(key)
        if kept is None or self._clock() - kept[0] > self._ttl_s:
            return None
        self._answers.move_to_end(key)
        return kept[1]

    def put(self, ask: Ask, answer: Answer) -> None:
        """Keep a whole answer; one that a limit cut short is not kept."""
        if answer.finish != "stop":
            return
        self._answers[cache_key(ask)] = (self._clock(), answer)
        while len(self._answers) > self._size:
            self._answers.popitem(last=False)


def cache_key(ask: Ask) -> Hashable:
    """What makes two questions the same."""
    turns = tuple((turn.role, normalise(turn.text)) for turn in ask.turns)
    return (ask.model, normalise(ask.system or ""), turns, ask.max_tokens, ask.temperature, ask.top_p, ask.stop)


def normalise(text: str) -> tuple[str, ...]:
    """The words of a text that carry its meaning, in order."""
    words = (_EDGES.sub("", word) for word in text.casefold().split())
    return tuple(word for word in words if word and word not in _FILLERS)
