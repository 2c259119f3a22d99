"""Every share of hidden regions that ran, in one table, and differences: reports/people/.

scores.csv: the columns of data/people. differences.csv: learned tables minus each other kind on the same
seeds, on validation people and in training, with a 95 % Student t interval; `q_value`: false discovery rate
of a kind and split over the shares.
"""

from pathlib import Path

import pandas as pd

from stages.files import artifacts
from stages.measures import statistics
from stages.people.settings import COLUMNS, KINDS, RESULTS, TASK, load_people, result
from stages.running.command import run

SCORES = Path("reports/people/scores.csv")
DIFFERENCES = Path("reports/people/differences.csv")
SPLITS = {"validation": "value", "train": "train"}  # columns of the scores
COMPARED = [
    *("split", "fraction", "a", "b", "n", "mean_a", "mean_b", "difference", "low", "high"),
    *("effect_size", "p_value", "q_value"),
]


def compare(scores: pd.DataFrame) -> pd.DataFrame:
    """A row for each split, other kind and share of hidden regions, columns `COMPARED`."""
    first, *others = KINDS
    models = scores[scores.kind.isin(KINDS)].rename(columns={"kind": "encoding"})
    runs = models.assign(task=TASK, metric="mse")
    tests = [
        statistics.compare(
            rows.assign(value=rows[column]), [(first, other)], "mse", family=f"{split} {other}"
        ).assign(split=split, fraction=fraction)
        for split, column in SPLITS.items()
        for other in others
        for fraction, rows in runs.groupby("fraction")
    ]
    return statistics.adjust(pd.concat(tests))[COMPARED]


def main(root: Path = Path()) -> None:
    paths = {fraction: result(root, fraction) for fraction in load_people(root).mask_fraction}
    tables = [artifacts.read_csv(path) for path in paths.values() if path.exists()]
    if not tables:
        raise ValueError(f"{root / RESULTS} holds no table; run `make people`")
    if absent := [f"{fraction:g}" for fraction, path in paths.items() if not path.exists()]:
        print(f"not run yet: {', '.join(absent)}")
    scores = pd.concat(tables)[COLUMNS]
    artifacts.write_csv(root / SCORES, scores)
    artifacts.write_csv(root / DIFFERENCES, compare(scores))


if __name__ == "__main__":
    run(main)
