"""A server that sends the key back: it reaches no event, no read, no record."""

import json
from dataclasses import replace

import pytest

from anoman_tui.core.document import pane_record
from anoman_tui.core.jsonish import dumps
from anoman_tui.core.outcome import Outcome, outcome
from anoman_tui.core.request import Prompt, Request, Secret
from anoman_tui.transport.mask import Mask
from anoman_tui.transport.network import Network
from tests.support import a_target
from tests.transport.client import KEY, Recorder
from tests.transport.server import Server, Talk


def frame(value: object) -> bytes:
    """One frame of JSON."""
    return f"data: {json.dumps(value)}\n\n".encode()


DELTA = frame({"choices": [{"index": 0, "delta": {"content": f"your key is {KEY}!"}}]})
CUT = DELTA.index(KEY.encode()) + 9
END = frame({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}) + b"data: [DONE]\n\n"
ERROR = json.dumps({"error": {"message": f"bad key Bearer {KEY}", "code": KEY}}).encode()
WHOLE = json.dumps({"choices": [{"message": {"content": KEY}, "finish_reason": "stop"}], "_anoman": {"routing": {"region": KEY}}}).encode()
STRAY = f": {KEY}\n\nevent: {KEY}\n\nstray {KEY}\n\n".encode()
STREAM, DOCUMENT, PAGE = "text/event-stream", "application/json", "text/html"


@pytest.mark.parametrize(
    ("status", "kind", "parts", "ended"),
    [
        (401, DOCUMENT, [ERROR], Outcome.FAILED),
        (401, DOCUMENT, [ERROR[:40], ERROR[40:]], Outcome.FAILED),
        (500, PAGE, [f"<html><title>{KEY}</title></html>".encode()], Outcome.FAILED),
        (200, STREAM, [DELTA, END], Outcome.COMPLETED),
        (200, STREAM, [DELTA[:CUT], DELTA[CUT:], END], Outcome.COMPLETED),
        (200, STREAM, [frame({"error": {"message": KEY}})], Outcome.FAILED),
        (200, DOCUMENT, [WHOLE], Outcome.COMPLETED),
        (200, DOCUMENT, [WHOLE[:45], WHOLE[45:]], Outcome.COMPLETED),
        (200, STREAM, [STRAY], Outcome.TRUNCATED),
    ],
)
def test_an_echoed_key_is_overwritten_before_anything_sees_it(
    server: Server, network: Network, status: int, kind: str, parts: list[bytes], ended: Outcome
) -> None:
    """Whole or cut in two by the reads, in headers, errors, text, metadata, comments and pages."""

    async def script(talk: Talk) -> None:
        assert KEY in talk.asked.headers["authorization"]
        await talk.head(status, kind, x_request_id=f"Bearer {KEY}", x_other=KEY)
        for part in parts:
            await talk.send(part)
        await talk.end()

    target = replace(a_target(root=server.url("echo", script)), sends_key=True)
    recorder = Recorder()
    network.open(Request(target, Prompt("hi")), recorder)
    state = recorder.state(target)
    assert outcome(state) is ended
    assert KEY not in dumps(pane_record(state, 1))
    assert KEY not in repr(recorder.events)


def test_the_mask_keeps_sizes_and_leaves_short_keys_alone() -> None:
    """Sizes in a record stay true, and a key of a few letters is no secret."""
    assert Mask(Secret("sk-123456")).data(b"a sk-123456 b") == b"a ********* b"
    assert Mask(Secret('sk/1"23456')).data(rb'{"a": "sk\/1\"23456", "b": "sk/1\"23456"}') == rb'{"a": "************", "b": "***********"}'
    assert Mask(Secret("abc")).text("abc") == "abc"
    assert Mask(None).headers([("a", "b")]) == (("a", "b"),)
