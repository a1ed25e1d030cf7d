"""What a run file must not hold: keys, headers that carry them, and parts of URLs that may.

A key in a body is overwritten by as many asterisks, so that sizes and times of a recording stay those of the run. A key
that was cut in two by the reads is found as well: bytes that may begin one are held back until the next read.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from anoman_tui.core.headers import SECRET_NAMES, is_secret_name
from anoman_tui.core.request import Secret

MIN_SECRET = 6
"""A shorter key, such as the embedded gateway's, is no secret, and hiding it would hide ordinary words."""
MASK = "***"
_SECRET_QUERY = re.compile(r"([?&;](?:key|api[-_]?key|access[-_]?token|token|sig|signature|code|secret)=)[^&;#\s\"']+", re.IGNORECASE)
_USER_INFO = re.compile(r"(?<=://)[^/@\s\"']*@")


class Redactor:
    """Takes secrets out of texts, headers and JSON values. Secrets may be told at any time."""

    def __init__(self, secrets: Iterable[Secret] = ()) -> None:
        self._forms: tuple[str, ...] = ()
        for secret in secrets:
            self.add(secret)

    def add(self, secret: Secret | None) -> None:
        """Hide this key from now on, also where it stands quoted in a URL or escaped in JSON."""
        value = secret.reveal() if secret is not None else ""
        if len(value) < MIN_SECRET:
            return
        escaped = json.dumps(value)[1:-1]
        forms = {*self._forms, value, quote(value, safe=""), escaped, escaped.replace("/", "\\/")}
        self._forms = tuple(sorted(forms, key=len, reverse=True))

    @property
    def patterns(self) -> tuple[bytes, ...]:
        """All forms of all keys as bytes, longest first."""
        return tuple(form.encode("utf-8", "replace") for form in self._forms)

    def text(self, text: str) -> str:
        """The text without keys."""
        for form in self._forms:
            text = text.replace(form, MASK)
        return text

    def url(self, url: str) -> str:
        """The URL without keys, user names, passwords and secret parts of its query."""
        return self.text(_SECRET_QUERY.sub(rf"\g<1>{MASK}", _USER_INFO.sub(f"{MASK}@", url)))

    def headers(self, headers: Iterable[tuple[str, str]]) -> list[list[str]]:
        """The headers without those that hold secrets; one whose name tells of a secret keeps its name only."""
        kept = []
        for name, value in headers:
            lower = name.lower()
            if lower not in SECRET_NAMES:
                kept.append([name, MASK if is_secret_name(lower) else self.url(value)])
        return kept

    def value(self, value: Any) -> Any:
        """A JSON value without keys."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(str(name)): self.value(inner) for name, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(inner) for inner in value]
        return value


class ReadRedactor:
    """Overwrites keys in the reads of one body. What comes out has the same sizes as what went in."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._held: list[tuple[int, bytearray]] = []

    def feed(self, t_ns: int, data: bytes) -> list[tuple[int, bytes]]:
        """Take one read; return the reads that no later one can change any more."""
        patterns = self._redactor.patterns
        if not patterns:
            return [*self.finish(), (t_ns, data)]
        self._held.append((t_ns, bytearray(data)))
        body = bytearray().join(part for _, part in self._held)
        for pattern in patterns:
            _overwrite(body, pattern)
        at = 0
        for index, (stamp, part) in enumerate(self._held):
            self._held[index] = (stamp, body[at : at + len(part)])
            at += len(part)
        return self._release(_open_tail(body, patterns))

    def finish(self) -> list[tuple[int, bytes]]:
        """The reads that were held back, at the body's end."""
        return self._release(0)

    def _release(self, keep: int) -> list[tuple[int, bytes]]:
        """Let go all reads but those that hold the last `keep` bytes."""
        count = len(self._held)
        while count and keep > 0:
            count -= 1
            keep -= len(self._held[count][1])
        out, self._held = self._held[:count], self._held[count:]
        return [(t_ns, bytes(part)) for t_ns, part in out]


def _overwrite(body: bytearray, pattern: bytes) -> None:
    at = body.find(pattern)
    while at >= 0:
        body[at : at + len(pattern)] = b"*" * len(pattern)
        at = body.find(pattern, at)


def _open_tail(body: bytearray, patterns: Iterable[bytes]) -> int:
    """How many bytes at the end may be the beginning of a key."""
    longest = 0
    for pattern in patterns:
        for size in range(min(len(pattern) - 1, len(body)), longest, -1):
            if body.endswith(pattern[:size]):
                longest = size
                break
    return longest
