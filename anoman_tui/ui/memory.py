"""What the screen remembers from one sitting to the next, in one small file of the user's own. It holds no key."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, field
from pathlib import Path
from typing import Any

from anoman_tui.core.chunks import mend_surrogates
from anoman_tui.core.records import dataclass
from anoman_tui.files import write_private

FILE = "screen.json"
PaneFields = str | Mapping[str, Any]
MAX_BYTES = 4 * 1024 * 1024
MAX_HISTORY = 200
MAX_PROMPT = 20_000
"""Characters of a prompt that is remembered; a longer one is too much to come back to."""


@dataclass(frozen=True, slots=True)
class Memory:
    """The last sitting."""

    panes: tuple[PaneFields, ...] = ()
    """Panes as they are saved, or bare pane arguments, where the user chose them."""
    params: Mapping[str, Any] = field(default_factory=dict)
    """The parameters for all panes."""
    system: str | None = None
    """The system prompt for all panes."""
    prompt: str = ""
    """What stood in the editor."""
    history: tuple[str, ...] = ()
    """Prompts sent, the newest last."""
    layout: str | None = None
    """`lanes` or `columns`, where the user chose."""
    race: bool | None = None
    """Whether the race lane is shown, where the user chose."""
    serial: bool = False
    theme: str | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    """The last values of variables in prompts, by their names."""


def load(folder: Path) -> Memory:
    """What was remembered; as much of it as can be read."""
    path = folder / FILE
    try:
        if path.stat().st_size > MAX_BYTES:
            return Memory()
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return Memory()
    return _memory(data if isinstance(data, dict) else {})


def _memory(data: dict[str, Any]) -> Memory:
    prompt, layout, race, serial, theme = (data.get(name) for name in ("prompt", "layout", "race", "serial", "theme"))
    params, system = data.get("params"), data.get("system")
    return Memory(
        panes=_panes(data.get("panes")),
        params=params if isinstance(params, dict) else {},
        system=system[:MAX_PROMPT] if isinstance(system, str) else None,
        prompt=prompt[:MAX_PROMPT] if isinstance(prompt, str) else "",
        history=_texts(data.get("history"))[-MAX_HISTORY:],
        values=_values(data.get("values")),
        layout=layout if layout in ("lanes", "columns") else None,
        race=race if isinstance(race, bool) else None,
        serial=serial is True,
        theme=theme if isinstance(theme, str) else None,
    )


def _panes(value: Any) -> tuple[PaneFields, ...]:
    return tuple(one for one in value if isinstance(one, str | dict))[:6] if isinstance(value, list) else ()


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _values(value: Any) -> dict[str, str]:
    pairs = value.items() if isinstance(value, dict) else ()
    return {name: text for name, text in pairs if isinstance(text, str) and len(text) <= MAX_PROMPT}


def save(folder: Path, memory: Memory) -> None:
    """Remember it. A disk that is full or a folder that is not ours loses the memory, and nothing else."""
    fields = asdict(memory)
    fields["history"] = [one for one in memory.history[-MAX_HISTORY:] if len(one) <= MAX_PROMPT]
    fields["values"] = dict(list(_values(fields["values"]).items())[-MAX_HISTORY:])
    fields["prompt"] = memory.prompt if len(memory.prompt) <= MAX_PROMPT else ""
    with suppress(OSError):
        write_private(folder / FILE, mend_surrogates(json.dumps(fields, ensure_ascii=False, indent=1)).encode())
