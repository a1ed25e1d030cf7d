"""The tap: any bytes in, clean event-stream text out, and nothing lost on the way."""

import pytest

from anoman_tui.core.events import Frame
from anoman_tui.core.jsonish import UnreadableError
from anoman_tui.transport import tap as tap_module
from anoman_tui.transport.tap import MAX_TRIES, Diverted, KeepAlive, RawError, RawJson, Tap, TooLargeError

ENDS = (b"\n", b"\r\n", b"\r")


def through(*pieces: bytes, terminal: bool = False) -> tuple[str, list[Diverted]]:
    """The text and the diverted items of a whole body; `terminal` says whether an open block ends the stream."""
    tap = Tap()
    text = "".join(tap.feed(piece) for piece in pieces)
    text += tap.finish(lambda _: terminal)
    return text, [item for _, item in tap.diverted]


def bytewise(body: bytes) -> list[bytes]:
    """The body a byte at a time."""
    return [body[at : at + 1] for at in range(len(body))]


@pytest.mark.parametrize("end", ENDS)
def test_every_line_end_counts(end: bytes) -> None:
    """Claim: LF, CRLF and CR end a line, also where a read ends between CR and LF."""
    body = end.join([b"event: a", b"data: 1", b"data: 2", b"", b"data:3", b"", b""])
    expected = "event: a\ndata: 1\ndata: 2\n\ndata:3\n\n"
    assert through(body)[0] == expected
    assert through(*bytewise(body))[0] == expected


def test_mixed_line_ends() -> None:
    """Claim: line ends may be mixed; CR CR and CR LF CR are told apart."""
    assert through(b"data: 1\r\rdata: 2\r\n\rdata: 3\n\r\n")[0] == "data: 1\n\ndata: 2\n\ndata: 3\n\n"


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e"])
def test_nothing_else_ends_a_line(sign: str) -> None:
    """Claim: separators that are no line ends of an event stream stay in the data, or in the comment."""
    assert through(f"data: a{sign}b\n\n".encode())[0] == f"data: a{sign}b\n\n"
    assert through(f": c{sign}data: x\n\n".encode())[0] == ""


@pytest.mark.parametrize("cut", range(4))
def test_a_byte_order_mark_is_dropped_once(cut: int) -> None:
    """Claim: one leading mark is dropped, wherever the reads cut it; a second one is data's own."""
    body = b"\xef\xbb\xbfdata: 1\n\ndata: \xef\xbb\xbf2\n\n"
    assert through(body[:cut], body[cut:])[0] == "data: 1\n\ndata: \ufeff2\n\n"


def test_characters_that_are_cut() -> None:
    """Claim: a character cut between reads is whole; one that never ends, and bad bytes, become U+FFFD."""
    assert through(*bytewise("data: 日本😀\n\n".encode()))[0] == "data: 日本😀\n\n"
    assert through(b"data: \xf0\x9f\x98\n\n")[0] == "data: \ufffd\n\n"
    assert through(b"data: \xff\xfe\n\n")[0] == "data: \ufffd\ufffd\n\n"


def test_fields_that_make_no_event() -> None:
    """Claim: id, retry and comments never make or spoil an event; a block without data is only noted."""
    text, diverted = through(b": hello\nid: 1\nretry: 5\ndata: 1\n\nid: 2\n\nretry: 7\n\nevent: ping\n\n:\n\n")
    assert text == "data: 1\n\n"
    assert diverted == [KeepAlive("hello", comment=True), KeepAlive("ping", comment=False), KeepAlive("", comment=True)]


def test_names_are_compared_exactly() -> None:
    """Claim: a blank before the name, another case or a blank before the colon make another field."""
    assert through(b" data: 1\nData: 2\ndata : 3\ndata: 4\n\n")[0] == "data: 4\n\n"


def test_empty_data_and_last_event_name() -> None:
    """Claim: data without a colon or value counts as an empty line of data, and the last event name of a block wins."""
    assert through(b"data\n\n")[0] == "data\n\n"
    assert through(b"event: a\nevent: b\ndata: 1\n\ndata: 2\n\n")[0] == "event: b\ndata: 1\n\ndata: 2\n\n"
    assert through(b"event: a\nevent:\ndata: 1\n\n")[0] == "data: 1\n\n"


def test_an_event_name_without_data_does_not_leak_into_the_next_block() -> None:
    """Claim: the name of a block without data is forgotten at its blank line."""
    assert through(b"event: a\n\ndata: 1\n\n")[0] == "data: 1\n\n"


@pytest.mark.parametrize("indent", [None, 2])
def test_raw_json_is_diverted(indent: int | None) -> None:
    """Claim: a JSON value outside of any data line is told as one, on one line or many."""
    import json

    value = {"error": {"message": "b{r}ace", "list": [1, 2]}}
    raw = json.dumps(value, indent=indent).encode()
    for body in (raw, raw + b"\n", b"data: 1\n\n" + raw + b"\n\n"):
        assert RawJson(value) in through(body)[1]
        assert RawJson(value) in through(*bytewise(body))[1]


def test_raw_lines_of_json_are_each_a_value() -> None:
    """Claim: JSON values on lines of their own are each told."""
    assert through(b'x: 1\n{"a":1}\n{"b":2}\n')[1] == [RawJson({"a": 1}), RawJson({"b": 2})]


def test_a_broken_raw_value_does_not_hide_a_whole_one() -> None:
    """Claim: at the body's end each line that is JSON by itself is told although another one is not."""
    assert through(b'{"a": \n{"b":2}\n')[1] == [RawJson({"b": 2})]


def test_hostile_raw_lines_cost_a_bounded_number_of_attempts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: however many lines look like the end of a value, only a bounded number of attempts is made before the end."""
    attempts = 0

    def counted(text: str) -> object:
        nonlocal attempts
        attempts += 1
        raise UnreadableError

    monkeypatch.setattr(tap_module, "loads", counted)
    tap = Tap()
    tap.feed(b"{[}]\n" * 5_000)
    assert attempts <= MAX_TRIES


def test_an_error_field() -> None:
    """Claim: the field `error`, unknown to the standard, is kept with its place among the blocks."""
    tap = Tap()
    tap.feed(b"data: 1\n\nerror: gone\n\ndata: 2\n\n")
    assert list(tap.diverted) == [(1, RawError("gone"))]


def test_the_open_block_at_the_end() -> None:
    """Claim: a block that lacks its blank line is given only where it ends the stream, and as the frame it would be."""
    body = b"event: message_stop\ndata: {}"
    assert through(body, terminal=True)[0] == "event: message_stop\ndata: {}\n\n"
    assert through(body, terminal=False)[0] == ""
    seen: list[Frame] = []

    def look(frame: Frame) -> bool:
        seen.append(frame)
        return False

    tap = Tap()
    tap.feed(b"event: x\ndata: 1\ndata:  2")
    tap.finish(look)
    assert seen == [Frame("x", "1\n 2")]


def test_limits_of_line_and_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: a line, and a block of many lines, over the limit are refused with their limit."""
    monkeypatch.setattr(tap_module, "MAX_BLOCK", 1_000)
    for body in (b"data: " + b"x" * 2_000, b": " + b"x" * 2_000, b"data: 1\n" * 400):
        with pytest.raises(TooLargeError, match="longer than 1,000"):
            through(body)
        with pytest.raises(TooLargeError, match="longer than 1,000"):
            through(*bytewise(body))
    assert through(b"data: 1\n\n" * 400)[0].count("\n\n") == 400


def test_raw_lines_are_kept_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: of endless lines that are no fields only a bounded part is kept."""
    monkeypatch.setattr(tap_module, "MAX_RAW", 1_000)
    tap = Tap()
    for _ in range(1_000):
        tap.feed(b"some words of a page\n")
    assert len(tap.raw_text) <= 2_000


def test_the_largest_line_is_read() -> None:
    """Claim: a line of four million characters in small reads is one line, and its cost is linear."""
    body = b"data: " + b"x" * 4_000_000 + b"\n\n"
    assert len(through(*[body[at : at + 65_536] for at in range(0, len(body), 65_536)])[0]) == len(body)
