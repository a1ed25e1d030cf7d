"""The state of one pane, and the fold that carries it on.

`fold` takes a batch of stamped events and gives a new state. It is total: any order of any events gives a state, and
it never raises. What the state means is said elsewhere: `outcome` judges it, `metrics` measures it.
"""

from collections.abc import Iterable, Sequence
from typing import Any, assert_never

from anoman_tui.core.chunks import Chunks
from anoman_tui.core.events import (
    BodyRead,
    CancelRequested,
    Closed,
    Connected,
    ConnectStarted,
    EndReported,
    ErrorInfo,
    ErrorReported,
    FinishReported,
    FrameFacts,
    FrameSeen,
    HeadersReceived,
    HeadersSent,
    ListPriced,
    MetadataReported,
    Noted,
    NoteKind,
    ReasoningDelta,
    RefusalDelta,
    Requested,
    ServedJson,
    Stamped,
    Started,
    StreamEvent,
    TextDelta,
    TextDone,
    ToolDelta,
    UsageReported,
)
from anoman_tui.core.flowing import flows, take_flow
from anoman_tui.core.merging import add_sample, find_call, merge_usage
from anoman_tui.core.state import Note, PaneState, Stamps, ToolCall, Wire
from anoman_tui.core.tracing import TRACED, TraceDraft

__all__ = ["Note", "PaneState", "Stamps", "ToolCall", "Wire", "fold", "merge_usage"]

ASCII_PER_TOKEN = 4.0
"""Characters per token while nothing better is known; other scripts count about one token a character."""
MAX_NOTES = 200
MAX_TOOLS = 256


def fold(state: PaneState, batch: Iterable[Stamped]) -> PaneState:
    """The state after `batch`."""
    draft, events, at = _Draft(state), batch if isinstance(batch, Sequence) else tuple(batch), 0
    while at < len(events):
        if flows(draft):
            at = take_flow(draft, events, at)
        if at < len(events):
            draft.take(events[at])
            at += 1
    return draft.freeze()


class _Draft:
    """One batch's working copy: plain attributes, frozen into one new state at the end."""

    __slots__ = ("characters", "deltas", "estimated", "stamps", "state", "t_ns", "texts", "traced", "wire")

    def __init__(self, state: PaneState) -> None:
        self.state: dict[str, Any] = {name: getattr(state, name) for name in PaneState.__slots__}
        self.stamps: dict[str, Any] = {name: getattr(state.stamps, name) for name in Stamps.__slots__}
        self.wire = [state.wire.bytes, state.wire.reads, state.wire.frames, state.wire.deltas, state.wire.pings]
        self.texts: dict[str, list[str]] = {"text": [], "reasoning": [], "refusal": []}
        self.characters = self.deltas = self.t_ns = 0
        self.estimated = 0.0
        self.traced: TraceDraft | None = None

    def take(self, stamped: Stamped) -> None:
        """Carry the draft on by one event."""
        if self.state["closed"] is not None:
            if isinstance(stamped.event, ListPriced):
                self.ours(stamped.event)
            return
        t_ns, event, frame = stamped.t_ns, stamped.event, stamped.frame
        if frame is not None:
            if frame > self.wire[2]:
                self.wire[2] = frame
            if self.stamps["first_event"] is None and not (isinstance(event, Noted) and event.kind is NoteKind.PING):
                self.stamps["first_event"] = t_ns
        if type(event) is TextDelta:
            self.content("text", event.text, t_ns)
        elif type(event) is BodyRead:
            self.wire[0] += event.size
            self.wire[1] += 1
            last = self.stamps["last_byte"]
            if last is not None and t_ns - last > self.stamps["silence_max_ns"]:
                self.stamps["silence_max_ns"] = t_ns - last
            self.stamps["last_byte"] = t_ns
        else:
            if type(event) in TRACED:
                self.trace().take(event, frame)
            self.rarer(event, t_ns, frame)

    def rarer(self, event: StreamEvent, t_ns: int, frame: int | None) -> None:
        """All events that do not come once per token."""
        match event:
            case FrameSeen() | TextDelta() | BodyRead() | FrameFacts():
                pass
            case ReasoningDelta(text):
                self.content("reasoning", text, t_ns)
            case RefusalDelta(text):
                self.content("refusal", text, t_ns)
            case ServedJson(whole):
                self.state["served_whole"] = whole and not self.state["served_json"]
                self.state["served_json"] = True
            case Requested() | ListPriced():
                self.ours(event)
            case ToolDelta():
                self.tool(event, t_ns)
            case TextDone(kind, text):
                self.mend(kind, text, t_ns)
            case Started() | UsageReported() | MetadataReported():
                self.told(event, t_ns)
            case FinishReported(reason):
                if self.state["end"] is None:
                    self.state["finish_reason"] = reason
            case EndReported(mark):
                if self.state["end"] is None:
                    self.state["end"] = mark
                    self.stamps["end"] = t_ns
            case ErrorReported(error):
                self.fail(error, frame)
            case Noted(kind, text):
                self.note(kind, text, frame)
            case ConnectStarted() | Connected() | HeadersSent() | HeadersReceived() | CancelRequested() | Closed():
                self.connection(event, t_ns)
            case _:
                assert_never(event)

    def trace(self) -> TraceDraft:
        """The working copy of the trace, made when something is first noted in this batch."""
        if self.traced is None:
            self.traced = TraceDraft(self.state["trace"], ended=self.state["end"] is not None, failed=self.state["error"] is not None)
        return self.traced

    def ours(self, event: Requested | ListPriced) -> None:
        """Facts of our own side."""
        match event:
            case Requested(url, max_tokens, stream):
                self.state["url"], self.state["max_tokens"], self.state["streaming"] = url, max_tokens, stream
            case ListPriced(usd):
                self.state["list_usd"] = usd
            case _:
                assert_never(event)

    def told(self, event: Started | UsageReported | MetadataReported, t_ns: int) -> None:
        """Facts that the server tells beside the answer; they are taken after the protocol's end, too."""
        match event:
            case Started(response_id, model):
                self.state["response_id"] = response_id or self.state["response_id"]
                self.state["served_model"] = model or self.state["served_model"]
            case UsageReported(usage):
                self.state["usage"] = merge_usage(self.state["usage"], usage)
                self.stamps["usage"] = t_ns
                self.state["usage_before_end"] = self.state["usage_before_end"] or self.state["end"] is None
            case MetadataReported(fields):
                self.state["metadata"] = {**(self.state["metadata"] or {}), **fields}
                self.stamps["metadata"] = t_ns
            case _:
                assert_never(event)

    def connection(self, event: ConnectStarted | Connected | HeadersSent | HeadersReceived | CancelRequested | Closed, t_ns: int) -> None:
        """Facts of the connection."""
        match event:
            case ConnectStarted():
                self.first("connect_started", t_ns)
            case Connected():
                self.stamps["connected"] = t_ns
            case HeadersSent():
                # Behind a proxy the headers of the CONNECT request come first; the last ones are the request's own.
                self.stamps["headers_sent"] = t_ns
            case HeadersReceived(status, headers):
                self.first("headers", t_ns)
                self.state["status"], self.state["headers"] = status, headers
            case CancelRequested():
                self.first("cancel", t_ns)
            case Closed():
                self.stamps["closed"] = t_ns
                self.state["closed"] = event
            case _:
                assert_never(event)

    def first(self, name: str, t_ns: int) -> None:
        """Keep the first time of `name`."""
        if self.stamps[name] is None:
            self.stamps[name] = t_ns

    def content(self, kind: str, text: str, t_ns: int) -> None:
        """Take a piece of text, reasoning or refusal."""
        if not text:
            return
        if self.state["end"] is not None:
            self.state["late_frames"] += 1
            return
        if self.state["finish_reason"] is not None:
            self.trace().content_after_finish += 1
        self.texts[kind].append(text)
        self.weigh(text)
        self.content_stamp(t_ns, answer=kind != "reasoning")

    def weigh(self, text: str) -> None:
        """Add a piece to the estimate: by the learned ratio, else four ASCII characters or one other character a token."""
        size = len(text)
        self.characters += size
        ratio = self.state["characters_per_token"]
        if ratio is not None:
            self.estimated += size / ratio
        elif text.isascii():
            self.estimated += size / ASCII_PER_TOKEN
        else:
            plain = sum(map(str.isascii, text))
            self.estimated += plain / ASCII_PER_TOKEN + (size - plain)

    def content_stamp(self, t_ns: int, *, answer: bool) -> None:
        """Note that a read at `t_ns` carried content. Events of one read share its time, so gaps are between reads."""
        stamps = self.stamps
        self.deltas += 1
        self.wire[3] += 1
        self.t_ns = t_ns
        if stamps["first_token"] is None:
            stamps["first_token"] = t_ns
        if answer and stamps["first_answer"] is None:
            stamps["first_answer"] = t_ns
        last = stamps["last_content"]
        if t_ns != last:
            stamps["content_reads"] += 1
            if last is not None and t_ns > last:
                stamps["stall_max_ns"] = max(stamps["stall_max_ns"] or 0, t_ns - last)
            stamps["last_content"] = t_ns if last is None else max(t_ns, last)

    def tool(self, delta: ToolDelta, t_ns: int) -> None:
        """Take a piece of a tool call."""
        if self.state["end"] is not None:
            self.state["late_frames"] += 1
            return
        tools: tuple[ToolCall, ...] = self.state["tools"]
        at = find_call(tools, delta)
        if at is None:
            if len(tools) >= MAX_TOOLS:
                return
            slot = delta.slot if all(call.slot != delta.slot for call in tools) else f"{delta.slot}#{len(tools)}"
            tools, at = (*tools, ToolCall(slot)), len(tools)
        call = tools[at]
        anew = delta.whole or (call.whole and bool(delta.arguments))
        arguments = (Chunks() if anew else call.arguments).append(delta.arguments)
        whole = delta.whole or (call.whole and not anew)
        call = ToolCall(call.slot, call.call_id or delta.call_id, call.name or delta.name, arguments, whole)
        self.state["tools"] = (*tools[:at], call, *tools[at + 1 :])
        if delta.name or delta.arguments:
            self.weigh("" if delta.whole and call.arguments else delta.arguments)
            self.content_stamp(t_ns, answer=True)

    def mend(self, kind: str, text: str, t_ns: int) -> None:
        """Add what a closing event has beyond the deltas; a text that merely repeats them adds nothing."""
        if kind not in self.texts or self.state["end"] is not None:
            return
        size = len(self.state[kind]) + sum(map(len, self.texts[kind]))
        if len(text) > size and text.startswith(self.state[kind].since(0) + "".join(self.texts[kind])):
            self.content(kind, text[size:], t_ns)

    def fail(self, error: ErrorInfo, frame: int | None) -> None:
        """Latch the first error. One that comes after the protocol's end no longer touches the answer."""
        if self.state["end"] is not None:
            self.state["late_frames"] += 1
        elif self.state["error"] is None:
            self.state["error"], self.state["error_frame"] = error, frame

    def note(self, kind: NoteKind, text: str, frame: int | None) -> None:
        """Keep a note; pings are only counted."""
        if kind in (NoteKind.PING, NoteKind.COMMENT):
            self.wire[4] += 1
        elif len(self.state["notes"]) < MAX_NOTES:
            self.state["notes"] = (*self.state["notes"], Note(kind, text, frame))

    def freeze(self) -> PaneState:
        """The new state."""
        for kind, pieces in self.texts.items():
            if pieces:
                self.state[kind] = self.state[kind].append("".join(pieces))
        if self.deltas:
            self.state["recent"] = add_sample(self.state["recent"], (self.t_ns, self.estimated, self.deltas))
            self.state["estimated"] += self.estimated
        if self.traced is not None:
            self.state["trace"] = self.traced.freeze()
        self.state["stamps"] = Stamps(**self.stamps)
        self.state["wire"] = Wire(*self.wire)
        return PaneState(**self.state)
