"""Score one trained seed and its tables: in git, so that a seed trained elsewhere counts too."""

import argparse
from pathlib import Path
from typing import Any

import pandas as pd

from stages.files import artifacts
from stages.files.artifacts import Arrays
from stages.published.align import align
from stages.published.settings import FILE, MODELS, PUZZLES, Run, load_published
from stages.running.command import run
from stages.tasks.grid.scoring import SCORING

SEEDS, TABLES = Path("reports/published/seeds"), Path("reports/published/tables")
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


def tabulate(folder: Path, published: Run, puzzles: Arrays) -> pd.DataFrame:
    """The curve of all puzzles, and every accuracy at its end."""
    curve = read_curve(folder).assign(condition="all")
    last = curve.epoch.max()
    end = score_end(folder, puzzles).assign(epoch=last)
    known = (curve.epoch == last) & curve.accuracy.notna()
    rows: pd.DataFrame = pd.concat([curve[~known], end])
    return rows.assign(**describe(published))


def score(root: Path, name: str, seed: int) -> None:
    """Write its scores, and how its table aligns; ValueError unless it is known and trained."""
    runs = load_published(root).runs
    if name not in runs:
        raise ValueError(f"{FILE}: run {name!r} is not known; expected one of {', '.join(runs)}")
    folder = artifacts.require(root / MODELS / name / str(seed), "stages.published.train")
    puzzles = artifacts.read_arrays(artifacts.require(root / PUZZLES, "stages.published.make_puzzles"))
    table = tabulate(folder, runs[name][0], puzzles).assign(run=name, seed=seed)
    artifacts.write_csv(root / SEEDS / f"{name}-{seed}.csv", table[COLUMNS])
    artifacts.write_csv(root / TABLES / f"{name}-{seed}.csv", align(root, name, seed))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", required=True, help=f"a name in {FILE}")
    parser.add_argument("--seed", required=True, type=int)
    chosen = parser.parse_args()
    score(Path(), chosen.run, chosen.seed)


if __name__ == "__main__":
    run(main)
