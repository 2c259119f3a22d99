"""Every variation that was trained and compared: variations.csv and over_floor.csv of reports/tables."""

from pathlib import Path

import pandas as pd

from stages.files import artifacts
from stages.measures import statistics
from stages.parameters import params
from stages.running.command import run
from stages.variations.changes import load_variations

PAIRS, OVER_FLOOR = Path("reports/tables/variations/pairs"), Path("reports/tables/variations/over_floor")
TABLES = {PAIRS: Path("reports/tables/variations.csv"), OVER_FLOOR: Path("reports/tables/over_floor.csv")}


def list_compared(root: Path) -> list[Path]:
    """The tables of those that ran at the scale in params.yaml, below their folders; the others are named."""
    scale, variations = params.load(root / params.FILE).scale, load_variations(root)
    there = []
    for path in (Path(task, f"{name}.csv") for task, names in variations.changes.items() for name in names):
        of = root / PAIRS / path
        if not of.exists():
            print(f"{path.parent} {path.stem}: left out, {of} not found; `make variations` makes it")
        elif (made_at := artifacts.read_csv(of).scale.iloc[0]) != scale:
            print(f"{path.parent} {path.stem}: left out, its scale is {made_at}, not {scale}")
        else:
            there.append(path)
    return there


def adjust(pairs: pd.DataFrame) -> pd.DataFrame:
    """The same with `q_value`, the false discovery rate over all variations of a task on the same data."""
    return statistics.adjust(pairs.assign(family=pairs.task + " " + pairs.split)).drop(columns="family")


def main(root: Path = Path()) -> None:
    there = list_compared(root)
    if not there:
        raise ValueError(f"{PAIRS} holds no variation that is asked for; run `make variations`")
    for folder, table in TABLES.items():
        parts = [artifacts.read_csv(root / folder / path) for path in there]
        rows = [part for part in parts if len(part)]
        whole = pd.concat(rows or parts)
        artifacts.write_csv(root / table, adjust(whole) if folder == PAIRS else whole)


if __name__ == "__main__":
    run(main)
