"""Keeping track of where in a stream things stood, one batch at a time."""

from anoman_tui.core.events import (
    EndReported,
    ErrorReported,
    FinishReported,
    FrameFacts,
    MetadataReported,
    StreamEvent,
    Usage,
    UsageReported,
)
from anoman_tui.core.state import Trace

TRACED = frozenset({EndReported, ErrorReported, FinishReported, FrameFacts, MetadataReported, UsageReported})
"""The events that say where something stood; none of them comes with a plain delta."""
MAX_FACTS = 1_024
"""Frames that are kept; a stream with more of them is no longer judged by their order."""


class TraceDraft:
    """One batch's working copy of a Trace."""

    __slots__ = (*Trace.__slots__, "ended", "failed")

    facts: tuple[tuple[int, FrameFacts], ...]
    finish: int | None
    usage: int | None
    end: int | None
    metadata: int | None
    end_after_error: int | None
    content_after_finish: int
    first_usage: Usage | None

    def __init__(self, trace: Trace, *, ended: bool, failed: bool) -> None:
        for name in Trace.__slots__:
            setattr(self, name, getattr(trace, name))
        self.ended, self.failed = ended, failed

    def take(self, event: StreamEvent, frame: int | None) -> None:
        """Note where the event stands."""
        match event:
            case FrameFacts() if frame is not None and len(self.facts) < MAX_FACTS:
                self.facts = (*self.facts, (frame, event))
            case UsageReported(usage):
                self.usage = frame
                self.first_usage = self.first_usage or usage
            case FinishReported():
                self.finish = frame
            case EndReported():
                self.end = self.end if self.ended else frame
                self.ended = True
                if self.failed and self.end_after_error is None:
                    self.end_after_error = frame
            case MetadataReported():
                self.metadata = frame
            case ErrorReported():
                self.failed = self.failed or not self.ended  # one after the end no longer touches the answer
            case _:
                pass

    def freeze(self) -> Trace:
        """The new trace."""
        return Trace(*(getattr(self, name) for name in Trace.__slots__))
