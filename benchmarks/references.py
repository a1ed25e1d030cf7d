"""The programs that ours is held against: what the library alone can do, and what it does by itself.

python -m benchmarks.references statics                       a screen of three Statics and a line
python -m benchmarks.references markdown|null ROOT MODEL…     panes of Textual's Markdown widget, or of nothing at all
python -m benchmarks.references decode ROOT MODEL             httpx-sse and json alone; prints CPU µs per event
"""

import asyncio
import json
import sys
import time
from collections.abc import Sequence

import httpx
from httpx_sse import aconnect_sse

STATICS = """
from textual.app import App
from textual.containers import Horizontal
from textual.widgets import Static

class Statics(App):
    CSS = "Horizontal > * { width: 1fr; height: 1fr; border: round $primary; }"
    ENABLE_COMMAND_PALETTE = False

    def compose(self):
        with Horizontal():
            for _ in range(3):
                yield Static("pane\\n" * 58)
        yield Static("ready", markup=False)

Statics().run()
"""
"""As a program of its own, so that it imports nothing else."""


async def _texts(root: str, model: str) -> "asyncio.Queue[str | None]":
    """The texts of one chat stream, read by httpx-sse and json in a task; None at the end."""
    queue: asyncio.Queue[str | None] = asyncio.Queue()

    async def read() -> None:
        body = {"model": model, "stream": True, "messages": [{"role": "user", "content": "hi"}]}
        async with (
            httpx.AsyncClient(timeout=None) as client,
            aconnect_sse(client, "POST", f"{root}/v1/chat/completions", json=body) as source,
        ):
            async for event in source.aiter_sse():
                if event.data != "[DONE]" and (choices := json.loads(event.data)["choices"]):
                    queue.put_nowait(choices[0]["delta"].get("content") or "")
        queue.put_nowait(None)

    queue.reader = asyncio.create_task(read())  # type: ignore[attr-defined]  # kept, so that it is not collected
    return queue


def show(kind: str, root: str, models: Sequence[str]) -> None:
    """Panes of Markdown widgets or of nothing; the last mark of each stream is shown when it has come whole."""
    from textual.app import App, ComposeResult
    from textual.containers import Horizontal, VerticalScroll
    from textual.widgets import Input, Markdown, Static

    class Reference(App[None]):
        AUTO_FOCUS = "Input"
        CSS = "VerticalScroll { width: 1fr; height: 1fr; border: round $primary; }"

        def compose(self) -> ComposeResult:
            with Horizontal():
                for _ in models:
                    with VerticalScroll():
                        yield Markdown() if kind == "markdown" else Static("", markup=False)
            yield Input(placeholder="Send")

        async def on_input_submitted(self) -> None:
            for model, scroll in zip(models, self.query(VerticalScroll), strict=True):
                self.run_worker(self.follow(model, scroll))

        async def follow(self, model: str, scroll: VerticalScroll) -> None:
            queue, last = await _texts(root, model), ""
            if kind == "markdown":
                widget = scroll.query_one(Markdown)
                scroll.anchor()
                stream = Markdown.get_stream(widget)
                while (text := await queue.get()) is not None:
                    await stream.write(text)
                await stream.stop()
                return
            while (text := await queue.get()) is not None:
                last = text or last
            scroll.query_one(Static).update(last)

    Reference().run()


async def decode(root: str, model: str) -> float:
    """CPU in µs per event of reading one stream."""
    began, count = time.process_time(), 0
    queue = await _texts(root, model)
    await queue.get()
    began = time.process_time()
    while await queue.get() is not None:
        count += 1
    return (time.process_time() - began) * 1e6 / max(1, count)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["statics"]:
            exec(STATICS)
        case ["decode", root, model]:
            sys.stdout.write(f"{asyncio.run(decode(root, model))}\n")
        case [("markdown" | "null") as kind, root, *models]:
            show(kind, root, models)
        case _:
            sys.exit(__doc__)
