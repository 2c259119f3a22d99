"""Every published run that was trained, in one table: reports/published/scores.csv."""

from pathlib import Path
from typing import Any

import pandas as pd

from stages.files import artifacts
from stages.files.artifacts import Arrays
from stages.published.settings import FILE, MODELS, PUZZLES, Run, load_published
from stages.running.command import run
from stages.tasks.grid.scoring import SCORING

SCORES = Path("reports/published/scores.csv")
COLUMNS = [
    *("run", "scheme", "init_std", "dropout", "precision", "seed", "split", "condition", "epoch", "accuracy"),
    "loss",
]
METRIC = "accuracy"


def read_curve(folder: Path) -> pd.DataFrame:
    """While one seed was trained, of all puzzles: columns split, epoch, accuracy, loss."""
    history = artifacts.read_csv(folder / "history.csv")
    return history.pivot_table("value", ["split", "epoch"], "metric").reset_index()


def score_end(folder: Path, puzzles: Arrays) -> pd.DataFrame:
    """Accuracies of one seed after training, by split and complexity; columns split, condition, accuracy."""
    stored = artifacts.read_arrays(folder / "predictions.npz")
    rows = [
        (split, name.removeprefix(METRIC).removeprefix("_") or "all", values[0])
        for split, scores in SCORING.score_splits(stored, puzzles)
        for name, values in scores.items()
        if name.startswith(METRIC)
    ]
    return pd.DataFrame(rows, columns=["split", "condition", "accuracy"])


def describe(published: Run) -> dict[str, Any]:
    """The columns that say what a run is."""
    names = ("scheme", "init_std", "dropout")
    return {name: published.configuration.get(name) for name in names} | {"precision": published.precision}


def gather(folder: Path, published: Run, puzzles: Arrays) -> pd.DataFrame:
    """One seed: its curve of all puzzles, and every accuracy at its end."""
    curve = read_curve(folder).assign(condition="all")
    last = curve.epoch.max()
    end = score_end(folder, puzzles).assign(epoch=last)
    known = (curve.epoch == last) & curve.accuracy.notna()
    rows: pd.DataFrame = pd.concat([curve[~known], end])
    return rows.assign(**describe(published))


def main(root: Path = Path()) -> None:
    puzzles = artifacts.read_arrays(artifacts.require(root / PUZZLES, "stages.published.make_puzzles"))
    parts, absent = [], []
    for name, (published, seeds) in load_published(root).runs.items():
        for seed in seeds:
            folder = root / MODELS / name / str(seed)
            if folder.exists():
                parts.append(gather(folder, published, puzzles).assign(run=name, seed=seed))
            else:
                absent.append(f"{name} {seed}")
    if not parts:
        raise ValueError(f"{root / MODELS} holds no run of {FILE}; run `make published`")
    if absent:
        print(f"not run yet: {', '.join(absent)}")
    artifacts.write_csv(root / SCORES, pd.concat(parts)[COLUMNS])


if __name__ == "__main__":
    run(main)
