"""The frames of panes: logs, rows on one clock, and what a cell says; no screen."""

from collections.abc import Sequence
from functools import cache

import pytest

from anoman_tui.core.events import Closed, Connected, ConnectStarted, Ending, HeadersReceived, HeadersSent, Stamped
from anoman_tui.core.pane import PaneState, fold
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.request import HttpRequest, Secret
from anoman_tui.core.target import Shape, parse_pane
from anoman_tui.ui.cells import Row, plain_text, width_of
from anoman_tui.ui.mailbox import MAX_KEPT, Mailbox
from anoman_tui.ui.wire import log as log_module
from anoman_tui.ui.wire.cells import entry_row, moment, size
from anoman_tui.ui.wire.filters import Filter, Kinds
from anoman_tui.ui.wire.heads import head, needs_model_row
from anoman_tui.ui.wire.log import Entry, PaneLog
from anoman_tui.ui.wire.model import AT_ONCE, Pane, Source, Wire
from anoman_tui.ui.wire.opened import MAX_SHOWN, opened
from anoman_tui.ui.wire.rows import NEAR_NS, Column, Rows
from tests.recordings.test_recordings import READINGS, recording
from tests.support import events_of

MS = 1_000_000
TARGETS = {
    Shape.CHAT: "openai/chat/gpt-4o-mini",
    Shape.RESPONSES: "openai/responses/gpt-4o-mini",
    Shape.MESSAGES: "anthropic/messages/claude-haiku-4-5",
    Shape.GEMINI: "google/gemini/gemini-2.5-flash",
}
HEAD = (("content-type", "text/event-stream"),)
HELLO = b'data: {"choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\n'
WIDTHS = (14, 26, 33, 40, 57, 80, 200)


def source(
    reads: Sequence[tuple[int, bytes]], shape: Shape = Shape.CHAT, ending: Ending | None = Ending.CLEAN, *, start_ms: int = 0
) -> Source:
    """A pane whose body came in these reads, at their milliseconds."""
    mailbox = Mailbox()
    for ms, data in reads:
        mailbox.on_read((start_ms + ms) * MS, data)
    target = parse_pane(TARGETS[shape], BUILT_IN)
    events = [Stamped(start_ms * MS, ConnectStarted()), Stamped(start_ms * MS, Connected()), Stamped(start_ms * MS, HeadersSent())]
    events.append(Stamped((start_ms + 10) * MS, HeadersReceived(200, HEAD)))
    if ending is not None:
        events.append(Stamped((start_ms + max((ms for ms, _ in reads), default=10) + 1) * MS, Closed(ending)))
    return Source(target, fold(PaneState(target), events), mailbox)


def whole(given: Source) -> PaneLog:
    """The log of all of it."""
    assert given.mailbox is not None
    log = PaneLog(given.target, given.mailbox)
    while log.feed(given.state, AT_ONCE) >= AT_ONCE:
        pass
    return log


def kinds(log: PaneLog) -> list[str]:
    """What the entries are."""
    return [entry.kind for entry in log.entries]


def contents(log: PaneLog) -> list[tuple[str, str, str, int | None]]:
    """The frames without their times."""
    return [(one.kind, one.event, one.data, one.number) for entry in log.entries if (one := entry.frame) is not None]


def said(log: PaneLog, width: int = 100) -> list[str]:
    """The cells of all entries."""
    shape = log.target.shape
    return [plain_text([entry_row(entry, shape, 0, width, join=log.join(at))]) for at, entry in enumerate(log.entries)]


@cache
def recorded(name: str, cut: str) -> Source:
    """A recording, read as it was, in one read, or byte by byte."""
    shape, status, headers, pieces = recording(name)
    body = b"".join(pieces)
    reads = list(pieces) if cut == "as it came" else [body] if cut == "one read" else [body[at : at + 1] for at in range(len(body))]
    mailbox = Mailbox()
    for at, data in enumerate(reads):
        mailbox.on_read((13 + at) * MS, data)
    target = parse_pane(TARGETS[shape], BUILT_IN)
    events = events_of(shape, reads, status=status, headers=headers, ending=Ending(READINGS[name]["ending"]))
    return Source(target, fold(PaneState(target), events), mailbox)


@pytest.mark.parametrize("name", READINGS)
def test_a_recording_is_shown_whole_however_it_came(name: str) -> None:
    """Claim: all bytes stand in frames, numbers are those of the events, no cell is too wide, and no cut of reads changes the frames."""
    given = recorded(name, "as it came")
    log = whole(given)
    assert given.state is not None
    frames = [entry.frame for entry in log.entries if entry.frame is not None]
    numbers = [frame.number for frame in frames if frame.number is not None]
    assert numbers == list(range(1, len(numbers) + 1))
    assert log.bytes == sum(map(len, recording(name)[3]))
    assert (log.entries[0].kind, log.entries[-1].kind) == ("head", "end")
    if given.state.wire.frames:
        assert max(numbers) == given.state.wire.frames
    cuts = ["one read"] if log.bytes > 40_000 else ["one read", "byte by byte"]
    for cut in cuts:
        assert contents(whole(recorded(name, cut))) == contents(log)
    for width in WIDTHS:
        for at in range(min(len(log.entries), 60)):
            row = entry_row(log.entries[at], log.target.shape, 0, width, join=log.join(at))
            assert width_of(row) <= width


def test_a_cell_says_what_a_frame_means() -> None:
    """Claim: pieces of text, reasoning, tools, usage, ends, errors, comments and names are told apart at a glance."""
    chat = [
        b'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\n',
        b'data: {"choices":[{"index":0,"delta":{"content":"Hel\\nlo"}}]}\n\n',
        b'data: {"choices":[{"index":0,"delta":{"reasoning_content":"hm"}}]}\n\n',
        b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":12}}\n\n',
        b": keep-alive\n\n",
        b"retry: 3000\n\n",
        b'data: {"error":{"message":"upstream broke","code":"overloaded"}}\n\n',
        b"data: [DONE]\n\n",
        b"data: {oops\n\n",
    ]
    text = said(whole(source([(20 + 5 * at, data) for at, data in enumerate(chat)])))
    wanted = (
        "HTTP 200 text/event-stream",
        "role assistant",
        'delta "Hel\\nlo"',
        'thinks "hm"',
        "finish stop usage 7 in 12 out",
        "comment keep-alive",
        "empty retry: 3000",
        "error overloaded upstream broke",
        "[DONE]",
        "cannot be read as JSON",
        "■ the body ended",
    )
    for row, words in zip(text, wanted, strict=True):
        assert words in row
    assert "+25ms" in text[2]
    assert f"{len(chat[1])}B" in text[2]
    messages = [
        b'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}\n\n',
        b'event: message_stop\ndata: {"type":"message_stop"}\n\n',
        b"event: ping\n\n",
    ]
    text = said(whole(source([(20, b"".join(messages))], Shape.MESSAGES)))
    assert all(words in row for words, row in zip(('content_block_delta delta "Hi"', "message_stop", "empty ping"), text[1:], strict=False))
    assert [row[1] for row in text[1:4]] == ["╭", "│", "╰"]
    body = said(whole(source([(20, b'{"choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}]}')])))
    assert 'JSON answer text "Hello" finish stop' in body[1]
    assert "body <html>" in said(whole(source([(20, b"<html> 502")])))[1]


def test_silences_joined_reads_and_the_open_end_are_told() -> None:
    """Claim: a silence is one between reads, a frame of several reads says so, and an open block is no whole frame."""
    log = whole(source([(20, HELLO + HELLO[:9]), (200, HELLO[9:20]), (700, HELLO[20:]), (701, HELLO[:-1])], ending=Ending.CUT))
    assert kinds(log) == ["head", "data", "gap", "data", "open", "end"]
    assert (log.entries[2].ns, log.entries[3].first, log.entries[3].read) == (500 * MS, 0, 2)
    assert "… 500 ms silent" in said(log)[2]
    assert "no blank line" in said(log)[4]
    assert "the connection broke" in said(log)[5]
    assert log.joined == 0
    assert whole(source([(20, HELLO * 5), (30, HELLO * 2), (40, HELLO)])).joined == 7
    assert "came in reads 1 to 3" in plain_text(opened(log, 3, 0, (), raw=False))


def test_a_body_in_one_read_costs_no_more_than_its_pieces_at_a_time() -> None:
    """Claim: what one call takes is bounded, whatever the size of a read."""
    given = source([(20, HELLO * 20_000)], ending=None)
    assert given.mailbox is not None
    log = PaneLog(given.target, given.mailbox)
    steps = []
    while (done := log.feed(given.state, 500)) >= 500:
        steps.append(done)
    assert max(steps) <= 500 + log_module.PIECE // len(HELLO) + 2
    assert (log.frames, log.reads, log.joined) == (20_000, 1, 20_000)
    assert {entry.read for entry in log.entries if entry.frame is not None} == {0}
    assert log.together(5) == (1, 20_001)


def test_feeding_stays_flat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: a hundred thousand frames in three panes cost each of them the same work: one look at each, one row each."""
    panes = [source([], ending=None) for _ in range(3)]
    wire = Wire()
    looks = 0

    timed = Column.time

    def counting(column: Column, number: int) -> int:
        nonlocal looks
        looks += 1
        return timed(column, number)

    monkeypatch.setattr(Column, "time", counting)
    per_step = []
    for step in range(340):
        for pane in panes:
            assert pane.mailbox is not None
            for at in range(100):
                pane.mailbox.on_read((20 + step * 100 + at) * MS, b"data: 1\n\n")
        before = looks
        assert not wire.update(panes)
        per_step.append(looks - before)
    assert sum(len(pane.log.entries) for pane in wire.panes if pane.log is not None) == 3 * 34_001
    assert max(per_step[-100:]) <= 1.3 * max(per_step[1:100])
    assert looks < 3 * 34_000 * 3


def test_what_the_bounds_leave_out_is_said() -> None:
    """Claim: bytes beyond those that are kept, and frames beyond those that are listed, are named in the column."""
    given = source([(20, HELLO), (30, b"data: " + b"x" * MAX_KEPT), (40, b"more")])
    log = whole(given)
    assert kinds(log)[-2:] == ["lost", "end"]
    assert "bytes were not kept: 8 MiB are the bound" in said(log)[-2]
    assert given.mailbox is not None
    assert f"{given.mailbox.lost:,} bytes not kept" in plain_text(head(shown(given), 1, 60, 0, current=True))


def test_more_frames_than_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: the list ends with a sentence, and nothing more is split."""
    monkeypatch.setattr(log_module, "MAX_ENTRIES", 100)
    log = whole(source([(20, b":\n" * 500)]))
    assert len(log.entries) == 102
    assert "only the first 100 frames are listed" in said(log)[-2]
    assert log.entries[-1].kind == "end"


def shown(given: Source) -> Pane:
    """A pane that has taken all."""
    wire = Wire()
    while wire.update([given]):
        pass
    return wire.panes[0]


def entries(*times: float) -> list[Entry]:
    """Entries at these milliseconds."""
    return [Entry(round(ms * MS), "data") for ms in times]


def laid(rows: Rows) -> list[tuple[int | None, ...]]:
    """Which entry stands where."""
    return [tuple(rows.at(row, at) for at in range(len(rows.columns))) for row in range(len(rows))]


def test_rows_line_up_in_time() -> None:
    """Claim: what came within ten milliseconds shares a row, time runs down, and a pane alone has no holes."""
    one, other = entries(10, 50, 51, 90), entries(12, 70, 92)
    rows = Rows([Column(one, 0, None), Column(other, 0, None)])
    assert not rows.advance(100)
    assert laid(rows) == [(0, 0), (1, None), (2, None), (None, 1), (3, 2)]
    assert list(rows.times) == [10 * MS, 50 * MS, 51 * MS, 70 * MS, 90 * MS]
    assert [rows.row_of(1, at) for at in range(3)] == [0, 3, 4]
    assert rows.row_of(0, 9) is None
    assert (rows.row_at(60 * MS), rows.row_at(999 * MS)) == (3, 4)
    shifted = Rows([Column(one, 40 * MS, None), Column(other, 0, None)])
    shifted.advance(100)
    assert laid(shifted)[0] == (0, None)


def test_the_same_entries_give_the_same_rows_however_they_came() -> None:
    """Claim: rows that a late entry should have shared are made anew."""
    times = [[at * 3.7 for at in range(80)], [at * 5.1 + 1 for at in range(60)], [40.0] * 30 + [41.0, 120.0, 121.0]]
    full = [entries(*one) for one in times]
    want = Rows([Column(one, 0, None) for one in full])
    want.advance(1_000)
    for chunk in (1, 3, 17):
        growing: list[list[Entry]] = [[], [], []]
        rows = Rows([Column(one, 0, None) for one in growing])
        for start in range(0, 80, chunk):
            for at, column in enumerate(growing):
                column += full[at][start : start + chunk]
                rows.advance(1_000)
        assert laid(rows) == laid(want)
        assert list(rows.times) == list(want.times)
    assert all(
        max(cell) - min(cell) <= NEAR_NS
        for row in laid(want)
        if (cell := [full[at][entry].t_ns for at, entry in enumerate(row) if entry is not None])
    )


def test_filters_and_finding() -> None:
    """Claim: kinds and texts leave rows out, finding walks over them in time, round the ends, and counts."""
    frames = [HELLO, b": ping\n\n", HELLO.replace(b"Hello", b"World"), b"data: [DONE]\n\n"]
    panes = [source([(20 + 100 * at, data) for at, data in enumerate(frames)]), source([(60, HELLO), (370, HELLO)])]
    wire = Wire()
    wire.update(panes)
    assert len(wire.rows) == 10  # the heads share one, the ends do not; one silence

    def under(filters: Filter) -> list[str]:
        wire.filter = filters
        wire.rebuild()
        while wire.update(panes):
            pass
        return [wire.rows.columns[at].entries[n].kind for row in laid(wire.rows) for at, n in enumerate(row) if n is not None]

    assert under(Filter(Kinds.DATA)) == ["data"] * 5
    assert under(Filter(Kinds.IDLE)) == ["comment", "gap"]
    assert under(Filter(Kinds.TELLING)) == ["head", "head", "comment", "data", "end", "gap", "end"]
    assert under(Filter(text="world")) == ["data"]
    assert under(Filter(text="WORLD")) == []
    assert under(Filter(Kinds.IDLE, "ping")) == ["comment"]
    under(Filter())
    wire.look_for("hello")
    wire.update(panes)
    assert len(wire.found) == 3
    first = wire.found.step(-1, down=True)
    assert first == (1, 0)
    second = wire.found.step(1, down=True)
    assert second is not None
    assert second[1] == 1
    assert wire.found.step(first[0], down=False) == wire.found.step(len(wire.rows), down=False)
    assert wire.found.before(second[0]) == 1
    wire.look_for("nowhere")
    wire.update(panes)
    assert wire.found.step(0, down=True) is None


def test_a_frame_that_broke_a_rule_is_marked_and_tells_the_rule() -> None:
    """Claim: the mark stands at the frame that the finding names, and the opened frame says what was broken."""
    body = b'event: message_start\ndata: {"type":"message_start","message":{"id":"m","usage":{"input_tokens":1}}}\n\n'
    body += b'event: content_block_delta\ndata: {"type":"content_block_delta","index":4,"delta":{"type":"text_delta","text":"x"}}\n\n'
    target = parse_pane(TARGETS[Shape.MESSAGES], BUILT_IN)
    mailbox = Mailbox()
    mailbox.on_read(13 * MS, body)
    state = fold(PaneState(target), events_of(Shape.MESSAGES, [body]))
    given = Source(target, state, mailbox)
    wire = Wire()
    while wire.update([given]):
        pass
    place = wire.broken.step(-1, down=True)
    assert place is not None
    found = wire.entry(*place)
    assert found is not None
    at, entry = found
    rules = wire.panes[0].rules_of(entry)
    assert rules
    assert entry_row(entry, target.shape, 0, 60, broken=True)[0].text == "!"
    log = wire.panes[0].log
    assert log is not None
    text = plain_text(opened(log, at, 0, rules, raw=False))
    assert rules[0].message in text
    assert "the rule: " in text


def test_hostile_bytes_are_harmless_and_bounded() -> None:
    """Claim: nothing that a terminal obeys is shown, wide letters fit, depth and length are bounded, and JSON is laid out."""
    wild = [
        b"\x00\x1b]0;x\x07\xff\xfe: \x9b\n\n",
        b"event: \x1b[2J\ndata: \x1b[31m\xe2\x80\xae\n\n",
        b"data: " + b"[" * 50_000 + b"\n\n",
        b'data: {"a":"' + b"\xe6\xbc\xa2" * 300_000 + b'"}\n\n',
        b'data: {"choices":[{"delta":{"content":"\\ud83d\\u001b[0m\\u202e"}}]}\n\n',
        b": \xf0\x9f\x91\xa9\xe2\x80\x8d" * 50 + b"\n\n",
        b"\r\r\r\n\n",
    ]
    log = whole(source([(20 + at, data) for at, data in enumerate(wild)]))
    for at, entry in enumerate(log.entries):
        rows: list[Row] = opened(log, at, 0, (), raw=at % 2 == 0)
        for width in WIDTHS:
            row = entry_row(entry, Shape.CHAT, 0, width)
            assert width_of(row) <= width
            rows.append(row)
        text = plain_text(rows)
        assert not any(char in text for char in "\x00\x1b\x07\x7f\x9b\u202e\r")
        assert len(text) < MAX_SHOWN + 20_000
    wide = next(at for at, entry in enumerate(log.entries) if entry.frame is not None and len(entry.frame.data) > 200_000)
    assert "more characters are not shown" in plain_text(opened(log, wide, 0, (), raw=False))
    nice = whole(source([(20, b'data: {"a":{"b":[1,2.50]},"c":"' + b"long " * 60 + b'"}\n\n')]))
    text = plain_text(opened(nice, 1, 0, (), raw=False))
    assert '  "a": {\n    "b": [\n      1,\n      2.50' in text
    assert "long " * 60 in text


def test_a_key_that_two_reads_cut_apart_is_not_shown() -> None:
    """Claim: the request's own key stands in no frame."""
    given = source([(20, b"data: sk-live-1234"), (21, b"567890\n\n")])
    assert given.mailbox is not None
    given.mailbox.on_request(0, HttpRequest("POST", "https://x", {}, {}, None, Secret("sk-live-1234567890")))
    log = whole(given)
    frame = log.entries[1].frame
    assert frame is not None
    assert frame.data == "*" * 18


def test_panes_that_have_not_run_and_answers_that_are_no_stream() -> None:
    """Claim: both have a head that says so."""
    target = parse_pane(TARGETS[Shape.CHAT], BUILT_IN)
    idle = Source(target, None, None)
    wire = Wire()
    assert not wire.update([idle, Source(target, None, Mailbox(), queued=True)])
    assert len(wire.rows) == 0
    heads = [plain_text(head(wire.panes[at], at + 1, 50, 0, current=False)) for at in range(2)]
    assert "READY" in heads[0]
    assert "nothing was sent yet" in heads[0]
    assert "waits for the pane before" in heads[1]
    assert needs_model_row(wire.panes[0], 1, 33)
    assert "gpt-4o-mini" in plain_text(head(wire.panes[0], 1, 33, 0, current=True, model_row=True))
    live = source([(20, HELLO)], ending=None)
    assert "silent for 3.0 s" in plain_text(head(shown(live), 1, 50, 3_020 * MS, current=False))


@pytest.mark.parametrize(("ns", "text"), [(0, "+0.0ms"), (412 * MS, "+412ms"), (9_999 * MS, "+9999ms"), (12_340 * MS, "+12.34s")])
def test_moments(ns: int, text: str) -> None:
    """Claim: a moment takes seven characters at most up to a day."""
    assert moment(ns) == text
    assert len(moment(86_000_000 * MS)) <= 7
    assert max(len(size(count)) for count in (0, 9_999, 10_000, 999_499, 999_500, 9_999_999)) <= 6
