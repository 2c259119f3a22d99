"""Every control that ran, in one table: reports/tables/controls.csv."""

from pathlib import Path

import pandas as pd

from stages.controls.settings import COLUMNS, RESULTS, TASKS, load_controls
from stages.files import artifacts
from stages.running.command import run

TABLE = Path("reports/tables/controls.csv")


def main(root: Path = Path()) -> None:
    controls, parts, absent = load_controls(root), [], []
    for task in TASKS:
        for table in controls.tables:
            for init_std in controls.init_std:
                path = root / RESULTS / task / f"{table}_{init_std:g}.csv"
                if path.exists():
                    parts.append(artifacts.read_csv(path))
                else:
                    absent.append(f"{task} {table} {init_std:g}")
    if not parts:
        raise ValueError(f"{root / RESULTS} holds no control; run `make controls`")
    if absent:
        print(f"not run yet: {', '.join(absent)}")
    artifacts.write_csv(root / TABLE, pd.concat(parts)[COLUMNS])


if __name__ == "__main__":
    run(main)
