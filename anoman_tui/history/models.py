"""The models that providers list, kept for the session and, on disk, for a day."""

import hashlib
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from anoman_tui.core.jsonish import dumps, items, loads, obj
from anoman_tui.core.model_list import MAX_MODELS, MAX_NAME, read_models
from anoman_tui.core.ports import FetchJson
from anoman_tui.core.sanitize import clean_line
from anoman_tui.core.target import Target
from anoman_tui.files import read_bounded, write_private

KEPT_S: Final = 24 * 3600.0
MAX_BYTES: Final = 4 * 1024 * 1024
SCHEMA: Final = "anoman-tui/models"


class ModelLists:
    """The ListModels of the front ends. Call it on a thread that may wait for the network."""

    def __init__(self, fetch: FetchJson, folder: Path, wall: Callable[[], float] = time.time) -> None:
        self._fetch, self._folder, self._wall = fetch, folder, wall
        self._known: dict[tuple[str, str], tuple[str, ...]] = {}

    def __call__(self, target: Target) -> tuple[str, ...]:
        """The models at a target's provider and root, sorted. Raises NoModelsError."""
        key = (target.provider.name, target.base_url)
        if key not in self._known:
            self._known[key] = (None if target.provider.local else self._read(key)) or self._fetched(target, key)
        return self._known[key]

    def _fetched(self, target: Target, key: tuple[str, str]) -> tuple[str, ...]:
        names = tuple(sorted(set(read_models(target, self._fetch)), key=str.casefold))
        if not target.provider.local:
            document = {"schema": SCHEMA, "provider": key[0], "root": key[1], "at": round(self._wall()), "models": list(names)}
            with suppress(OSError):  # a list that is not kept is fetched again
                write_private(self._file(key), (dumps(document) + "\n").encode("utf-8", "replace"))
        return names

    def _read(self, key: tuple[str, str]) -> tuple[str, ...]:
        """The list on disk; empty where there is none, or one that is too old or is none of ours."""
        try:
            document = obj(loads(read_bounded(self._file(key), MAX_BYTES).decode("utf-8")))
        except (OSError, ValueError):
            return ()
        at = document.get("at")
        fresh = isinstance(at, int) and 0 <= self._wall() - at < KEPT_S
        if not fresh or document.get("schema") != SCHEMA or (document.get("provider"), document.get("root")) != key:
            return ()
        names = (name for name in items(document.get("models")) if isinstance(name, str))
        return tuple(clean_line(name, MAX_NAME) for name in names)[:MAX_MODELS]

    def _file(self, key: tuple[str, str]) -> Path:
        return self._folder / f"{hashlib.sha256(repr(key).encode()).hexdigest()[:24]}.json"
