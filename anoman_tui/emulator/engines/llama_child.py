"""The process that runs llama.cpp's own HTTP server, through xllamacpp.

It reads one JSON line from stdin (`gguf`, `alias`, `api_key`, `slots`, `context`), prints one JSON line when it listens (`url`) or fails
(`error`), and ends when stdin does. The key comes by stdin because a command line can be read by every user of the machine.
"""

import json
import os
import sys
from typing import Any, TextIO


def main() -> int:
    """Serve until the parent closes stdin; returns an exit code where the server did not start."""
    given = json.loads(sys.stdin.readline())
    out = _quiet()
    if hasattr(os, "nice"):
        # The screen's work goes first where the two share a core.
        os.nice(5)
    try:
        server = _server(given)
    except Exception as error:
        out.write(json.dumps({"error": f"{type(error).__name__}: {error}"}) + "\n")
        return 1
    try:
        out.write(json.dumps({"url": server.listening_address}) + "\n")
        while os.read(0, 4096):
            pass
    finally:  # also where the parent has gone meanwhile, so that nobody reads what is written
        # Deleting the server would wait for open streams while it holds the interpreter; the kernel closes the sockets.
        os._exit(0)


def _quiet() -> TextIO:
    """Keep our stdout, and send what the C++ side writes to file descriptors 1 and 2 to nowhere."""
    out = os.fdopen(os.dup(1), "w", buffering=1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    return out


def _server(given: dict[str, Any]) -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = given["gguf"]
    params.model_alias = {given["alias"]}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_parallel = given["slots"]
    params.n_ctx = given["slots"] * given["context"]
    # One thread: two of ggml's threads spin at barriers and crawl when they must share their cores.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    # Every open stream holds one HTTP thread.
    params.n_threads_http = given["slots"] + 4
    params.cache_ram_mib = 0
    params.ui = False
    params.cors_origins = "localhost"
    params.api_keys = [given["api_key"]]
    return xllamacpp.Server(params)


if __name__ == "__main__":
    raise SystemExit(main())
