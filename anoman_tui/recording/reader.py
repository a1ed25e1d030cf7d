"""Reading a run file. Whatever the file holds, it gives a run or one clear sentence.

A run file may come from anywhere, so nothing in it is trusted: it is checked line by line, texts that go to the terminal
are made safe, and no key of this machine is ever looked up for it.
"""

import base64
import binascii
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

from anoman_tui.core.events import Closed, Ending, FailureKind, Headers
from anoman_tui.core.jsonish import Json, UnreadableError, decimal_of, items, loads, obj, text_of
from anoman_tui.core.request import HttpRequest, Params, Prompt
from anoman_tui.core.run import RunHead
from anoman_tui.core.sanitize import clean_line
from anoman_tui.core.target import DEFAULT_PATHS, Auth, Policy, Provider, Shape, Target
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
MAX_PANES = 1_000
MAX_NS = 2**63


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


@dataclass(slots=True)
class _Pane:
    """A pane while its facts are gathered."""

    target: Target
    characters_per_token: float | None
    earlier_request_ids: tuple[str, ...]
    params: Params | None
    system: str | None
    facts: list[Fact] = field(default_factory=list)


def _read(file: Path, lines: Iterator[_Numbered]) -> RecordedRun:
    first = next(lines, None)
    header = obj(_json(first.text)) if first is not None else {}
    if header.get("format") != FORMAT:
        raise RunFileError(f"{file}: is no run file; its first line does not say {FORMAT!r}")
    if header.get("version") != VERSION:
        raise RunFileError(f"{file}: this program reads run files of version {VERSION}, and this one has another")
    try:
        head, panes = _head(header), _panes(header)
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
        max_body if _is_count(max_body) else None,
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


def _is_count(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MAX_NS


# The header.


def _head(header: Mapping[str, Json]) -> RunHead:
    history = _pairs(header.get("history"))
    system = header.get("system")
    prompt = Prompt(_text(header, "prompt"), system if isinstance(system, str) else None, history)
    return RunHead(_text(header, "run_id"), _text(header, "started_at"), prompt, _params(obj(header.get("params"))), _text(header, "mode"))


def _pairs(value: Json) -> tuple[tuple[str, str], ...]:
    return tuple((text_of(pair[0]), text_of(pair[1])) for pair in items(value) if isinstance(pair, list) and len(pair) == 2)


def _text(fields: Mapping[str, Json], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise ValueError(f"{name} is missing or no text")
    return value


def _params(fields: Mapping[str, Json]) -> Params:
    temperature, max_tokens, effort = fields.get("temperature"), fields.get("max_tokens"), fields.get("effort")
    return Params(
        _number(temperature),
        max_tokens if _is_count(max_tokens) else None,
        tuple(text for text in items(fields.get("stop")) if isinstance(text, str)),
        effort if isinstance(effort, str) else None,
    )


def _number(value: Json) -> float | None:
    number = decimal_of(value) if isinstance(value, int | float | Decimal) else None
    return None if number is None else float(number)


def _panes(header: Mapping[str, Json]) -> dict[int, _Pane]:
    listed = items(header.get("panes"))
    if not 0 < len(listed) <= MAX_PANES:
        raise ValueError("it names no panes, or too many")
    made: dict[int, _Pane] = {}
    for entry in listed:
        fields = obj(entry)
        number, ratio = fields.get("pane"), _number(fields.get("characters_per_token"))
        if not isinstance(number, int) or isinstance(number, bool) or number in made:
            raise ValueError("a pane has no number of its own")
        ids = tuple(name for name in items(fields.get("earlier_request_ids")) if isinstance(name, str))
        params, system = fields.get("params"), fields.get("system")
        made[number] = _Pane(
            _target(fields),
            ratio if ratio and ratio > 0 else None,
            ids,
            _params(params) if isinstance(params, dict) else None,
            system if isinstance(system, str) else None,
        )
    return made


def _target(fields: Mapping[str, Json]) -> Target:
    try:
        shape, policy = Shape(_text(fields, "shape")), Policy(_text(fields, "policy"))
    except ValueError as wrong:
        raise ValueError(f"{wrong} in a pane") from None
    name = clean_line(text_of(fields.get("provider")), 100)
    provider = Provider(
        name=name,
        label=clean_line(text_of(fields.get("label")), 100) or name,
        base_url=clean_line(text_of(fields.get("root")), 2_000),
        shapes={shape: clean_line(text_of(fields.get("path")), 2_000) or DEFAULT_PATHS[shape]},
        policy=policy,
        key_env=tuple(clean_line(text_of(variable), 100) for variable in items(fields.get("key_env"))[:10]),
        cancel_note=clean_line(text_of(fields.get("cancel_note")), 500),
        local=fields.get("local") is True,
        needs_key=False,
    )
    return Target(provider, shape, clean_line(_text(fields, "model"), 1_000), clean_line(text_of(fields.get("base_url")), 2_000))


# The facts.


def _take(panes: Mapping[int, _Pane], fields: Mapping[str, Json]) -> None:
    number, t_ns = fields.get("pane"), fields.get("t_ns")
    pane = panes.get(number) if isinstance(number, int) else None
    if pane is None:
        raise ValueError("it names no pane of this run")
    if not _is_count(t_ns):
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
    return tuple((name.lower(), text) for name, text in _pairs(value)[:1_000])


def _request(fields: Mapping[str, Json]) -> HttpRequest:
    auth = text_of(fields.get("auth"))
    return HttpRequest(
        clean_line(text_of(fields.get("method")), 20) or "POST",
        _text(fields, "url"),
        dict(_headers(fields.get("headers"))),
        obj(fields.get("body")),
        Auth(auth) if auth in Auth.__members__.values() else None,
    )


def _end(fields: Mapping[str, Json]) -> End:
    try:
        ending = Ending(text_of(fields.get("ending")))
    except ValueError:
        raise ValueError("it names no ending") from None
    lag, failure = _number(fields.get("loop_lag_ms")), text_of(fields.get("failure"))
    lag = lag if lag is not None and math.isfinite(lag) else 0.0
    return End(Closed(ending, text_of(fields.get("detail")), lag), failure if failure in FailureKind.__members__.values() else None)
