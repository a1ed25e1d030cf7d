"""`anoman-tui models`: what the providers offer, one pane argument a line."""

from collections.abc import Sequence
from typing import TextIO

from anoman_tui.core.model_list import NoModelsError, read_models
from anoman_tui.core.ports import FetchJson
from anoman_tui.core.target import Target


def print_models(targets: Sequence[Target], fetch: FetchJson, out: TextIO, err: TextIO) -> int:
    """Print every model of every target's provider. Returns 0 when all answered, 1 when some did not, 3 when none did."""
    answered = 0
    for target in targets:
        try:
            names = read_models(target, fetch)
        except NoModelsError as error:
            err.write(f"{target.provider.name}: {error}\n")
            continue
        answered += 1
        out.writelines(f"{target.provider.name}/{target.shape}/{name}\n" for name in names)
    return 0 if answered == len(targets) else 1 if answered else 3
