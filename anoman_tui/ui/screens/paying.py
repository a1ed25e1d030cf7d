"""Money on the main screen: what a send may cost is said before it is sent."""

import asyncio
from collections.abc import Callable, Sequence

from anoman_tui.core.budget import Ask, Ok, Refuse
from anoman_tui.core.request import Request
from anoman_tui.ui.money import Purse
from anoman_tui.ui.screens.acting import ActingScreen
from anoman_tui.ui.session import Session


class PayingScreen(ActingScreen, layer=True):
    """Asks before money is spent."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.purse = Purse(self.board, session.price, session.ask_above, session.cap)
        self.stage.money = self.purse.cells

    def agree(self, requests: Sequence[Request], send: Callable[[], None]) -> None:
        """Send at once where nothing is paid, else once it is known what it may cost and that is agreed to."""
        if self.purse.needs_price(requests):
            self.run_worker(self._agree(requests, send), group="money", exclusive=True)
        else:
            send()

    async def _agree(self, requests: Sequence[Request], send: Callable[[], None]) -> None:
        expected = await asyncio.to_thread(self.purse.expect, requests)
        match self.purse.check(expected):
            case Ok():
                send()
            case Refuse(sentence):
                self.say(sentence, warning=True)
            case Ask(sentence):
                from anoman_tui.ui.screens import dialog

                question = dialog.Ask("Before money is spent", sentence, "sends")
                if await self.app.push_screen_wait(question):
                    send()
