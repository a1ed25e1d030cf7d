"""Pygments' rules in their own order, less those that cannot match where the text stands.

A lexer tries dozens of expressions at each place of a line, and most could be ruled out by the next character alone. With
which characters an expression can begin is read from it, a few expressions a line, so that a short piece of code pays for little.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pygments.lexer import Lexer  # type: ignore[import-untyped]

Rule = tuple[Any, Any, Any]
"""How to match, what that is, and the state after it; as Pygments keeps them."""
PER_LINE: Final = 1
"""Expressions that are read for each line: the largest takes two milliseconds, and a frame can have many lines."""
_CHARACTERS: Final = frozenset(map(chr, range(0x20, 0x7F)))
_SPACES, _DIGITS = frozenset(" "), frozenset("0123456789")
_WORDS: Final = frozenset(char for char in _CHARACTERS if char.isalnum() or char == "_")
_CATEGORIES: Final = {
    "CATEGORY_SPACE": _SPACES,
    "CATEGORY_NOT_SPACE": _CHARACTERS - _SPACES,
    "CATEGORY_DIGIT": _DIGITS,
    "CATEGORY_NOT_DIGIT": _CHARACTERS - _DIGITS,
    "CATEGORY_WORD": _WORDS,
    "CATEGORY_NOT_WORD": _CHARACTERS - _WORDS,
}
_NO_WIDTH: Final = ("AT", "ASSERT", "ASSERT_NOT")
_REPEATS: Final = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")


class _State:
    """The rules of one state: all of them, and by character those that can match before it."""

    __slots__ = ("_by_character", "_firsts", "rules")

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = rules
        self._firsts: list[frozenset[str]] = []  # of the rules that were read so far
        self._by_character: dict[str, Sequence[Rule]] = {}

    def learn(self, count: int) -> int:
        """Read some more rules; how many of `count` are left for other states."""
        for rule in self.rules[len(self._firsts) : len(self._firsts) + count]:
            self._firsts.append(first_characters(rule[0].__self__))
            count -= 1
        return count

    def before(self, char: str) -> Sequence[Rule]:
        """The rules to try before a character."""
        found = self._by_character.get(char)
        if found is not None:
            return found
        if len(self._firsts) < len(self.rules) or char not in _CHARACTERS:
            return self.rules
        found = self._by_character[char] = [rule for rule, first in zip(self.rules, self._firsts, strict=True) if char in first]
        return found


class QuickLexer:
    """Gives the tokens that a lexer gives, in a part of its time."""

    __slots__ = ("_lexer", "_states")

    def __init__(self, lexer: "Lexer") -> None:
        self._lexer = lexer
        self._states = {name: _State(rules) for name, rules in lexer._tokens.items()}

    def tokens(self, text: str) -> Iterator[tuple[Any, str]]:
        """Kinds and texts of one line, which holds no line feed."""
        from pygments.token import Token  # type: ignore[import-untyped]

        lexer, states, at, size = self._lexer, self._states, 0, len(text)
        stack = ["root"]
        state, left = states["root"], states["root"].learn(PER_LINE)
        while True:
            for match, action, following in state.before(text[at]) if at < size else state.rules:
                found = match(text, at)
                if found is None:
                    continue
                if action is not None:
                    if callable(action):
                        for _, kind, value in action(lexer, found):
                            yield kind, value
                    else:
                        yield action, found.group()
                at = found.end()
                if following is not None:
                    _follow(stack, following)
                    state = states[stack[-1]]
                    left = state.learn(left) if left else 0
                break
            else:
                if at >= size:
                    return
                yield Token.Error, text[at]
                at += 1


def _follow(stack: list[str], following: Any) -> None:
    """The states after a match, as Pygments keeps them."""
    for step in following if isinstance(following, tuple) else (following,):
        if isinstance(step, int):
            del stack[max(1, len(stack) + step) :]
        elif step == "#pop":
            del stack[max(1, len(stack) - 1) :]
        else:
            stack.append(stack[-1] if step == "#push" else step)


def quick_lexer(lexer: "Lexer") -> QuickLexer | None:
    """The same lexer, quicker; nothing where it has a way of its own."""
    from pygments.lexer import RegexLexer

    own = type(lexer).get_tokens_unprocessed is RegexLexer.get_tokens_unprocessed
    return QuickLexer(lexer) if own and not lexer.filters else None


@lru_cache(maxsize=4_096)
def first_characters(pattern: "re.Pattern[str]") -> frozenset[str]:
    """The printable ASCII characters that a match can begin with; all of them where that is not known, or it can be empty."""
    try:
        from re import _parser  # type: ignore[attr-defined]

        flags = pattern.flags & ~re.UNICODE & ~re.DEBUG
        tree = _parser.parse(pattern.pattern, flags)
        first, empty = _first(tree, bool(tree.state.flags & re.IGNORECASE))
    except Exception:  # a part of Python that may change
        return _CHARACTERS
    return _CHARACTERS if empty else first


def _first(nodes: Iterable[tuple[Any, Any]], ignores_case: bool) -> tuple[frozenset[str], bool]:
    """The characters that a sequence can begin with, and whether it can be empty. Raises ValueError for what is not known."""
    out: frozenset[str] = frozenset()
    for op, value in nodes:
        name = str(op)
        if name in _NO_WIDTH:
            continue
        first, empty = _first_of(name, value, ignores_case)
        out |= first
        if not empty:
            return out, False
    return out, True


def _first_of(name: str, value: Any, ignores_case: bool) -> tuple[frozenset[str], bool]:
    if name in _REPEATS:
        first, empty = _first(value[2], ignores_case)
        return first, empty or value[0] == 0
    if name == "BRANCH":
        parts = [_first(part, ignores_case) for part in value[1]]
        return frozenset().union(*(first for first, _ in parts)), any(empty for _, empty in parts)
    if name == "SUBPATTERN":
        return _first(value[3], (ignores_case or bool(value[1] & re.IGNORECASE)) and not value[2] & re.IGNORECASE)
    if name == "ATOMIC_GROUP":
        return _first(value, ignores_case)
    if name == "ANY":
        return _CHARACTERS, False
    if name in ("LITERAL", "NOT_LITERAL"):
        chars = _members([(name.removeprefix("NOT_"), value)], ignores_case)
        return (_CHARACTERS - chars if name == "NOT_LITERAL" else chars), False
    if name == "IN":
        negated = str(value[0][0]) == "NEGATE"
        chars = _members([(str(op), item) for op, item in value[negated:]], ignores_case)
        return (_CHARACTERS - chars if negated else chars), False
    raise ValueError(name)


def _members(items: Iterable[tuple[str, Any]], ignores_case: bool) -> frozenset[str]:
    out: set[str] = set()
    for name, value in items:
        if name == "CATEGORY":
            out |= _CATEGORIES[str(value)]
            continue
        low, high = (value, value) if name == "LITERAL" else value
        if name not in ("LITERAL", "RANGE") or (ignores_case and high > 0x7E):
            raise ValueError(name)
        chars = {chr(code) for code in range(low, min(high, 0x7E) + 1)}
        out |= chars | {char.swapcase() for char in chars} if ignores_case else chars
    return _CHARACTERS & out
