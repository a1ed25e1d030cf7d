"""Facts of frames for the rules of a contract."""

from anoman_tui.core.records import dataclass


@dataclass(frozen=True, slots=True)
class FrameFacts:
    """What the rules of a contract need of a frame beyond its events. Told of frames that are no plain deltas only."""

    kind: str
    """The wire's own type of event, or one of the marks of `core.contract.witness`."""
    index: int | None = None
    """The block or output item that the frame belongs to."""
    part: int | None = None
    sequence: int | None = None
    marks: str = ""
    """Words for what the frame carries, such as `usage`."""
