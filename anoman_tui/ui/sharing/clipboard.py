"""Whether the terminal takes a copy (OSC 52). It never answers, so what is known comes from its name."""

from collections.abc import Mapping


def takes_copies(environ: Mapping[str, str]) -> bool:
    """False where the terminal is known not to take a copy, or to pass none on by default."""
    term = environ.get("TERM", "")
    if environ.get("TERM_PROGRAM") == "Apple_Terminal" or term in ("linux", "dumb", ""):
        return False
    # GNU screen passes nothing on; tmux only where `set-clipboard` is on, which is not its default.
    return "STY" not in environ and "TMUX" not in environ
