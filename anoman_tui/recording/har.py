"""A recorded run as an HTTP archive (HAR 1.2) for other tools.

HAR knows one body a response and no times inside it; those stand under `_anoman`, as the format allows custom fields
that begin with an underscore. A run file holds no keys, so neither does the archive.
"""

import base64
import json
import os
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from anoman_tui.core.frames import frames_of
from anoman_tui.core.headers import joined
from anoman_tui.core.jsonish import dumps
from anoman_tui.recording.runfile import Connecting, Connection, End, Fact, Head, HeadSent, Read, RecordedPane, RecordedRun, RunFileError


def har(run: RecordedRun, version: str) -> dict[str, Any]:
    """The archive: one entry for each pane whose request was sent."""
    entries = [_entry(run, pane) for pane in run.panes if pane.sent is not None]
    creator = {"name": "anoman-tui", "version": version}
    return {"log": {"version": "1.2", "creator": creator, "entries": entries, "comment": f"run {run.head.run_id}"}}


def write_har(run: RecordedRun, file: Path, version: str) -> None:
    """Write the archive, readable by its owner alone. Raises RunFileError."""
    text = json.dumps(json.loads(dumps(har(run, version))), indent=2, ensure_ascii=True)
    try:
        number = os.open(file, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
        with open(number, "w", encoding="ascii") as out:
            out.write(text + "\n")
    except OSError as error:
        raise RunFileError(f"{file}: cannot be written ({error.strerror or type(error).__name__})") from None


def _entry(run: RecordedRun, pane: RecordedPane) -> dict[str, Any]:
    moments = _Moments(pane.facts)
    began = moments.connect_started or moments.sent or pane.facts[0].t_ns
    timings = moments.timings()
    return {
        "startedDateTime": _date(run, began),
        "time": sum(part for part in timings.values() if part > 0),
        "request": _request(pane),
        "response": _response(pane),
        "cache": {},
        "timings": timings,
        "comment": f"pane {pane.number}: {pane.target.name}",
        "_anoman": _own(pane, moments.sent or began),
    }


class _Moments:
    """When the parts of an exchange began, in nanoseconds."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self.connect_started = self.connected = self.sent = self.headers = self.ended = None
        for fact in facts:
            match fact.what:
                case Connecting() if self.connect_started is None:
                    self.connect_started = fact.t_ns
                case Connection():
                    self.connected = fact.t_ns
                case HeadSent():
                    self.sent = fact.t_ns
                case Head() if self.headers is None:
                    self.headers = fact.t_ns
                case End():
                    self.ended = fact.t_ns

    def timings(self) -> dict[str, float]:
        """HAR's timings in milliseconds; -1 is not known."""
        return {
            "blocked": -1,
            "dns": -1,
            "connect": _between(self.connect_started, self.connected),
            "send": 0,
            "wait": _between(self.sent, self.headers),
            "receive": _between(self.headers, self.ended),
            "ssl": -1,
        }


def _between(start: int | None, end: int | None) -> float:
    return -1 if start is None or end is None else round(max(0, end - start) / 1e6, 3)


def _date(run: RecordedRun, t_ns: int) -> str:
    try:
        started = datetime.fromisoformat(run.head.started_at)
        started += timedelta(microseconds=(t_ns - run.start_ns) / 1000)
    except (ValueError, OverflowError):
        started = datetime.fromtimestamp(0, UTC)
    return started.isoformat(timespec="milliseconds")


def _request(pane: RecordedPane) -> dict[str, Any]:
    sent = pane.sent
    if sent is None:
        raise ValueError("the pane sent no request")
    body = dumps(dict(sent.body))
    try:
        query = parse_qsl(urlsplit(sent.url).query, keep_blank_values=True)
    except ValueError:
        query = []
    return {
        "method": sent.method,
        "url": sent.url,
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": _named(tuple(sent.headers.items())),
        "queryString": _named(query),
        "postData": {"mimeType": "application/json", "text": body},
        "headersSize": -1,
        "bodySize": len(body.encode("utf-8", "replace")),
    }


def _response(pane: RecordedPane) -> dict[str, Any]:
    head = next((fact.what for fact in pane.facts if isinstance(fact.what, Head)), None)
    body = b"".join(fact.what.data for fact in pane.facts if isinstance(fact.what, Read))
    headers = head.headers if head is not None else ()
    return {
        "status": head.status if head is not None else 0,
        "statusText": "",
        "httpVersion": "HTTP/1.1" if head is not None else "",
        "cookies": [],
        "headers": _named(headers),
        "content": {"size": len(body), "mimeType": joined(headers, "content-type"), **_text(body)},
        "redirectURL": joined(headers, "location"),
        "headersSize": -1,
        "bodySize": len(body),
    }


def _text(body: bytes) -> dict[str, str]:
    try:
        return {"text": body.decode("utf-8")}
    except UnicodeDecodeError:
        return {"text": base64.b64encode(body).decode("ascii"), "encoding": "base64"}


def _named(pairs: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in pairs]


def _own(pane: RecordedPane, zero_ns: int) -> dict[str, Any]:
    """What HAR has no place for: when each read and each frame came, in milliseconds from the request headers."""

    def ms(t_ns: int) -> float:
        return round((t_ns - zero_ns) / 1e6, 3)

    frames = frames_of(pane.reads)
    return {
        "pane": pane.number,
        "target": {"provider": pane.target.provider.name or None, "shape": pane.target.shape.value, "model": pane.target.model},
        "reads": [{"t_ms": ms(t_ns), "size": len(data)} for t_ns, data in pane.reads],
        "eventSourceMessages": [
            {"t_ms": ms(frame.t_ns), "kind": frame.kind, "eventName": frame.event, "data": frame.data} for frame in frames
        ],
        "ending": next((fact.what.closed.ending.value for fact in pane.facts if isinstance(fact.what, End)), None),
    }
