"""What a stream says of itself that cannot be true, and what merely looks odd."""

from dataclasses import replace

import pytest

from anoman_tui.core.contract import findings
from anoman_tui.core.contract.contradictions import same_model
from anoman_tui.core.events import Requested, Stamped
from anoman_tui.core.pane import PaneState, fold
from anoman_tui.core.target import Shape
from tests.support import a_provider, a_target, events_of, play, sse


@pytest.mark.parametrize(
    ("asked", "served", "same"),
    [
        ("gpt-4o-mini", "gpt-4o-mini-2024-07-18", True),
        ("claude-sonnet-4-6", "anthropic/claude-sonnet-4-6", True),
        ("claude-sonnet-4-6", "us.anthropic.claude-sonnet-4-6-20260101-v1:0", True),
        ("gemini-2.5-flash", "models/gemini-2.5-flash-preview-05-20", True),
        ("gemini-flash-latest", "gemini-2.5-flash", True),
        ("gpt-4o", "gpt-4o-mini", False),
        ("gpt-4", "gpt-4o", False),
        ("claude-sonnet-4-6", "claude-haiku-4-5", False),
        ("gpt-4o-mini", "tiny-substitute-1", False),
    ],
)
def test_names_of_one_model(asked: str, served: str, same: bool) -> None:
    """Claim: dates, makers and versions make no other model; another size or family does."""
    assert same_model(asked, served) is same


def test_a_name_is_judged_only_where_names_are_the_providers_own() -> None:
    """Claim: on a server of one's own a served model may have any name."""
    body = sse('{"model":"other","choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}', "[DONE]")
    assert findings(play(Shape.CHAT, [body])) == ()
    target = replace(a_target(), provider=a_provider("openai"))
    (found,) = findings(fold(PaneState(target), events_of(Shape.CHAT, [body])))
    assert found.rule == "served-model"


@pytest.mark.parametrize(
    ("usage", "rules"),
    [
        ('{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7}', []),
        ('{"prompt_tokens":5,"completion_tokens":2,"total_tokens":9}', ["total-contradicted"]),
        ('{"prompt_tokens":5,"completion_tokens":2,"total_tokens":9,"completion_tokens_details":{"reasoning_tokens":2}}', []),
        ('{"prompt_tokens":5,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":6}}', ["cached-beyond-input"]),
        ('{"prompt_tokens":5,"completion_tokens":0}', ["usage-contradicted"]),
        ('{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}', []),
    ],
)
def test_counts(usage: str, rules: list[str]) -> None:
    """Claim: counts that cannot all be true are told; reasoning beside the total, and a server that does not count, are not."""
    body = sse('{"choices":[{"delta":{"content":"x"},"finish_reason":"stop"}],"usage":' + usage + "}", "[DONE]")
    assert [found.rule for found in findings(play(Shape.CHAT, [body]))] == rules


def test_the_limit_was_reached_though_the_reason_denies_it() -> None:
    """Claim: `stop` with as many tokens as the limit allowed is doubtful; `length` is not."""
    for reason, rules in (("stop", ["limit-reached"]), ("length", [])):
        chunk = (
            f'{{"choices":[{{"delta":{{"content":"x"}},"finish_reason":"{reason}"}}],"usage":{{"prompt_tokens":1,"completion_tokens":8}}}}'
        )
        events = [Stamped(0, Requested("http://h", 8)), *events_of(Shape.CHAT, [sse(chunk, "[DONE]")])]
        assert [found.rule for found in findings(fold(PaneState(a_target()), events))] == rules


def test_reasoning_is_left_out_of_the_limit() -> None:
    """Claim: tokens of reasoning, for which not every server's limit holds, make no contradiction."""
    for shown, details, rules in (
        ("", ',"completion_tokens_details":{"reasoning_tokens":5}', []),
        ("", "", ["limit-reached"]),
        ('"reasoning_content":"r",', "", []),
    ):
        chunk = (
            f'{{"choices":[{{"delta":{{{shown}"content":"x"}},"finish_reason":"stop"}}],'
            f'"usage":{{"prompt_tokens":1,"completion_tokens":8{details}}}}}'
        )
        events = [Stamped(0, Requested("http://h", 8)), *events_of(Shape.CHAT, [sse(chunk, "[DONE]")])]
        assert [found.rule for found in findings(fold(PaneState(a_target()), events))] == rules


def test_start_usage_against_end_usage() -> None:
    """Claim: input that shrinks between start and end is told; input that is only counted at the end is not."""

    def stream(start: int, end: int) -> list[str]:
        body = sse(
            f'{{"type":"message_start","message":{{"usage":{{"input_tokens":{start},"output_tokens":1}}}}}}',
            '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
            '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}',
            '{"type":"content_block_stop","index":0}',
            f'{{"type":"message_delta","delta":{{"stop_reason":"end_turn"}},"usage":{{"input_tokens":{end},"output_tokens":3}}}}',
            '{"type":"message_stop"}',
        )
        return [found.rule for found in findings(play(Shape.MESSAGES, [body]))]

    assert stream(25, 7) == ["usage-start-end"]
    assert stream(0, 25) == []
    assert stream(25, 25) == []
