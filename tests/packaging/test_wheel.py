"""The wheel works apart from its source: built and installed without a network, with its data and its command."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EMPTY_INDEX = ("--no-index", "--disable-pip-version-check", "--quiet")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built with the backend that is installed here."""
    folder = tmp_path_factory.mktemp("dist")
    options = ["--no-deps", "--no-build-isolation", *EMPTY_INDEX, "--wheel-dir", str(folder)]
    command = [sys.executable, "-m", "pip", "wheel", str(ROOT), *options]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of an environment that has the wheel, and our dependencies by path, but not our source tree."""
    home = tmp_path_factory.mktemp("apart")
    venv.create(home, with_pip=False)
    variables = {"base": str(home), "platbase": str(home)}
    site = Path(sysconfig.get_path("purelib", "venv", variables))
    # A folder that a .pth file names is searched for modules, but its own .pth files, the editable install's, are not read.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    scripts = Path(sysconfig.get_path("scripts", "venv", variables))
    python = scripts / Path(sys.executable).name
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--force-reinstall", *EMPTY_INDEX, str(wheel)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return scripts


def test_the_wheel_holds_the_data_and_the_type_marker(wheel: Path) -> None:
    """Themes, sample prompts and `py.typed` are inside, tests are not."""
    names = zipfile.ZipFile(wheel).namelist()
    assert "anoman_tui/py.typed" in names
    assert any(name.startswith("anoman_tui/_data/themes/") and name.endswith(".toml") for name in names)
    assert any(name.startswith("anoman_tui/_data/sample_prompts/") and name.endswith(".md") for name in names)
    assert not [name for name in names if name.startswith("tests/")]


def test_the_installed_package_finds_its_own_data(installed: Path, tmp_path: Path) -> None:
    """Data folders resolve inside the installation, not in the source tree."""
    shown = "anoman_tui.__file__, data.data_dir('themes'), data.data_dir('sample_prompts')"
    code = f"import anoman_tui; from anoman_tui import data; print(*({shown}), sep='\\n')"
    done = subprocess.run([installed / "python", "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert str(ROOT) + os.sep not in done.stdout
    assert len(done.stdout.split()) == 3


def test_the_installed_command_streams_from_its_embedded_gateway(installed: Path, tmp_path: Path) -> None:
    """`anoman-tui run` needs nothing but the installation."""
    command = [str(installed / "anoman-tui"), "run", "Say hello", "--json", "--pane", "local_anoman/chat/scripted-fast"]
    environ = {"PATH": os.environ.get("PATH", ""), "HOME": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environ, timeout=60)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["panes"][0]["outcome"] == "completed"
