"""The command `anoman-tui`. Imports are made where they are needed, so that `--help` stays quick."""

import os
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from anoman_tui import cli_lists
from anoman_tui.bare import compose, fail, leave_with
from anoman_tui.cli_lists import ConfigOption

app = typer.Typer(
    name="anoman-tui",
    help="One prompt, several models or endpoint shapes, streamed side by side. Without a command it opens the screen.",
    no_args_is_help=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # boxes around the help would take twice its time
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
)

PaneOption = Annotated[
    list[str] | None,
    typer.Option("--pane", "-p", metavar="PANE", help="[PROVIDER/][SHAPE/]MODEL[@BASE_URL]; repeat for more panes."),
]
SetOption = Annotated[str | None, typer.Option("--set", metavar="NAME", help="A pane set from config.toml.")]
SystemOption = Annotated[str | None, typer.Option("--system", metavar="TEXT", help="System prompt.")]
TemperatureOption = Annotated[float | None, typer.Option("--temperature", min=0, max=2, help="Sampling temperature.")]
MaxTokensOption = Annotated[int | None, typer.Option("--max-tokens", min=1, help="Limit of output tokens.")]
BundleOption = Annotated[
    Path | None, typer.Option("--bundle", metavar="OUT", help="Write what a ticket needs as Markdown: frames around faults, no key.")
]
VarOption = Annotated[
    list[str] | None, typer.Option("--var", metavar="NAME=VALUE", help="The value of {{NAME}} in the prompt; repeat for more.")
]
IdleOption = Annotated[
    float | None, typer.Option("--idle-timeout", min=0.1, metavar="SECONDS", help="Give a stream up after this much silence (120).")
]


def main() -> NoReturn:
    """Run the command. Bad input ends with one sentence on stderr and exit code 2."""
    leave_with(lambda: app() or 0)


def _version(asked: bool) -> None:
    if asked:
        from anoman_tui import __version__

        typer.echo(f"anoman-tui {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def screen(
    context: typer.Context,
    pane: PaneOption = None,
    set_name: SetOption = None,
    prompt: Annotated[str, typer.Option("--prompt", metavar="TEXT", help="Put this into the prompt.")] = "",
    send: Annotated[bool, typer.Option("--send", help="Send the prompt at once.")] = False,
    theme: Annotated[str | None, typer.Option("--theme", metavar="NAME", help="Colour theme.")] = None,
    mouse: Annotated[
        bool | None, typer.Option("--mouse/--no-mouse", help="Take the mouse, or leave it to the terminal.", show_default=False)
    ] = None,
    fps: Annotated[int | None, typer.Option("--fps", min=1, metavar="N", help="Draw at most this often a second (60).")] = None,
    low_bandwidth: Annotated[
        bool | None,
        typer.Option("--low-bandwidth/--no-low-bandwidth", help="Send few bytes to the terminal: for slow lines.", show_default=False),
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Lines of text in place of the screen: for screen readers and logs.")] = False,
    system: SystemOption = None,
    temperature: TemperatureOption = None,
    max_tokens: MaxTokensOption = None,
    idle_timeout: IdleOption = None,
    config: ConfigOption = None,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,  # noqa: ARG001
) -> None:
    """Open the screen: one prompt, all panes at once."""
    if context.invoked_subcommand is not None:
        _refuse_misplaced(context)
        return
    from anoman_tui.bare import Bare, carry_out
    from anoman_tui.core.request import Params

    params = Params(temperature, max_tokens)
    look = {"theme": theme, "mouse": mouse, "fps": fps, "low_bandwidth": low_bandwidth, "plain": plain}
    asked = {"system": system, "params": params, "idle_timeout_s": idle_timeout, "config": config}
    raise typer.Exit(carry_out(Bare(tuple(pane or ()), set_name, prompt, send, **look, **asked)))  # type: ignore[arg-type]


def _refuse_misplaced(context: typer.Context) -> None:
    """Options of the screen before a command would be lost, and the prompt would go elsewhere than asked."""
    given = [name for name in context.params if getattr(context.get_parameter_source(name), "name", "") == "COMMANDLINE"]
    if given:
        named = ", ".join("--" + {"set_name": "set"}.get(name, name).replace("_", "-") for name in given)
        fail(f"put {named} after `{context.invoked_subcommand}`; options before a command belong to the screen")


@app.command()
def run(
    prompt: Annotated[str, typer.Argument(metavar="PROMPT", help="The prompt; - reads it from standard input.")],
    var: VarOption = None,
    pane: PaneOption = None,
    set_name: SetOption = None,
    output: Annotated[str, typer.Option("--output", "-o", metavar="FORMAT", help="table, json, ndjson or plain.")] = "table",
    json: Annotated[bool, typer.Option("--json", help="The same as -o json.")] = False,
    ndjson: Annotated[bool, typer.Option("--ndjson", help="The same as -o ndjson.")] = False,
    system: SystemOption = None,
    temperature: TemperatureOption = None,
    max_tokens: MaxTokensOption = None,
    idle_timeout: IdleOption = None,
    record: Annotated[bool | None, typer.Option("--record/--no-record", help="Keep a recording of the run.", show_default=False)] = None,
    no_stream: Annotated[bool, typer.Option("--no-stream", help="Ask for one JSON answer in place of a stream.")] = False,
    bundle: BundleOption = None,
    config: ConfigOption = None,
) -> None:
    """Send one prompt to any number of panes without a screen.

    Exit codes: 0 all panes completed, 1 some did not, 2 usage or configuration, 3 none completed, 130 interrupted.
    """
    from anoman_tui.core.request import Params
    from anoman_tui.run_command import RunCommand, carry_out_run

    params = Params(temperature, max_tokens)
    asked = {"output": output, "json": json, "ndjson": ndjson, "system": system, "params": params, "idle_timeout_s": idle_timeout}
    kept = {"record": record, "no_stream": no_stream, "bundle": bundle, "config": config}
    raise typer.Exit(carry_out_run(RunCommand(prompt, tuple(var or ()), tuple(pane or ()), set_name, **asked, **kept)))  # type: ignore[arg-type]


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A recorded run.")],
    speed: Annotated[str, typer.Option("--speed", metavar="SPEED", help="0.25, 1, 8 or any other number, or max.")] = "max",
    output: Annotated[str, typer.Option("--output", "-o", metavar="FORMAT", help="table, json, ndjson or plain.")] = "table",
    json: Annotated[bool, typer.Option("--json", help="The same as -o json.")] = False,
    ndjson: Annotated[bool, typer.Option("--ndjson", help="The same as -o ndjson.")] = False,
    har: Annotated[Path | None, typer.Option("--har", metavar="OUT", help="Write an HTTP archive (HAR 1.2) and print nothing.")] = None,
    bundle: BundleOption = None,
    config: ConfigOption = None,
) -> None:
    """Play a recorded run again without a screen and print what `run` printed then; the exit codes are those of `run`."""
    from anoman_tui import __version__
    from anoman_tui.headless.replay import replay as replay_panes
    from anoman_tui.headless.run import Output
    from anoman_tui.recording.runfile import RunFileError
    from anoman_tui.run_command import check_bundle, chosen_format

    chosen = chosen_format(output, json=json, ndjson=ndjson)
    check_bundle(bundle)
    factor = _speed(speed)
    composition = compose(config)
    try:
        if har is not None:
            composition.export_har(file, har)
            return
        with composition.open_replay(file, factor) as played:
            code = replay_panes(played, Output(chosen), __version__, sys.stdout, bundle)
    except RunFileError as error:
        fail(str(error))
    finally:
        composition.close()
    raise typer.Exit(code)


@app.command(name="open")
def open_file(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that somebody passed on, or a recorded run.")],
    config: ConfigOption = None,
) -> None:
    """Open the screen with the panes, the prompt and the run of a file that was passed on, or play a recorded run on it."""
    from anoman_tui.bare import NO_TERMINAL
    from anoman_tui.core.request import Params
    from anoman_tui.screen import Start, open_screen

    if not (sys.stdin.isatty() and sys.stderr.isatty()) or os.environ.get("TERM") == "dumb":
        fail(f"{NO_TERMINAL.removeprefix('anoman-tui: ').partition(';')[0]}; `anoman-tui replay` prints a recorded run without one")
    raise typer.Exit(open_screen(compose(config), Start((), None, "", False, None, Params(), file=file)))


def _speed(given: str) -> float | None:
    """A speed out of an option; None is as fast as it goes."""
    if given == "max":
        return None
    try:
        factor = float(given)
    except ValueError:
        factor = 0.0
    if not 0.01 <= factor <= 1_000:
        fail(f"--speed {given}: choose a number from 0.01 to 1000, such as 0.25, 1 or 8, or max")
    return factor


for command in (cli_lists.gateway, cli_lists.models, cli_lists.votes, cli_lists.prompts):
    app.command()(command)
