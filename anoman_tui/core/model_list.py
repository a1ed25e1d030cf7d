"""Where a provider lists its models, and what stands there."""

from collections.abc import Mapping
from typing import Any

from anoman_tui.core.jsonish import items, obj, word
from anoman_tui.core.ports import FetchJson
from anoman_tui.core.sanitize import clean_line
from anoman_tui.core.target import Shape, Target

MAX_NAME = 200
MAX_MODELS = 5_000


class NoModelsError(Exception):
    """There is no list; the message is one sentence without the provider's name."""


def models_path(target: Target) -> str:
    """The path of the list below the target's root."""
    return "/v1beta/models" if set(target.provider.shapes) == {Shape.GEMINI} else "/v1/models"


def model_names(document: Mapping[str, Any]) -> list[str]:
    """Model names out of a list in OpenAI's, Anthropic's or Google's form."""
    entries = items(document.get("data")) or items(document.get("models"))
    found = (word(obj(entry).get("id")) or word(obj(entry).get("name")) for entry in entries)
    return [clean_line(name.removeprefix("models/"), MAX_NAME) for name in found if name][:MAX_MODELS]


def read_models(target: Target, fetch: FetchJson) -> list[str]:
    """The models that a target's server lists, in its order. Raises NoModelsError."""
    try:
        status, document = fetch(target, models_path(target))
    except OSError as error:
        raise NoModelsError(clean_line(str(error), 300)) from None
    names = model_names(document)
    if status != 200 or not names:
        raise NoModelsError(f"no model list (HTTP {status})")
    return names
