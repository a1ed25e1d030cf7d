"""Who may import whom: read from the source, deferred imports too, and proved in a fresh interpreter."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import anoman_tui

PACKAGE = Path(anoman_tui.__file__).resolve().parent
MODULES = sorted(PACKAGE.rglob("*.py"))
ROOTS = ("compose.py", "cli.py", "cli_lists.py", "run_command.py", "screen.py", "passing.py", "__main__.py")
"""The composition root: it alone sees all of ours."""
LAYERS = ("core", "transport", "recording", "emulator", "history", "headless", "ui")
ALLOWED: dict[str, set[str]] = {
    "core": {"core"},
    "transport": {"core", "transport"},
    "recording": {"core", "recording"},
    "emulator": {"core", "emulator"},
    "history": {"core", "history"},
    "headless": {"core", "headless"},
    "ui": {"core", "ui"},
}
SHARED = {"anoman_tui", "anoman_tui.data", "anoman_tui.files"}
"""The version, the place of the data files, and writing files of one's own: what any layer but the core may use."""


def imports(file: Path) -> Iterator[str]:
    """Every module that a file imports anywhere in it, as a dotted name."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: relative import"
            module = node.module or ""
            yield module
            if module == "anoman_tui":
                yield from (f"anoman_tui.{name.name}" for name in node.names if name.name != "__version__")


def layer(file: Path) -> str | None:
    """The layer that a module belongs to; None for the modules beside the layers."""
    first = file.relative_to(PACKAGE).parts[0]
    return first if first in LAYERS else None


@pytest.mark.parametrize("file", [file for file in MODULES if layer(file)], ids=lambda file: file.relative_to(PACKAGE).as_posix())
def test_layers_import_only_the_core_and_themselves(file: Path) -> None:
    """Claim: the core imports nothing of ours, and every other layer the core and itself."""
    own = layer(file)
    assert own is not None
    for name in imports(file):
        if name.startswith("anoman_tui") and not (own != "core" and name in SHARED):
            assert name.split(".")[1] in ALLOWED[own], name


@pytest.mark.parametrize("file", sorted((PACKAGE / "core").rglob("*.py")), ids=lambda file: file.name)
def test_the_core_is_pure(file: Path) -> None:
    """Claim: the core imports the standard library alone, and of that nothing with a clock, a loop or IO."""
    for name in imports(file):
        top = name.split(".")[0]
        assert top == "anoman_tui" or top in sys.stdlib_module_names, name
        assert top not in {"asyncio", "time", "socket", "ssl", "threading", "subprocess", "os", "pathlib", "io", "random", "logging"}, name


def test_the_network_library_stays_in_the_transport() -> None:
    """Claim: nothing but the transport imports httpx or httpx-sse, at its top or later."""
    for file in MODULES:
        tops = {name.split(".")[0] for name in imports(file)}
        if layer(file) != "transport":
            assert not tops & {"httpx", "httpx_sse", "httpcore"}, file


def test_the_modules_beside_the_layers_do_not_compose() -> None:
    """Claim: settings, keys, prices and data import the core and one another; only the composition root sees the layers."""
    for file in MODULES:
        if layer(file) is None and file.name not in ROOTS:
            for name in imports(file):
                if name.startswith("anoman_tui."):
                    assert name.split(".")[1] not in set(LAYERS) - {"core"}, f"{file.name}: {name}"


def loaded_by(statement: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after a statement."""
    code = f"{statement}\nimport sys\nprint('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return set(done.stdout.split())


FRONTS = {
    "httpx",
    "httpx_sse",
    "textual",
    "starlette",
    "uvicorn",
    "anoman_tui.transport",
    "anoman_tui.emulator",
    "anoman_tui.ui",
    "anoman_tui.headless",
}


@pytest.mark.parametrize(
    ("statement", "never"),
    [
        (
            "import anoman_tui.core.document, anoman_tui.core.shapes, anoman_tui.core.contract, anoman_tui.core.providers",
            {*FRONTS, "asyncio", "anoman_tui.config", "pydantic", "rich"},
        ),
        (
            "import anoman_tui.transport.network",
            {
                "textual",
                "starlette",
                "uvicorn",
                "pydantic",
                "anoman_tui.ui",
                "anoman_tui.emulator",
                "anoman_tui.headless",
                "anoman_tui.config",
            },
        ),
        (
            "import anoman_tui.emulator.server, anoman_tui.emulator.app",
            {"httpx", "httpx_sse", "textual", "anoman_tui.ui", "anoman_tui.transport", "anoman_tui.headless"},
        ),
        (
            "import anoman_tui.ui.app",
            {
                "httpx",
                "httpx_sse",
                "starlette",
                "uvicorn",
                "anoman_tui.transport",
                "anoman_tui.emulator",
                "anoman_tui.config",
                "anoman_tui.headless",
            },
        ),
        (
            "import anoman_tui.headless.run, anoman_tui.headless.table",
            {"httpx", "httpx_sse", "textual", "starlette", "anoman_tui.transport", "anoman_tui.emulator", "anoman_tui.ui"},
        ),
        ("import anoman_tui.config, anoman_tui.keys", FRONTS),
        ("import anoman_tui.compose", FRONTS),
        ("import anoman_tui.cli", FRONTS | {"genai_prices", "xllamacpp"}),
    ],
)
def test_a_fresh_interpreter_loads_no_more_than_it_may(statement: str, never: set[str]) -> None:
    """Claim: importing a layer loads neither the others nor their libraries; the command loads none, so that `--help` is quick."""
    loaded = loaded_by(statement)
    assert not {name for name in loaded for other in never if name == other or name.startswith(f"{other}.")}


@pytest.mark.parametrize("file", MODULES, ids=lambda file: file.relative_to(PACKAGE).as_posix())
def test_modules_stay_small(file: Path) -> None:
    """Claim: no module is longer than 300 lines."""
    assert file.read_text("utf-8").count("\n") <= 300
