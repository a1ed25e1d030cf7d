"""No test sees the settings, keys or folders of the machine it runs on, and no report shows them."""

import os
import sys
from pathlib import Path
from typing import Any

import pytest
import pytest_textual_snapshot
from hypothesis import HealthCheck, settings

SNAPSHOT_PYTHON = (3, 11)
"""Screen pictures differ in detail between Python versions; they are made and compared on this one."""

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
# 100 examples as a rule, 1,000 with --hypothesis-profile=thorough or ANOMAN_TUI_THOROUGH=1; no deadline, since workers share a processor.
settings.register_profile("quick", max_examples=100, deadline=None, suppress_health_check=_SLOW, derandomize=False)
settings.register_profile("thorough", max_examples=1_000, deadline=None, suppress_health_check=_SLOW)
settings.load_profile("thorough" if os.environ.get("ANOMAN_TUI_THOROUGH") else "quick")

_XDG = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
_COLOURS = ("NO_COLOR", "COLORTERM", "FORCE_COLOR", "TEXTUAL_THEME")

_diffs = pytest_textual_snapshot.retrieve_svg_diffs


def _without_environment(*args: Any) -> Any:
    diffs, passed = _diffs(*args)
    for diff in diffs:
        diff.environment = {}
    return diffs, passed


pytest_textual_snapshot.retrieve_svg_diffs = _without_environment


def pytest_xdist_auto_num_workers() -> int:
    """Two workers a processor: many tests wait for sockets and timers."""
    return min(8, 2 * (os.cpu_count() or 1))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip picture comparisons on other Python versions."""
    if sys.version_info[:2] == SNAPSHOT_PYTHON:
        return
    skip = pytest.mark.skip(reason="screen pictures are compared on Python 3.11 only")
    for item in items:
        if "snapshot" in getattr(item, "fixturenames", ()):
            item.add_marker(skip)


@pytest.fixture(autouse=True)
def _isolated(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Own folders, and no keys, addresses or colours from outside."""
    for name in list(os.environ):
        if name.endswith(("_API_KEY", "_BASE_URL")) or name in _COLOURS:
            monkeypatch.delenv(name)
    home: Path = tmp_path_factory.mktemp("xdg")
    for name in _XDG:
        monkeypatch.setenv(name, str(home / name.lower()))
