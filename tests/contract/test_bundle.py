"""What goes into a ticket: a cURL command that runs, and the bundle, neither with a key."""

import json
import shlex
from dataclasses import replace

import pytest

from anoman_tui.core.bundle import Setting, bundle
from anoman_tui.core.curl import curl
from anoman_tui.core.events import Ending
from anoman_tui.core.frames import FrameLog, frames_of
from anoman_tui.core.pane import PaneState, fold
from anoman_tui.core.request import HttpRequest, Prompt, Request, Secret
from anoman_tui.core.shapes import http_request
from anoman_tui.core.target import Auth, Policy, Shape, Target
from tests.support import JSON_TYPE, MS, a_provider, a_target, events_of, play, sse

KEY = "sk-secret-0123456789"
SETTING = Setting("1.0", "3.11", "Linux", "run", "2026-11-29T13:00:00Z")


@pytest.mark.parametrize(
    ("provider", "shape", "header"),
    [
        ("anoman", Shape.CHAT, "Authorization: Bearer $ANOMAN_API_KEY"),
        ("anthropic", Shape.MESSAGES, "x-api-key: $ANTHROPIC_API_KEY"),
        ("google", Shape.GEMINI, "x-goog-api-key: $GOOGLE_API_KEY"),
        ("local_anoman", Shape.CHAT, None),
    ],
)
def test_a_command_names_the_variable_and_not_the_key(provider: str, shape: Shape, header: str | None) -> None:
    """Claim: the command holds the request as it was sent, with the variable where the key stood."""
    own = a_provider(provider)
    target = Target(own, shape, "m", own.base_url or "http://127.0.0.1:9", sends_key=own.needs_key and not own.local)
    http = http_request(Request(target, Prompt(f"it's {KEY} `x` $HOME")), Secret(KEY))
    words = shlex.split(curl(http, target).replace("\\\n", " "))
    assert KEY not in " ".join(words) or header is None
    assert words[:4] == ["curl", "-sN", "-X", "POST"]
    assert words[4] == http.url
    assert (header in words) if header else all("Authorization" not in word for word in words)
    sent = json.loads(words[-1])
    assert sent == json.loads(json.dumps(http.body).replace(KEY, "***" if header else KEY))


def test_a_header_with_a_secret_is_left_out() -> None:
    """Claim: a header that carries a key never stands in the command."""
    headers = {"authorization": "Bearer abc", "x-team-token": "abc", "x-a": "1"}
    http = HttpRequest("POST", "http://h/x", headers, {}, Auth.BEARER, Secret(KEY))
    assert "abc" not in curl(http, a_target())
    assert "x-a: 1" in curl(http, a_target())
    assert "x-team-token: ***" in curl(http, a_target())


def test_a_key_that_came_back_in_pieces_is_hidden() -> None:
    """Claim: a frame whose reads cut the key in two shows it neither plain nor escaped."""
    key = 'sk-01/23456"789'
    body = sse(json.dumps({"choices": [{"delta": {"content": key}}]}), json.dumps({"x": key}).replace("/", "\\/"), "[DONE]")
    state = fold(PaneState(a_target()), events_of(Shape.CHAT, [body]))
    http = HttpRequest("POST", "http://h/x", {}, {}, Auth.BEARER, Secret(key))
    text = bundle(state, http, frames_of(tuple((at, body[at : at + 7]) for at in range(0, len(body), 7))), SETTING)
    assert "23456" not in text
    assert text.count("***") == 2


def test_the_bundle() -> None:
    """Claim: it holds outcome, ids, versions, verdict with the page, the command, and the frames around the fault, marked."""
    text = '{"choices":[{"delta":{"content":"```x"}}]}'
    frames = [text] * 9 + ['{"error":{"type":"provider_error","code":"upstream_error","message":"broke"}}', "[DONE]"]
    body = sse(*frames)
    target = a_target(Shape.CHAT, Policy.ANOMAN)
    headers = (("content-type", "text/event-stream"), ("x-request-id", "req-7"), ("x-echo", KEY))
    state = fold(PaneState(target), events_of(Shape.CHAT, [body], headers=headers))
    http = http_request(Request(target, Prompt("p")), Secret(KEY))
    http = HttpRequest(http.method, http.url, http.headers, http.body, Auth.BEARER, Secret(KEY))
    made = bundle(state, http, frames_of(((13 * MS, body),)), SETTING)
    assert made.startswith("# chat/demo: failed\n")
    for word in (
        "req-7",
        "anoman-tui 1.0, Python 3.11, Linux",
        "upstream_error",
        "**What happened:** broke; the first frame does not carry the role with empty content (and 1 more below).",
        "`anoman-failure-class`, frame 10",
        "Expected: an error frame tells its failure class (",
        "mid-stream errors",
        "curl -sN",
    ):
        assert word in made
    assert [line.split()[1] for line in made.splitlines() if line.startswith(">")] == ["1", "10"]
    assert "9 of 11" in made
    assert "… 2 more …" in made
    assert "\n````text\n" in made
    assert KEY not in made


def test_a_bundle_of_a_pane_that_sent_nothing() -> None:
    """Claim: a pane without request, response or frames has a bundle, too."""
    made = bundle(PaneState(a_target()), None, [], SETTING)
    assert "still running" in made
    assert "No request was sent." in made
    assert "No response came." in made


def test_a_bundle_of_a_swapped_model_and_an_unknown_event() -> None:
    """Claim: the frame that names another model is shown though no rule has a frame; what was passed over is said."""
    frames = ['{"type":"message_start","message":{"model":"other"}}', '{"type":"surprise"}', *['{"type":"ping"}'] * 9]
    target = replace(a_target(Shape.MESSAGES), provider=a_provider("anthropic"))
    body = sse(*frames)
    state = fold(PaneState(target), events_of(Shape.MESSAGES, [body], ending=Ending.CANCELLED))
    made = bundle(state, None, frames_of(((13 * MS, body),)), SETTING)
    assert [line.split()[1] for line in made.splitlines() if line.startswith(">")] == ["1"]
    assert "passed over, since it is not known: surprise" in made
    answer = play(
        Shape.CHAT, [b'{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"_anoman":{"region":"id"}}'], headers=JSON_TYPE
    )
    made = bundle(answer, None, [], SETTING)
    assert "not judged, since a JSON answer owes nothing of a stream" in made
    assert '"region": "id"' in made
    assert "nothing that breaks a documented rule" in made


def test_frames_are_split_alike_however_they_are_cut() -> None:
    """Claim: comments, empty blocks, names, CRLF and an open block are told apart, and no cut changes what comes out."""
    body = b'\xef\xbb\xbf: hi\r\n\r\nevent: ping\r\n\r\nevent: a\r\ndata: {"x":1}\r\n\r\ndata:b\ndata: c\n\rdata: d'
    whole = frames_of(((1, body),))
    assert [(frame.kind, frame.event, frame.data, frame.number) for frame in whole] == [
        ("comment", "", "hi", None),
        ("empty", "ping", "", None),
        ("data", "a", '{"x":1}', 1),
        ("data", "", "b\nc", 2),
        ("open", "", "d", 3),
    ]
    log = FrameLog()
    pieces = [frame for at in range(len(body)) for frame in log.feed(1, body[at : at + 1])] + log.finish()
    assert pieces == whole
    assert [(frame.kind, frame.number) for frame in frames_of(((1, b' {"a":'), (2, b"1}")))] == [("body", 1)]


def test_a_body_that_goes_on_as_a_stream_after_json_is_one() -> None:
    """Claim: numbers are those of the stream then, what stood before is not lost, and byte by byte it is the same."""
    body = b'{"error": "x"}\nid: 7\ndata: {"y": 2}\n\ndata: [DONE]\n\n'
    whole = frames_of(((1, body),))
    assert [(frame.number, frame.data, frame.rest) for frame in whole] == [(1, '{"y": 2}', '{"error": "x"}\nid: 7'), (2, "[DONE]", "")]
    assert frames_of(tuple((1, body[at : at + 1]) for at in range(len(body)))) == whole
    assert frames_of(((1, b"\n\n"), (1, b"\r\n"))) == []


def test_a_long_line_costs_what_its_bytes_cost() -> None:
    """Claim: a line that comes in very many reads is not scanned again with each of them."""
    log = FrameLog()
    for _ in range(20_000):
        log.feed(1, b"data: " + b"x" * 400)
    (frame,) = log.feed(2, b"\n\n")
    assert frame.size == 20_000 * 406 + 2
