"""The command without a subcommand, once its arguments have been read by either way: what to open, or why not."""

import errno
import gc
import os
import sys
from collections.abc import Callable
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from anoman_tui.core.records import dataclass
from anoman_tui.core.request import Params

if TYPE_CHECKING:
    from anoman_tui.compose import Composition

EXIT_USAGE, EXIT_INTERRUPTED = 2, 130
NO_TERMINAL = (
    "anoman-tui: the screen needs a terminal for standard input and standard error; use `anoman-tui run PROMPT` in scripts and pipes"
)
QUIET_ERRORS = (errno.ENOSPC, errno.EIO, errno.EPIPE)


@dataclass(frozen=True, slots=True)
class Bare:
    """What the command line of the screen said. None is what it left open."""

    panes: tuple[str, ...] = ()
    set_name: str | None = None
    prompt: str = ""
    send: bool = False
    theme: str | None = None
    mouse: bool | None = None
    fps: int | None = None
    low_bandwidth: bool | None = None
    plain: bool = False
    system: str | None = None
    params: Params = field(default_factory=Params)
    idle_timeout_s: float | None = None
    config: Path | None = None


def fail(sentence: str) -> NoReturn:
    """Say what is wrong on stderr and exit with 2."""
    sys.stderr.write(f"anoman-tui: {sentence}\n")
    sys.exit(EXIT_USAGE)


def leave_with(action: Callable[[], int]) -> NoReturn:
    """Exit with what an action returns. Bad input ends with one sentence on stderr and exit code 2."""
    from anoman_tui.problems import ConfigError, MissingKeyError

    try:
        code = action()
    except (ConfigError, MissingKeyError) as error:
        fail(str(error))
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
    except OSError as error:
        if error.errno not in QUIET_ERRORS:
            raise
        if error.errno != errno.EPIPE:
            sys.stderr.write(f"anoman-tui: standard output cannot be written: {error.strerror}\n")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    sys.exit(code)


def compose(config: Path | None, **overrides: object) -> "Composition":
    """What a command without a screen is made of, by its settings. Raises ConfigError."""
    from anoman_tui.compose import Composition
    from anoman_tui.config import load, passed_over

    settings = load(config, **overrides)
    for notice in passed_over(os.environ):
        sys.stderr.write(f"anoman-tui: {notice}\n")
    return Composition(settings)


def carry_out(bare: Bare) -> int:
    """Open the screen, or print plain lines where there is no terminal for it; returns the exit code. Raises ConfigError."""
    if bare.send and not bare.prompt.strip():
        fail("--send needs a prompt; give one with --prompt TEXT")
    dumb = not (sys.stdin.isatty() and sys.stderr.isatty()) or os.environ.get("TERM") == "dumb"
    if dumb and not (bare.plain or bare.send):
        sys.stderr.write(NO_TERMINAL + "\n")
        return EXIT_USAGE
    from anoman_tui.compose import Composition
    from anoman_tui.config import load, passed_over
    from anoman_tui.screen import Start, open_screen, print_plain

    settings = load(
        bare.config, theme=bare.theme, mouse=bare.mouse, idle_timeout_s=bare.idle_timeout_s, fps=bare.fps, low_bandwidth=bare.low_bandwidth
    )
    notices = passed_over(os.environ)
    composition = Composition(settings)
    start = Start(bare.panes, bare.set_name, bare.prompt, bare.send, bare.system, bare.params, notices)
    if not (bare.plain or dumb):
        return open_screen(composition, start)
    gc.enable()
    for notice in notices:
        sys.stderr.write(f"anoman-tui: {notice}\n")
    return print_plain(composition, start)
