"""How late a typed letter is drawn while three panes stream: 200 letters against the embedded gateway's scripted models.

python benchmarks/typing_latency.py [MODEL]

Each letter is posted as a key, and its time is taken when the screen has been refreshed with it in the prompt. Prints the
median, the 95th and 99th percentile and the worst, in milliseconds, and how many letters arrived.
"""

import asyncio
import statistics
import string
import sys
from time import perf_counter

from textual.events import Key

from anoman_tui.compose import Composition
from anoman_tui.config import Settings
from anoman_tui.data import data_dir
from anoman_tui.ui.app import AnomanApp
from anoman_tui.ui.session import Session

LETTERS = 200
PROMPT = "Write a very long story, with a table and some code."


async def main(model: str) -> None:
    """Type, measure, print."""
    composition = Composition(Settings())
    panes = [f"local_anoman/chat/{model}", f"local_anypath/responses/{model}", f"local_anypath/messages/{model}"]
    targets = composition.targets(panes, None)
    composition.start_gateway(targets)
    session = Session(targets, composition.open_stream, theme_dirs=(data_dir("themes"),), prompt=PROMPT, send=True, warm=composition.warm)
    app = AnomanApp(session)
    late: list[float] = []
    try:
        async with app.run_test(size=(200, 60)) as pilot:
            while not all(state.text for state in app.compare.board.states) or len(app.compare.board.states) < len(targets):
                await pilot.pause(0.05)
            for number in range(LETTERS):
                drawn = asyncio.Event()
                letter, began = string.ascii_lowercase[number % 26], perf_counter()
                app.compare.editor.post_message(Key(letter, letter))
                app.compare.editor.call_after_refresh(drawn.set)
                await drawn.wait()
                late.append((perf_counter() - began) * 1000)
                await asyncio.sleep(0.02)
            arrived, streaming = len(app.compare.editor.text), len(app.compare.board.streaming)
    finally:
        composition.close()
    cuts = statistics.quantiles(late, n=100, method="inclusive")
    said = f"p50 {cuts[49]:.1f} ms, p95 {cuts[94]:.1f} ms, p99 {cuts[98]:.1f} ms, worst {max(late):.1f} ms"
    sys.stdout.write(f"{arrived} of {LETTERS} letters, {said}; {streaming} panes still streamed\n")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "scripted-long"))
