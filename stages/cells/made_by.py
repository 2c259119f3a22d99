"""Say in a table what each cell was made by; cells that are equal may have been made by other machines."""

import json
import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pandas as pd

from stages.core.settings.errors import InputError
from stages.files import artifacts

FILE = "made_by.csv"
COLUMNS = ["cell", "key", "commit", "processor", "device", "instructions", "precision"]
COLUMNS += ["torch", "python", "seconds"]
MadeBy = dict[str, Any]


def describe_run(commit: str, machine: Mapping[str, str], seconds: float) -> MadeBy:
    """Say what a cell was just made by, of a commit's code.

    machine: what it was trained on; empty if it was not.
    """
    return {
        "commit": commit,
        "processor": name_processor(),
        **machine,
        "torch": version("torch"),
        "python": platform.python_version(),
        "seconds": round(seconds, 1),
    }


@cache
def name_processor() -> str:
    """Name the processor as the system does."""
    listed = Path("/proc/cpuinfo")
    for line in listed.read_text(encoding="utf-8").splitlines() if listed.is_file() else ():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return platform.processor() or platform.machine()


def write_made_by(path: Path, digests: Mapping[str, str], stored: Mapping[str, Path]) -> None:
    """Write a row of each cell: as the store says, else as the table said before of the same key.

    digests: of cells' keys; stored: where the store would say it.
    """
    known = read_made_by(path)
    rows = []
    for cell, digest in digests.items():
        if run := read_run(stored[cell]):
            known[cell, digest] = run
        rows.append({"cell": cell, "key": digest} | known.get((cell, digest), {}))
    artifacts.write_csv(path, pd.DataFrame(rows, columns=COLUMNS, dtype=object))


def read_run(path: Path) -> MadeBy | None:
    """Read what the store says that a cell was made by; None where it says nothing, or was damaged."""
    try:
        run = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return run if isinstance(run, dict) else None


def read_made_by(path: Path) -> dict[tuple[str, str], MadeBy]:
    """Read what each cell of some key was made by; nothing where there is no table."""
    if not path.is_file():
        return {}
    table = artifacts.read_csv(path, *COLUMNS)
    if absent := [name for name in COLUMNS if name not in table]:
        raise InputError(
            f"{path}: no column {absent[0]}, expected {', '.join(COLUMNS)}; delete or correct it"
        )
    rows = [{name: row[name] for name in COLUMNS} for row in table.to_dict("records")]
    return {(row["cell"], row["key"]): {key: row[key] for key in COLUMNS[2:]} for row in rows}
