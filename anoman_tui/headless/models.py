"""`anoman-tui models`: what the providers offer, one pane argument a line."""

from collections.abc import Mapping, Sequence
from typing import Any, TextIO

from anoman_tui.core.jsonish import items, obj, word
from anoman_tui.core.ports import FetchJson
from anoman_tui.core.sanitize import clean_line
from anoman_tui.core.target import Shape, Target


def print_models(targets: Sequence[Target], fetch: FetchJson, out: TextIO, err: TextIO) -> int:
    """Print every model of every target's provider. Returns 0 when all answered, 1 when some did not, 3 when none did."""
    answered = 0
    for target in targets:
        path = "/v1beta/models" if set(target.provider.shapes) == {Shape.GEMINI} else "/v1/models"
        try:
            status, document = fetch(target, path)
        except OSError as error:
            err.write(f"{target.provider.name}: {clean_line(str(error), 300)}\n")
            continue
        names = model_names(document)
        if status != 200 or not names:
            err.write(f"{target.provider.name}: no model list (HTTP {status})\n")
            continue
        answered += 1
        out.writelines(f"{target.provider.name}/{target.shape}/{clean_line(name, 200)}\n" for name in names)
    return 0 if answered == len(targets) else 1 if answered else 3


def model_names(document: Mapping[str, Any]) -> list[str]:
    """Model names out of a list in OpenAI's, Anthropic's or Google's form."""
    entries = items(document.get("data")) or items(document.get("models"))
    found = (word(obj(entry).get("id")) or word(obj(entry).get("name")) for entry in entries)
    return [name.removeprefix("models/") for name in found if name]
