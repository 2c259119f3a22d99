"""How long stages took: data/wall_times.csv, a row per run of a command; the last one counts."""

import csv
from pathlib import Path

WALL_TIMES = Path("data/wall_times.csv")


def note_wall_time(root: Path, command: str, wall_s: float) -> None:
    new = not (root / WALL_TIMES).exists()
    with (root / WALL_TIMES).open("a", newline="") as file:
        csv.writer(file).writerows([["command", "wall_s"]] * new + [[command, f"{wall_s:.2f}"]])


def read_wall_times(root: Path) -> dict[str, float]:
    """Command -> seconds of its last run; empty where nothing was run."""
    if not (root / WALL_TIMES).is_file():
        return {}
    with (root / WALL_TIMES).open(newline="") as file:
        return {row["command"]: float(row["wall_s"]) for row in csv.DictReader(file)}
