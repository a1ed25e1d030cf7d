"""Keys that a server sends back: overwritten before anything sees them, since servers and proxies do echo what they were sent."""

import json
from collections.abc import Iterable
from urllib.parse import quote

from anoman_tui.core.request import Secret

MIN_KEY = 6
"""A shorter key, such as the embedded gateway's, is no secret, and hiding it would hide ordinary words."""


class Mask:
    """Overwrites one key by as many asterisks, so that sizes stay what they were."""

    def __init__(self, key: Secret | None) -> None:
        value = key.reveal() if key is not None else ""
        escaped = json.dumps(value)[1:-1]  # as it stands in JSON; some servers write a slash with a backslash there
        forms = dict.fromkeys((value, quote(value, safe=""), escaped, escaped.replace("/", "\\/"))) if len(value) >= MIN_KEY else ()
        self._texts = tuple(forms)
        self._datas = tuple(form.encode() for form in forms)

    def data(self, data: bytes) -> bytes:
        """One read without the key; a key that two reads cut apart is found once its frame is whole."""
        for form in self._datas:
            if form in data:
                data = data.replace(form, b"*" * len(form))
        return data

    def text(self, text: str) -> str:
        """A text without the key."""
        for form in self._texts:
            if form in text:
                text = text.replace(form, "*" * len(form))
        return text

    def headers(self, headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        """Headers without the key."""
        return tuple((name, self.text(value)) for name, value in headers)
