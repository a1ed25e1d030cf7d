"""Reading a run file. Whatever the file holds, it gives a run or one clear sentence.

A run file may come from anywhere, so nothing in it is trusted: it is checked line by line, texts that go to the terminal
are made safe, and no key of this machine is ever looked up for it.
"""

import base64
import binascii
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from anoman_tui.core.events import Closed, Ending, FailureKind, Headers
from anoman_tui.core.jsonish import Json, UnreadableError, decimal_of, loads, obj, text_of
from anoman_tui.core.request import HttpRequest
from anoman_tui.core.sanitize import clean_line
from anoman_tui.core.target import Auth
from anoman_tui.recording.heading import GatheredPane, is_count, need_text, number_of, pairs, read_head, read_panes
from anoman_tui.recording.runfile import (
    FORMAT,
    VERSION,
    Cancelled,
    Connecting,
    Connection,
    End,
    Fact,
    Head,
    HeadSent,
    Priced,
    Read,
    RecordedPane,
    RecordedRun,
    RunFileError,
    Sent,
    What,
)

MAX_FILE = 1024 * 1024 * 1024
MAX_LINE = 64 * 1024 * 1024


def read_run(file: Path) -> RecordedRun:
    """The run that a file tells of. Raises RunFileError."""
    try:
        with file.open("rb") as stream:
            if (size := file.stat().st_size) > MAX_FILE:
                raise RunFileError(f"{file}: {size:,} bytes are more than a run file may have")
            return _read(file, _lines(file, stream))
    except IsADirectoryError:
        raise RunFileError(f"{file}: is a folder; name a run file in it") from None
    except OSError as error:
        raise RunFileError(f"{file}: cannot be read ({error.strerror or type(error).__name__})") from None


def read_lines(file: Path, stream: BinaryIO) -> RecordedRun:
    """The run that lines tell of which stand in `file`, among other things. Raises RunFileError."""
    return _read(file, _lines(file, stream))


@dataclass(slots=True)
class _Numbered:
    """A line with its number; `whole` says that it ends as a line should."""

    number: int
    text: str
    whole: bool


def _lines(file: Path, stream: Any) -> Iterator[_Numbered]:
    number = 0
    while data := stream.readline(MAX_LINE + 1):
        number += 1
        if len(data) > MAX_LINE:
            raise RunFileError(f"{file}: line {number} is longer than {MAX_LINE:,} bytes")
        yield _Numbered(number, data.decode("utf-8", "replace"), data.endswith(b"\n"))


def _read(file: Path, lines: Iterator[_Numbered]) -> RecordedRun:
    first = next(lines, None)
    header = obj(_json(first.text)) if first is not None else {}
    if header.get("format") != FORMAT:
        raise RunFileError(f"{file}: is no run file; its first line does not say {FORMAT!r}")
    if header.get("version") != VERSION:
        raise RunFileError(f"{file}: this program reads run files of version {VERSION}, and this one has another")
    try:
        head, panes = read_head(header), read_panes(header)
    except ValueError as wrong:
        raise RunFileError(f"{file}: the first line is no whole header: {wrong}") from None
    for line in lines:
        fields = _json(line.text)
        try:
            _take(panes, obj(fields))
        except ValueError as wrong:
            if not line.whole and fields is None:
                break  # cut off inside its last line
            raise RunFileError(f"{file}: line {line.number} is no recorded fact: {wrong}") from None
    cut = False
    made = []
    ran = {number: pane for number, pane in panes.items() if pane.facts}  # one that waited for others may never have been sent
    for number, pane in (ran or panes).items():
        ended = any(isinstance(fact.what, End) for fact in pane.facts)
        if not ended:
            cut = True
            pane.facts.append(_missing_end(pane.facts))
        made.append(
            RecordedPane(
                number, pane.target, tuple(pane.facts), pane.characters_per_token, pane.earlier_request_ids, pane.params, pane.system
            )
        )
    max_body = header.get("max_body")
    return RecordedRun(
        head,
        tuple(made),
        max_body if is_count(max_body) else None,
        clean_line(text_of(obj(header.get("tool")).get("version")), 40),
        cut,
    )


def _missing_end(facts: list[Fact]) -> Fact:
    """The end of a pane that the file does not tell of: stopped if the user had asked for it, else broken off."""
    last = facts[-1].t_ns if facts else 0
    if any(isinstance(fact.what, Cancelled) for fact in facts):
        return Fact(last, End(Closed(Ending.CANCELLED), None))
    return Fact(last, End(Closed(Ending.CUT, "the recording breaks off here"), None))


def _json(text: str) -> Json:
    try:
        return loads(text)
    except UnreadableError:
        return None


# The facts.


def _take(panes: Mapping[int, GatheredPane], fields: Mapping[str, Json]) -> None:
    number, t_ns = fields.get("pane"), fields.get("t_ns")
    pane = panes.get(number) if isinstance(number, int) else None
    if pane is None:
        raise ValueError("it names no pane of this run")
    if not is_count(t_ns):
        raise ValueError("it has no time")
    what = _what(fields)
    if what is not None:
        pane.facts.append(Fact(int(str(t_ns)), what))


def _what(fields: Mapping[str, Json]) -> What | None:
    """The fact of a line; None for an event that this version does not need."""
    if "bytes_b64" in fields:
        try:
            return Read(base64.b64decode(text_of(fields["bytes_b64"]), validate=True))
        except (binascii.Error, ValueError):
            raise ValueError("its bytes are no base64") from None
    match fields.get("event"):
        case "request":
            return Sent(_request(fields))
        case "connect_started":
            return Connecting()
        case "connected":
            return Connection()
        case "headers_sent":
            return HeadSent()
        case "headers":
            status = fields.get("status")
            if not isinstance(status, int) or not 100 <= status <= 999:
                raise ValueError("it has no HTTP status")
            return Head(status, _headers(fields.get("headers")))
        case "cancel":
            return Cancelled()
        case "list_price":
            usd = decimal_of(fields.get("usd"))
            return Priced(usd if usd is not None and usd >= 0 else None)
        case "end":
            return _end(fields)
        case str():
            return None
        case _:
            raise ValueError("it is neither a read nor an event")


def _headers(value: Json) -> Headers:
    return tuple((name.lower(), text) for name, text in pairs(value)[:1_000])


def _request(fields: Mapping[str, Json]) -> HttpRequest:
    auth = text_of(fields.get("auth"))
    return HttpRequest(
        clean_line(text_of(fields.get("method")), 20) or "POST",
        need_text(fields, "url"),
        dict(_headers(fields.get("headers"))),
        obj(fields.get("body")),
        Auth(auth) if auth in Auth.__members__.values() else None,
    )


def _end(fields: Mapping[str, Json]) -> End:
    try:
        ending = Ending(text_of(fields.get("ending")))
    except ValueError:
        raise ValueError("it names no ending") from None
    lag, failure = number_of(fields.get("loop_lag_ms")), text_of(fields.get("failure"))
    lag = lag if lag is not None and math.isfinite(lag) else 0.0
    return End(Closed(ending, text_of(fields.get("detail")), lag), failure if failure in FailureKind.__members__.values() else None)
