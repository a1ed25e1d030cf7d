"""`python -m anoman_tui.emulator`: the gateway as a child process, or by hand."""

import argparse
from pathlib import Path

from anoman_tui.emulator.options import ENGINE_CHOICES, GatewayOptions


def main(argv: list[str] | None = None) -> int:
    """Parse the arguments and serve; returns an exit code."""
    parser = argparse.ArgumentParser(prog="python -m anoman_tui.emulator", description="The embedded gateway on 127.0.0.1.")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free port")
    parser.add_argument("--cache", choices=("on", "off"), default="on")
    parser.add_argument("--engine", choices=ENGINE_CHOICES, default="auto")
    parser.add_argument("--gguf", type=Path, default=None, help="a model file for the llama.cpp engine")
    parser.add_argument("--pace", type=float, default=1.0, help="multiplies the scripted engine's pauses; 0 leaves them out")
    parser.add_argument("--foreground", action="store_true", help="do not end when stdin ends")
    given = parser.parse_args(argv)
    options = GatewayOptions(given.port, given.cache == "on", given.engine, given.gguf, given.pace)
    # Late, so that `--help` and a wrong option answer at once.
    from anoman_tui.emulator.serve import serve_child

    return serve_child(options, watch_stdin=not given.foreground)


if __name__ == "__main__":
    raise SystemExit(main())
