"""Every cell of a study that was scored, in one table: reports/studies/<study>/scores.csv, and curves.csv."""

import argparse
from pathlib import Path

import pandas as pd

from stages.files import artifacts
from stages.parameters.errors import InputError
from stages.running.command import run
from stages.studies.cells import CURVES, list_scored, score_path
from stages.studies.tables import SCORES, report_path


def gather(root: Path, study: str) -> None:
    """Write the tables; cells that did not run yet are named. InputError where none did."""
    keys = list_scored(root, study)
    paths = {key: score_path(root, study, key) for key in keys}
    there = [artifacts.read_csv(path, "at") for path in paths.values() if path.exists()]
    if not there:
        raise InputError(f"study {study} has no scores; run `make study NAME={study}`")
    if not any(map(len, there)):
        raise InputError(f"study {study}: no cell fits its task, so none has scores; take other encodings")
    if absent := [key for key, path in paths.items() if not path.exists()]:
        print(f"not run yet: {', '.join(absent)}")
    rows = pd.concat([part for part in there if len(part)])[CURVES]
    during = rows.epoch.notna()
    artifacts.write_csv(root / report_path(study, "scores"), rows[~during][SCORES])
    if during.any():  # the study asks for curves
        curves = rows[during]
        artifacts.write_csv(
            root / report_path(study, "curves"), curves.assign(epoch=curves.epoch.astype(int))
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", required=True, help="a file of studies/")
    gather(Path(), parser.parse_args().study)


if __name__ == "__main__":
    run(main)
