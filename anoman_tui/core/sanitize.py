"""Foreign text made safe to show.

What a server sends may hold escape sequences, marks that turn the reading direction, invisible characters, or half a
surrogate pair. The recorder keeps the exact bytes; what goes to the display passes through here once and keeps every
such character visible instead of obeying it.

The result does not depend on how the text was cut into pieces: `Sanitizer.feed` holds back what the next piece decides.
"""

import re
import unicodedata
from typing import Final

from anoman_tui.core.late import late

MAX_MARKS: Final = 4
"""Combining marks and joiners kept after one base character."""

_NEWLINES: Final = "\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
_INVISIBLE: Final = "\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e01ef"
# Ranges, since a class that lists single characters costs a hundred times as much. The mark ranges are a superset of the
# marks (general categories Mn and Me) with small gaps closed; a run is checked character by character before it is cut.
_BASIC_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u0670\u06d6-\u06ed\u0711-\u074a\u07a6-\u07b0\u07eb-\u07fd"
    "\u0816-\u082d\u0859-\u085b\u0897-\u0d62\u0d63-\u0eff\u0f18-\u0fc6\u102d-\u109d\u135d-\u135f\u1712-\u17dd\u180b-\u180f"
    "\u18a9-\u1abe\u1abf-\u1cf9\u1dc0-\u1dff\u200c\u200d\u20d0-\u20f0\u2cef-\u2cf1\u2d7f-\u2dff\u302a-\u302d\u3099\u309a"
    "\ua66f-\ua69f\ua6f0\ua6f1\ua802-\ua8ff\ua926-\uabed\ufb1e\ufe00-\ufe0f\ufe20-\ufe2f"
)
_MARKS: Final = (
    f"{_BASIC_MARKS}\U000101fd-\U000102e0\U00010376-\U0001037a\U00010a01-\U00010ae6\U00010d24-\U00011fff\U00013440-\U00016ff0"
    "\U0001bc9d-\U0001e94a"
)

_UNSAFE_CLASS: Final = f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_INVISIBLE}\u2028\u2029\ud800-\udfff]"
_UNSAFE: Final = late(lambda: re.compile(_UNSAFE_CLASS))
_UNSAFE_OR_CRLF: Final = late(lambda: re.compile(f"\r\n|{_UNSAFE_CLASS}"))
# What may need work, for a quick no. Ranges above the basic plane are tried one by one, so there are only two of them.
_SUSPECT: Final = late(
    lambda: re.compile(f"[\x7f-\x9f{_INVISIBLE}\u2028\u2029\ud800-\udfff{_BASIC_MARKS}\U00010000-\U0001efff\x00-\x08\x0b-\x1f]")
)
_CONTROLS: Final = bytes([*range(0x09), *range(0x0B, 0x20), 0x7F])
_PAIR: Final = late(lambda: re.compile("[\ud800-\udbff][\udc00-\udfff]"))
_NEWLINE: Final = late(lambda: re.compile(f"[{_NEWLINES}]"))
_LONG_RUN: Final = late(lambda: re.compile(f"[{_MARKS}]{{{MAX_MARKS + 1},}}"))
_FIRST_RUN: Final = late(lambda: re.compile(f"[{_MARKS}]+"))
_SPACE: Final = re.compile(r"\s+")


def _is_clean(text: str) -> bool:
    """Whether a text surely needs no work."""
    if text.isascii():
        raw = text.encode()
        return len(raw.translate(None, _CONTROLS)) == len(raw)
    return _SUSPECT.search(text) is None


def _join_pair(found: re.Match[str]) -> str:
    pair = found[0]
    return chr(0x10000 + ((ord(pair[0]) - 0xD800) << 10) + (ord(pair[1]) - 0xDC00))


def _visible(found: re.Match[str]) -> str:
    """The harmless stand-in of one unsafe character, or the line feed that a line end means."""
    char = found[0]
    if char == "\r\n" or _NEWLINE.match(char):
        return "\n"
    code = ord(char)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return f"\u2039{code:04X}\u203a"


def _is_mark(char: str) -> bool:
    return char in "\u200c\u200d" or unicodedata.category(char) in ("Mn", "Me")


def _thin_out(run: str, before: int) -> tuple[str, int]:
    """Drop the marks beyond the limit; `before` marks stand already in front. Also the length of the marks at the end."""
    kept: list[str] = []
    count = before
    for char in run:
        if not _is_mark(char):
            count = 0
        elif count >= MAX_MARKS:
            continue
        else:
            count += 1
        kept.append(char)
    return "".join(kept), count


class Sanitizer:
    """Makes one text, given in pieces, safe to show."""

    __slots__ = ("_held", "_marks")

    def __init__(self) -> None:
        self._held = ""  # a carriage return or a high surrogate at the end of the last piece
        self._marks = 0  # marks at the end of the text so far, at most MAX_MARKS

    def feed(self, text: str) -> str:
        """The safe form of the next piece, less what the piece after it decides."""
        if self._held:
            text = self._held + text
            self._held = ""
        if not text:
            return ""
        if _is_clean(text):
            self._marks = 0
            return text
        if text[-1] == "\r" or "\ud800" <= text[-1] <= "\udbff":
            self._held = text[-1]
            text = text[:-1]
        return self._limit_marks(self._replace(text))

    def finish(self) -> str:
        """The safe form of what was held back; the sanitiser is as new after it."""
        rest = _UNSAFE.sub(_visible, self._held)
        self._held = ""
        self._marks = 0
        return rest

    @staticmethod
    def _replace(text: str) -> str:
        if _UNSAFE.search(text) is None:
            return text
        return _UNSAFE_OR_CRLF.sub(_visible, _PAIR.sub(_join_pair, text))

    def _limit_marks(self, text: str) -> str:
        if not text:
            return text
        head = ""
        if self._marks and (first := _FIRST_RUN.match(text)):
            head, marks = _thin_out(first[0], self._marks)
            text = text[first.end() :]
            if not text:
                self._marks = marks
                return head
        text = _LONG_RUN.sub(lambda found: _thin_out(found[0], 0)[0], text)
        self._marks = 0
        while self._marks < min(MAX_MARKS, len(text)) and _is_mark(text[-1 - self._marks]):
            self._marks += 1
        return head + text


def clean(text: str) -> str:
    """The safe form of a whole text."""
    if _is_clean(text):
        return text
    sanitizer = Sanitizer()
    return sanitizer.feed(text) + sanitizer.finish()


def clean_line(text: str, limit: int) -> str:
    """The safe form of a text as one line of at most `limit` characters, white space folded, a cut shown by an ellipsis."""
    # Cut first: folding a megabyte to show eighty characters would be waste. Half of the kept part may be white space.
    line = _SPACE.sub(" ", clean(text[: 4 * limit + 64])).strip()
    if len(line) <= limit and len(text) <= 4 * limit + 64:
        return line
    return line[: max(0, limit - 1)].rstrip() + "…" if limit > 0 else ""
