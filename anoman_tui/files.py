"""Files of one's own: nobody else reads them, a file is there whole or as it was before, and none is read beyond its bounds."""

import os
import stat
from contextlib import suppress
from pathlib import Path


def private_folder(folder: Path) -> None:
    """Make a folder that its owner alone can look into; one that is there stays as it is. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)


def write_private(path: Path, data: bytes) -> None:
    """Write a file with mode 0600, in one step. Raises OSError."""
    import tempfile  # it loads much that a program that only reads has no use for

    private_folder(path.parent)
    handle, name = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def read_bounded(path: Path, limit: int) -> bytes:
    """The bytes of a file. Raises OSError, and ValueError where it has more than `limit` bytes or is no file."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # a pipe without a writer must not be waited for
    with open(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ValueError("is no file")
        data = file.read(limit + 1)
    if len(data) > limit:
        raise ValueError(f"has more than {limit:,} bytes")
    return data


def why(error: OSError) -> str:
    """The reason of an error in words."""
    return error.strerror or type(error).__name__


def shown_path(path: Path) -> str:
    """The path as people write it."""
    try:
        return f"~/{path.relative_to(Path.home())}"
    except (ValueError, RuntimeError):
        return str(path)
