"""What the tests of the rules share: a gateway on a thread of its own, and streams from it over real sockets."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from anoman_tui.core.events import Closed
from anoman_tui.core.pane import PaneState
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.request import HttpRequest, Params, Prompt, Request, Secret
from anoman_tui.core.shapes import http_request
from anoman_tui.core.target import Shape, Target
from anoman_tui.emulator.options import GatewayOptions
from anoman_tui.emulator.server import GatewayServer
from anoman_tui.transport.network import Network
from tests.transport.client import Recorder

PROMPT = Prompt("Explain the tides")
ANOMAN = [("anoman", Shape.CHAT), ("anoman", Shape.PLAYGROUND)]
MESSAGES = [("anoman", Shape.MESSAGES), ("anypath", Shape.MESSAGES)]
ANYPATH = [("anypath", shape) for shape in (Shape.RESPONSES, Shape.CHAT, Shape.MESSAGES, Shape.GEMINI)]
ALL = [*ANOMAN, ("anoman", Shape.MESSAGES), *ANYPATH]


@contextmanager
def a_gateway(pace: float, *, cache: bool = False) -> Iterator[str]:
    """A gateway with scripted models, on a thread of its own."""
    ready: list[GatewayServer] = []
    up = threading.Event()

    async def main() -> None:
        ready.append(GatewayServer(GatewayOptions(engine="scripted", cache=cache, pace=pace)))
        up.set()
        await ready[0].run_until_stopped()

    thread = threading.Thread(target=lambda: asyncio.run(main()), daemon=True)
    thread.start()
    assert up.wait(10)
    yield ready[0].url
    ready[0].should_exit = True
    thread.join(10)


async def prepare(request: Request) -> HttpRequest:
    """The request with a key that the gateway takes."""
    return http_request(request, Secret("local"))


def a_target(root: str, gateway: str, shape: Shape, model: str) -> Target:
    """A target of the embedded gateway."""
    return Target(replace(BUILT_IN[f"local_{gateway}"], local=False), shape, model, f"{root}/{gateway}", sends_key=True)


def run(network: Network, request: Request) -> PaneState:
    """Carry one request to its end."""
    recorder = Recorder()
    network.open(request, recorder)
    recorder.until(Closed)
    return recorder.state(request.target)


def stream(network: Network, target: Target, **params: int) -> PaneState:
    """Carry one stream to its end."""
    return run(network, Request(target, PROMPT, Params(**params)))  # type: ignore[arg-type] # counts only
