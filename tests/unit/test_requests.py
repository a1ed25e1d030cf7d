"""Request bodies and headers of each shape."""

from dataclasses import replace
from typing import Any

import pytest

from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.request import Params, Prompt, Request, Secret
from anoman_tui.core.shapes import SHAPES, asks_stream, http_request
from anoman_tui.core.target import Auth, Shape, parse_pane

HISTORY = (("user", "Hi"), ("assistant", "Hello"))
FULL = Params(temperature=0.5, max_tokens=9, stop=("END",), effort="low")


def body(argument: str, prompt: Prompt, params: Params | None = None) -> dict[str, Any]:
    """The body for a pane argument."""
    target = parse_pane(argument, BUILT_IN)
    return SHAPES[target.shape].body(Request(target, prompt, params or Params()))


@pytest.mark.parametrize(
    ("argument", "plain"),
    [
        ("anoman/chat/m", {"model": "m", "messages": [{"role": "user", "content": "Go"}], "stream": True}),
        ("anoman/playground/m", {"model": "m", "messages": [{"role": "user", "content": "Go"}], "stream": True}),
        ("anypath/responses/m", {"model": "m", "stream": True, "input": "Go"}),
        ("anypath/messages/m", {"model": "m", "max_tokens": 4096, "messages": [{"role": "user", "content": "Go"}], "stream": True}),
        ("anypath/gemini/m", {"contents": [{"role": "user", "parts": [{"text": "Go"}]}]}),
    ],
)
def test_a_bare_prompt(argument: str, plain: dict[str, Any]) -> None:
    """Claim: without parameters the body holds the prompt, and nothing that the user did not choose."""
    assert body(argument, Prompt("Go")) == plain


@pytest.mark.parametrize(
    ("argument", "full"),
    [
        (
            "anypath/chat/m",
            {
                "model": "m",
                "messages": [
                    {"role": "system", "content": "Be brief"},
                    {"role": "user", "content": "Hi"},
                    {"role": "assistant", "content": "Hello"},
                    {"role": "user", "content": "Go"},
                ],
                "stream": True,
                "stream_options": {"include_usage": True},
                "temperature": 0.5,
                "max_tokens": 9,
                "stop": ["END"],
                "reasoning_effort": "low",
            },
        ),
        (
            "anypath/responses/m",
            {
                "model": "m",
                "stream": True,
                "input": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}, {"role": "user", "content": "Go"}],
                "instructions": "Be brief",
                "temperature": 0.5,
                "max_output_tokens": 9,
                "reasoning": {"effort": "low", "summary": "auto"},
            },
        ),
        (
            "anoman/messages/m",
            {
                "model": "m",
                "max_tokens": 9,
                "messages": [
                    {"role": "user", "content": "Hi"},
                    {"role": "assistant", "content": "Hello"},
                    {"role": "user", "content": "Go"},
                ],
                "stream": True,
                "system": "Be brief",
                "temperature": 0.5,
                "stop_sequences": ["END"],
                "output_config": {"effort": "low"},
            },
        ),
        (
            "google/gemini/m",
            {
                "contents": [
                    {"role": "user", "parts": [{"text": "Hi"}]},
                    {"role": "model", "parts": [{"text": "Hello"}]},
                    {"role": "user", "parts": [{"text": "Go"}]},
                ],
                "systemInstruction": {"parts": [{"text": "Be brief"}]},
                "generationConfig": {
                    "temperature": 0.5,
                    "maxOutputTokens": 9,
                    "stopSequences": ["END"],
                    "thinkingConfig": {"includeThoughts": True, "thinkingLevel": "LOW"},
                },
            },
        ),
    ],
)
def test_everything_that_can_be_asked(argument: str, full: dict[str, Any]) -> None:
    """Claim: system prompt, earlier turns and all parameters stand under each shape's own names."""
    assert body(argument, Prompt("Go", "Be brief", HISTORY), FULL) == full


@pytest.mark.parametrize(("name", "included"), [("anoman", False), ("anypath", True), ("openai", True), ("openrouter", True)])
def test_usage_is_asked_for_where_the_server_needs_it(name: str, included: bool) -> None:
    """Claim: AnyPath and the others are always asked for usage on chat; Anoman sends it unasked and is not."""
    fields = body(f"{name}/chat/m", Prompt("Go"))
    assert (fields.get("stream_options") == {"include_usage": True}) is included


def test_openai_has_its_own_name_for_the_limit() -> None:
    """Claim: OpenAI gets `max_completion_tokens`, since its newer models refuse the old name."""
    fields = body("openai/chat/m", Prompt("Go"), Params(max_tokens=5))
    assert fields["max_completion_tokens"] == 5
    assert "max_tokens" not in fields


def test_zero_is_a_value() -> None:
    """Claim: a temperature of 0 is sent, unlike one that was not set."""
    for argument in ("anypath/chat/m", "anypath/responses/m", "anypath/messages/m"):
        assert body(argument, Prompt("Go"), Params(temperature=0))["temperature"] == 0
    assert Params(temperature=0).as_dict() == {"temperature": 0}
    assert Params().as_dict() == {}
    assert FULL.as_dict() == {"temperature": 0.5, "max_tokens": 9, "stop": ["END"], "effort": "low"}


@pytest.mark.parametrize(
    ("argument", "auth"),
    [("anoman/messages/m", Auth.BEARER), ("anthropic/messages/m", Auth.X_API_KEY), ("google/gemini/m", Auth.X_GOOG_API_KEY)],
)
def test_the_key_stays_apart(argument: str, auth: Auth) -> None:
    """Claim: the request names how the key travels, holds it as a secret, and has no trace of it in headers or body."""
    request = http_request(Request(parse_pane(argument, BUILT_IN), Prompt("Go")), Secret("sk-1"))
    assert request.auth is auth
    assert request.key is not None
    assert request.key.reveal() == "sk-1"
    assert "sk-1" not in f"{request.headers}{request.body}{request.url}{request!r}"


def test_no_key_where_it_may_not_go() -> None:
    """Claim: a target on another host gets a request without key and without a way for it."""
    request = http_request(Request(parse_pane("anoman/chat/m@http://127.0.0.1:1", BUILT_IN), Prompt("Go")), Secret("sk-1"))
    assert (request.key, request.auth) == (None, None)


@pytest.mark.parametrize("shape", Shape)
def test_headers(shape: Shape) -> None:
    """Claim: every request sends JSON, takes an event stream, and Messages names its version."""
    request = http_request(Request(parse_pane(f"{shape}/m@http://h", BUILT_IN), Prompt("Go")), None)
    assert request.method == "POST"
    assert request.headers["content-type"] == "application/json"
    assert request.headers["accept"] == "text/event-stream"
    assert ("anthropic-version" in request.headers) is (shape is Shape.MESSAGES)


@pytest.mark.parametrize(
    "argument", ["anypath/chat/m", "anoman/playground/m", "anypath/responses/m", "anypath/messages/m", "anypath/gemini/a:b"]
)
def test_one_json_answer(argument: str) -> None:
    """Claim: without a stream the request is the same but for `stream: false`, the usage option, Gemini's method and what it takes."""
    streamed = Request(parse_pane(argument, BUILT_IN), Prompt("Go"), FULL)
    one, other = http_request(streamed, None), http_request(replace(streamed, stream=False), None)
    assert (asks_stream(one), asks_stream(other)) == (True, False)
    assert other.headers["accept"] == "application/json"
    if "gemini" in argument:
        assert other.url == "https://api.anypath.dev/v1beta/models/a%3Ab:generateContent"
        assert other.body == one.body
    else:
        assert other.url == one.url
        assert other.body == {**{name: value for name, value in one.body.items() if name != "stream_options"}, "stream": False}
