"""The first line of a run file: what was known of the run and its panes before their first streams."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from anoman_tui.core.jsonish import Json, decimal_of, items, obj, text_of
from anoman_tui.core.request import Params, Prompt
from anoman_tui.core.run import RunHead
from anoman_tui.core.sanitize import clean_line
from anoman_tui.core.target import DEFAULT_PATHS, Policy, Provider, Shape, Target
from anoman_tui.recording.runfile import Fact

MAX_PANES = 1_000
MAX_NS = 2**63


@dataclass(slots=True)
class GatheredPane:
    """A pane while its facts are gathered."""

    target: Target
    characters_per_token: float | None
    earlier_request_ids: tuple[str, ...]
    params: Params | None
    system: str | None
    facts: list[Fact] = field(default_factory=list)


def read_head(header: Mapping[str, Json]) -> RunHead:
    """The head of the run. Raises ValueError for a field that is missing."""
    history = pairs(header.get("history"))
    system = header.get("system")
    prompt = Prompt(need_text(header, "prompt"), system if isinstance(system, str) else None, history)
    return RunHead(
        need_text(header, "run_id"), need_text(header, "started_at"), prompt, _params(obj(header.get("params"))), need_text(header, "mode")
    )


def pairs(value: Json) -> tuple[tuple[str, str], ...]:
    """Pairs of texts out of a list of lists."""
    return tuple((text_of(pair[0]), text_of(pair[1])) for pair in items(value) if isinstance(pair, list) and len(pair) == 2)


def need_text(fields: Mapping[str, Json], name: str) -> str:
    """A field that must be a text. Raises ValueError."""
    value = fields.get(name)
    if not isinstance(value, str):
        raise ValueError(f"{name} is missing or no text")
    return value


def _params(fields: Mapping[str, Json]) -> Params:
    temperature, max_tokens, effort = fields.get("temperature"), fields.get("max_tokens"), fields.get("effort")
    return Params(
        number_of(temperature),
        max_tokens if is_count(max_tokens) else None,
        tuple(text for text in items(fields.get("stop")) if isinstance(text, str)),
        effort if isinstance(effort, str) else None,
    )


def number_of(value: Json) -> float | None:
    """A number; None where it is none."""
    number = decimal_of(value) if isinstance(value, int | float | Decimal) else None
    return None if number is None else float(number)


def read_panes(header: Mapping[str, Json]) -> dict[int, GatheredPane]:
    """The panes by their numbers. Raises ValueError."""
    listed = items(header.get("panes"))
    if not 0 < len(listed) <= MAX_PANES:
        raise ValueError("it names no panes, or too many")
    made: dict[int, GatheredPane] = {}
    for entry in listed:
        fields = obj(entry)
        number, ratio = fields.get("pane"), number_of(fields.get("characters_per_token"))
        if not isinstance(number, int) or isinstance(number, bool) or number in made:
            raise ValueError("a pane has no number of its own")
        ids = tuple(name for name in items(fields.get("earlier_request_ids")) if isinstance(name, str))
        params, system = fields.get("params"), fields.get("system")
        made[number] = GatheredPane(
            _target(fields),
            ratio if ratio and ratio > 0 else None,
            ids,
            _params(params) if isinstance(params, dict) else None,
            system if isinstance(system, str) else None,
        )
    return made


def _target(fields: Mapping[str, Json]) -> Target:
    try:
        shape, policy = Shape(need_text(fields, "shape")), Policy(need_text(fields, "policy"))
    except ValueError as wrong:
        raise ValueError(f"{wrong} in a pane") from None
    name = clean_line(text_of(fields.get("provider")), 100)
    provider = Provider(
        name=name,
        label=clean_line(text_of(fields.get("label")), 100) or name,
        base_url=clean_line(text_of(fields.get("root")), 2_000),
        shapes={shape: clean_line(text_of(fields.get("path")), 2_000) or DEFAULT_PATHS[shape]},
        policy=policy,
        key_env=tuple(clean_line(text_of(variable), 100) for variable in items(fields.get("key_env"))[:10]),
        cancel_note=clean_line(text_of(fields.get("cancel_note")), 500),
        local=fields.get("local") is True,
        needs_key=False,
    )
    return Target(provider, shape, clean_line(need_text(fields, "model"), 1_000), clean_line(text_of(fields.get("base_url")), 2_000))


def is_count(value: Json) -> bool:
    """Whether a value is a count, or a time in nanoseconds."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MAX_NS
