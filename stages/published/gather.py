"""Every published run that was trained and scored: scores.csv and aligned.csv of reports/published."""

from pathlib import Path

import pandas as pd

from stages.files import artifacts
from stages.published.settings import FILE, load_published
from stages.running.command import run

SEEDS, TABLES = Path("reports/published/seeds"), Path("reports/published/tables")
SCORES = Path("reports/published/scores.csv")
ALIGNED = Path("reports/published/aligned.csv")


def list_known(root: Path) -> list[str]:
    """Every run and seed of the settings, as run-seed."""
    return [f"{name}-{seed}" for name, (_, seeds) in load_published(root).runs.items() for seed in seeds]


def main(root: Path = Path()) -> None:
    known = list_known(root)
    there = [run for run in known if (root / SEEDS / f"{run}.csv").exists()]
    if not there:
        raise ValueError(f"{root / SEEDS} holds no run of {FILE}; run `make published`")
    if absent := [run for run in known if run not in there]:
        print(f"not run yet: {', '.join(absent)}")
    for folder, path in ((SEEDS, SCORES), (TABLES, ALIGNED)):
        tables = [artifacts.read_csv(root / folder / f"{run}.csv") for run in there]
        artifacts.write_csv(root / path, pd.concat([table for table in tables if len(table)] or tables))


if __name__ == "__main__":
    run(main)
