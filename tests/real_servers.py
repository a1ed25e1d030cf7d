"""Stream every shape of real servers that already run, and check what comes. Not part of the suite: it needs the servers.

    python tests/real_servers.py SERVERS.json

SERVERS.json maps a name to `openai` (a base URL that ends in /v1; chat and responses), `anthropic` and `gemini` (roots),
`models` (a model for each of the three) and `key`. Prints a line a stream and closes with 'N passed, N failed'.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

COMMAND = Path(sys.executable).with_name("anoman-tui")
FAMILIES = {"openai": ("chat", "responses"), "anthropic": ("messages",), "gemini": ("gemini",)}
PROMPT = "Tell me a short story."


def config(servers: dict[str, Any]) -> str:
    """A config.toml with one provider per server and family, and the key variable of each."""
    lines = []
    for name, server in servers.items():
        for family, shapes in FAMILIES.items():
            if family in server:
                lines += [
                    f"[providers.{name}_{family}]",
                    f'base_url = "{server[family]}"',
                    f"shapes = {list(shapes)}",
                    f'api_key_env = "KEY_{name.upper()}"',
                ]
    return "\n".join(lines)


def streams(servers: dict[str, Any]) -> list[str]:
    """The pane argument of every stream to try."""
    return [
        f"{name}_{family}/{shape}/{server['models'][family]}"
        for name, server in servers.items()
        for family, shapes in FAMILIES.items()
        if family in server
        for shape in shapes
    ]


def run(pane: str, folder: Path, environ: dict[str, str]) -> dict[str, Any]:
    """The record of one stream."""
    command = [str(COMMAND), "run", PROMPT, "--json", "--max-tokens", "40", "--config", str(folder / "config.toml"), "--pane", pane]
    done = subprocess.run(command, capture_output=True, text=True, env=environ, timeout=180)
    if not done.stdout:
        return {"outcome": None, "error": {"message": done.stderr.strip()}}
    record: dict[str, Any] = json.loads(done.stdout)["panes"][0]
    return record


def main() -> int:
    """Try every stream one after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("servers", type=Path)
    servers = {name: server for name, server in json.loads(parser.parse_args().servers.read_text("utf-8")).items() if "models" in server}
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "config.toml").write_text(config(servers), "utf-8")
        keys = {f"KEY_{name.upper()}": str(server.get("key") or "none") for name, server in servers.items()}
        environ = {"PATH": os.environ.get("PATH", ""), "HOME": folder, **keys}
        for pane in streams(servers):
            record = run(pane, home, environ)
            good = record["outcome"] == "completed" and bool(record["text"])
            passed, failed = passed + good, failed + (not good)
            usage, times = record.get("usage") or {}, record.get("timing") or {}
            said = f"{usage.get('output_tokens')} tokens, first {times.get('ttft_ms')} ms" if good else json.dumps(record.get("error"))
            sys.stdout.write(f"{'ok  ' if good else 'FAIL'} {pane}: {record['outcome']}, {said}\n")
    sys.stdout.write(f"{passed} passed, {failed} failed\n")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
