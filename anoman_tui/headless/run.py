"""`anoman-tui run`: one prompt to any number of panes, and a document, a table or lines of JSON on stdout."""

import sys
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from itertools import zip_longest
from pathlib import Path
from typing import Any, TextIO

from anoman_tui.core.document import exit_code, pane_record, run_document
from anoman_tui.core.events import (
    Closed,
    ErrorReported,
    FinishReported,
    HeadersReceived,
    ListPriced,
    MetadataReported,
    ReasoningDelta,
    Stamped,
    TextDelta,
    UsageReported,
)
from anoman_tui.core.jsonish import dumps, plain
from anoman_tui.core.metrics import zero_ns
from anoman_tui.core.pane import PaneState, fold
from anoman_tui.core.ports import OpenStream, StartTape, Tape
from anoman_tui.core.request import HttpRequest, Params, Prompt, Request
from anoman_tui.core.run import RunHead
from anoman_tui.headless.bundles import Keeper, write
from anoman_tui.headless.collect import Collector, Watcher


class Output(StrEnum):
    """What goes to stdout."""

    TABLE = "table"
    JSON = "json"
    NDJSON = "ndjson"
    PLAIN = "plain"
    """Each pane when it is done, then a table, without a line drawn: for screen readers and logs."""


Price = Callable[[PaneState], Decimal | None]
"""The list price of a finished stream; None where no price is known."""


def new_head(prompt: Prompt, params: Params) -> RunHead:
    """The head of a run that begins now."""
    started = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return RunHead(uuid.uuid4().hex, started, prompt, params)


def run(
    open_stream: OpenStream,
    requests: Sequence[Request],
    output: Output,
    version: str,
    out: TextIO,
    price: Price | None = None,
    start_tape: StartTape | None = None,
    head: RunHead | None = None,
    bundle: Path | None = None,
) -> int:
    """Run all requests at once and print the result; returns the exit code. Without a `head` the first request gives it.

    `bundle` names a file for the bug bundles of all panes. Raises OSError where it cannot be written.
    """
    head = head or new_head(requests[0].prompt, requests[0].params)
    tape = start_tape(head, [head.begin(request) for request in requests]) if start_tape is not None else None
    try:
        return print_streams(open_stream, requests, output, version, out, head=head, price=price, tape=tape, bundle=bundle)
    finally:
        if tape is not None:
            tape.close()
            if tape.problem:
                sys.stderr.write(f"anoman-tui: {tape.problem}\n")


def print_streams(
    open_stream: OpenStream,
    requests: Sequence[Request],
    output: Output,
    version: str,
    out: TextIO,
    *,
    head: RunHead,
    price: Price | None = None,
    prices: Sequence[Decimal | None] = (),
    tape: Tape | None = None,
    states: Sequence[PaneState] = (),
    numbers: Sequence[int] = (),
    bundle: Path | None = None,
) -> int:
    """Carry live or recorded streams to their end and print the result; returns the exit code.

    `prices` are list prices told before; `numbers` those of the panes, where they are not 1, 2, 3 and so on.
    """
    fields, numbers = head.as_dict(), numbers or range(1, len(requests) + 1)
    lines = _Lines(out, head.run_id, numbers) if output is Output.NDJSON else None
    if lines is not None:
        lines.write("run.start", {**fields, "panes": [request.target.argument for request in requests]})
    watch = lines.watch if lines is not None else _print_done(out) if output is Output.PLAIN else None
    keeper = None if bundle is None else Keeper(tape)
    collector = Collector(open_stream, requests, watch, keeper or tape, states or [head.begin(request) for request in requests])
    states = collector.run()
    if price is not None and not collector.interrupted:
        prices = [price(state) for state in states]
        _record_prices(tape, states, prices)
    states = [_priced(state, usd) for state, usd in zip_longest(states, prices[: len(states)])]
    code = exit_code(states, interrupted=collector.interrupted)
    match output:
        case Output.NDJSON if lines is not None:
            for number, state in zip(numbers, states, strict=True):
                if state.list_usd is not None:
                    lines.write("price", {"pane": number, "list_usd": plain(state.list_usd)})
            lines.write("run.end", {"exit_code": code})
        case Output.JSON | Output.NDJSON:
            records = [pane_record(state, number) for number, state in zip(numbers, states, strict=True)]
            _write(out, dumps(run_document(records, fields, version), indent=2) + "\n")
        case Output.TABLE:
            from anoman_tui.headless.table import print_run

            print_run(states, out)
        case Output.PLAIN:
            from anoman_tui.headless.table import print_table

            print_table(states, out, lines=False)
    if keeper is not None and bundle is not None:
        write(bundle, keeper.text(states, head, version))
    return code


def _print_done(out: TextIO) -> Watcher:
    """Prints each pane when its stream has closed."""
    from anoman_tui.headless.table import print_pane

    def watch(pane: int, state: PaneState, batch: Sequence[Stamped]) -> None:
        if any(isinstance(stamped.event, Closed) for stamped in batch):
            print_pane(state, pane + 1, out, lines=False)

    return watch


def _record_prices(tape: Tape | None, states: Sequence[PaneState], prices: Sequence[Decimal | None]) -> None:
    for number, (state, usd) in enumerate(zip(states, prices, strict=True), 1):
        if tape is not None and usd is not None:
            tape.sink(number, _Nowhere()).on_events((Stamped(state.stamps.closed or 0, ListPriced(usd)),))


def _priced(state: PaneState, usd: Decimal | None) -> PaneState:
    return state if usd is None else fold(state, [Stamped(state.stamps.closed or 0, ListPriced(usd))])


class _Nowhere:
    """A sink that keeps nothing."""

    def on_request(self, t_ns: int, request: HttpRequest) -> None:
        """Not kept."""

    def on_read(self, t_ns: int, data: bytes) -> None:
        """Not kept."""

    def on_events(self, batch: Sequence[Stamped]) -> None:
        """Not kept."""


class _Lines:
    """The same facts live, one JSON object a line."""

    def __init__(self, out: TextIO, run_id: str, numbers: Sequence[int]) -> None:
        self._out = out
        self._run_id = run_id
        self._numbers = numbers

    def write(self, kind: str, fields: Mapping[str, Any]) -> None:
        """Write one line and flush it."""
        _write(self._out, dumps({"v": 1, "type": kind, "run_id": self._run_id, **fields}) + "\n")

    def watch(self, pane: int, state: PaneState, batch: Sequence[Stamped]) -> None:
        """Write the events of a batch that a reader of the run wants to know of."""
        number = self._numbers[pane]
        for stamped in batch:
            if (line := _line(stamped, state, number)) is not None:
                zero = zero_ns(state)
                t_ms = None if zero is None else round((stamped.t_ns - zero) / 1e6, 3)
                self.write(line[0], {"pane": number, "t_ms": t_ms, **line[1]})


def _line(stamped: Stamped, state: PaneState, number: int) -> tuple[str, dict[str, Any]] | None:
    """(type, fields) of an event's line."""
    match stamped.event:
        case HeadersReceived(status, headers):
            return "headers", {"status": status, "headers": [list(pair) for pair in headers]}
        case TextDelta(text) if text:
            return "delta", {"text": text}
        case ReasoningDelta(text) if text:
            return "reasoning", {"text": text}
        case UsageReported(usage):
            return "usage", {name: getattr(usage, name) for name in ("input_tokens", "output_tokens", "total_tokens")}
        case MetadataReported(fields):
            return "gateway", {"gateway": fields}
        case FinishReported(reason):
            return "finish", {"finish_reason": reason}
        case ErrorReported(error):
            return "error", {"message": error.message, "code": error.code, "http_status": error.http_status}
        case Closed():
            return "pane.end", pane_record(state, number)
        case _:
            return None


def _write(out: TextIO, text: str) -> None:
    """Write UTF-8 whatever the locale says, and flush."""
    buffer = getattr(out, "buffer", None)
    if buffer is None:
        out.write(text)
    else:
        out.flush()
        buffer.write(text.encode("utf-8", "replace"))
        buffer.flush()
    if out is not sys.stdout:
        out.flush()
