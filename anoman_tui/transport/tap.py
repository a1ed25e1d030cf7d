"""The tap: it makes any body fit for a standard event-stream parser, and keeps what such a parser would lose.

Bytes go in, as they were read; text comes out that holds only `data` and `event` lines and the blank lines that end
blocks with data. On the way it decodes UTF-8 whatever the label says, drops a byte order mark, turns CR and CRLF into
LF, and diverts comments, keep-alives and lines that are no event-stream fields, such as a raw JSON error. It has no
clock and does no IO. Rules: the WHATWG event-stream format, and at the body's end one departure from it: a block that
lacks its blank line counts if it ends the stream.
"""

import codecs
import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from anoman_tui.core.events import Frame
from anoman_tui.core.failure import TooLargeError as TooLargeError
from anoman_tui.core.jsonish import Json, UnreadableError, loads

MAX_BLOCK = 16 * 1024 * 1024
"""Characters in one line or one block."""
MAX_RAW = 1024 * 1024
"""Characters of diverted lines that are kept for reading as JSON."""

BLOCKS = re.compile(r"(?:(?:event: [^\n]++\n)?+data:[^\n]*+\n\n)++")
"""Blocks as they should be, of which most reads consist: they are passed on as they are."""

MAX_TRIES = 64
"""Attempts to read diverted lines as JSON before the body's end; without a bound a hostile body could make them quadratic."""


@dataclass(frozen=True, slots=True)
class KeepAlive:
    """A comment, or a block without data: the connection lives, the answer does not move."""

    text: str
    comment: bool


@dataclass(frozen=True, slots=True)
class RawJson:
    """A JSON value that stood in the body outside any `data` line."""

    value: Json


@dataclass(frozen=True, slots=True)
class RawError:
    """A line with the field name `error`, which some servers use for their errors."""

    text: str


Diverted = KeepAlive | RawJson | RawError


class Tap:
    """One body's tap. Feed it every read, take `diverted` after each, and finish it at the body's end."""

    __slots__ = (
        "_after_cr",
        "_begun",
        "_block",
        "_block_size",
        "_decoder",
        "_event",
        "_partial",
        "_partial_size",
        "_raw",
        "_raw_size",
        "_tries",
        "blocks",
        "diverted",
    )

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._begun = False
        self._after_cr = False
        self._partial: list[str] = []
        self._partial_size = 0
        self._event: str | None = None
        self._block: list[str] = []
        self._block_size = 0
        self._raw: list[str] = []
        self._raw_size = 0
        self._tries = MAX_TRIES
        self.blocks = 0
        """Blocks with data so far."""
        self.diverted: deque[tuple[int, Diverted]] = deque()
        """What was diverted, each with the number of blocks that came before it."""

    def feed(self, data: bytes) -> str:
        """Take one read; return the event-stream text that it completes. Raises TooLargeError."""
        text = self._decode(data, final=False)
        if self._partial or self._block or self._event is not None or len(text) > MAX_BLOCK:
            return self._lines(text)
        whole = BLOCKS.match(text)
        if whole is None:
            return self._lines(text)
        end = whole.end()
        self.blocks += text.count("\n\n", 0, end)
        return text if end == len(text) else text[:end] + self._lines(text[end:])

    def finish(self, is_terminal: Callable[[Frame], bool]) -> str:
        """Take the body's end; return the text of the open block if it is whole and ends the stream."""
        out = self._lines(self._decode(b"", final=True))
        if self._partial:
            line, self._partial = "".join(self._partial), []
            self._line(line)
        self._try_raw(force=True)
        frame = self.pending
        return f"{out}{self._dispatch()}" if frame is not None and is_terminal(frame) else out

    @property
    def pending(self) -> Frame | None:
        """The block that has no blank line yet."""
        if not self._block:
            return None
        return Frame(self._event or "", "\n".join(_value(line) for line in self._block))

    @property
    def raw_text(self) -> str:
        """The diverted lines that were no JSON, for an excerpt."""
        return "\n".join(self._raw)

    def _decode(self, data: bytes, *, final: bool) -> str:
        plain = data.isascii() and not self._decoder.getstate()[0]
        text = str(data, "ascii") if plain else self._decoder.decode(data, final)
        if not text:
            return ""
        if not self._begun:
            self._begun = True
            text = text.removeprefix("\ufeff")
        if self._after_cr:
            text = text.removeprefix("\n")
            self._after_cr = False
        if "\r" in text:
            self._after_cr = text.endswith("\r")
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        return text

    def _lines(self, text: str) -> str:
        if not text:
            return ""
        if "\n" not in text:
            self._hold(text)
            return ""
        lines = text.split("\n")
        if self._partial:
            lines[0] = "".join(self._partial) + lines[0]
            self._partial, self._partial_size = [], 0
        self._hold(lines.pop())
        return "".join([out for line in lines if (out := self._line(line))])

    def _hold(self, text: str) -> None:
        """Keep a line that has not ended."""
        if text:
            self._partial.append(text)
            self._partial_size += len(text)
            if self._partial_size > MAX_BLOCK:
                raise TooLargeError(f"a line is longer than {MAX_BLOCK:,} characters")

    def _line(self, line: str) -> str:
        """Take one whole line; return a block's text when it ends one."""
        if line.startswith("data:") or line == "data":
            self._block.append(line)
            self._block_size += len(line)
            if self._block_size > MAX_BLOCK:
                raise TooLargeError(f"a frame is longer than {MAX_BLOCK:,} characters")
            return ""
        if not line:
            return self._dispatch()
        if line[0] == ":":
            self._keep(KeepAlive(line[1:].strip()[:200], comment=True))
            return ""
        name = line.partition(":")[0]
        if name == "event":
            self._event = _value(line)
        elif name == "error":
            self._keep(RawError(_value(line)[:MAX_RAW]))
        elif name not in ("id", "retry"):
            self._divert(line)
        return ""

    def _dispatch(self) -> str:
        """End the block: its text if it has data, else nothing."""
        block, event = self._block, self._event
        self._event = None
        if not block:
            if event:
                self._keep(KeepAlive(event[:200], comment=False))
            return ""
        self._block, self._block_size = [], 0
        self.blocks += 1
        if event:
            block = [f"event: {event}", *block]
        return "\n".join(block) + "\n\n"

    def _keep(self, item: Diverted) -> None:
        self.diverted.append((self.blocks, item))

    def _divert(self, line: str) -> None:
        """Keep a line that is no field; it may be a part of a raw JSON value."""
        if self._raw_size + len(line) <= MAX_RAW:
            self._raw.append(line)
            self._raw_size += len(line)
            if self._tries and line[-1:] in "}]" and (line[0] in "{[" or len(line) == 1):
                self._tries -= 1
                self._try_raw(force=False)

    def _try_raw(self, *, force: bool) -> None:
        """Read the diverted lines as one JSON value, from the first that can begin one."""
        start = next((at for at, line in enumerate(self._raw) if line.lstrip()[:1] in ("{", "[")), None)
        if start is None:
            return
        text = "\n".join(self._raw[start:])
        try:
            value = loads(text)
        except UnreadableError:
            if force:
                self._try_each(start)
            return
        self._keep(RawJson(value))
        self._raw, self._raw_size = [], 0

    def _try_each(self, start: int) -> None:
        """Read the diverted lines one by one, at the body's end."""
        for line in self._raw[start:]:
            if line.lstrip()[:1] == "{":
                try:
                    self._keep(RawJson(loads(line)))
                except UnreadableError:
                    continue


def _value(line: str) -> str:
    """A field's value: what follows the colon, less one leading blank."""
    value = line.partition(":")[2]
    return value.removeprefix(" ")
