"""Apps over a scripted network, and the ways to bring them into a known state."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from anoman_tui.core.events import ErrorInfo, FailureKind
from anoman_tui.core.panes import read_spec
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.ui.app import AnomanApp
from anoman_tui.ui.session import Session
from tests.ui.fakes import FakeNetwork

THEMES = Path(__file__).parents[2] / "themes"
THREE = (
    "local_anoman/chat/SmolLM2-135M-Instruct",
    "local_anypath/responses/SmolLM2-135M-Instruct",
    "local_anoman/messages/SmolLM2-135M-Instruct",
)
SIX = (*THREE, "anypath/gemini/gemini-2.5-flash", "chat/qwen3@http://127.0.0.1:8080/v1", "openrouter/anthropic/claude-haiku-4.5")

ANSWER = """A race condition is a bug where the result depends on **timing**.

## How to see it

1. Run the same step many times.
2. Add a small random wait before each write.

```python
async def bump() -> None:
    value = counter
    await sleep(0)  # another task runs here
```

The fix is to make the read and the write one step, for example with a `Lock`.
"""

HALF = len(ANSWER) // 2

METADATA: dict[str, Any] = {
    "guardrails": {
        "prompt_injection": {"status": "pass", "score": Decimal("0.02")},
        "pii": {"status": "pass", "score": Decimal("0.01")},
        "moderation": {"status": "pass", "score": Decimal("0.00")},
    },
    "routing": {"mode": "auto", "region": "eu-west-1"},
    "cache": {"hit": False},
    "cost_usd": Decimal("0.000041"),
    "weighted_tokens": 44,
}

UPSTREAM_ERROR = ErrorInfo(
    FailureKind.STREAM,
    "The upstream provider closed the connection.",
    type="provider_error",
    code="upstream_closed",
    partial_value=412,
    partial_unit="chars",
    retry_after_s=2,
    request_id="req_91ab",
)


def make_app(network: FakeNetwork, panes: Sequence[str | Mapping[str, Any]] = THREE, **fields: Any) -> AnomanApp:
    """An app with these panes; `fields` go to its session."""
    specs = tuple(read_spec(one, BUILT_IN) for one in panes)
    settings: dict[str, Any] = {"clock": network.clock, "theme_dirs": (THEMES,), **fields}
    app = AnomanApp(Session(specs, network, **settings))
    app.animation_level = "none"
    return app


async def ask(pilot: Pilot[None], text: str = "Explain race conditions") -> None:
    """Type a prompt and send it."""
    app = the_app(pilot)
    app.compare.editor.cursor_blink = False
    app.compare.editor.text = text
    app.compare.editor.focus()
    await pilot.press("enter")
    await pilot.pause()


def the_app(pilot: Pilot[None]) -> AnomanApp:
    """The app under test."""
    assert isinstance(pilot.app, AnomanApp)
    return pilot.app


def answer_of(pilot: Pilot[None], number: int) -> str:
    """All text a pane holds, as it is laid out."""
    document = the_app(pilot).compare.stage.panes[number - 1].answer.document
    return "\n".join("".join(text for text, _ in document.line(y)) for y in range(len(document)))


def frame(pilot: Pilot[None]) -> list[str]:
    """The rows of the screen as they go to the terminal."""
    return [strip.text for strip in pilot.app.screen._compositor.render_strips()]


async def draw(pilot: Pilot[None]) -> None:
    """Take what has arrived and draw it all."""
    stage = the_app(pilot).compare.stage
    stage.frame()
    stage.draw_lines()
    await pilot.pause()


async def stream(pilot: Pilot[None], network: FakeNetwork) -> None:
    """Send a prompt and let every pane stream half its answer; the second one still reasons."""
    await ask(pilot)
    for one in network.streams:
        one.open(x_request_id="req_8f2c1b77")
    network.clock.pass_ms(412)
    network.streams[1].reason("The user wants a short explanation with an example.")
    network.clock.pass_ms(300)
    for one in (network.streams[0], *network.streams[2:]):
        one.text(ANSWER[:12])
    for at in range(12, HALF, 12):
        network.clock.pass_ms(20)
        for one in (network.streams[0], *network.streams[2:]):
            one.text(ANSWER[at : min(at + 12, HALF)])
    network.clock.pass_ms(60)
    await draw(pilot)


async def end_mixed(pilot: Pilot[None], network: FakeNetwork) -> None:
    """Let the first pane complete, the second fail in the middle, and stop the third."""
    first, second, third = network.streams[:3]
    for at in range(HALF, len(ANSWER), 12):
        network.clock.pass_ms(20)
        first.text(ANSWER[at : at + 12])
        if at < HALF + 90:
            second.text(ANSWER[at - HALF : min(at - HALF + 12, 90)])
    network.clock.pass_ms(40)
    first.finish(96, METADATA)
    second.fail(UPSTREAM_ERROR)
    third.cancel()
    await draw(pilot)


async def race(pilot: Pilot[None], network: FakeNetwork) -> None:
    """Two and a half seconds: the first pane completes, the second reasons and has a gap, the third fails."""
    await ask(pilot)
    for one in network.streams:
        one.open()
    first, second, third = network.streams[:3]
    network.clock.pass_ms(200)
    for ms in range(0, 2_400, 20):
        network.clock.pass_ms(20)
        if 100 < ms < 2_000:
            first.text("word ")
        if 300 < ms < 700:
            second.reason("hm ")
        if ms >= 700 and not 1_000 < ms < 1_500:
            second.text("word ")
        if 60 < ms < 900:
            third.text("word ")
        if ms == 900:
            third.fail(UPSTREAM_ERROR)
        if ms == 2_000:
            first.finish(96)
    await draw(pilot)
