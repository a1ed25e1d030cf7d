"""What was said before a recorded prompt."""

from typing import Any

import pytest

from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.request import HttpRequest, Params, Prompt
from anoman_tui.core.run import RunHead
from anoman_tui.core.target import parse_pane
from anoman_tui.recording.runfile import Fact, RecordedPane, RecordedRun, Sent

SAID = (("user", "one"), ("assistant", "first answer"), ("user", "and now?"))


def asked(body: dict[str, Any]) -> Prompt:
    """The prompt of a recorded pane that was sent this."""
    target = parse_pane("anoman/chat/m", BUILT_IN)
    head = RunHead("r" * 32, "2026-11-28T09:30:00.000Z", Prompt("and now?"), Params(), "parallel")
    sent = Sent(HttpRequest("POST", target.url, {}, body))
    return RecordedRun(head, (RecordedPane(1, target, (Fact(1, sent),)),)).requests[0].prompt


@pytest.mark.parametrize(
    "body",
    [
        {"messages": [{"role": "system", "content": "s"}, *({"role": r, "content": t} for r, t in SAID)]},
        {"input": [{"role": role, "content": [{"type": "input_text", "text": text}]} for role, text in SAID]},
        {"contents": [{"role": role.replace("assistant", "model"), "parts": [{"text": text}]} for role, text in SAID]},
    ],
)
def test_turns_of_one_pane_alone_are_in_its_request(body: dict[str, Any]) -> None:
    """Claim: where panes went on from their own answers, the turns come back from each pane's request, in whatever shape."""
    assert asked(body).turns == SAID


@pytest.mark.parametrize(
    "body", [{}, {"input": "x"}, {"messages": 7}, {"messages": [None, {"role": 3}, "x"]}, {"contents": [{"parts": 1}]}]
)
def test_a_request_without_turns_has_none(body: dict[str, Any]) -> None:
    """Claim: whatever a file holds in their place."""
    assert asked(body).history == ()
