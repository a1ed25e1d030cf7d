"""Reading the frames of an answer that differ from one before them in nothing but their text.

Most servers send every piece of an answer in the same JSON, but for the text. Where the text stands is learned from one
frame; another one that is the same before and after it needs no JSON parser, since nothing else can be different in it.
"""

import json
from collections.abc import Callable, Iterator
from json.decoder import scanstring  # type: ignore[attr-defined] # it is there, but no stub says so

from anoman_tui.core.events import Frame, ReasoningDelta, StreamEvent, TextDelta

Decode = Callable[[Frame], tuple[StreamEvent, ...]]
Piece = type[TextDelta] | type[ReasoningDelta]
TRIES = 16
"""Frames of one body from which it is tried to learn: where each has a number of its own, nothing is gained."""
LONGEST = 4_096
"""Characters of a frame from which it is tried to learn."""
PLACES = 8
"""Texts in one frame that are tried."""
PROBES = ("[DONE]", '"\\\n\x00é\ud800{error}')
"""Texts that stand for all others: whatever they are, they must be read as they are."""


class Repeats:
    """The decoder of one body: gives what the decoder of its shape gives."""

    __slots__ = ("_decode", "_event", "_head", "_piece", "_tail", "_tries")

    def __init__(self, decode: Decode) -> None:
        self._decode = decode
        self._tries = TRIES
        self._event = ""
        self._head = self._tail = ""
        self._piece: Piece = TextDelta

    def __call__(self, frame: Frame) -> tuple[StreamEvent, ...]:
        """The events of one frame."""
        data, head, tail = frame.data, self._head, self._tail
        if head and data.startswith(head) and data.endswith(tail) and frame.event == self._event:
            try:
                text, end = scanstring(data, len(head), True)
            except ValueError:
                return self._decode(frame)
            if text and end == len(data) - len(tail):
                return (self._piece(text),)
        events = self._decode(frame)
        if self._tries and len(data) <= LONGEST and len(events) == 1 and isinstance(events[0], TextDelta | ReasoningDelta):
            self._tries -= 1
            self._learn(frame, events[0])
        return events

    def _learn(self, frame: Frame, event: TextDelta | ReasoningDelta) -> None:
        """Note what stands before and after the text, if there is one place where any text would be read in the same way."""
        for start, end in _places(frame.data, event.text):
            head, tail = frame.data[:start], frame.data[end:]
            if all(self._decode(Frame(frame.event, f"{head}{json.dumps(probe)[1:]}{tail}")) == (type(event)(probe),) for probe in PROBES):
                self._head, self._tail, self._event, self._piece = head, tail, frame.event, type(event)
                return


def _places(data: str, text: str) -> Iterator[tuple[int, int]]:
    """Where a JSON string that is this text stands: from its first letter to behind its closing quote."""
    at, tried = 0, 0
    while tried < PLACES and (at := data.find('"', at) + 1):
        try:
            found, end = scanstring(data, at, True)
        except ValueError:
            return
        if found == text:
            tried += 1
            yield at, end
        at = end
