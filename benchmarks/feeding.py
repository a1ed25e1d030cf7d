"""The screen fed from inside its process, so that nothing but drawing is counted.

python -m benchmarks.feeding cpu FILE RATE TOKENS ARGUMENT…   runs the command; writes CPU in µs of a token of all panes to FILE
python -m benchmarks.feeding lag FILE RATE TOKENS ARGUMENT…   writes how late a timer of the screen's loop was, in ms, as a list
"""

import asyncio
import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

from anoman_tui.core.events import Closed, Ending, EndReported, FinishReported, HeadersReceived, HeadersSent, Stamped, TextDelta
from benchmarks.content import markdown

LETTERS = "abcdef"
STEP_S = 0.005
BEAT_S = 0.005
REST_S = 0.3
"""For what is drawn after the last token."""


class Feed:
    """Gives every pane its tokens at a steady rate, in batches of what is due every few milliseconds, on one thread for all."""

    def __init__(self, rate: float, tokens: int) -> None:
        self._rate, self._tokens = rate, tokens
        self._panes: list[_Pane] = []
        self.began = 0.0
        """The processor's time when the first pane was asked."""

    @property
    def ended(self) -> int:
        """Panes that have had all their tokens."""
        return sum(pane.ended for pane in self._panes)

    def open_stream(self, request: Any, sink: Any) -> Any:  # noqa: ARG002  the protocol names it
        """Begin to feed one pane; it cannot be stopped."""
        self._panes.append(_Pane(sink, list(markdown(LETTERS[len(self._panes)], self._tokens))))
        if not self.began:
            self.began = time.process_time()
            threading.Thread(target=self._feed, daemon=True).start()
        return self

    def cancel(self) -> None:
        """It ends by itself."""

    def _feed(self) -> None:
        while not all(pane.ended for pane in self._panes):
            time.sleep(STEP_S)
            for pane in list(self._panes):
                pane.feed(self._rate)


class _Pane:
    """What one pane is fed."""

    def __init__(self, sink: Any, texts: list[str]) -> None:
        self._sink, self._texts = sink, texts
        self._done, self._start = 0, 0.0
        self.ended = False

    def feed(self, rate: float) -> None:
        """Give it what is due."""
        if self.ended:
            return
        if not self._start:
            self._start = time.perf_counter()
            _push(self._sink, 0, HeadersSent(), HeadersReceived(200, (("content-type", "text/event-stream"),)))
        due = min(len(self._texts), int((time.perf_counter() - self._start) * rate))
        if due > self._done:
            _push(self._sink, due, *map(TextDelta, self._texts[self._done : due]))
            self._done = due
        if due == len(self._texts):
            _push(self._sink, due + 1, FinishReported("stop"), EndReported("[DONE]"), Closed(Ending.CLEAN))
            self.ended = True


def _push(sink: Any, frame: int, *events: Any) -> None:
    now = time.perf_counter_ns()
    sink.on_events([Stamped(now, event, frame) for event in events])


def feed(kind: str, file: Path, rate: float, tokens: int, arguments: list[str]) -> None:
    """Run the command on such streams."""
    from anoman_tui.__main__ import main
    from anoman_tui.compose import Composition
    from anoman_tui.ui.app import AnomanApp

    source = Feed(rate, tokens)
    Composition.open_stream = lambda _, request, sink: source.open_stream(request, sink)  # type: ignore[method-assign,assignment]
    original = AnomanApp.on_mount

    async def watch(app: Any) -> None:
        late: list[float] = []
        while source.ended < len(app.compare.board.slots):
            due = time.perf_counter() + (BEAT_S if kind == "lag" else 10 * BEAT_S)
            await asyncio.sleep(due - time.perf_counter())
            if source.began:
                late.append((time.perf_counter() - due) * 1000)
        await asyncio.sleep(REST_S)
        spent = time.process_time() - source.began
        found = late if kind == "lag" else spent * 1e6 / (tokens * source.ended)
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
        case ["cpu" | "lag" as kind, file, rate, tokens, *arguments]:
            feed(kind, Path(file), float(rate), int(tokens), arguments)
        case _:
            sys.exit(__doc__)
