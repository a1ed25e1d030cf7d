"""A text in the user's own editor program."""

import asyncio
import os
import shlex
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from anoman_tui.core.chunks import mend_surrogates
from anoman_tui.core.sanitize import clean_line

USUAL = ("nano", "vim", "vi")
"""What is tried where the user named no editor."""
NONE_NAMED = f"no editor is known: set VISUAL or EDITOR, or install one of {', '.join(USUAL)}"


class EditorError(ValueError):
    """The text could not be edited; the message is one sentence."""


def editor_command(environ: Mapping[str, str]) -> list[str]:
    """The editor's program with its arguments: of VISUAL, of EDITOR, or a usual one. Raises EditorError."""
    for name in ("VISUAL", "EDITOR"):
        given = environ.get(name, "").strip()
        if not given:
            continue
        try:
            command = shlex.split(given)
        except ValueError as wrong:
            raise EditorError(f"{name}: {clean_line(given, 80)} is no command ({wrong})") from None
        if command and shutil.which(command[0], path=environ.get("PATH")) is None:
            raise EditorError(f"{name}: there is no program {clean_line(command[0], 80)}")
        if command:
            return command
    found = next((name for name in USUAL if shutil.which(name, path=environ.get("PATH"))), None)
    if found is None:
        raise EditorError(NONE_NAMED)
    return [found]


async def edit(command: list[str], text: str) -> str:
    """The text as the editor leaves it, without line ends behind it. Raises EditorError where the editor fails; the loop goes on meanwhile.

    The file lies in a folder of its own that only its owner can read and that is removed with all that the editor put beside it.
    """
    folder: Path | None = None
    try:
        folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="anoman-tui-"))
        file = folder / "prompt.md"
        file.touch(mode=0o600)
        file.write_bytes(f"{mend_surrogates(text)}\n".encode() if text else b"")
        await _run([*command, str(file)])
        return file.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n").rstrip("\n")
    except OSError as wrong:
        raise EditorError(f"the prompt could not be edited ({wrong.strerror or type(wrong).__name__}); it stays as it was") from None
    finally:
        if folder is not None:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


async def _run(command: list[str]) -> None:
    # The screen is drawn on stderr, so stdout may be a pipe or a file, where no editor can draw.
    stdout = None if os.isatty(1) or not os.isatty(2) else 2
    process = await asyncio.create_subprocess_exec(*command, stdout=stdout)
    code = await process.wait()
    if code:
        raise EditorError(f"{clean_line(command[0], 80)} ended with code {code}: the prompt stays as it was")
