"""Taking out: the clipboard, files, and what is in them."""

import json
import shlex
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest
from textual.pilot import Pilot

from anoman_tui.core.curl import curl
from anoman_tui.core.outcome import phase
from anoman_tui.core.panes import PaneSpec
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.request import HttpRequest, Prompt, Request, Secret
from anoman_tui.core.shapes import http_request
from anoman_tui.core.target import parse_pane
from anoman_tui.files import write_private
from anoman_tui.keys import FoundKey
from anoman_tui.ui.mailbox import MAX_KEPT, Mailbox
from anoman_tui.ui.run import Board
from anoman_tui.ui.screens.menu import CopyMenu
from anoman_tui.ui.session import Session
from anoman_tui.ui.sharing.clipboard import takes_copies
from anoman_tui.ui.sharing.exports import Export, Source, export
from tests.ui.fakes import FakeNetwork, wait_until
from tests.ui.scenes import THREE, ask, draw, end_mixed, frame, make_app, stream, the_app

KEY = "sk-not-to-be-seen"


def clock() -> datetime:
    """The date of all tests."""
    return datetime(2026, 11, 29, 17, 8, 44, 123_000, UTC)


@pytest.fixture(autouse=True)
def _terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that takes copies."""
    for name in ("TMUX", "STY", "TERM_PROGRAM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


def notices(pilot: Pilot[None]) -> list[str]:
    """What was shown as notices."""
    return [str(one.message) for one in the_app(pilot)._notifications]


@pytest.mark.parametrize(
    ("pane", "wanted"),
    [
        ("anoman/chat/gpt-4o-mini", "Authorization: Bearer $ANOMAN_API_KEY"),
        ("anthropic/messages/claude", "x-api-key: $ANTHROPIC_API_KEY"),
        ("google/gemini/gemini-2.5-flash", "x-goog-api-key: $GOOGLE_API_KEY"),
    ],
)
def test_curl_has_no_key_and_survives_the_shell(pane: str, wanted: str) -> None:
    """Each provider's own header, with its variable; the prompt is quoted."""
    target = parse_pane(pane, BUILT_IN)
    request = http_request(Request(target, Prompt('it\'s `here`; $(rm) "x"\n')), FoundKey(Secret(KEY), "test").key)
    command = curl(request, target)
    assert KEY not in command
    assert wanted in command
    words = shlex.split(command)
    assert words[:4] == ["curl", "-sN", "-X", "POST"]
    assert words[4] == request.url
    assert json.loads(words[-1]) == request.body


def test_curl_hides_what_may_be_a_secret() -> None:
    """A header of the user's own, and a query."""
    request = HttpRequest("POST", "http://h/v1?key=hush", {"X-Api-Key": "hush", "x-own": "kept"}, {})
    command = curl(request, parse_pane("chat/m@http://h", BUILT_IN))
    assert "hush" not in command
    assert "x-own: kept" in command
    assert "Authorization" not in command


@pytest.mark.parametrize(
    ("environ", "takes"),
    [
        ({"TERM": "xterm-256color"}, True),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, False),
        ({"TERM": "tmux-256color", "TMUX": "/tmp/x"}, False),
        ({"TERM": "screen", "STY": "1.a"}, False),
        ({"TERM": "linux"}, False),
        ({}, False),
    ],
)
def test_terminals_that_pass_no_copies_on(environ: dict[str, str], takes: bool) -> None:
    """Known by name."""
    assert takes_copies(environ) is takes


def test_a_private_file_is_whole_or_as_before(tmp_path: Path) -> None:
    """Mode 0600, the folder is made, and a failure leaves nothing behind."""
    path = tmp_path / "a" / "b" / "c.txt"
    write_private(path, b"one")
    assert path.read_bytes() == b"one"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        write_private(tmp_path / "folder", b"two")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a", "folder"]


def test_the_body_is_kept_up_to_a_bound() -> None:
    """And it is said that there was more."""
    mailbox = Mailbox()
    mailbox.on_read(0, b"x" * (MAX_KEPT - 1))
    assert mailbox.kept()[2] is False
    mailbox.on_read(0, b"yz")
    _, data, cut = mailbox.kept()
    assert (len(data), data[-1:], cut) == (MAX_KEPT, b"y", True)
    mailbox.on_read(1, b"more")
    assert mailbox.lost == 5


def test_the_reads_of_a_body_are_kept_apart() -> None:
    """With their times, and no more at once than one asks for."""
    mailbox = Mailbox()
    given = [(at, b"x" * (at % 7 + 1)) for at in range(100)]
    for t_ns, data in given:
        mailbox.on_read(t_ns, data)
    taken: list[tuple[int, bytes]] = []
    while part := mailbox.reads(len(taken), 16):
        assert sum(len(data) for _, data in part[:-1]) < 16
        taken += part
    assert taken == given
    assert mailbox.kept()[1] == b"".join(data for _, data in given)


async def test_the_copy_menu(tmp_path: Path) -> None:
    """Each entry by key, to the clipboard and to a file; Esc chooses nothing and stops nothing."""
    network = FakeNetwork()
    app = make_app(network, state_dir=tmp_path, version="1.2.3", wall_clock=clock)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("escape", "s")
        assert any("nothing was sent yet" in one for one in notices(pilot))
        await stream(pilot, network)
        target = parse_pane("anoman/chat/m", BUILT_IN)
        sink = network.streams[0].sink
        sink.on_request(0, http_request(Request(target, Prompt("hello")), FoundKey(Secret(KEY), "test").key))
        sink.on_read(0, b'data: {"a": 1}\n\n')
        await end_mixed(pilot, network)
        await pilot.press("escape")

        def text_of(what: Export) -> str:
            slots = app.compare.board.slots
            ran = [(number, slot, slot.mailbox) for number, slot in enumerate(slots, 1) if slot.mailbox is not None]
            sources = [Source(number, slot.target, slot.state, *mailbox.kept()) for number, slot, mailbox in ran]
            return export(what, sources, 0, app.compare.board.head, "1.2.3").text

        async def choose(at: int, key: str) -> str:
            await pilot.press("Y")
            await wait_until(pilot, lambda: isinstance(app.screen, CopyMenu))
            await pilot.press(*["j"] * at, key)
            await wait_until(pilot, lambda: app.screen is app.compare)
            return app.clipboard

        kinds = list(Export)
        assert text_of(Export.ANSWER).startswith("A race condition")
        text = text_of(Export.MARKDOWN)
        for wanted in (
            "# Prompt",
            "Explain race conditions",
            "## 1. local_anoman/chat",
            "DONE · first token 0.71s · 96= tokens",
            "Error:",
            "Partial:",
        ):
            assert wanted in text, wanted
        document = json.loads(await choose(kinds.index(Export.DOCUMENT), "enter"))
        assert (document["schema"], document["tool"]["version"], document["started_at"]) == (
            "anoman-tui/run",
            "1.2.3",
            "2026-11-29T17:08:44.123Z",
        )
        assert [one["outcome"] for one in document["panes"]] == ["completed", "failed", "cancelled"]
        assert json.loads(text_of(Export.RECORD)) == document["panes"][0]
        command = text_of(Export.CURL)
        assert command.startswith("curl -sN -X POST ")
        assert KEY not in command
        assert text_of(Export.FRAMES) == 'data: {"a": 1}\n\n'
        before = app.clipboard
        await choose(kinds.index(Export.FRAMES), "f")
        await choose(0, "escape")
        await pilot.press("s")
        folder = tmp_path / "exports"
        await wait_until(pilot, lambda: folder.is_dir() and len(list(folder.glob("[!.]*"))) == 2)
        assert app.clipboard == before
        assert sorted(one.name for one in folder.iterdir()) == ["run-20261129T170844123-pane-1-frames.txt", "run-20261129T170844123.json"]
        assert json.loads((folder / "run-20261129T170844123.json").read_text()) == document
        await wait_until(pilot, lambda: any("run-20261129T170844123.json" in one for one in notices(pilot)))


async def test_a_terminal_that_takes_no_copies_gets_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`y` in tmux writes a file as well, and a folder that cannot be written is named."""
    monkeypatch.setenv("TMUX", "/tmp/tmux")
    network = FakeNetwork()
    app = make_app(network, THREE[:1], state_dir=tmp_path, wall_clock=clock)
    async with app.run_test(size=(80, 24)) as pilot:
        await ask(pilot)
        network.streams[0].text("hello")
        await draw(pilot)
        await pilot.press("escape", "y")
        await wait_until(pilot, lambda: any("may pass no copies on" in one for one in notices(pilot)))
        assert [one.read_text() for one in (tmp_path / "exports").iterdir()] == ["hello"]
        (tmp_path / "exports" / "run-20261129T170844123-pane-1-answer.txt").unlink()
        (tmp_path / "exports").rmdir()
        (tmp_path / "exports").write_text("in the way")
        await pilot.press("y")
        await wait_until(pilot, lambda: any("cannot be written" in one for one in notices(pilot)))


def words(board: Board) -> list[str]:
    """The state words, and what waits."""
    return ["queued" if slot.queued else "ready" if slot.state is None else phase(slot.state).value for slot in board.slots]


def drain(board: Board) -> list[str]:
    """Take what came."""
    for slot in board.slots:
        board.drain(slot)
    return words(board)


async def test_serial_runs_start_one_by_one() -> None:
    """`p` switches, the title says so, and a pane starts when the one before has closed."""
    network = FakeNetwork()
    app = make_app(network)
    async with app.run_test(size=(102, 26)) as pilot:
        await pilot.press("escape", "p")
        await ask(pilot)
        board = app.compare.board
        assert len(network.streams) == 1
        assert words(board) == ["WAIT", "queued", "queued"]
        assert "serial" in frame(pilot)[0]
        assert "QUEUE" in "\n".join(frame(pilot))
        await pilot.press("enter")
        assert len(network.streams) == 1
        network.streams[0].text("one")
        network.streams[0].finish()
        await draw(pilot)
        assert words(board) == ["DONE", "WAIT", "queued"]
        assert board.head is not None
        assert board.head.mode == "serial"
        await pilot.press("escape", "3", "r", "x")
        assert words(board) == ["DONE", "WAIT", "ready"]
        network.streams[1].open()
        network.streams[1].cut()
        await draw(pilot)
        assert words(board) == ["DONE", "CUT", "ready"]
        assert len(network.streams) == 2
        await pilot.press("R", "p")
        assert words(board) == ["WAIT", "queued", "queued"]
        await pilot.press("X")
        await draw(pilot)
        assert words(board) == ["STOP", "ready", "ready"]
        assert len(network.streams) == 3
        assert not app.compare.clock.awake or not board.expecting


def test_a_pane_that_cannot_start_does_not_hold_the_queue() -> None:
    """Each fails alone, and the next one has its turn."""
    network = FakeNetwork(refuse=ValueError("no"))
    board = Board(Session(tuple(PaneSpec(parse_pane(one, BUILT_IN)) for one in THREE), network, clock=network.clock))
    board.mode = type(board.mode).SERIAL
    board.send("hello")
    assert drain(board) == ["FAIL", "FAIL", "FAIL"]
