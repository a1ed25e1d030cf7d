"""The command `anoman-tui`, also as `python -m anoman_tui`. A plain start of the screen loads no more than the screen needs."""

import gc
import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command. Bad input ends with one sentence on stderr and exit code 2."""
    from anoman_tui.bare import carry_out, leave_with
    from anoman_tui.quick_arguments import quick_arguments

    bare = quick_arguments(sys.argv[1:], os.environ)
    if bare is None:
        from anoman_tui.cli import main as thorough_main

        thorough_main()
    gc.disable()  # until the screen stands: a start makes much and drops little
    leave_with(lambda: carry_out(bare))


if __name__ == "__main__":
    main()
