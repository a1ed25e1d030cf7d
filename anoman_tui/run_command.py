"""The command `run`, once its arguments have been read by either way: what to send, and the exit code."""

import signal
import sys
from dataclasses import field, replace
from pathlib import Path

from anoman_tui.bare import compose, fail
from anoman_tui.core.records import dataclass
from anoman_tui.core.request import Params

FORMATS = ("table", "json", "ndjson", "plain")


@dataclass(frozen=True, slots=True)
class RunCommand:
    """What the command line of `run` said. None is what it left open."""

    prompt: str
    var: tuple[str, ...] = ()
    panes: tuple[str, ...] = ()
    set_name: str | None = None
    output: str = "table"
    json: bool = False
    ndjson: bool = False
    system: str | None = None
    params: Params = field(default_factory=Params)
    idle_timeout_s: float | None = None
    record: bool | None = None
    no_stream: bool = False
    bundle: Path | None = None
    config: Path | None = None


def carry_out_run(command: RunCommand) -> int:
    """Send one prompt to all panes and print what was asked for; returns the exit code. Raises ConfigError."""
    from anoman_tui import __version__
    from anoman_tui.core.panes import over
    from anoman_tui.core.request import Prompt
    from anoman_tui.filling import filled, values_of
    from anoman_tui.headless.run import Output, new_head
    from anoman_tui.headless.run import run as run_panes
    from anoman_tui.prices import priced

    chosen = chosen_format(command.output, json=command.json, ndjson=command.ndjson)
    check_bundle(command.bundle)
    text = filled(_prompt(command.prompt), values_of(command.var))
    composition = compose(command.config, idle_timeout_s=command.idle_timeout_s, record=command.record)
    setup = composition.setup(command.panes, command.set_name)
    targets = [spec.target for spec in setup.panes]
    composition.check_keys(targets)
    composition.start_gateway(targets)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what came so far is printed, as after Ctrl+C
    system = setup.system if command.system is None else command.system
    head = new_head(Prompt(text, system), over(command.params, setup.params))
    requests = [replace(spec.request(head.prompt, head.params), stream=not command.no_stream) for spec in setup.panes]
    try:
        return run_panes(
            composition.open_stream,
            requests,
            Output(chosen),
            __version__,
            sys.stdout,
            priced,
            composition.start_tape,
            head,
            command.bundle,
        )
    finally:
        composition.close()


def _prompt(given: str) -> str:
    text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape") if given == "-" else given
    if not text.isprintable() and any("\ud800" <= letter <= "\udfff" for letter in text):
        fail("the prompt is not UTF-8 text; convert it first, for example with iconv")
    if not text.strip():
        fail("the prompt is empty; give it as an argument, or - to read it from standard input")
    return text


def check_bundle(bundle: Path | None) -> None:
    """Refuse a file that cannot be written before anything is sent."""
    if bundle is None:
        return
    from anoman_tui.headless.bundles import writable

    if problem := writable(bundle):
        fail(f"--bundle {problem}")


def chosen_format(output: str, *, json: bool, ndjson: bool) -> str:
    """The output format that was asked for."""
    if json and ndjson:
        fail("--json and --ndjson exclude each other; give one")
    chosen = "json" if json else "ndjson" if ndjson else output
    if chosen not in FORMATS:
        fail(f"-o {output}: there is no such format; choose table, json, ndjson or plain")
    return chosen
