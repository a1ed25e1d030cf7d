"""Every fault of the embedded gateway is named rightly, over real sockets; and a healthy stream has no finding."""

import asyncio
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from anoman_tui.core.contract import findings, verdict
from anoman_tui.core.document import pane_record
from anoman_tui.core.events import Closed
from anoman_tui.core.pane import PaneState
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.request import HttpRequest, Params, Prompt, Request, Secret
from anoman_tui.core.shapes import http_request
from anoman_tui.core.target import Shape, Target
from anoman_tui.emulator.options import GatewayOptions
from anoman_tui.emulator.server import GatewayServer
from anoman_tui.transport.limits import Limits
from anoman_tui.transport.network import Network
from tests.transport.client import Recorder


@contextmanager
def a_gateway(pace: float) -> Iterator[str]:
    """A gateway with scripted models, on a thread of its own."""
    ready: list[GatewayServer] = []
    up = threading.Event()

    async def main() -> None:
        ready.append(GatewayServer(GatewayOptions(engine="scripted", cache=False, pace=pace)))
        up.set()
        await ready[0].run_until_stopped()

    thread = threading.Thread(target=lambda: asyncio.run(main()), daemon=True)
    thread.start()
    assert up.wait(10)
    yield ready[0].url
    ready[0].should_exit = True
    thread.join(10)


@pytest.fixture(scope="module")
def root() -> Iterator[str]:
    """A gateway that hardly pauses."""
    with a_gateway(0.02) as url:
        yield url


@pytest.fixture(scope="module")
def slow_root() -> Iterator[str]:
    """A gateway in real time."""
    with a_gateway(1) as url:
        yield url


async def prepare(request: Request) -> HttpRequest:
    """The request with a key that the gateway takes."""
    return http_request(request, Secret("local"))


@pytest.fixture(scope="module")
def network() -> Iterator[Network]:
    """A network."""
    made = Network(prepare, Limits())
    yield made
    made.close()


def a_target(root: str, gateway: str, shape: Shape, model: str) -> Target:
    """A target of the embedded gateway."""
    return Target(replace(BUILT_IN[f"local_{gateway}"], local=False), shape, model, f"{root}/{gateway}", sends_key=True)


def stream(network: Network, target: Target, **params: int) -> PaneState:
    """Carry one stream to its end."""
    recorder = Recorder()
    network.open(Request(target, Prompt("Explain the tides"), Params(**params)), recorder)  # type: ignore[arg-type] # counts only
    recorder.until(Closed)
    return recorder.state(target)


ANOMAN = [("anoman", Shape.CHAT), ("anoman", Shape.PLAYGROUND)]
MESSAGES = [("anoman", Shape.MESSAGES), ("anypath", Shape.MESSAGES)]
ANYPATH = [("anypath", shape) for shape in (Shape.RESPONSES, Shape.CHAT, Shape.MESSAGES, Shape.GEMINI)]
ALL = [*ANOMAN, ("anoman", Shape.MESSAGES), *ANYPATH]

FAULTS = [
    *((*where, "fault-swapped-model", "served-model") for where in ALL),
    *((*where, "fault-no-usage", "anoman-usage") for where in ANOMAN),
    *((*where, "fault-no-usage", "messages-usage") for where in MESSAGES),
    ("anypath", Shape.CHAT, "fault-no-usage", "anypath-usage"),
    ("anypath", Shape.RESPONSES, "fault-no-usage", "responses-usage"),
    ("anypath", Shape.GEMINI, "fault-no-usage", "anypath-usage"),
    ("anypath", Shape.RESPONSES, "fault-sequence", "responses-sequence"),
    *((*where, "fault-late-metadata", "anoman-metadata-place") for where in ANOMAN),
    *((*where, "fault-done-after-error", "done-after-error") for where in (*ANOMAN, ("anypath", Shape.CHAT))),
    *((*where, "fault-truncated", "anoman-done") for where in ANOMAN),
    *((*where, "fault-truncated", "anypath-terminal") for where in ANYPATH),
    *((*where, "fault-no-role", "anoman-role-first") for where in ANOMAN),
    *((*where, "fault-no-metadata", "anoman-metadata") for where in ANOMAN),
    *((*where, "fault-open-block", "messages-blocks") for where in MESSAGES),
    ("anypath", Shape.RESPONSES, "fault-open-block", "responses-pairs"),
    ("anypath", Shape.GEMINI, "fault-no-finish", "gemini-finish-reason"),
]


@pytest.mark.parametrize(("gateway", "shape", "model", "rule"), FAULTS)
def test_a_fault_is_named_rightly(root: str, network: Network, gateway: str, shape: Shape, model: str, rule: str) -> None:
    """Claim: the finding of a fault names it, on the gateway and shape where it can happen, and stands in the record."""
    state = stream(network, a_target(root, gateway, shape, model))
    found = {finding.rule: finding for finding in findings(state)}
    assert rule in found
    assert rule in [entry["rule"] for entry in pane_record(state, 1)["findings"]]
    if rule != "served-model":
        assert verdict(state).mark.startswith("!")
        assert 1 <= (found[rule].frame or 1) <= state.wire.frames


@pytest.mark.parametrize(("gateway", "shape"), [("anoman", Shape.CHAT), ("anypath", Shape.GEMINI)])
def test_buffering_is_named(slow_root: str, network: Network, gateway: str, shape: Shape) -> None:
    """Claim: frames that were held back and sent at once are told from the stamps, and nothing else is found."""
    (found,) = findings(stream(network, a_target(slow_root, gateway, shape, "fault-buffered")))
    assert found.rule == "delivery-buffered"
    assert re.fullmatch(r"buffered upstream: \d+ frames in \d+ ms after [\d.]+ m?s", found.message)


@pytest.mark.parametrize(("gateway", "shape"), ALL)
@pytest.mark.parametrize("model", ["scripted-fast", "scripted-reasoning", "claude-sonnet-4-6"])
def test_a_healthy_stream_has_no_finding(root: str, network: Network, gateway: str, shape: Shape, model: str) -> None:
    """Claim: a healthy stream of either gateway in any shape breaks no rule, also where the limit ends it, and all rules hold."""
    for params in ({}, {"max_tokens": 30}):
        state = stream(network, a_target(root, gateway, shape, model), **params)
        assert findings(state) == ()
        judged = verdict(state)
        assert judged.holds == judged.total >= 9
        assert judged.mark == f"{judged.holds}/{judged.total}"
