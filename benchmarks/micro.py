"""Single parts in a loop, in one process: the least of several rounds, since whatever else runs only adds to it."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence

from anoman_tui.core.events import Frame, Stamped
from anoman_tui.core.pane import PaneState, fold
from anoman_tui.core.sanitize import Sanitizer
from anoman_tui.core.shapes import SHAPES
from anoman_tui.core.target import Shape, parse_pane
from anoman_tui.transport.body import BodyReader
from anoman_tui.ui.document.document import AnswerDocument
from benchmarks.content import chat_frames, markdown

ROUNDS = 3
WIDTH = 64
PER_FRAME = 8
"""Tokens that one drawn frame takes: 300 tokens a second at forty frames."""


def micro(tokens: int) -> dict[str, float]:
    """Every micro benchmark by name, over a text of so many tokens."""
    texts = list(markdown("a", tokens))
    frames = [frame for _, frame in chat_frames(iter(texts), "m", tokens)]
    hostile = [f"{text}\x1b[31m\u202e" for text in texts]
    return {
        "tap_to_fold_us_per_event": _least(lambda: _tap_to_fold(frames)) / len(frames),
        "decode_us_per_frame": _least(lambda: _decode(frames)) / len(frames),
        "document_us_per_token": _least(lambda: _append(texts)) / tokens,
        "document_growth": _growth(texts),
        "sanitise_us_per_token": _least(lambda: _sanitise(texts)) / tokens,
        "sanitise_hostile_us_per_token": _least(lambda: _sanitise(hostile)) / tokens,
    }


def _least(work: Callable[[], object]) -> float:
    """The least CPU time in µs of several rounds."""

    def once() -> float:
        began = time.process_time_ns()
        work()
        return (time.process_time_ns() - began) / 1000

    return min(once() for _ in range(ROUNDS))


def _tap_to_fold(frames: Sequence[bytes]) -> PaneState:
    """Every frame in a read of its own, from the bytes to the state that is drawn."""
    batches: list[Sequence[Stamped]] = []

    async def reads() -> AsyncIterator[tuple[int, bytes]]:
        for at, frame in enumerate(frames):
            yield at, frame

    asyncio.run(BodyReader(Shape.CHAT, batches.append).run(reads()))
    state = PaneState(parse_pane("chat/m@http://127.0.0.1:9", {}))
    for at in range(0, len(batches), PER_FRAME):
        state = fold(state, [event for batch in batches[at : at + PER_FRAME] for event in batch])
    return state


def _decode(frames: Sequence[bytes]) -> int:
    decode = SHAPES[Shape.CHAT].decode
    return sum(len(decode(Frame("", frame[6:-2].decode()))) for frame in frames[:-1])


def _append(texts: Sequence[str]) -> AnswerDocument:
    """The text as a pane takes it, one drawn frame after the other, each with the lines at its end."""
    document = AnswerDocument(WIDTH)
    for part in _parts(texts):
        document.push_answer(part)
        document.take_dirty()
        document.lines(max(0, len(document) - 50), len(document))
    document.finish()
    return document


def _growth(texts: Sequence[str]) -> float:
    """What the last quarter of a text costs against its second quarter; 1 does not grow with length."""
    quarter = len(texts) // 4

    def once() -> float:
        document, times = AnswerDocument(WIDTH), []
        for number in range(4):
            began = time.process_time_ns()
            for part in _parts(texts[number * quarter : (number + 1) * quarter]):
                document.push_answer(part)
                document.take_dirty()
                document.lines(max(0, len(document) - 50), len(document))
            times.append(time.process_time_ns() - began)
        return times[3] / max(1, times[1])

    return min(once() for _ in range(ROUNDS))


def _parts(texts: Sequence[str]) -> Iterator[str]:
    return ("".join(texts[at : at + PER_FRAME]) for at in range(0, len(texts), PER_FRAME))


def _sanitise(texts: Sequence[str]) -> int:
    sanitizer = Sanitizer()
    return sum(len(sanitizer.feed(text)) for text in texts) + len(sanitizer.finish())
