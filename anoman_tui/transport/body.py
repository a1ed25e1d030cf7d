"""From the reads of a response body to stamped events: the tap, httpx-sse, and the shape's decoder.

The same reader serves a live response and a recorded one; all it needs is reads with their times. The body is an event
stream, one JSON answer in its place, or something that is no answer at all; its first character decides, since labels
lie.
"""

import re
from collections.abc import AsyncIterator, Callable, Sequence
from typing import cast

import httpx
from httpx_sse import EventSource

from anoman_tui.core.contract.witness import witness
from anoman_tui.core.errors import error_of, excerpt, is_error
from anoman_tui.core.events import (
    BodyRead,
    EndReported,
    ErrorInfo,
    ErrorReported,
    FailureKind,
    Frame,
    Noted,
    NoteKind,
    Stamped,
    StreamEvent,
)
from anoman_tui.core.jsonish import Json, UnreadableError, loads
from anoman_tui.core.shapes import SHAPES, is_terminal
from anoman_tui.core.shapes.common import has_answer
from anoman_tui.core.shapes.repeats import Repeats
from anoman_tui.core.target import Shape
from anoman_tui.transport.tap import Diverted, KeepAlive, RawError, RawJson, Tap, TooLargeError

Reads = AsyncIterator[tuple[int, bytes]]
"""The reads of a body, each with the time at which it returned in nanoseconds."""

EVENT_STREAM = {"content-type": "text/event-stream"}
FIELD_LINE = re.compile(rb"[\r\n](?:data|event):")
BLANKS = b" \t\r\n"
BOM = b"\xef\xbb\xbf"


class BodyReader:
    """Reads one body into events. `emit` gets the events of one read at a time, in order."""

    def __init__(
        self,
        shape: Shape,
        emit: Callable[[Sequence[Stamped]], None],
        *,
        content_type: str = "",
        max_body: int | None = None,
        mask: Callable[[str], str] = str,
    ) -> None:
        self._shape = shape
        self._decode = Repeats(SHAPES[shape].decode)
        self._witness = witness(shape)
        self._emit = emit
        self._content_type = content_type.partition(";")[0].strip().lower()
        self._max_body = max_body
        self._mask = mask
        self._size = 0
        self._t_ns = 0
        self._frame = 0
        self._batch: list[Stamped] = []
        self._answers: list[Json] = []
        self.tap = Tap()
        self.ended = False
        """Whether the protocol's own terminal has come."""
        self.moved = False
        """Whether a frame that is no keep-alive came; whoever watches the silence resets it."""

    async def run(self, reads: Reads) -> None:
        """Read the body to its end. Raises what the reads raise, after having taken all that came; and TooLargeError."""
        head: list[bytes] = []
        try:
            kind = b""
            async for t_ns, data in reads:
                self._arrived(t_ns, data)
                head.append(data)
                kind = _first_character(head)
                if kind:
                    break
                self._flush()
            if kind in (b"{", b"["):
                await self._run_json(head, reads)
            elif kind == b"<":
                await self._run_page(head, reads)
            else:
                await self._run_stream(head, reads)
        finally:
            self._flush()

    def add(self, t_ns: int, event: StreamEvent) -> None:
        """Stamp an event that came with no frame."""
        self._batch.append(Stamped(t_ns, event))

    def close_open_block(self) -> None:
        """Take the body's end where reads stopped by a limit or a broken connection: an open block may be the terminal."""
        out = self.tap.finish(lambda frame: is_terminal(self._shape, frame))
        if out and (frame := self._open_frame(out)) is not None:
            self._take(frame)
            self.add(self._t_ns, Noted(NoteKind.OPEN_END, "the last frame came without its blank line"))
        self._take_diverted()
        self._take_answers()
        if words := excerpt(self.tap.raw_text):
            self.add(self._t_ns, Noted(NoteKind.STRAY, words))
        self._flush()

    def _take_answers(self) -> None:
        """JSON in place of frames is the answer; beside frames it is noise, and told."""
        answers, self._answers = self._answers, []
        if not answers:
            return
        events = SHAPES[self._shape].read_json(answers if len(answers) > 1 else answers[0])
        if self._frame == 0:
            self._batch += [Stamped(self._t_ns, event, 1) for event in events]
        elif has_answer(events):
            self.add(self._t_ns, Noted(NoteKind.BESIDE, "a whole JSON answer stands in the body beside the frames, and was not taken"))

    def _arrived(self, t_ns: int, data: bytes) -> None:
        self._t_ns = t_ns
        self._size += len(data)
        self._batch.append(Stamped(t_ns, BodyRead(len(data))))
        if self._max_body is not None and self._size > self._max_body:
            raise TooLargeError(f"the body is longer than {self._max_body:,} bytes")

    def _flush(self) -> None:
        if self._batch:
            batch, self._batch = self._batch, []
            self._emit(batch)

    # An event stream.

    async def _run_stream(self, head: list[bytes], reads: Reads) -> None:
        if self._content_type != "text/event-stream" and head:
            label = self._content_type or "nothing"
            self.add(self._t_ns, Noted(NoteKind.LABEL, f"the event stream is labelled {label}, not text/event-stream"))
        body = _Tapped(self._tapped(head, reads))
        async for sse in EventSource(cast(httpx.Response, body)).aiter_sse():
            self._take(Frame("" if sse.event == "message" else sse.event, self._mask(sse.data)))

    async def _tapped(self, head: list[bytes], reads: Reads) -> AsyncIterator[str]:
        """The tap's text, read by read. Whoever iterates has handled one read's frames when it asks for the next."""
        tap = self.tap
        for data in head:
            if text := tap.feed(data):
                yield text
            if tap.diverted:
                self._take_diverted()
        self._flush()
        async for t_ns, data in reads:
            self._arrived(t_ns, data)
            if text := tap.feed(data):
                yield text
            if tap.diverted:
                self._take_diverted()
            self._flush()
        self.close_open_block()

    def _take(self, frame: Frame) -> None:
        if self.tap.diverted:
            self._take_diverted()
        self._frame += 1
        t_ns, number = self._t_ns, self._frame
        for event in self._decode(frame):
            self._batch.append(Stamped(t_ns, event, number))
            if type(event) is EndReported:
                self.ended = True
            if type(event) is not Noted or event.kind is not NoteKind.PING:
                self.moved = True
        if self._witness is not None:
            for facts in self._witness(frame):
                self._batch.append(Stamped(t_ns, facts, number))

    def _take_diverted(self) -> None:
        """Take what was diverted before the next frame, so that all of a read is taken in the order of its bytes."""
        diverted = self.tap.diverted
        while diverted and diverted[0][0] <= self._frame:
            for event in self._diverted_events(diverted.popleft()[1]):
                self.add(self._t_ns, event)

    def _diverted_events(self, item: Diverted) -> Sequence[StreamEvent]:
        match item:
            case KeepAlive(text, comment):
                return (Noted(NoteKind.COMMENT if comment else NoteKind.PING, text),)
            case RawError(text):
                try:
                    return (ErrorReported(error_of({"error": loads(text)})),)
                except UnreadableError:
                    return (ErrorReported(ErrorInfo(FailureKind.STREAM, text or "an error line without words")),)
            case RawJson(value):
                first = value[0] if isinstance(value, list) and value else value
                if is_error(first):
                    return (ErrorReported(error_of(value)),)
                self._answers.append(value)
                return ()

    def _open_frame(self, text: str) -> Frame | None:
        """The one frame of the text by which the tap closed the open block."""
        lines = text.rstrip("\n").split("\n")
        event = next((line[7:] for line in lines if line.startswith("event: ")), "")
        data = [line[5:].removeprefix(" ") for line in lines if line.startswith("data:")]
        return Frame(event, "\n".join(data)) if data else None

    # A JSON answer in place of the stream, or no answer.

    async def _run_json(self, head: list[bytes], reads: Reads) -> None:
        end = b"".join(head)
        while FIELD_LINE.search(end) is None:
            try:
                t_ns, data = await anext(reads)
            except StopAsyncIteration:
                break
            self._arrived(t_ns, data)
            head.append(data)
            end = end[-8:] + data
            self.moved = True
            self._flush()
        else:  # a line of JSON, and then an event stream after all
            await self._run_stream(head, reads)
            return
        text = self._mask(b"".join(head).decode("utf-8", "replace").lstrip("\ufeff"))
        try:
            value = loads(text)
        except UnreadableError as wrong:
            lines = _json_lines(text)
            if lines is None:
                message = f"the JSON answer cannot be read ({wrong}): {excerpt(text)}"
                self.add(self._t_ns, ErrorReported(ErrorInfo(FailureKind.UNREADABLE, message)))
                return
            value = lines
        for event in SHAPES[self._shape].read_json(value):
            self._batch.append(Stamped(self._t_ns, event, 1))

    async def _run_page(self, head: list[bytes], reads: Reads) -> None:
        async for t_ns, data in reads:
            self._arrived(t_ns, data)
            if sum(map(len, head)) < 65_536:
                head.append(data)
            self._flush()
        page = excerpt(self._mask(b"".join(head).decode("utf-8", "replace")))
        self.add(self._t_ns, ErrorReported(ErrorInfo(FailureKind.UNREADABLE, f"the response is no answer but {page}")))


class _Tapped:
    """What httpx-sse reads of a response, without the layers below: they would encode the text and decode it again."""

    def __init__(self, source: AsyncIterator[str]) -> None:
        self.headers = EVENT_STREAM
        self._source = source

    def aiter_text(self) -> AsyncIterator[str]:
        """The text, piece by piece."""
        return self._source


def _first_character(head: list[bytes]) -> bytes:
    """The first byte that is no blank and no part of a byte order mark; empty while none has come."""
    start = b"".join(head)
    if BOM.startswith(start[:3]) and len(start) < 3:
        return b""
    return start.removeprefix(BOM).lstrip(BLANKS)[:1]


def _json_lines(text: str) -> list[object] | None:
    """Several JSON objects, one a line; None when the text is no such thing."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2:
        return None
    try:
        return [loads(line) for line in lines]
    except UnreadableError:
        return None
