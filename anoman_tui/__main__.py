"""The command `anoman-tui`, also as `python -m anoman_tui`. A plain start of the screen, or of a run, loads no more than that needs."""

import gc
import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command. Bad input ends with one sentence on stderr and exit code 2."""
    from anoman_tui.bare import Bare, carry_out, leave_with
    from anoman_tui.quick_arguments import quick_arguments

    match quick_arguments(sys.argv[1:], os.environ):
        case None:
            from anoman_tui.cli import main as thorough_main

            thorough_main()
        case Bare() as bare:
            gc.disable()  # until the screen stands: a start makes much and drops little
            leave_with(lambda: carry_out(bare))
        case command:
            from anoman_tui.run_command import carry_out_run

            leave_with(lambda: carry_out_run(command))


if __name__ == "__main__":
    main()
