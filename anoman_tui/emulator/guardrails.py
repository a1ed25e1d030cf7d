"""The four checks before the stream: injection, PII, moderation and policy.

They run on the prompt before the first token; a blocked request never begins to stream ("Anoman streaming page"). Each gives a status
(`pass`, `warn`, `redacted`, `block`) and a score from 0 to 1. What PII finds is replaced before the prompt goes upstream.
"""

import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from anoman_tui.emulator.ask import Ask, Turn
from anoman_tui.emulator.guardrail_rules import CARD, EMAIL, INJECTION, MODERATION, NATIONAL_ID, PHONE, SECRETS, SSN, Rules

Status = Literal["pass", "warn", "redacted", "block"]
BLOCK_AT, WARN_AT = 0.8, 0.4
_FLOOR = 0.02


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one guardrail; `score` is from 0 (clean) to 1."""

    name: str
    status: Status
    score: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """All results, and the request as it may go upstream."""

    checks: tuple[Check, ...]
    ask: Ask

    @property
    def blocked_by(self) -> str | None:
        """The first guardrail that blocks, or None."""
        return next((check.name for check in self.checks if check.status == "block"), None)

    def to_json(self) -> dict[str, Any]:
        """`{name: {status, score}}`, as the `_anoman` frame carries it."""
        return {check.name: {"status": check.status, "score": check.score} for check in self.checks}


def inspect(ask: Ask) -> Verdict:
    """Run the four checks over what the user and the system prompt say."""
    user = "\n".join(turn.text for turn in ask.turns if turn.role == "user")
    everything = ask.input_text
    cleaned = replace(
        ask,
        system=redact(ask.system)[0] if ask.system else None,
        turns=tuple(Turn(turn.role, redact(turn.text)[0]) for turn in ask.turns),
    )
    kinds = redact(everything)[1]
    checks = (
        _scored("injection", _combined([*_weights(INJECTION, user), 0.3 * _encoded_share(user)])),
        Check("pii", "redacted" if kinds else "pass", _pii_score(kinds)),
        _scored("moderation", _combined(_weights(MODERATION, user))),
        _scored("policy", _combined(_weights(SECRETS, everything))),
    )
    return Verdict(checks, cleaned)


def redact(text: str) -> tuple[str, Counter[str]]:
    """The text with personal data replaced by `[KIND]`, and how often each kind was found."""
    found: Counter[str] = Counter()

    def replacer(kind: str, valid: Callable[[str], bool]) -> Callable[[re.Match[str]], str]:
        def one(match: re.Match[str]) -> str:
            if not valid(match[0]):
                return match[0]
            found[kind] += 1
            return f"[{kind}]"

        return one

    # Longest forms first, so that a card number is not taken for a phone number.
    for kind, pattern, valid in (
        ("EMAIL", EMAIL, lambda _: True),
        ("CARD", CARD, luhn),
        ("ID_NUMBER", NATIONAL_ID, _plausible_nik),
        ("SSN", SSN, lambda _: True),
        ("PHONE", PHONE, lambda value: 9 <= sum(map(str.isdigit, value)) <= 15),
    ):
        text = pattern.sub(replacer(kind, valid), text)
    return text, found


def luhn(number: str) -> bool:
    """Whether the digits of a card number pass the Luhn check."""
    digits = [int(char) for char in number if char.isdigit()]
    if not 13 <= len(digits) <= 19 or len(set(digits)) == 1:
        return False
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return (sum(digits[::-2]) + sum(doubled)) % 10 == 0


def _plausible_nik(number: str) -> bool:
    # An Indonesian NIK has the birth date in its digits 7 to 12; a woman's day is 40 higher.
    day, month = int(number[6:8]), int(number[8:10])
    return 11 <= int(number[:2]) <= 96 and (1 <= day <= 31 or 41 <= day <= 71) and 1 <= month <= 12


def _weights(rules: Rules, text: str) -> list[float]:
    return [weight for pattern, weight in rules if pattern.search(text)]


def _combined(weights: list[float]) -> float:
    """Independent signs together: 1 - Π(1 - w), never under a small floor."""
    return max(_FLOOR, 1 - math.prod(1 - weight for weight in weights))


def _scored(name: str, score: float) -> Check:
    status: Status = "block" if score >= BLOCK_AT else "warn" if score >= WARN_AT else "pass"
    return Check(name, status, round(score, 2))


def _pii_score(kinds: Counter[str]) -> float:
    weights = {"EMAIL": 0.5, "PHONE": 0.5, "SSN": 0.8, "CARD": 0.9, "ID_NUMBER": 0.8}
    return round(_combined([weights[kind] for kind in kinds.elements()]), 2) if kinds else 0.0


def _encoded_share(text: str) -> float:
    """The share of the text in long words of high entropy: base64 and the like, which can hide instructions."""
    hidden = sum(len(word) for word in text.split() if len(word) >= 32 and _entropy(word) > 4.2)
    return hidden / max(1, len(text))


def _entropy(word: str) -> float:
    counts = Counter(word).values()
    return -sum(count / len(word) * math.log2(count / len(word)) for count in counts)
