"""Make `docs/screen.svg`: run the screen against the embedded gateway and let it draw itself.

python docs/picture.py ["PROMPT"]
"""

import asyncio
import sys
from pathlib import Path

from anoman_tui.compose import Composition
from anoman_tui.config import Settings
from anoman_tui.data import data_dir
from anoman_tui.ui.app import AnomanApp
from anoman_tui.ui.session import Session

PROMPT = "Explain in two short paragraphs why the sea has tides."
LIMIT_S = 120


async def main(prompt: str) -> None:
    """Send the prompt, wait for every pane to end, and save the screen."""
    composition = Composition(Settings())
    panes = composition.setup((), None).panes
    composition.start_gateway([spec.target for spec in panes])
    while "Real answers" not in composition.gateway_note():  # noqa: ASYNC110 - another process
        await asyncio.sleep(0.05)
    session = Session(
        panes, composition.open_stream, theme_dirs=(data_dir("themes"),), gateway_note=composition.gateway_note, prompt=prompt, send=True
    )
    app = AnomanApp(session)
    try:
        async with app.run_test(size=(132, 36)) as pilot:
            async with asyncio.timeout(LIMIT_S):
                while len(app.compare.board.states) < len(panes) or app.compare.board.streaming:
                    await pilot.pause(0.1)
            await pilot.pause(1.2)
            Path(__file__).with_name("screen.svg").write_text(app.export_screenshot(title="anoman-tui"), "utf-8")
    finally:
        composition.close()


if __name__ == "__main__":
    asyncio.run(main(" ".join(sys.argv[1:]) or PROMPT))
