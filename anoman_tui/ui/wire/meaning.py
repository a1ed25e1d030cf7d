"""What a frame means, in a few words: by the events that its shape reads out of it, else by its name."""

from collections.abc import Iterable, Iterator
from typing import Final

from anoman_tui.core.events import (
    EndReported,
    ErrorReported,
    FinishReported,
    Frame,
    MetadataReported,
    Noted,
    NoteKind,
    ReasoningDelta,
    RefusalDelta,
    ServedJson,
    StreamEvent,
    TextDelta,
    TextDone,
    ToolDelta,
    Usage,
    UsageReported,
)
from anoman_tui.core.frames import WireFrame
from anoman_tui.core.jsonish import UnreadableError, items, loads, obj, plain, text_of
from anoman_tui.core.sanitize import clean, clean_line
from anoman_tui.core.shapes import SHAPES
from anoman_tui.core.target import Shape
from anoman_tui.ui.cells import Cell, Tone

MAX_READ: Final = 256 * 1024
"""Characters of a frame that are read for what they mean; a longer one shows how it begins."""
MAX_WORDS: Final = 240
"""Characters of one piece of text; no row is wider."""
DELTAS: Final = (TextDelta, ReasoningDelta, RefusalDelta, ToolDelta)


def meaning(frame: WireFrame, shape: Shape, *, named: bool = True) -> tuple[Cell, ...]:
    """The words for a frame. `named` puts its name before them, where they are more than pieces of the answer."""
    match frame.kind:
        case "comment":
            return (Cell("comment ", Tone.MUTED), Cell(_line(frame.data), Tone.MUTED))
        case "empty":
            said = " ".join(filter(None, [frame.event, frame.rest]))
            return (Cell("empty ", Tone.MUTED), Cell(_line(said), Tone.WARN if frame.rest[:1] in ("{", "[") else Tone.MUTED))
        case "body":
            return _body(frame, shape)
        case "open":
            return (Cell("no blank line ", Tone.WARN), *_data(frame, shape, named=named))
        case _:
            return _data(frame, shape, named=named)


def only_deltas(frame: WireFrame, shape: Shape) -> bool:
    """Whether a frame carries pieces of an answer and nothing else."""
    if frame.kind != "data" or len(frame.data) > MAX_READ:
        return False
    events = SHAPES[shape].decode(Frame(frame.event, frame.data))
    return any(isinstance(event, DELTAS) for event in events) and all(isinstance(event, DELTAS) or _silent(event) for event in events)


def _data(frame: WireFrame, shape: Shape, *, named: bool) -> tuple[Cell, ...]:
    if len(frame.data) > MAX_READ:
        return (Cell(f"{len(frame.data):,} characters ", Tone.WARN), Cell(_line(frame.data)))
    events = SHAPES[shape].decode(Frame(frame.event, frame.data))
    told = tuple(_words(events))
    if told and (not named or any(isinstance(event, DELTAS) for event in events)):
        return told
    name = _name(frame, tuple(events))
    return (*((Cell(f"{_line(name)} ", Tone.ACCENT),) if name else ()), *told) or (Cell(_line(frame.data) or "no data", Tone.MUTED),)


def _body(frame: WireFrame, shape: Shape) -> tuple[Cell, ...]:
    try:
        value = loads(frame.data) if len(frame.data) <= MAX_READ else None
    except UnreadableError:
        value = None
    if value is None:
        return (Cell("body ", Tone.ACCENT), Cell(_line(frame.data)))
    told: list[Cell] = []
    for event in SHAPES[shape].read_json(value):
        told += _quoted(_line(event.kind), event.text, Tone.TEXT) if isinstance(event, TextDone) else _words((event,))
    return (Cell("JSON ", Tone.ACCENT), *(told or (Cell(_line(frame.data)),)))


def _name(frame: WireFrame, events: tuple[StreamEvent, ...]) -> str:
    """The event's name, the type that the JSON gives itself, or the role that it begins with."""
    if any(isinstance(event, EndReported) and event.mark in (frame.data.strip(), frame.event) for event in events):
        return ""
    try:
        value = obj(loads(frame.data))
    except UnreadableError:
        return frame.event
    name = frame.event or text_of(value.get("type"))
    choices = items(value.get("choices"))
    role = text_of(obj(obj(choices[0]).get("delta")).get("role")) if choices else ""
    if name or role:
        return name or f"role {role}"
    return "" if any(not _silent(event) for event in events) else " ".join(map(str, list(value)[:8]))


def _silent(event: StreamEvent) -> bool:
    """Whether an event has no words of its own."""
    return not any(_words((event,)))


def _words(events: Iterable[StreamEvent]) -> Iterator[Cell]:
    """What the events say: errors before all else, repetitions last, since a column may be narrow."""
    for event in sorted(events, key=_place):
        match event:
            case ErrorReported(error):
                yield Cell(f"error {_line(error.code or error.type or '')} ".replace("  ", " "), Tone.BAD)
                yield Cell(f"{_line(error.message)} ")
            case TextDelta(text):
                yield from _quoted("delta", text, Tone.TEXT)
            case ReasoningDelta(text):
                yield from _quoted("thinks", text, Tone.ACCENT)
            case RefusalDelta(text):
                yield from _quoted("refusal", text, Tone.WARN)
            case ToolDelta():
                yield Cell("tool ", Tone.ACCENT)
                yield Cell(f"{_line(event.name or '')}{_line(event.arguments)} ")
            case TextDone():
                yield Cell(f"{_line(event.kind)} whole, {len(event.text):,} characters ", Tone.MUTED)
            case FinishReported(reason):
                yield Cell("finish ", Tone.GOOD)
                yield Cell(f"{_line(reason)} ")
            case UsageReported(usage):
                yield Cell("usage ", Tone.ACCENT)
                yield Cell(f"{_usage(usage)} ")
            case MetadataReported(fields):
                yield Cell("metadata ", Tone.ACCENT)
                yield Cell(f"{_line(', '.join(map(str, list(fields)[:12])))} ")
            case EndReported(mark):
                yield Cell(f"{_line(mark)} ", Tone.GOOD)
            case Noted(NoteKind.PING, _):
                yield Cell("ping ", Tone.MUTED)
            case Noted(_, text):
                yield Cell(f"{_line(text)} ", Tone.MUTED)
            case ServedJson():
                yield Cell("answer " if event.whole else "pieces ", Tone.MUTED)
            case _:
                pass


def _place(event: StreamEvent) -> int:
    """Where the words of an event stand among those of others."""
    return 0 if isinstance(event, ErrorReported) else 2 if isinstance(event, TextDone) else 1


def _usage(usage: Usage) -> str:
    """`7 in 12 out`, and what else is told."""
    told = (
        (usage.input_tokens, "in"),
        (usage.output_tokens, "out"),
        (usage.reasoning_tokens, "thought"),
        (usage.cached_tokens, "cached"),
    )
    cost = "" if usage.cost_usd is None else f" ${plain(usage.cost_usd)}"
    return (" ".join(f"{value} {word}" for value, word in told if value is not None) + cost).strip() or "without counts"


def _quoted(label: str, text: str, tone: Tone) -> Iterator[Cell]:
    shown = clean(text[:MAX_WORDS]).replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")
    yield Cell(f"{label} ", Tone.MUTED)
    yield Cell(f'"{shown}{"…" if len(text) > MAX_WORDS else ""}" ', tone)


def _line(text: str) -> str:
    return clean_line(text, MAX_WORDS)
