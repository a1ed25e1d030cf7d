"""How the screen starts, and the plain form of it: which panes, what is printed, what it ends with."""

import io
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from anoman_tui.compose import Composition
from anoman_tui.config import Settings
from anoman_tui.core.events import Closed, Ending, EndReported, FinishReported, HeadersSent, Stamped, TextDelta, Usage, UsageReported
from anoman_tui.core.ports import Handle, Sink
from anoman_tui.core.request import Params, Request
from anoman_tui.screen import LAST_PANES, Start, print_plain, setup_of
from anoman_tui.ui.memory import Memory
from tests.ui.fakes import FakeClock, FakeStream


def started(*panes: str, prompt: str = "", set_name: str | None = None) -> Start:
    """What a command line with these panes said."""
    return Start(panes, set_name, prompt, bool(prompt), None, Params())


def a_composition(**settings: Any) -> Composition:
    """A composition without keys in its environment."""
    return Composition(Settings(**settings), {})


def names(start: Start, memory: Memory, **settings: Any) -> tuple[list[str], Memory, tuple[str, ...]]:
    """The pane arguments that come out."""
    setup, left, notices = setup_of(a_composition(**settings), start, memory)
    return [spec.target.argument for spec in setup.panes], left, notices


def test_which_panes_are_shown() -> None:
    """The command line goes before the settings, and these before the last time; a default is not remembered."""
    last = Memory(panes=("ollama/chat/last",), prompt="half")
    given, left, _ = names(started("ollama/chat/given"), last, panes=["ollama/chat/config"])
    assert (given, left.panes, left.prompt) == (["ollama/chat/given"], ("ollama/chat/given",), "half")
    given, left, notices = names(started(), last)
    assert (given, left, notices) == (["ollama/chat/last"], last, (LAST_PANES,))
    assert names(started(), last, panes=["ollama/chat/config"])[0] == ["ollama/chat/config"]
    assert names(started(set_name="work"), last, sets={"work": ["ollama/chat/set"]})[1].panes == ("ollama/chat/set",)
    assert names(started(), Memory())[1].panes == ()


def test_panes_that_are_gone_are_forgotten() -> None:
    """A provider that is in no settings any more does not keep the screen shut."""
    given, left, notices = names(started(), Memory(panes=("gone/chat/model", "chat/m@nonsense")))
    assert (len(given), left.panes, notices) == (3, (), ())


@dataclass
class PlainComposition:
    """Answers every prompt at once; the second pane breaks off."""

    settings: Settings = field(default_factory=Settings)
    asked: list[str] = field(default_factory=list)
    closed: bool = False
    start_tape: None = None

    def setup(self, panes: Any, set_name: Any) -> Any:
        """The real reading of arguments."""
        return a_composition().setup(panes, set_name)

    def check_keys(self, targets: Any) -> None:
        """None is needed."""

    def start_gateway(self, targets: Any) -> None:
        """None is needed."""

    def open_stream(self, request: Request, sink: Sink) -> Handle:
        """Stream at once."""
        self.asked.append(request.prompt.text)
        clock = FakeClock()
        events = [
            HeadersSent(),
            TextDelta(f"**{request.target.model}** says\x1b[31m hi"),
            FinishReported("stop"),
            UsageReported(Usage(3, 5)),
        ]
        end = [Closed(Ending.CUT)] if request.target.model == "two" else [EndReported("[DONE]"), Closed(Ending.CLEAN)]
        sink.on_events([Stamped(clock(), event, 1) for event in (*events, *end)])
        return FakeStream(request, sink, clock)

    def close(self) -> None:
        """The end."""
        self.closed = True


@pytest.mark.parametrize(("prompt", "typed", "asked"), [("hello", "", ["hello"]), ("", "one\n\n two\n", ["one", " two"])])
def test_plain(prompt: str, typed: str, asked: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A header line and the text of each pane, then the numbers; nothing is drawn, and nothing foreign is obeyed."""
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    composition = PlainComposition()
    code = print_plain(cast(Composition, composition), started("chat/one@http://h", "chat/two@http://h", prompt=prompt))
    out = capsys.readouterr().out
    assert composition.asked == [one for one in asked for _ in range(2)]
    assert (code, composition.closed) == (1, True)
    assert out.count("1 chat/one: DONE\n**one** says␛[31m hi\n") == len(asked)
    assert out.count("2 chat/two: FAIL\n") == len(asked)
    assert out.count("the answer above is partial") == len(asked)
    assert out.count("TTFT ms") == len(asked)
    assert not set(out) & set("─│┌┐└┘━╴╶\x1b")
