"""The providers that are built in, as data. What a stop costs is said in each provider's own terms."""

from collections.abc import Mapping
from types import MappingProxyType

from anoman_tui.core.target import DEFAULT_PATHS, Auth, Policy, Provider, Shape

_CHAT, _RESPONSES, _MESSAGES, _GEMINI, _PLAYGROUND = (DEFAULT_PATHS[shape] for shape in Shape)

ANOMAN_STOP = "stopped: Anoman cancels the upstream call within about 50 ms and bills the tokens generated so far"
"""Anoman streaming page, stopping a stream early."""
ANYPATH_STOP = "stopped reading: AnyPath lets the provider finish and bills the whole generation; only our reading stopped"
"""AnyPath streaming page, how streaming settles."""

_ANOMAN_SHAPES = {Shape.CHAT: _CHAT, Shape.MESSAGES: "/anthropic/v1/messages", Shape.PLAYGROUND: _PLAYGROUND}
_ANYPATH_SHAPES = {Shape.RESPONSES: _RESPONSES, Shape.CHAT: _CHAT, Shape.MESSAGES: _MESSAGES, Shape.GEMINI: _GEMINI}
_OPENAI_SHAPES = {Shape.CHAT: _CHAT, Shape.RESPONSES: _RESPONSES}

_PROVIDERS = (
    Provider(
        name="anoman",
        label="Anoman",
        base_url="https://api.anoman.io",
        shapes=_ANOMAN_SHAPES,
        policy=Policy.ANOMAN,
        key_env=("ANOMAN_API_KEY",),
        base_url_env="ANOMAN_BASE_URL",
        include_usage=False,  # usage rides on the finish chunk unasked, and the page does not offer the option
        cancel_note=ANOMAN_STOP,
    ),
    Provider(
        name="anypath",
        label="AnyPath",
        base_url="https://api.anypath.dev",
        shapes=_ANYPATH_SHAPES,
        policy=Policy.ANYPATH,
        key_env=("ANYPATH_API_KEY",),
        base_url_env="ANYPATH_BASE_URL",
        cancel_note=ANYPATH_STOP,
        total_limit_s=600,
    ),
    Provider(
        name="openai",
        label="OpenAI",
        base_url="https://api.openai.com",
        shapes=_OPENAI_SHAPES,
        key_env=("OPENAI_API_KEY",),
        base_url_env="OPENAI_BASE_URL",
    ),
    Provider(
        name="anthropic",
        label="Anthropic",
        base_url="https://api.anthropic.com",
        shapes={Shape.MESSAGES: _MESSAGES},
        auth={Shape.MESSAGES: Auth.X_API_KEY},
        key_env=("ANTHROPIC_API_KEY",),
        base_url_env="ANTHROPIC_BASE_URL",
    ),
    Provider(
        name="google",
        label="Google",
        base_url="https://generativelanguage.googleapis.com",
        shapes={Shape.GEMINI: _GEMINI},
        auth={Shape.GEMINI: Auth.X_GOOG_API_KEY},
        key_env=("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    ),
    Provider(
        name="openrouter",
        label="OpenRouter",
        base_url="https://openrouter.ai/api",
        shapes={Shape.CHAT: _CHAT, Shape.RESPONSES: _RESPONSES, Shape.MESSAGES: _MESSAGES},
        policy=Policy.LENIENT,
        key_env=("OPENROUTER_API_KEY",),
        cancel_note="stopped: OpenRouter cancels where the upstream provider supports it, and otherwise bills the whole generation",
    ),
    Provider(
        name="ollama",
        label="Ollama",
        base_url="http://127.0.0.1:11434",
        shapes={Shape.CHAT: _CHAT, Shape.RESPONSES: _RESPONSES, Shape.MESSAGES: _MESSAGES},
        policy=Policy.LENIENT,
        base_url_env="OLLAMA_HOST",
        cancel_note="stopped: the model runs on this machine, so nothing is billed",
        needs_key=False,
    ),
    Provider(
        name="local_anoman",
        label="LOCAL Anoman",
        base_url="",
        shapes=_ANOMAN_SHAPES,
        policy=Policy.ANOMAN,
        include_usage=False,
        cancel_note=ANOMAN_STOP + " (here: the embedded gateway, no money)",
        local=True,
    ),
    Provider(
        name="local_anypath",
        label="LOCAL AnyPath",
        base_url="",
        shapes=_ANYPATH_SHAPES,
        policy=Policy.ANYPATH,
        cancel_note=ANYPATH_STOP + " (here: the embedded gateway, no money)",
        total_limit_s=600,
        local=True,
    ),
)

BUILT_IN: Mapping[str, Provider] = MappingProxyType({provider.name: provider for provider in _PROVIDERS})
"""The built-in providers by name."""
