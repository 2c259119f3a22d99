"""Every published run that was trained and scored, in one table: reports/published/scores.csv."""

from pathlib import Path

import pandas as pd

from stages.files import artifacts
from stages.published.settings import FILE, load_published
from stages.running.command import run

SEEDS = Path("reports/published/seeds")
SCORES = Path("reports/published/scores.csv")


def main(root: Path = Path()) -> None:
    known = [(name, seed) for name, (_, seeds) in load_published(root).runs.items() for seed in seeds]
    paths = {run: root / SEEDS / f"{run[0]}-{run[1]}.csv" for run in known}
    tables = [artifacts.read_csv(path) for path in paths.values() if path.exists()]
    if not tables:
        raise ValueError(f"{root / SEEDS} holds no run of {FILE}; run `make published`")
    if absent := [f"{name} {seed}" for (name, seed), path in paths.items() if not path.exists()]:
        print(f"not run yet: {', '.join(absent)}")
    artifacts.write_csv(root / SCORES, pd.concat(tables))


if __name__ == "__main__":
    run(main)
