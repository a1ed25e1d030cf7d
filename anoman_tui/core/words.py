"""Words as a person compares them, and the blanks between them."""

import re
from typing import Final

from anoman_tui.core.records import dataclass

_UNSPACED: Final = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Han, Hiragana and Katakana: written without blanks, so each character is a word."""
_SIGNS: Final = (
    r"!-/:-@\[-`{-~\u00a1-\u00bf\u2010-\u2027\u2030-\u205e\u2190-\u23ff\u2500-\u257f\u3000-\u3004\u3008-\u303f\uff01-\uff0f\uff1a-\uff20"
)
"""Punctuation and signs. Classes of `re` know none, and a look-up for each character would cost ten times as much."""
_LETTER: Final = rf"[^\s{_SIGNS}{_UNSPACED}]"
# Signs inside a word belong to it where they stand alone: don't, 3.14, e-mail, a/b, x_y. Any others are words of their own.
_WORD: Final = re.compile(rf"[{_UNSPACED}]|{_LETTER}++(?:[-'’._,:/@&+]{_LETTER}++)*+|([{_SIGNS}])\1*+")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text and where each begins and ends in it."""

    text: str
    words: list[str]
    starts: list[int]
    ends: list[int]


def words_of(text: str) -> Words:
    """Cut a text into words; what lies between them is blank."""
    found = [(match.group(), match.start(), match.end()) for match in _WORD.finditer(text)]
    return Words(text, [word for word, _, _ in found], [start for _, start, _ in found], [end for _, _, end in found])
