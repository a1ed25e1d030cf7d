"""Run the gateway until it is told to stop: as the app's child, or alone in the foreground."""

import asyncio
import contextlib
import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any

from anoman_tui.emulator.options import GatewayOptions
from anoman_tui.emulator.server import GatewayServer


def serve(options: GatewayOptions) -> int:
    """Run alone in the foreground and say in a few lines how to reach it; Ctrl-C ends it. Returns an exit code."""

    def announce(server: GatewayServer) -> None:
        local = server.hub.local
        sys.stdout.write(_welcome(server))
        local.on_change = lambda: print(f"  Engine    {local.engine_name}: {local.reason}", flush=True)  # noqa: T201 - the foreground

    return _run(options, announce, watch_stdin=False)


def serve_child(options: GatewayOptions, *, watch_stdin: bool = True) -> int:
    """Run for a parent: print one JSON line once it listens, and one whenever another engine serves; end when stdin does.

    Returns an exit code.
    """

    def announce(server: GatewayServer) -> None:
        local = server.hub.local
        _say(listening_line(server))
        local.on_change = lambda: _say({"engine": local.engine_name, "engine_reason": local.reason})

    return _run(options, announce, watch_stdin=watch_stdin)


def _say(line: dict[str, Any]) -> None:
    """One JSON line for the parent, which may be gone."""
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


def listening_line(server: GatewayServer) -> dict[str, Any]:
    """What the child says when it listens."""
    local = server.hub.local
    return {
        "url": server.url,
        "anoman": f"{server.url}/anoman",
        "anypath": f"{server.url}/anypath",
        "engine": local.engine_name,
        "engine_reason": local.reason,
        "models": server.hub.models(),
        "pid": os.getpid(),
    }


def _run(options: GatewayOptions, announce: Callable[[GatewayServer], object], *, watch_stdin: bool) -> int:
    try:
        asyncio.run(_main(options, announce, watch_stdin=watch_stdin))
    except OSError as error:
        sys.stderr.write(f"The gateway cannot listen on port {options.port}: {error.strerror or error}.\n")
        return 2
    except KeyboardInterrupt:
        pass
    return 0


async def _main(options: GatewayOptions, announce: Callable[[GatewayServer], object], *, watch_stdin: bool) -> None:
    server = GatewayServer(options)
    loop = asyncio.get_running_loop()

    def stop(*_: object) -> None:
        # The loop may be gone already when a late signal or the end of stdin arrives.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(server.request_stop)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    if watch_stdin:
        threading.Thread(target=_at_stdin_end, args=(stop,), daemon=True).start()
    server.hub.local.start()
    announce(server)
    sys.stdout.flush()
    await server.run_until_stopped()


def _at_stdin_end(stop: Callable[[], None]) -> None:
    with contextlib.suppress(OSError):
        while os.read(0, 4096):
            pass
    stop()


def _welcome(server: GatewayServer) -> str:
    line = listening_line(server)
    anoman, anypath = line["anoman"], line["anypath"]
    return (
        f"The embedded gateway listens on {server.url} (Ctrl-C ends it; any non-empty key is accepted).\n\n"
        f"  Anoman    OpenAI SDK      {anoman}/v1\n"
        f"            Anthropic SDK   {anoman}/anthropic\n"
        f"            playground      {anoman}/anoman/v1/playground/run\n"
        f"  AnyPath   OpenAI SDK      {anypath}/v1\n"
        f"            Anthropic SDK   {anypath}\n"
        f"            Google SDK      {anypath}\n\n"
        f"  Engine    {line['engine']}: {line['engine_reason']}\n"
        f"  Models    {', '.join(line['models'])}\n"
        f"  Books     {server.url}/_ledger   Health {server.url}/_health\n"
    )
