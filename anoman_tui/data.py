"""Where the themes and sample prompts lie: inside the package in a wheel, beside `pyproject.toml` in a source tree."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_dir(name: str) -> Path:
    """The folder `themes` or `sample_prompts`. Raises FileNotFoundError where the installation lacks it."""
    for folder in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the folder {name} is missing from this installation; install anoman-tui again")
