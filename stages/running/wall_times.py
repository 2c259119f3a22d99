"""How long stages took: data/wall_times.csv, a row per run of a command; the last one counts."""

import csv
import json
from contextlib import suppress
from pathlib import Path

from stages.parameters import params

WALL_TIMES = Path("data/wall_times.csv")
PROVENANCE = Path("reports/provenance.json")


def note_wall_time(root: Path, command: str, wall_s: float) -> None:
    new = not (root / WALL_TIMES).exists()
    with (root / WALL_TIMES).open("a", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["command", "wall_s"]] * new + [[command, f"{wall_s:.2f}"]])


def read_wall_times(root: Path) -> dict[str, float]:
    """Command -> seconds of its last run; empty where nothing was run."""
    if not (root / WALL_TIMES).is_file():
        return {}
    with (root / WALL_TIMES).open(newline="", encoding="utf-8") as file:
        return {row["command"]: float(row["wall_s"]) for row in csv.DictReader(file)}


def expect_wall_times(root: Path) -> dict[str, float]:
    """Command -> seconds: of its last run here, else of the published one, if that was at the same scale."""
    published: dict[str, float | None] = {}
    with suppress(FileNotFoundError):
        record = json.loads((root / PROVENANCE).read_bytes())
        if record["scale"] == params.read(root / params.FILE)["scale"]:
            published = record["wall_s"]
    known = {command: wall_s for command, wall_s in published.items() if wall_s is not None}
    return known | read_wall_times(root)
