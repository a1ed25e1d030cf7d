"""The pane argument, URL joining, and the rule of which host a key may go to."""

from dataclasses import replace

import pytest

from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.target import (
    DEFAULT_PATHS,
    Auth,
    PaneArgumentError,
    Policy,
    Provider,
    Shape,
    Target,
    check_base_url,
    join_url,
    parse_pane,
    root_of,
    same_host,
)

LOCAL = "http://127.0.0.1:8080"


@pytest.mark.parametrize(
    ("argument", "provider", "shape", "model", "base"),
    [
        ("anoman/chat/claude-sonnet-4-6", "anoman", Shape.CHAT, "claude-sonnet-4-6", "https://api.anoman.io"),
        ("anoman/messages/m", "anoman", Shape.MESSAGES, "m", "https://api.anoman.io"),
        ("anoman/playground/m", "anoman", Shape.PLAYGROUND, "m", "https://api.anoman.io"),
        ("anypath/responses/gpt-4o-mini", "anypath", Shape.RESPONSES, "gpt-4o-mini", "https://api.anypath.dev"),
        ("anypath/m", "anypath", Shape.RESPONSES, "m", "https://api.anypath.dev"),
        ("anoman/m", "anoman", Shape.CHAT, "m", "https://api.anoman.io"),
        ("openrouter/anthropic/claude-haiku-4.5", "openrouter", Shape.CHAT, "anthropic/claude-haiku-4.5", "https://openrouter.ai/api"),
        ("openrouter/messages/anthropic/claude", "openrouter", Shape.MESSAGES, "anthropic/claude", "https://openrouter.ai/api"),
        (f"chat/qwen3@{LOCAL}/v1", "", Shape.CHAT, "qwen3", LOCAL),
        (f"qwen3@{LOCAL}", "", Shape.CHAT, "qwen3", LOCAL),
        (f"gemini/g@{LOCAL}/v1beta/", "", Shape.GEMINI, "g", LOCAL),
        (f"org/qwen3@{LOCAL}/v1/", "", Shape.CHAT, "org/qwen3", LOCAL),
        (f"chat/m@latest@{LOCAL}", "", Shape.CHAT, "m@latest", LOCAL),
        (f"chat/m@http://a@{LOCAL}", "", Shape.CHAT, "m@http://a", LOCAL),
        ("openai/chat/ft:gpt@v2", "openai", Shape.CHAT, "ft:gpt@v2", "https://api.openai.com"),
        ("  anoman/chat/m  ", "anoman", Shape.CHAT, "m", "https://api.anoman.io"),
        (f"anoman/chat/m@{LOCAL}", "anoman", Shape.CHAT, "m", LOCAL),
        ("local_anoman/chat/m", "local_anoman", Shape.CHAT, "m", ""),
        (f"chat/chat@{LOCAL}", "", Shape.CHAT, "chat", LOCAL),
        (f"anoman@{LOCAL}", "", Shape.CHAT, "anoman", LOCAL),
        ("chat/m@https://h.example/deep/path/v1", "", Shape.CHAT, "m", "https://h.example/deep/path"),
    ],
)
def test_a_pane_argument_names_a_target(argument: str, provider: str, shape: Shape, model: str, base: str) -> None:
    """Claim: each form of the pane argument gives its provider, shape, model and root."""
    target = parse_pane(argument, BUILT_IN)
    assert (target.provider.name, target.shape, target.model, target.base_url) == (provider, shape, model, base)


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("", "no model is named"),
        ("anoman/", "no model is named"),
        ("anoman/chat/", "no model is named"),
        (f"@{LOCAL}", "no model is named"),
        ("gpt-4o", "neither a provider nor @BASE_URL"),
        ("chat/gpt-4o", "neither a provider nor @BASE_URL"),
        ("nobody/chat/m", "neither a provider nor @BASE_URL"),
        ("anoman/gemini/m", "anoman does not offer the shape gemini"),
        ("anthropic/chat/m", "anthropic does not offer the shape chat"),
        ("chat/m@http://", "no http:// or https:// address"),
        ("chat/m@http://h:99999", "no number from 1 to 65535"),
        ("chat/m@http://h:x", "no number from 1 to 65535"),
        ("chat/m@http://[::1", "no http:// or https:// address"),
        ("chat/m@http://user:pw@h", "user name or password"),
        ("chat/m@http://h/v1?key=1", "query or fragment"),
        ("chat/m@http://h/v1#x", "query or fragment"),
        ("chat/m@http://h/a b", "blank or control"),
        ("chat/m@http://h/\x01", "blank or control"),
    ],
)
def test_a_bad_pane_argument_gets_one_sentence(argument: str, words: str) -> None:
    """Claim: each mistake gives a sentence that says what, where and how to mend it, and never a second line."""
    with pytest.raises(PaneArgumentError) as raised:
        parse_pane(argument, BUILT_IN)
    message = str(raised.value)
    assert words in message
    assert message.startswith("pane ")
    assert "\n" not in message


@pytest.mark.parametrize(
    "base",
    ["http://user:hunter2@h", "http://user:hunter2@h:99999", "https://hunter2@h", "http://h/?key=hunter2", "http://h/?a\nkey=hunter2"],
)
def test_a_secret_in_a_base_url_is_not_repeated(base: str) -> None:
    """Claim: the sentence on a base URL with a password or a query does not show them."""
    with pytest.raises(PaneArgumentError) as raised:
        parse_pane(f"chat/m@{base}", BUILT_IN)
    assert "hunter2" not in str(raised.value)
    with pytest.raises(PaneArgumentError) as raised:
        check_base_url(base, "$X")
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize(
    "base", ["http://h", "http://h/", "http://h/v1", "http://h/v1/", "http://h//", "http://h/v1beta", "http://h/v1beta/"]
)
@pytest.mark.parametrize("path", [*DEFAULT_PATHS.values(), "/anthropic/v1/messages"])
def test_joining_never_doubles_the_version(base: str, path: str) -> None:
    """Claim: a root and a path join to one URL with one version in it, whatever the root ends in."""
    assert join_url(base, path) == f"http://h{path}"
    assert root_of(root_of(base)) == "http://h"


def test_each_shape_has_its_path_at_each_gateway() -> None:
    """Claim: the request URLs are those of the gateways' pages and of each shape's own SDK."""
    urls = {
        "anoman/chat/m": "https://api.anoman.io/v1/chat/completions",
        "anoman/messages/m": "https://api.anoman.io/anthropic/v1/messages",
        "anoman/playground/m": "https://api.anoman.io/anoman/v1/playground/run",
        "anypath/responses/m": "https://api.anypath.dev/v1/responses",
        "anypath/chat/m": "https://api.anypath.dev/v1/chat/completions",
        "anypath/messages/m": "https://api.anypath.dev/v1/messages",
        "anypath/gemini/m": "https://api.anypath.dev/v1beta/models/m:streamGenerateContent?alt=sse",
        "google/gemini/a b/c?d#e": "https://generativelanguage.googleapis.com/v1beta/models/a%20b%2Fc%3Fd%23e:streamGenerateContent?alt=sse",
    }
    for argument, url in urls.items():
        assert parse_pane(argument, BUILT_IN).url == url


@pytest.mark.parametrize(
    ("argument", "sends"),
    [
        ("anoman/chat/m", True),
        ("anoman/chat/m@https://api.anoman.io/v1", True),
        ("anoman/chat/m@https://API.anoman.io:443", True),
        ("anoman/chat/m@http://api.anoman.io", False),
        ("anoman/chat/m@https://api.anoman.io:8443", False),
        ("anoman/chat/m@https://api.anoman.io.evil.example", False),
        ("anoman/chat/m@https://evil.example/api.anoman.io", False),
        ("anoman/chat/m@http://127.0.0.1:8080", False),
        ("chat/m@https://api.anoman.io", False),
        ("local_anoman/chat/m@https://api.anoman.io", False),
        ("ollama/chat/m", False),
    ],
)
def test_a_key_goes_to_its_own_host_only(argument: str, sends: bool) -> None:
    """Claim: a provider's key goes to the provider's own scheme, host and port, and nowhere else."""
    assert parse_pane(argument, BUILT_IN).sends_key is sends


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://h", "https://h:443/x", True),
        ("http://h", "http://H:80", True),
        ("http://h", "https://h", False),
        ("http://h", "http://h:81", False),
    ],
)
def test_same_host(one: str, other: str, same: bool) -> None:
    """Claim: two URLs are of one host when scheme, host and port agree, defaults filled in."""
    assert same_host(one, other) is same


def test_a_moved_provider_keeps_its_policy() -> None:
    """Claim: a base URL of another host changes where the request goes and not what completes it."""
    assert parse_pane(f"anypath/chat/m@{LOCAL}", BUILT_IN).policy is Policy.ANYPATH
    assert parse_pane(f"chat/m@{LOCAL}", BUILT_IN).policy is Policy.STRICT


@pytest.mark.parametrize(
    "argument", ["anoman/chat/m", f"anoman/chat/m@{LOCAL}", f"chat/m@{LOCAL}", "openrouter/chat/a/b", f"chat/x@y@{LOCAL}"]
)
def test_an_argument_comes_back(argument: str) -> None:
    """Claim: the argument that a target gives names the same target."""
    target = parse_pane(argument, BUILT_IN)
    assert parse_pane(target.argument, BUILT_IN) == target


def test_the_providers_are_whole() -> None:
    """Claim: every built-in provider has a name of its own, a root where it is not local, shapes with paths, and says what a stop costs."""
    for name, provider in BUILT_IN.items():
        assert provider.name == name
        assert bool(provider.base_url) is not provider.local
        assert provider.shapes
        assert all(path.startswith("/") for path in provider.shapes.values())
        assert provider.cancel_note.startswith("stopped")
        assert root_of(provider.base_url) == provider.base_url
    assert BUILT_IN["anypath"].total_limit_s == 600
    assert BUILT_IN["anypath"].cancel_note != BUILT_IN["anoman"].cancel_note
    assert BUILT_IN["anthropic"].auth_for(Shape.MESSAGES) is Auth.X_API_KEY
    assert BUILT_IN["anoman"].auth_for(Shape.MESSAGES) is Auth.BEARER


def test_a_target_moves_and_stays_itself() -> None:
    """Claim: a target at another root has that root's URL and is otherwise the same."""
    target = parse_pane("local_anoman/chat/m", BUILT_IN)
    assert target.url == "/v1/chat/completions"
    assert replace(target.at(LOCAL), base_url="") == target
    assert target.at(LOCAL).url == f"{LOCAL}/v1/chat/completions"


def test_a_path_without_the_model_in_it_is_left_alone() -> None:
    """Claim: a model name with odd letters reaches the path only where the shape has it there."""
    provider = Provider("p", "P", "http://h", {Shape.CHAT: "/x/y"})
    assert Target(provider, Shape.CHAT, "a/{model}?", "http://h").url == "http://h/x/y"
