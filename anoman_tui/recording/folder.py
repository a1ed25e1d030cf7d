"""The folder of run files: names, order, and how much of it is kept."""

import re
from contextlib import suppress
from pathlib import Path

from anoman_tui.core.run import RunHead
from anoman_tui.recording.runfile import SUFFIX

_NAME = re.compile(r"\d{8}T\d{6}\d*Z-[0-9a-f]{8}\.jsonl")


def run_path(folder: Path, head: RunHead) -> Path:
    """The file of a run; names sort by time."""
    moment = re.sub(r"[^0-9TZ]", "", head.started_at)
    return folder / f"{moment}-{head.run_id[:8]}{SUFFIX}"


def run_files(folder: Path) -> list[Path]:
    """The run files of a folder, newest first; empty where there is none. Files of other names are not ours."""
    try:
        return sorted((file for file in folder.iterdir() if _NAME.fullmatch(file.name)), reverse=True)
    except OSError:
        return []


def prune(newest: Path, runs: int, size: int) -> None:
    """Remove the oldest files beyond `runs` files or `size` bytes in all; `newest` always stays."""
    total = 0
    for count, file in enumerate(run_files(newest.parent), 1):
        with suppress(OSError):
            total += file.stat().st_size
            if file != newest and (count > runs or total > size):
                file.unlink()
