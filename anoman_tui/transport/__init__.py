"""The only place that speaks HTTP: its own thread and event loop for all panes."""

import sys

# httpx loads its own command line with it, and with that a third of its modules: it takes them as not installed.
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type] # None makes an import fail
