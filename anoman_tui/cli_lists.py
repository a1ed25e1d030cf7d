"""The commands that ask nothing of a prompt: the gateway alone, and what can be listed."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from anoman_tui.bare import compose, fail

ConfigOption = Annotated[Path | None, typer.Option("--config", metavar="FILE", help="Settings file in place of the usual one.")]


def gateway(
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port on 127.0.0.1; 0 takes a free one.")] = 0,
    cache: Annotated[str, typer.Option("--cache", metavar="on|off", help="The semantic cache.")] = "on",
    engine: Annotated[str, typer.Option("--engine", metavar="NAME", help="auto, scripted or llama.")] = "auto",
    gguf: Annotated[Path | None, typer.Option("--gguf", metavar="FILE", help="A model file in place of the packaged one.")] = None,
) -> None:
    """Run the embedded gateway alone: both gateways' protocols on this machine, for any client."""
    from anoman_tui.emulator.options import ENGINE_CHOICES, GatewayOptions
    from anoman_tui.emulator.serve import serve

    if cache not in ("on", "off"):
        fail(f"--cache {cache}: choose on or off")
    chosen = next((choice for choice in ENGINE_CHOICES if choice == engine), None)
    if chosen is None:
        fail(f"--engine {engine}: choose one of {', '.join(ENGINE_CHOICES)}")
    if gguf is not None and not gguf.is_file():
        fail(f"--gguf {gguf}: there is no such file")
    raise typer.Exit(serve(GatewayOptions(port=port, cache=cache == "on", engine=chosen, gguf=gguf)))


def models(
    provider: Annotated[list[str] | None, typer.Argument(metavar="[PROVIDER]...", help="Providers; without any, all at hand.")] = None,
    config: ConfigOption = None,
) -> None:
    """List the models that providers offer, as pane arguments."""
    from anoman_tui.headless.models import print_models

    composition = compose(config)
    try:
        code = print_models(composition.listable(provider or []), composition.fetch_json, sys.stdout, sys.stderr)
    finally:
        composition.close()
    raise typer.Exit(code)


def votes(
    json: Annotated[bool, typer.Option("--json", help="One JSON document in place of the table.")] = False,
    by: Annotated[str, typer.Option("--by", metavar="model|pane", help="One row a model, or a pane argument.")] = "model",
) -> None:
    """Print how often each model won the votes on its answers, with intervals and what chance would give."""
    import platformdirs

    from anoman_tui.headless.votes import BY, print_votes
    from anoman_tui.history.votes import VoteBook

    if by not in BY:
        fail(f"--by {by}: choose model or pane")
    book = VoteBook(platformdirs.user_state_path("anoman-tui"))
    try:
        kept = book.all()
    except OSError as error:
        fail(f"the votes cannot be read: {error}")
    print_votes(kept, sys.stdout, by=by, as_json=json)


def prompts(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Print this prompt alone, for `anoman-tui run -`.")] = None,
) -> None:
    """List the prompt library, or print one prompt of it."""
    import platformdirs

    from anoman_tui.data import data_dir
    from anoman_tui.headless.prompts import print_prompt, print_prompts
    from anoman_tui.history.library import PromptLibrary

    library = PromptLibrary([data_dir("sample_prompts")], platformdirs.user_config_path("anoman-tui") / "prompts").read()
    if name is None:
        print_prompts(library, sys.stdout, sys.stderr)
    elif not print_prompt(library, name, sys.stdout):
        fail(f"there is no prompt {name!r}; `anoman-tui prompts` lists them")
