"""Opening the screen, or its plain form, out of what the command line said: a part of the composition root."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from anoman_tui import __version__
from anoman_tui.bare import EXIT_INTERRUPTED
from anoman_tui.compose import STARTING, Composition
from anoman_tui.core.late import late
from anoman_tui.core.panes import PaneSpec, Setup, over, read_setup
from anoman_tui.core.ports import KeepVotes, ListModels
from anoman_tui.core.records import dataclass
from anoman_tui.core.request import Params, Prompt
from anoman_tui.core.run import RunHead
from anoman_tui.core.target import PaneArgumentError
from anoman_tui.core.variables import names
from anoman_tui.keys import key_problem
from anoman_tui.problems import ConfigError
from anoman_tui.ui.memory import Memory, load

if TYPE_CHECKING:
    from anoman_tui.core.library import KeepPrompts

LAST_PANES = "the panes of last time; --pane or --set names others"

SOON = (
    "anoman_tui.core.contract",
    "anoman_tui.core.document",
    "anoman_tui.history.library",
    "anoman_tui.history.votes",
    "anoman_tui.recording.redact",
    "anoman_tui.recording.shelf",
    "anoman_tui.ui.commands",
    "anoman_tui.ui.screens.details",
    "anoman_tui.ui.screens.editor",
    "anoman_tui.ui.screens.help",
    "anoman_tui.ui.screens.menu",
    "anoman_tui.ui.screens.wire",
)
"""What the first answer, the first vote and the first overlays need; loaded once the screen stands, so that no key waits for it."""


@dataclass(frozen=True, slots=True)
class Start:
    """What the command line said."""

    panes: Sequence[str]
    set_name: str | None
    prompt: str
    send: bool
    system: str | None
    params: Params
    notices: tuple[str, ...] = ()
    """What the screen says at its start."""
    file: Path | None = None
    """A shared file or a run file that is opened."""


def setup_of(composition: Composition, start: Start, memory: Memory) -> tuple[Setup, Memory, tuple[str, ...]]:
    """The panes to show, what to remember of them, and what to say: the last ones come back where none are named. Raises ConfigError."""
    named = bool(start.panes) or start.set_name is not None
    setup: Setup | None = None
    notices: tuple[str, ...] = ()
    if not named and memory.panes and not composition.settings.panes:
        try:
            setup, notices = read_setup(memory.panes, memory.params, memory.system, composition.providers), (LAST_PANES,)
        except PaneArgumentError:
            memory = replace(memory, panes=())
    if setup is None:
        setup = composition.setup(start.panes, start.set_name)
    if named:
        memory = replace(memory, panes=tuple(spec.saved for spec in setup.panes))
    system = setup.system if start.system is None else start.system
    return replace(setup, params=over(start.params, setup.params), system=system), memory, notices


def key_problem_of(composition: Composition, spec: PaneSpec) -> str:
    """Why a pane's provider has no usable key; empty where it has one or needs none. Runs no command and asks no server."""
    target = spec.target
    if target.provider.local or not target.sends_key:
        return ""
    return key_problem(target.provider, composition.settings.providers.get(target.provider.name), composition.environ)


def vote_book(composition: Composition, folder: Path) -> KeepVotes:
    """The votes of a folder, kept without the keys that this program knows."""
    from anoman_tui.history.votes import VoteBook
    from anoman_tui.recording.redact import Redactor

    return VoteBook(folder, lambda text: Redactor(composition.secrets([])).text(text))


def prompt_library() -> "KeepPrompts":
    """The prompts that come with the program, and those of the user's own folder."""
    from anoman_tui.data import data_dir
    from anoman_tui.history.library import PromptLibrary

    return PromptLibrary([data_dir("sample_prompts")], platformdirs.user_config_path("anoman-tui") / "prompts")


def model_lists(composition: Composition) -> ListModels:
    """The lists of models; what reads and keeps them is loaded when the first one is asked for."""

    @cache
    def made() -> ListModels:
        from anoman_tui.history.models import ModelLists

        return ModelLists(composition.fetch_json, platformdirs.user_cache_path("anoman-tui") / "models")

    return lambda target: made()(target)


def open_screen(composition: Composition, start: Start) -> int:
    """Run the screen until it is left; returns the exit code. Raises ConfigError."""
    from anoman_tui.data import data_dir
    from anoman_tui.transport.tuning import tune_collector, tune_switching
    from anoman_tui.ui.app import run
    from anoman_tui.ui.session import MAX_PANES, Session

    folder = platformdirs.user_state_path("anoman-tui")
    setup, memory, notices = setup_of(composition, start, load(folder))
    first, prompt = None, start.prompt
    if start.file is not None:
        from anoman_tui.passing import open_file

        shared, prompt, first, told = open_file(composition, start.file)
        setup, notices = (setup, told) if shared is None else (shared, told)
    if len(setup.panes) > MAX_PANES:
        many = f"{len(setup.panes)} panes are too many for the screen, which shows up to {MAX_PANES}"
        raise ConfigError(f"{many}; `anoman-tui run` takes any number")
    targets = [spec.target for spec in setup.panes]
    local = any(target.provider.local for target in targets)
    own = composition.settings

    def pass_on(setup: Setup, prompt: str, head: RunHead | None) -> tuple[Path, tuple[str, ...]]:
        from anoman_tui.passing import share

        return share(composition, folder / "exports", setup, prompt, head)

    def warm() -> None:
        try:
            composition.start_gateway(targets)
            composition.warm(targets)
            for name in SOON:
                import_module(name)
        finally:
            tune_collector()

    session = Session(
        panes=setup.panes,
        open_stream=composition.open_stream,
        prompt=prompt,
        send=start.send,
        params=setup.params,
        system=setup.system,
        providers=composition.providers,
        problem_of=lambda spec: key_problem_of(composition, spec),
        list_models=model_lists(composition),
        sets=late(lambda: composition.sets),
        prompts=late(prompt_library),
        theme=own.theme,
        theme_dirs=(data_dir("themes"), platformdirs.user_config_path("anoman-tui") / "themes"),
        notices=(*start.notices, *notices),
        gateway_note=lambda: composition.gateway_note() or (STARTING if local else ""),
        start_tape=composition.start_tape,
        recordings=late(lambda: composition.recordings),
        list_price=composition.list_price,
        first=first,
        share=pass_on,
        price=composition.price,
        ask_above=Decimal(str(own.ask_above_usd)),
        cap=None if own.cap_usd is None else Decimal(str(own.cap_usd)),
        votes=late(lambda: vote_book(composition, folder)),
        warm=warm,
        state_dir=folder,
        memory=memory,
        keymap=own.keys,
        enter_sends=own.enter_sends,
        frames_per_second=own.fps,
        sparing=own.low_bandwidth,
        version=__version__,
    )
    tune_switching()
    try:
        return run(session, mouse=own.mouse)
    finally:
        composition.close()


def print_plain(composition: Composition, start: Start) -> int:
    """Answer the prompt, or each line of the input, in plain lines of text; returns the exit code of the last run."""
    from anoman_tui.filling import filled
    from anoman_tui.headless.run import Output, new_head
    from anoman_tui.headless.run import run as run_panes
    from anoman_tui.prices import priced

    setup, _, _ = setup_of(composition, start, Memory())
    targets = [spec.target for spec in setup.panes]
    composition.check_keys(targets)
    composition.start_gateway(targets)
    code = 0
    try:
        for text in _prompts(start.prompt):
            prompt = Prompt(filled(text, _asked(text)), setup.system)
            requests = [spec.request(prompt, setup.params) for spec in setup.panes]
            head = new_head(prompt, setup.params)
            code = run_panes(composition.open_stream, requests, Output.PLAIN, __version__, sys.stdout, priced, composition.start_tape, head)
            if code == EXIT_INTERRUPTED:
                break
    finally:
        composition.close()
    return code


def _asked(prompt: str) -> dict[str, str]:
    """The values of a prompt's variables, typed by the user; none where nobody can be asked."""
    values: dict[str, str] = {}
    if sys.stdin.isatty() and sys.stderr.isatty():
        for name in names(prompt):
            sys.stderr.write(f"{name}: ")
            sys.stderr.flush()
            values[name] = sys.stdin.readline().rstrip("\n")
    return values


def _prompts(given: str) -> Iterator[str]:
    if given.strip():
        yield given
        return
    asks = sys.stdin.isatty() and sys.stderr.isatty()
    while True:
        if asks:
            sys.stderr.write("prompt: ")
            sys.stderr.flush()
        try:
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            return
        if not line:
            return
        if line.strip():
            yield line.rstrip("\n")
