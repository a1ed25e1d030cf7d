"""Ways out: the terminal is given back and nothing is told that should not be."""

import asyncio
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from anoman_tui.core.pane import PaneState
from anoman_tui.ui import app as app_module
from anoman_tui.ui.app import AnomanApp, run
from tests.ui.fakes import FakeNetwork
from tests.ui.scenes import make_app, stream

ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys
from tests.ui.fakes import FakeNetwork
from tests.ui.scenes import make_app
app = make_app(FakeNetwork())
app.run()
print("left with", app.return_code)
sys.exit(app.return_code or 0)
"""


def read_until(terminal: int, wanted: bytes, seconds: float = 20) -> bytes:
    """What the program writes, until `wanted` is among it or the terminal closes."""
    got = b""
    end = time.monotonic() + seconds
    while wanted not in got and time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], 0.2)
        try:
            got += os.read(terminal, 65536) if ready else b""
        except OSError:
            break
    return got


@pytest.mark.skipif(sys.platform == "win32", reason="no POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_gives_the_terminal_back(number: signal.Signals) -> None:
    """Exit code 128 + n; the alternate screen, the mouse and the keyboard protocol are left."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
    )
    os.close(slave)
    try:
        assert b"anoman-tui" in read_until(master, b"anoman-tui")
        child.send_signal(number)
        last = read_until(master, b"left with")
        assert child.wait(10) == 128 + number
        assert b"\x1b[?1049l" in last
        assert b"\x1b[?1000l" in last
        assert b"\x1b[<u" in last
        assert b"\x1b[?25h" in last
    finally:
        child.kill()
        child.wait()
        os.close(master)


async def test_a_crash_shows_no_values(capsys: pytest.CaptureFixture[str]) -> None:
    """The traceback names lines only: values may hold a prompt or a key."""
    app = make_app(FakeNetwork())

    def fail() -> None:
        secret = "sk-very" + "-secret"
        raise RuntimeError(f"broken with {len(secret)}")

    async def crash() -> None:
        async with app.run_test(size=(120, 40)) as pilot:
            app.call_later(fail)
            await pilot.pause()
            await pilot.pause()

    with pytest.raises(RuntimeError, match="broken"):
        await crash()
    out, err = capsys.readouterr()
    assert "sk-very-secret" not in out + err
    assert app.return_code == 1


def test_run_tells_the_last_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the panes reached is handed on after the screen has closed."""
    network = FakeNetwork()
    told: list[tuple[PaneState, ...]] = []

    class Headless(AnomanApp):
        """The app without a terminal: it asks, streams and leaves."""

        def run(self, **_: object) -> None:
            """Run in the test harness."""

            async def go() -> None:
                async with self.run_test(size=(120, 40)) as pilot:
                    await stream(pilot, network)
                    await pilot.press("ctrl+q")

            asyncio.run(go())

    monkeypatch.setattr(app_module, "AnomanApp", Headless)
    session = make_app(network, on_exit=told.append).session
    assert run(session) == 0
    assert [len(states) for states in told] == [3]


def test_one_to_six_panes() -> None:
    """More or none are refused before a screen is made."""
    with pytest.raises(ValueError, match="one to 6"):
        make_app(FakeNetwork(), ())
    with pytest.raises(ValueError, match="one to 6"):
        make_app(FakeNetwork(), ["anoman/chat/m"] * 7)


async def test_send_at_once() -> None:
    """`send` asks without a key."""
    network = FakeNetwork()
    app = make_app(network, prompt="at once", send=True, system="be brief", notices=("hello [/]",))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.pause()
        assert [one.request.prompt.text for one in network.streams] == ["at once"] * 3
        assert network.streams[0].request.prompt.system == "be brief"
        assert any("hello [/]" in str(one.message) for one in app._notifications)
