"""The screen fed from inside its process, by a timer of its own loop, so that nothing but drawing is counted.

python -m benchmarks.feeding FILE RATE TOKENS ARGUMENT…   runs the command and writes JSON to FILE: CPU in µs of a token of all
panes (`cpu_us`), and how late the timer was each time, in ms (`lag_ms`)
"""

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

from anoman_tui.core.events import Closed, Ending, EndReported, FinishReported, HeadersReceived, HeadersSent, Stamped, TextDelta
from benchmarks.content import markdown

LETTERS = "abcdef"
STEP_S = 0.005
REST_S = 0.8
"""Before the first token, for what a first answer loads."""
END_S = 0.15
"""After the last token, for what is drawn of it."""


class Feed:
    """Gives every pane its tokens at a steady rate, in batches of what is due every few milliseconds."""

    def __init__(self, rate: float, tokens: int) -> None:
        self._rate, self._tokens = rate, tokens
        self.sinks: list[Any] = []
        self.lag_ms: list[float] = []

    def open_stream(self, request: Any, sink: Any) -> Any:  # noqa: ARG002  the protocol names it
        """Take one pane; its stream cannot be stopped."""
        self.sinks.append(sink)
        return self

    def cancel(self) -> None:
        """It ends by itself."""

    async def run(self) -> float:
        """Feed all panes to their ends; returns the CPU time in seconds that it took."""
        texts = [list(markdown(letter, self._tokens)) for letter in LETTERS[: len(self.sinks)]]
        for sink in self.sinks:
            _push(sink, 0, HeadersSent(), HeadersReceived(200, (("content-type", "text/event-stream"),)))
        await asyncio.sleep(REST_S)
        start, began, done = time.perf_counter(), time.process_time(), 0
        while done < self._tokens:
            wake = time.perf_counter() + STEP_S
            await asyncio.sleep(STEP_S)
            self.lag_ms.append((time.perf_counter() - wake) * 1000)
            due = min(self._tokens, int((time.perf_counter() - start) * self._rate))
            for sink, own in zip(self.sinks, texts, strict=True):
                _push(sink, due, *map(TextDelta, own[done:due]))
            done = due
        for sink in self.sinks:
            _push(sink, self._tokens + 1, FinishReported("stop"), EndReported("[DONE]"), Closed(Ending.CLEAN))
        await asyncio.sleep(END_S)
        return time.process_time() - began


def _push(sink: Any, frame: int, *events: Any) -> None:
    now = time.perf_counter_ns()
    sink.on_events([Stamped(now, event, frame) for event in events])


def feed(file: Path, rate: float, tokens: int, arguments: list[str]) -> None:
    """Run the command on such streams."""
    from anoman_tui.__main__ import main
    from anoman_tui.compose import Composition
    from anoman_tui.ui.app import AnomanApp

    source = Feed(rate, tokens)
    Composition.open_stream = lambda _, request, sink: source.open_stream(request, sink)  # type: ignore[method-assign,assignment]
    original = AnomanApp.on_mount

    async def watch(app: Any) -> None:
        while not source.sinks or len(source.sinks) < len(app.compare.board.slots):  # noqa: ASYNC110  the screen opens them
            await asyncio.sleep(STEP_S)
        spent = await source.run()
        found = {"cpu_us": spent * 1e6 / (tokens * len(source.sinks)), "lag_ms": source.lag_ms}
        file.write_text(json.dumps(found), "utf-8")  # noqa: ASYNC240  the streams are over
        app.leave(0)

    def on_mount(self: AnomanApp) -> None:
        original(self)
        self._watching = asyncio.create_task(watch(self))  # type: ignore[attr-defined]

    AnomanApp.on_mount = on_mount  # type: ignore[method-assign]
    sys.argv = ["anoman-tui", *arguments]
    main()


if __name__ == "__main__":
    match sys.argv[1:]:
        case [file, rate, tokens, *arguments]:
            feed(Path(file), float(rate), int(tokens), arguments)
        case _:
            sys.exit(__doc__)
