"""How late the network's event loop runs: by that much its stamps may be wrong where the system tells no arrival times."""

from collections import deque
from typing import Final

HEARTBEAT_S: Final = 0.05
"""The loop asks to be woken this often while a stream is open, and notes how late that was."""
KEPT: Final = 12_000
"""Ten minutes of heartbeats."""
STOPPED_MS: Final = 200.0
"""One beat that is this late tells of a machine that stood still, however many others were in time."""


class Lateness:
    """The lateness of the last ten minutes' heartbeats. Times are nanoseconds of one clock."""

    def __init__(self) -> None:
        self._beats: deque[tuple[int, float]] = deque(maxlen=KEPT)
        self.due_ns: int | None = None
        """When the next beat should be; None while there are none."""

    def beat(self, now_ns: int) -> None:
        """A beat has come."""
        if self.due_ns is not None:
            self._beats.append((now_ns, (now_ns - self.due_ns) / 1e6))

    def since(self, start_ns: int, now_ns: int) -> float:
        """How late the loop was since a moment, in milliseconds: nineteen beats of twenty were no later, and none much later."""
        late = sorted(ms for t_ns, ms in self._beats if t_ns >= start_ns)
        if self.due_ns is not None and now_ns > self.due_ns:  # the beat that has not come yet
            late = sorted([*late, (now_ns - self.due_ns) / 1e6])
        if not late:
            return 0.0
        usual, longest = late[int(0.95 * (len(late) - 1))], late[-1]
        return round(longest if longest >= STOPPED_MS else usual, 3)
