"""Rows of results: what was measured, what it is held against, and whether the budget is met; as a table, as JSON, and compared."""

import json
import math
import os
import platform
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any


class Of(StrEnum):
    """What a budget limits."""

    VALUE = "value"
    RATIO = "ratio"
    """Our value divided by the reference's of the same run; holds on any machine."""


@dataclass(frozen=True, slots=True)
class Row:
    """One number. Less is better in all of them."""

    key: str
    """Its name in JSON."""
    what: str
    unit: str
    value: float
    reference: float | None = None
    against: str = ""
    """What the reference is."""
    budget: float | None = None
    of: Of = Of.VALUE

    @property
    def ratio(self) -> float | None:
        """Ours against the reference."""
        return self.value / self.reference if self.reference else None

    @property
    def met(self) -> bool | None:
        """Whether the budget holds; None where there is none."""
        held = self.value if self.of is Of.VALUE else self.ratio
        return None if self.budget is None or held is None else not math.isnan(held) and held <= self.budget


HEAD = ("measure", "ours", "reference", "ratio", "budget", "met")


def markdown(rows: Iterable[Row]) -> str:
    """The rows as a Markdown table."""
    lines = [_cells(row) for row in rows]
    widths = [max(len(line[at]) for line in [HEAD, *lines]) for at in range(len(HEAD))]
    made = [" | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in [HEAD, *lines]]
    made.insert(1, " | ".join("-" * width for width in widths))
    return "\n".join(f"| {line} |" for line in made)


def _cells(row: Row) -> Sequence[str]:
    reference = "" if row.reference is None else f"{shown(row.reference)} ({row.against})"
    ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
    budget = "" if row.budget is None else f"{row.budget:g} {'x' if row.of is Of.RATIO else row.unit}"
    met = {None: "", True: "yes", False: "no"}[row.met]
    return row.what, f"{shown(row.value)} {row.unit}", reference, ratio, budget, met


def shown(value: float) -> str:
    """Three digits of a number."""
    if math.isnan(value):
        return "--"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def document(rows: Iterable[Row], tree: Path) -> dict[str, Any]:
    """What is stored: the rows, the commit that was measured, and the machine."""
    commit = subprocess.run(["git", "-C", str(tree), "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False).stdout
    return {
        "commit": commit.strip(),
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {
            "python": platform.python_version(),
            "system": platform.platform(),
            "processor": _processor(),
            "load": round(os.getloadavg()[2], 1),
        },
        "rows": [asdict(row) for row in rows],
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text("utf-8").splitlines() if info.exists() else []
    names = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return f"{len(names)} x {names[0]}" if names else platform.processor()


def rows_of(stored: Mapping[str, Any]) -> list[Row]:
    """The rows of a stored document."""
    return [Row(**{**fields, "of": Of(fields["of"])}) for fields in stored["rows"]]


def compared(first: Mapping[str, Any], second: Mapping[str, Any]) -> str:
    """Two documents side by side, as a Markdown table; the ratio is the second against the first."""
    before = {row.key: row for row in rows_of(first)}
    lines = [f"| measure | {first['commit']} | {second['commit']} | ratio |", "|---|---|---|---|"]
    for row in rows_of(second):
        old = before.get(row.key)
        if old is not None:
            ratio = row.value / old.value if old.value else math.nan
            lines.append(f"| {row.what} | {shown(old.value)} {row.unit} | {shown(row.value)} {row.unit} | {ratio:.2f} |")
    return "\n".join(lines)


def load(file: Path) -> dict[str, Any]:
    """A stored document."""
    stored: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return stored
