"""Findings: what a stream did that its page does not allow."""

import pytest

from anoman_tui.core.contract import findings
from anoman_tui.core.events import Ending, NoteKind
from anoman_tui.core.target import Policy, Shape
from tests.support import play, sse

TEXT = '{"choices":[{"delta":{"content":"x"}}]}'
STOP = '{"choices":[{"delta":{},"finish_reason":"stop"}]}'
USED = '{"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}'
ROLE = '{"choices":[{"delta":{"role":"assistant","content":""}}]}'
META = '{"_anoman":{"guardrails":{},"routing":{"mode":"realtime"},"cache":{"hit":false},"cost_usd":"0","weighted_tokens":1}}'

FAILED = '{"error":{"type":"provider_error","code":"upstream_error","message":"broke","_anoman":{"failure_class":"upstream_error"}}}'


def rules(
    *frames: str, policy: Policy = Policy.STRICT, ending: Ending = Ending.CLEAN, tail: bytes = b"", label: str = "text/event-stream"
) -> list[str]:
    """The rules that a chat stream of these frames departs from."""
    state = play(Shape.CHAT, [sse(*frames) + tail], policy=policy, ending=ending, headers=(("content-type", label),))
    return [finding.rule for finding in findings(state)]


@pytest.mark.parametrize(
    ("frames", "policy", "wanted"),
    [
        ((ROLE, TEXT, USED, META, "[DONE]"), Policy.ANOMAN, []),
        ((ROLE, TEXT, STOP, META, "[DONE]"), Policy.ANOMAN, ["anoman-usage"]),
        ((ROLE, TEXT, USED, "[DONE]"), Policy.ANOMAN, ["anoman-metadata"]),
        ((ROLE, TEXT, "[DONE]"), Policy.ANOMAN, ["finish-reason-missing", "anoman-usage", "anoman-metadata"]),
        ((TEXT, STOP, "[DONE]"), Policy.STRICT, []),
        ((TEXT, STOP), Policy.LENIENT, ["terminal-missing"]),
        ((TEXT, "[DONE]"), Policy.LENIENT, ["finish-reason-missing"]),
        ((TEXT, "5", STOP, "[DONE]"), Policy.STRICT, ["no-object"]),
        ((TEXT, STOP, "[DONE]", TEXT), Policy.STRICT, ["after-the-end"]),
        ((TEXT,), Policy.STRICT, ["truncated"]),
    ],
)
def test_departures(frames: tuple[str, ...], policy: Policy, wanted: list[str]) -> None:
    """Claim: each departure from a page is found under its rule, and a stream as documented has none."""
    assert rules(*frames, policy=policy) == wanted


def test_the_way_of_the_body() -> None:
    """Claim: a wrong label, a missing blank line and a break after the end are found."""
    assert rules(TEXT, STOP, "[DONE]", label="text/plain") == ["content-type"]
    assert rules(TEXT, STOP, "[DONE]", ending=Ending.CUT) == ["cut-after-the-end"]
    assert rules(TEXT, STOP, tail=b"data: [DONE]\n") == ["blank-line-missing"]
    assert rules(TEXT, STOP, "[DONE]", tail=b"Internal Server Error\n") == ["stray-lines"]


def test_findings_say_where() -> None:
    """Claim: a finding names the frame that shows it, and is a warning in one sentence."""
    found, *_ = findings(play(Shape.MESSAGES, [sse('{"type":"message_start"}', '{"type":"surprise"}', '{"type":"message_stop"}')]))
    assert (found.rule, found.severity, found.frame) == ("messages-stop-reason", "warning", 3)
    assert "stop_reason" in found.message


def test_an_event_of_an_unknown_kind_is_no_fault() -> None:
    """Claim: protocols may add events, so one that is not known breaks no rule; it is noted."""
    state = play(Shape.MESSAGES, [sse('{"type":"message_start"}', '{"type":"surprise"}')])
    assert [note.kind for note in state.notes] == [NoteKind.UNKNOWN]
    assert [found.rule for found in findings(state)] == ["truncated"]


@pytest.mark.parametrize(
    ("shape", "policy", "frames", "wanted"),
    [
        (Shape.CHAT, Policy.ANOMAN, (ROLE, TEXT, FAILED, "[DONE]"), []),
        (Shape.CHAT, Policy.ANOMAN, (ROLE, TEXT, FAILED, META, "[DONE]"), []),
        (Shape.CHAT, Policy.ANOMAN, (ROLE, TEXT, FAILED, STOP, "[DONE]"), ["finish-after-error"]),
        (Shape.CHAT, Policy.STRICT, (TEXT, FAILED, "[DONE]"), []),
        (Shape.CHAT, Policy.ANYPATH, (TEXT, FAILED), ["anypath-error-frame"]),
        (Shape.MESSAGES, Policy.STRICT, (FAILED, '{"type":"message_stop"}'), ["done-after-error"]),
        (Shape.RESPONSES, Policy.STRICT, (FAILED, "[DONE]"), []),
        (Shape.RESPONSES, Policy.STRICT, (FAILED, '{"type":"response.completed","response":{}}'), ["done-after-error"]),
    ],
)
def test_what_may_follow_an_error(shape: Shape, policy: Policy, frames: tuple[str, ...], wanted: list[str]) -> None:
    """Claim: Anoman's documented error frame and its [DONE] break no rule, nor does [DONE] where no page forbids it."""
    found = [finding.rule for finding in findings(play(shape, [sse(*frames)], policy=policy))]
    assert [rule for rule in found if not rule.endswith(("request-id", "-first", "stop-reason", "-usage"))] == wanted


def test_a_json_answer_has_no_findings_of_a_stream() -> None:
    """Claim: a JSON answer owes neither usage nor an end mark."""
    state = play(
        Shape.CHAT,
        [b'{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}'],
        policy=Policy.ANOMAN,
        headers=(("content-type", "application/json"),),
    )
    assert findings(state) == ()
