"""The screen fed from inside its process, so that nothing but drawing is counted.

python -m benchmarks.feeding FILE RATE TOKENS ARGUMENT…   runs the command; writes CPU in ms of 1,000 tokens of all panes to FILE
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
REST_S = 0.3
"""For what is drawn after the last token."""


class Feed:
    """Gives every pane its tokens at a steady rate, in batches of what is due every few milliseconds."""

    def __init__(self, rate: float, tokens: int) -> None:
        self._rate, self._tokens = rate, tokens
        self._opened = 0
        self.ended = 0
        self.began = 0.0
        """The processor's time when the first pane was asked."""

    def open_stream(self, request: Any, sink: Any) -> Any:  # noqa: ARG002  the protocol names it
        """Begin to feed one pane; it cannot be stopped."""
        self.began = self.began or time.process_time()
        letter = LETTERS[self._opened]
        self._opened += 1
        threading.Thread(target=self._feed, args=(letter, sink), daemon=True).start()
        return self

    def cancel(self) -> None:
        """It ends by itself."""

    def _feed(self, letter: str, sink: Any) -> None:
        texts = list(markdown(letter, self._tokens))
        _push(sink, 0, HeadersSent(), HeadersReceived(200, (("content-type", "text/event-stream"),)))
        start, done = time.perf_counter(), 0
        while done < len(texts):
            time.sleep(STEP_S)
            due = min(len(texts), int((time.perf_counter() - start) * self._rate))
            if due > done:
                _push(sink, due, *map(TextDelta, texts[done:due]))
                done = due
        _push(sink, self._tokens + 1, FinishReported("stop"), EndReported("[DONE]"), Closed(Ending.CLEAN))
        self.ended += 1


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
        while source.ended < len(app.compare.board.slots):  # noqa: ASYNC110  threads count it
            await asyncio.sleep(0.05)
        await asyncio.sleep(REST_S)
        spent = time.process_time() - source.began
        file.write_text(json.dumps(spent * 1e6 / (tokens * source.ended)), "utf-8")  # noqa: ASYNC240  the streams are over
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
