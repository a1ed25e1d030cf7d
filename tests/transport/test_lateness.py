"""Whether times could be held: how late the network's loop ran while a stream came in."""

import time

import pytest

from anoman_tui.core.document import pane_record
from anoman_tui.core.events import TextDelta
from anoman_tui.core.metrics import DEGRADED_LAG_MS
from anoman_tui.core.request import Prompt, Request
from anoman_tui.transport.lateness import HEARTBEAT_S, STOPPED_MS, Lateness
from anoman_tui.transport.network import Network
from tests.support import a_target, sse
from tests.transport.client import Recorder
from tests.transport.server import Server, Talk

MS = 1_000_000
STEP = round(HEARTBEAT_S * 1e9)


def beats(*late_ms: float) -> Lateness:
    """Beats that came so late, one after another, from time 0 on."""
    made, now = Lateness(), 0
    for ms in late_ms:
        made.due_ns = now + STEP
        now = made.due_ns + round(ms * MS)
        made.beat(now)
    made.due_ns = None
    return made


@pytest.mark.parametrize(
    ("late_ms", "told"),
    [
        ([], 0.0),
        ([1.0] * 40, 1.0),
        ([1.0] * 39 + [90.0], 1.0),  # one hiccup of the machine
        ([1.0] * 30 + [40.0] * 10, 40.0),  # a quarter of the time
        ([1.0] * 500 + [STOPPED_MS + 800], STOPPED_MS + 800),  # stopped for a second
    ],
)
def test_what_counts_as_late(late_ms: list[float], told: float) -> None:
    """Claim: the usual lateness decides, and one long standstill as well."""
    assert beats(*late_ms).since(0, 10**12) == pytest.approx(told)


def test_only_the_streams_own_time_counts() -> None:
    """Claim: what was before the stream began says nothing about it."""
    made = beats(500.0, 1.0, 1.0)
    assert made.since(0, 10**12) == pytest.approx(500)
    assert made.since(STEP + 501 * MS, 10**12) == pytest.approx(1)


def test_a_beat_that_has_not_come_yet_counts() -> None:
    """Claim: a stream that ends with the standstill knows of it."""
    made = beats(1.0)
    made.due_ns = 10**9
    assert made.since(0, 10**9 + 300 * MS) == pytest.approx(300)


def test_a_record_says_that_its_times_are_doubtful(server: Server, network: Network) -> None:
    """Claim: a program that stood still while the answer came in says so in the run document."""
    gate = server.gate()

    async def script(talk: Talk) -> None:
        await talk.head()
        await talk.send(sse('{"choices":[{"index":0,"delta":{"content":"Hello"}}]}'))
        await gate.passed()
        await talk.send(sse('{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}', "[DONE]"))
        await talk.end()

    target, recorder = a_target(root=server.url("slow", script)), Recorder()
    network.open(Request(target, Prompt("Hi")), recorder)
    recorder.until(TextDelta)
    network._loop.call_soon_threadsafe(time.sleep, (STOPPED_MS + 150) / 1e3)
    gate.open()
    assert pane_record(recorder.state(target), 1)["timing"]["degraded"] is True
    assert DEGRADED_LAG_MS < STOPPED_MS
