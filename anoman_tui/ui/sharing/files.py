"""Files of one's own: nobody else reads them, and a file is there whole or as it was before."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def write_private(path: Path, data: bytes) -> None:
    """Write a file with mode 0600, in one step. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def shown_path(path: Path) -> str:
    """The path as people write it."""
    try:
        return f"~/{path.relative_to(Path.home())}"
    except (ValueError, RuntimeError):
        return str(path)
