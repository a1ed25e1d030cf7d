"""Turning the system's arrival times into times of the streams' clock."""

import socket
import sys

import pytest

from anoman_tui.transport.arrival import PLAUSIBLE_NS, SO_TIMESTAMPNS, TIMESPEC, Arrivals, Control, request_arrivals

WALL = 1_700_000_000_000_000_000
MS = 1_000_000


class Machine:
    """Two clocks that a test sets."""

    def __init__(self) -> None:
        self.now, self.wall = 0, WALL
        self.arrivals = Arrivals(lambda: self.now, lambda: self.wall)

    def read(self, now: int, waited: int) -> int:
        """When a read at `now` came in, if the system says that its bytes waited so long."""
        self.now, self.wall = now, WALL + now
        return self.arrivals.of(told(self.wall - waited))


def told(wall_ns: int) -> Control:
    """What the system hands over with a read."""
    return [(socket.SOL_SOCKET, SO_TIMESTAMPNS, TIMESPEC.pack(*divmod(wall_ns, 1_000_000_000)))]


def test_a_late_read_is_stamped_when_its_bytes_came() -> None:
    """Claim: what a read waited is taken off its time."""
    assert Machine().read(50 * MS, waited=20 * MS) == 30 * MS


@pytest.mark.parametrize("control", [[], [(socket.SOL_SOCKET, 1, b"x" * 16)], [(socket.SOL_SOCKET, SO_TIMESTAMPNS, b"short")]])
def test_without_the_systems_word_the_read_itself_counts(control: Control) -> None:
    """Claim: no control message, another one, and a cut one all leave the time of the read, and it is noted that one was not told."""
    machine = Machine()
    machine.read(1 * MS, waited=0)
    assert (machine.arrivals.end(), machine.arrivals.told) == (1 * MS, True)
    machine.now = 7 * MS
    assert machine.arrivals.of(control) == 7 * MS
    machine.read(8 * MS, waited=0)
    assert not machine.arrivals.told


@pytest.mark.parametrize("waited", [-2 * MS, -3_600_000 * MS, PLAUSIBLE_NS + 1, 3_600_000 * MS])
def test_a_wall_clock_that_was_set_moves_no_time(waited: int) -> None:
    """Claim: a time in the future, or one too long ago, is not believed."""
    machine = Machine()
    assert machine.read(50 * MS, waited) == 50 * MS
    assert not machine.arrivals.told


def test_a_wall_clock_that_is_corrected_is_believed() -> None:
    """Claim: a correction of some microseconds is no reason for doubt."""
    machine = Machine()
    assert machine.read(50 * MS, waited=-MS // 2) == 50 * MS
    assert machine.arrivals.told


def test_a_read_that_waited_may_hold_what_came_before() -> None:
    """Claim: the time of a read that waited is unsure by what it waited, or by what passed since the read before it, if that is less."""
    machine = Machine()
    machine.read(100 * MS, waited=0)
    assert machine.arrivals.unsure_ns == 0
    machine.read(130 * MS, waited=20 * MS)
    assert machine.arrivals.unsure_ns == 10 * MS
    machine.read(200 * MS, waited=30 * MS)
    assert machine.arrivals.unsure_ns == 30 * MS


def test_times_never_go_back() -> None:
    """Claim: no read came before the one before it, nor before its connection was made."""
    machine = Machine()
    assert machine.read(100 * MS, waited=0) == 100 * MS
    assert machine.read(101 * MS, waited=500 * MS) == 100 * MS
    assert Machine().read(5 * MS, waited=900 * MS) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells when a TCP segment came in")
def test_linux_tells() -> None:
    """Claim: a socket of this machine can be asked."""
    with socket.socket() as connection:
        assert request_arrivals(connection)


def test_a_system_that_does_not_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Claim: elsewhere nothing is asked, and a socket that refuses is no failure."""
    with socket.socket() as connection:
        monkeypatch.setattr(sys, "platform", "darwin")
        assert not request_arrivals(connection)
    monkeypatch.setattr(sys, "platform", "linux")
    assert not request_arrivals(connection)  # closed
