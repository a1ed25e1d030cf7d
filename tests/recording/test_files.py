"""Run files: what is kept and for how long, what is hidden, what other tools get, and files that are no run files."""

import itertools
import json
import os
import stat
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anoman_tui.core.events import Closed, Connected, Ending, HeadersReceived, ListPriced, Stamped
from anoman_tui.core.outcome import Outcome, outcome
from anoman_tui.core.pane import fold
from anoman_tui.core.request import HttpRequest, Prompt, Secret
from anoman_tui.core.run import RunHead
from anoman_tui.core.target import Auth, Policy, Shape
from anoman_tui.recording.folder import run_files
from anoman_tui.recording.har import har, write_har
from anoman_tui.recording.reader import read_run
from anoman_tui.recording.recorder import FileTape, Off
from anoman_tui.recording.redact import ReadRedactor, Redactor
from anoman_tui.recording.runfile import RunFileError
from anoman_tui.recording.shelf import Shelf
from anoman_tui.recording.steps import batches
from anoman_tui.transport.body import BodyReader
from tests.recording.kit import HEAD, a_tape, at_once
from tests.support import EVENT_STREAM, MS, a_target, sse
from tests.transport.client import Recorder

KEY = "sk-0123456789-abc/def"
OWN = "tok-0123456789"
BODY = sse('{"choices":[{"delta":{"content":"Hello"}}]}', '{"choices":[{"delta":{},"finish_reason":"stop"}]}', "[DONE]")


def a_run(folder: Path, *, head: RunHead = HEAD, body: bytes = BODY, end: bool = True, **keeping: Any) -> FileTape:
    """A recorded run of one pane without a network."""
    target = a_target()
    tape = a_tape(folder, [target], head=head, **keeping)
    sink = tape.sink(1, Recorder())
    sink.on_request(
        1, HttpRequest("POST", f"{target.url}?key={KEY}", {"x-my-token": OWN, "accept": "x"}, {"q": KEY}, Auth.BEARER, Secret(KEY))
    )
    sink.on_events([Stamped(2 * MS, Connected())])
    sink.on_events([Stamped(3 * MS, HeadersReceived(200, (*EVENT_STREAM, ("x-echo", KEY), ("x-ratelimit-remaining-tokens", "7"))))])
    sink.on_read(4 * MS, body)
    if end:
        sink.on_events([Stamped(5 * MS, Closed(Ending.CLEAN, "", 1.5))])
    tape.close()
    return tape


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A recorded run."""
    return a_run(tmp_path).path


def test_what_a_line_holds(file: Path) -> None:
    """Claim: the lines are as documented, and nothing of the key is in them."""
    lines = [json.loads(line) for line in file.read_text("ascii").splitlines()]
    assert lines[0]["format"] == "anoman-tui/run-file"
    assert lines[0]["panes"][0]["policy"] == "strict"
    assert [line.get("event", "read") for line in lines[1:]] == ["request", "connected", "headers", "read", "end"]
    assert lines[1]["url"].endswith("?key=***")
    assert lines[1]["headers"] == [["x-my-token", "***"], ["accept", "x"]]
    assert lines[1]["body"] == {"q": "***"}
    assert lines[1]["auth"] == "bearer"
    assert lines[3]["headers"][1:] == [["x-echo", "***"], ["x-ratelimit-remaining-tokens", "7"]]
    assert set(lines[4]) == {"pane", "t_ns", "bytes_b64"}
    assert KEY not in file.read_text("ascii")


def test_a_secret_header_that_comes_back_is_hidden(tmp_path: Path) -> None:
    """Claim: the value of a header of the user's own whose name tells of a secret is hidden in the reads as a key is."""
    body = BODY.replace(b"Hello", OWN.encode())
    (pane,) = read_run(a_run(tmp_path, body=body).path).panes
    assert pane.reads[0][1] == BODY.replace(b"Hello", b"*" * len(OWN))


def test_a_list_price_that_comes_after_the_end_is_kept(tmp_path: Path) -> None:
    """Claim: our own estimate is part of the recording, since price lists change."""
    tape = a_tape(tmp_path, [a_target()])
    sink = tape.sink(1, Recorder())
    sink.on_events([Stamped(1, Closed(Ending.CLEAN))])
    sink.on_events([Stamped(2, ListPriced(Decimal("0.00000012")))])
    tape.close()
    assert at_once(tape.path)[0]["cost"]["list_usd"] == "0.00000012"


@given(data=st.binary(max_size=60), cuts=st.lists(st.integers(0, 200), max_size=8), at=st.integers(0, 60), times=st.integers(0, 2))
def test_a_key_is_hidden_wherever_reads_cut_it(data: bytes, cuts: list[int], at: int, times: int) -> None:
    """Claim: no read or row of reads holds the key, sizes and times stay, and other bytes are not touched."""
    body = data[:at] + KEY.encode() * times + data[at:]
    edges = sorted({0, len(body), *(cut % (len(body) + 1) for cut in cuts)})
    reads = [(at, body[start:end]) for at, (start, end) in enumerate(itertools.pairwise(edges))]
    hidden = ReadRedactor(Redactor([Secret(KEY)]))
    out = [read for read_ in reads for read in hidden.feed(*read_)] + hidden.finish()
    assert [(t_ns, len(part)) for t_ns, part in out] == [(t_ns, len(part)) for t_ns, part in reads]
    assert b"".join(part for _, part in out) == body.replace(KEY.encode(), b"*" * len(KEY))


@pytest.mark.parametrize("form", [KEY, "sk-0123456789-abc%2Fdef", "sk-0123456789-abc\\/def"])
def test_a_quoted_or_escaped_key_is_hidden(form: str) -> None:
    """Claim: a key in a URL or in JSON is found in its written form; a short one, which could be a word, is let be."""
    redactor = Redactor([Secret(KEY), Secret("local")])
    assert redactor.text(f"a {form} b local") == "a *** b local"
    assert redactor.url(f"https://me:pw@host/x?a=1&key={form}&api_key=2#z") == "https://***@host/x?a=1&key=***&api_key=***#z"


def test_old_files_go(tmp_path: Path) -> None:
    """Claim: beyond the number or the size that is kept the oldest files go, and files of other names stay."""
    (tmp_path / "mine.jsonl").write_text("x")
    heads = [RunHead(f"{n:032x}"[::-1], f"2026-11-29T13:00:0{n}.000Z", HEAD.prompt, HEAD.params) for n in range(5)]
    for head in heads:
        a_run(tmp_path, head=head, runs=3)
    assert len(run_files(tmp_path)) == 3
    last = a_run(tmp_path, head=RunHead("f" * 32, "2026-11-29T14:00:00.000Z", HEAD.prompt, HEAD.params), size=1)
    assert run_files(tmp_path) == [last.path]
    assert (tmp_path / "mine.jsonl").exists()


def test_a_run_of_a_very_long_prompt_is_listed(tmp_path: Path) -> None:
    """Claim: whatever was pasted into the prompt, its run can be chosen again."""
    tape = a_run(tmp_path, head=RunHead("a" * 32, HEAD.started_at, Prompt("word " * 500_000), HEAD.params))
    (listed,) = Shelf(lambda: tmp_path, lambda: BodyReader).list()
    assert listed.file == str(tape.path)


def test_a_folder_that_cannot_be_written_stops_no_run(tmp_path: Path) -> None:
    """Claim: where a run cannot be recorded it goes on, and one sentence says why."""
    (tmp_path / "runs").write_text("in the way")
    tape = a_run(tmp_path / "runs")
    assert "could not be recorded" in tape.problem
    off, inner = Off(), Recorder()
    assert off.sink(1, inner) is inner


def test_the_reads_are_on_disk_before_the_run_ends(tmp_path: Path) -> None:
    """Claim: a run that was never closed is there up to what was written, and reads as broken off."""
    tape = a_run(tmp_path, end=False)
    run = read_run(tape.path)
    assert run.cut
    state = run.panes[0].state
    for batch in batches(run, run.panes[0], BodyReader):
        state = fold(state, batch)
    assert state.text.text == "Hello"
    assert outcome(state) is Outcome.COMPLETED
    assert state.closed == Closed(Ending.CUT, "the recording breaks off here")


def test_a_cut_file_reads_up_to_its_last_whole_line(file: Path) -> None:
    """Claim: cut at any byte after its header, a file gives the facts of its whole lines."""
    data = file.read_bytes()
    head = data.index(b"\n") + 1
    for size in range(head, len(data)):
        file.write_bytes(data[:size])
        run = read_run(file)
        assert len(run.panes[0].facts) <= 6
    file.write_bytes(data[: head - 10])
    with pytest.raises(RunFileError, match="is no run file"):
        read_run(file)


HEADER = {
    "format": "anoman-tui/run-file",
    "version": 1,
    "run_id": "1",
    "started_at": "x",
    "prompt": "p",
    "mode": "m",
    "panes": [{"pane": 1, "shape": "chat", "policy": "strict", "model": "m"}],
}
BAD = [
    ("", "is no run file"),
    ("{}", "is no run file"),
    ("\x00\xff", "is no run file"),
    (json.dumps({**HEADER, "version": 2}), "version 1"),
    (json.dumps({**HEADER, "prompt": 5}), "prompt"),
    (json.dumps({**HEADER, "panes": []}), "no panes"),
    (json.dumps({**HEADER, "panes": [{"pane": 1, "shape": "square", "policy": "strict", "model": "m"}]}), "'square'"),
    (json.dumps({**HEADER, "panes": [*HEADER["panes"], *HEADER["panes"]]}), "number"),  # type: ignore[misc]
    (json.dumps(HEADER) + '\n{"pane": 2, "t_ns": 1, "event": "cancel"}\n', "line 2 .* no pane"),
    (json.dumps(HEADER) + '\n{"pane": 1, "t_ns": -1, "event": "cancel"}\n', "line 2 .* no time"),
    (json.dumps(HEADER) + '\n{"pane": 1, "t_ns": 1}\n', "neither a read nor an event"),
    (json.dumps(HEADER) + '\n{"pane": 1, "t_ns": 1, "bytes_b64": "*"}\n', "no base64"),
    (json.dumps(HEADER) + '\n{"pane": 1, "t_ns": 1, "event": "end", "ending": "happy"}\n', "no ending"),
    (json.dumps(HEADER) + '\n{"pane": 1, "t_ns": 1, "event": "headers", "status": 7}\n', "no HTTP status"),
    (json.dumps(HEADER) + '\nnot json\n{"pane": 1, "t_ns": 1, "event": "cancel"}\n', "line 2"),
]


@pytest.mark.parametrize(("text", "word"), BAD)
def test_a_bad_file_gives_one_clear_sentence(tmp_path: Path, text: str, word: str) -> None:
    """Claim: a file that is no run file is refused in one sentence that names the file and the place."""
    file = tmp_path / "bad.jsonl"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(RunFileError, match=word) as wrong:
        read_run(file)
    assert str(wrong.value).startswith(str(file))
    assert "\n" not in str(wrong.value)


@pytest.mark.parametrize("name", [".", "missing.jsonl"])
def test_a_path_that_is_no_file(tmp_path: Path, name: str) -> None:
    """Claim: a folder or a missing file is refused likewise."""
    with pytest.raises(RunFileError, match=r"folder|No such file"):
        read_run(tmp_path / name)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.text(max_size=5) | st.floats(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["pane", "shape", "event", "status", "url"]), inner, max_size=3)
    ),
    max_leaves=6,
)
LINES = st.dictionaries(
    st.sampled_from(["pane", "t_ns", "event", "bytes_b64", "status", "headers", "ending", "detail", "url", "body", "usd", "loop_lag_ms"]),
    VALUES
    | st.sampled_from(
        [1, "request", "headers", "end", "cancel", "list_price", "clean", "cut", "aGk=", 200, [["content-type", "text/event-stream"]]]
    ),
    max_size=7,
)
HEADERS = st.just(HEADER) | st.dictionaries(st.sampled_from(sorted(HEADER)), VALUES).map(lambda changes: {**HEADER, **changes})


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    header=HEADERS,
    lines=st.lists(LINES | st.just({"pane": 1, "t_ns": 5, "event": "headers", "status": 200}), max_size=6),
    tail=st.binary(max_size=5),
)
def test_any_file_gives_a_run_or_a_sentence(tmp_path: Path, header: dict[str, Any], lines: list[dict[str, Any]], tail: bytes) -> None:
    """Claim: whatever stands in a file, reading and playing it gives records or RunFileError."""
    file = tmp_path / "any.jsonl"
    file.write_bytes("\n".join(map(json.dumps, [header, *lines])).encode() + b"\n" + tail)
    try:
        records = at_once(file)
    except RunFileError:
        return
    assert all(record["outcome"] for record in records)


def test_nothing_of_a_file_reaches_the_terminal_unsafe(tmp_path: Path) -> None:
    """Claim: names out of a file hold no escape sequences."""
    pane = {"pane": 1, "shape": "chat", "policy": "lenient", "model": "m\x1b[2J", "provider": "p\x1b]0;x\x07", "cancel_note": "\x1b[31mred"}
    file = tmp_path / "evil.jsonl"
    file.write_text(json.dumps({**HEADER, "panes": [pane]}) + "\n")
    target = read_run(file).panes[0].target
    assert target.policy is Policy.LENIENT
    assert target.shape is Shape.CHAT
    assert "\x1b" not in target.name + target.provider.cancel_note + target.argument


# Other tools.


def test_the_archive(file: Path, tmp_path: Path) -> None:
    """Claim: a HAR 1.2 file has one entry a pane with its times, its body, and our own times under `_anoman`; it tells no key."""
    archive = har(read_run(file), "1")
    (entry,) = archive["log"]["entries"]
    assert archive["log"]["version"] == "1.2"
    assert entry["request"]["queryString"] == [{"name": "key", "value": "***"}]
    assert entry["response"]["status"] == 200
    assert entry["response"]["content"]["text"] == BODY.decode()
    assert entry["timings"]["receive"] == 2.0
    messages = entry["_anoman"]["eventSourceMessages"]
    assert [message["data"] for message in messages][-1] == "[DONE]"
    assert len(messages) == 3
    out = tmp_path / "out.har"
    write_har(read_run(file), out, "1")
    assert json.loads(out.read_text("ascii")) == json.loads(json.dumps(archive))
    assert KEY not in out.read_text("ascii")
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    with pytest.raises(RunFileError, match="cannot be written"):
        write_har(read_run(file), tmp_path, "1")


# The command.


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """An environment with a home of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    return {**kept, "HOME": str(tmp_path), "PYTHONPATH": ""}


def command(environ: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command."""
    program = str(Path(sys.executable).with_name("anoman-tui"))
    return subprocess.run([program, *arguments], capture_output=True, text=True, env=environ, timeout=60)


def test_run_records_and_replay_prints_the_same(home: dict[str, str], tmp_path: Path) -> None:
    """Claim: `run` keeps a recording without a word, and `replay` prints the same in each format, with the same exit code."""
    live = command(home, "run", "hi", "-p", "local_anypath/responses/scripted-fast", "-p", "local_anoman/chat/scripted-limited", "--json")
    assert live.stderr == ""
    (file,) = run_files(tmp_path / ".local/share/anoman-tui/runs")
    again = command(home, "replay", str(file), "--json")
    assert (again.stdout, again.returncode) == (live.stdout, live.returncode) == (live.stdout, 1)
    lines = [json.loads(line) for line in command(home, "replay", str(file), "--ndjson").stdout.splitlines()]
    assert lines[0]["run_id"] == lines[-1]["run_id"] == json.loads(live.stdout)["run_id"]
    assert lines[-1]["exit_code"] == 1
    assert "DONE" in command(home, "replay", str(file), "--speed", "8").stdout
    out = tmp_path / "o.har"
    assert command(home, "replay", str(file), "--har", str(out)).stdout == ""
    assert len(json.loads(out.read_text())["log"]["entries"]) == 2
    assert len(run_files(file.parent)) == 1


@pytest.mark.parametrize("off", [("--no-record",), ()])
def test_recording_can_be_turned_off(home: dict[str, str], tmp_path: Path, off: tuple[str, ...]) -> None:
    """Claim: `--no-record` and the setting `record` keep nothing."""
    if not off:
        home["ANOMAN_TUI_RECORD"] = "false"
    assert command(home, "run", "hi", "-p", "local_anoman/chat/scripted-fast", *off).returncode == 0
    assert not run_files(tmp_path / ".local/share/anoman-tui/runs")


@pytest.mark.parametrize(
    ("arguments", "word"), [(("missing",), "cannot be read"), (("x", "--speed", "fast"), "--speed fast"), (("x", "-o", "y"), "-o y")]
)
def test_bad_usage(home: dict[str, str], arguments: tuple[str, ...], word: str) -> None:
    """Claim: bad usage is one sentence and exit code 2."""
    done = command(home, "replay", *arguments)
    assert done.returncode == 2
    assert word in done.stderr
    assert done.stderr.count("\n") == 1
