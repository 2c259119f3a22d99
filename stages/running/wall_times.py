"""How long stages took: data/wall_times.csv, a row per run of a command; the last one counts."""

import csv
import json
from contextlib import suppress
from io import StringIO
from pathlib import Path

from stages.parameters import params

WALL_TIMES = Path("data/wall_times.csv")
PROVENANCE = Path("reports/provenance.json")


def note_wall_time(root: Path, command: str, wall_s: float) -> None:
    """Append a row on a line of its own, so that one cut off by a full disk does not spoil it."""
    row = StringIO()
    csv.writer(row, lineterminator="").writerow([command, f"{wall_s:.2f}"])
    with (root / WALL_TIMES).open("ab", buffering=0) as file:
        file.write(f"\n{row.getvalue()}".encode())


def read_wall_times(root: Path) -> dict[str, float]:
    """Command -> seconds of its last run; empty where nothing was run."""
    seconds: dict[str, float] = {}
    if (root / WALL_TIMES).is_file():
        for row in csv.reader((root / WALL_TIMES).read_text(encoding="utf-8", errors="replace").splitlines()):
            with suppress(ValueError):  # no row that was written whole
                command, wall_s = row
                seconds[command] = float(wall_s)
    return seconds


def expect_wall_times(root: Path) -> dict[str, float]:
    """Command -> seconds: of its last run here, else of the published one, if that was at the same scale."""
    published: dict[str, float | None] = {}
    with suppress(OSError, ValueError, KeyError):  # none, or damaged
        record = json.loads((root / PROVENANCE).read_bytes())
        if record["scale"] == params.read(root / params.FILE)["scale"]:
            published = record["wall_s"]
    known = {command: wall_s for command, wall_s in published.items() if wall_s is not None}
    return known | read_wall_times(root)
