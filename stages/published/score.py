"""Score one trained seed and its tables: in git, so that a seed trained elsewhere counts too."""

from pathlib import Path
from typing import Any

import pandas as pd

from stages.files import artifacts
from stages.files.artifacts import Arrays
from stages.published.align import align
from stages.published.settings import MODELS, PUZZLES, Run, load_published, read_command
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
    run_of = load_published(root).find(name)
    folder = artifacts.require(root / MODELS / name / str(seed), "stages.published.train")
    puzzles = artifacts.read_arrays(artifacts.require(root / PUZZLES, "stages.published.make_puzzles"))
    table = tabulate(folder, run_of, puzzles).assign(run=name, seed=seed)
    artifacts.write_csv(root / SEEDS / f"{name}-{seed}.csv", table[COLUMNS])
    artifacts.write_csv(root / TABLES / f"{name}-{seed}.csv", align(root, name, seed))


def main() -> None:
    score(*read_command(__doc__))


if __name__ == "__main__":
    run(main)
