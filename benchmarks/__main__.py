"""Measure, print a table, store JSON; compare; try other programs.

python -m benchmarks [SUITE…] [--quick] [--runs N] [--out FILE] [--tree FOLDER] [--write]
python -m benchmarks compare A B [SUITE…]     each a stored JSON file or a commit, which is measured in a worktree
python -m benchmarks peers                    curl, llm, elia and oterm, those of them that are on the PATH
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.suites import SUITES, Plan
from benchmarks.table import Row, compared, document, load, markdown, rows_of
from benchmarks.terminal import HERE

README = Path(__file__).with_name("README.md")
BEGIN, END = "<!-- results -->", "<!-- end of results -->"
QUICK, WHOLE = (2, 0.1), (5, 1.0)


def main(arguments: Sequence[str]) -> int:
    """Run what was asked for; returns the exit code."""
    first = arguments[0] if arguments else ""
    if first == "peers":
        from benchmarks.peers import peers

        print(markdown(peers()))  # noqa: T201
        return 0
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    if first == "compare":
        parser.add_argument("compare")
        parser.add_argument("before")
        parser.add_argument("after")
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"of {', '.join(SUITES)}; all without any")
    parser.add_argument("--quick", action="store_true", help="short streams and two rounds, to see that it works")
    parser.add_argument("--runs", type=int, help="rounds; the median counts")
    parser.add_argument("--out", type=Path, help="store the results here as JSON")
    parser.add_argument("--write", action="store_true", help="put the table into benchmarks/README.md")
    parser.add_argument("--tree", type=Path, default=HERE, help="measure the package of this folder")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.suites if name not in SUITES]
    if unknown:
        parser.error(f"there is no suite {unknown[0]}; there are {', '.join(SUITES)}")
    if first == "compare":
        print(compared(_stored(options.before, options), _stored(options.after, options)))  # noqa: T201
        return 0
    rows = run(options.tree, options)
    print(markdown(rows))  # noqa: T201
    stored = document(rows, options.tree)
    if options.out:
        options.out.write_text(json.dumps(stored, indent=1), "utf-8")
    if options.write:
        _write(stored)
    return 0


def _write(stored: dict[str, Any]) -> None:
    """Renew the table in the README."""
    machine = stored["machine"]
    named = f"{machine['processor']}, Python {machine['python']}, commit {stored['commit']}, {stored['at'][:10]}."
    named += f" Load average of the last quarter of an hour, the benchmark's own included: {machine['load']}."
    text = README.read_text("utf-8")
    before, after = text.partition(BEGIN)[0], text.partition(END)[2]
    README.write_text(f"{before}{BEGIN}\n{named}\n\n{markdown(rows_of(stored))}\n{END}{after}", "utf-8")


def run(tree: Path, options: argparse.Namespace) -> list[Row]:
    """Measure a tree."""
    runs, scale = QUICK if options.quick else WHOLE
    plan = Plan(tree.resolve(), options.runs or runs, scale)
    rows: list[Row] = []
    for name in options.suites or SUITES:
        sys.stderr.write(f"{name} …\n")
        rows += SUITES[name](plan)
    return rows


def _stored(named: str, options: argparse.Namespace) -> dict[str, Any]:
    """The results in a file, or those of a commit, which is measured now."""
    if Path(named).is_file():
        return load(Path(named))
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "tree")
        git = ["git", "-C", str(HERE), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), named], check=True)
        try:
            return document(run(tree, options), tree)
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
