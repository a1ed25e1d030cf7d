"""How child processes are started: a bare environment and a session of their own. Standard library only."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

# What Python and shared libraries need to be found; no keys, no proxies.
_KEEP = (
    "PATH HOME USERPROFILE APPDATA LOCALAPPDATA SYSTEMROOT TEMP TMP TMPDIR LANG LC_ALL LC_CTYPE TZ "
    "PYTHONPATH PYTHONHOME PYTHONUTF8 PYTHONDONTWRITEBYTECODE VIRTUAL_ENV LD_LIBRARY_PATH DYLD_LIBRARY_PATH"
)


def clean_environment() -> dict[str, str]:
    """The environment of a child."""
    kept = {name: os.environ[name] for name in _KEEP.split() if name in os.environ}
    root = Path(__file__).parents[2]
    if root.name not in ("site-packages", "dist-packages"):
        # Run from a checkout: the child must find this same package.
        kept["PYTHONPATH"] = os.pathsep.join([*filter(None, [kept.get("PYTHONPATH")]), str(root)])
    return kept


def detached() -> dict[str, Any]:
    """Arguments for `Popen`: Ctrl-C in the terminal must reach the parent alone, which then ends the child in order."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}
