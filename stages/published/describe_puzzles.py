"""Our puzzles beside the published ones: reports/published/puzzles.csv."""

from pathlib import Path

import numpy as np
import pandas as pd

from stages.files import artifacts
from stages.files.artifacts import Arrays
from stages.published.settings import PUZZLES
from stages.running.command import run
from stages.tasks.grid.facts import COMPLEXITIES
from stages.tasks.grid.puzzle_solver import solve_in_one_step
from stages.tasks.grid.puzzles import find_least_distances

GIVENS = Path("data/reference/lst_published_givens.csv")
BESIDE = Path("reports/published/puzzles.csv")
SETS = {"generated": ("train", "test"), "validation": ("validation",)}  # published set: our splits
COLUMNS = [
    *("set", "complexity", "n", "givens_alike", "givens_mean", "published_givens_mean"),
    *("last_cell", "least_distance", "median_distance", "refused"),
]


def describe_puzzles(puzzles: Arrays, published: pd.DataFrame) -> pd.DataFrame:
    """A row per set and complexity, columns `COLUMNS`.

    givens_alike: share of puzzles whose number of givens one of theirs has too, paired one to one. last_cell:
    share whose target is the last cell. Distances: Jaccard's, to the nearest validation puzzle. refused: how
    many a single step does not decide as it should.
    """
    rows = []
    for name, splits in SETS.items():
        cells, answers, codes = (
            np.concatenate([puzzles[f"{split}_{key}"] for split in splits])
            for key in ("puzzles", "answers", "complexity")
        )
        solved, needed = solve_in_one_step(cells)
        refused = (solved != answers) | (needed != codes)
        distances = find_least_distances(cells, puzzles["validation_puzzles"])
        if name == "validation":
            distances[:] = np.nan  # to themselves
        for complexity, code in COMPLEXITIES.items():
            of = codes == code
            if not of.any():
                continue
            givens = pd.Series((cells[of] > 0).sum(1) - 1)
            counts = published[(published["set"] == name) & (published.complexity == complexity)]
            theirs = counts.set_index("givens").puzzles / counts.puzzles.sum()
            alike = pd.concat([givens.value_counts(normalize=True), theirs], axis=1).fillna(0).min(axis=1)
            means = givens.mean(), float(np.average(counts.givens, weights=counts.puzzles))
            last = (cells[of, -1] == cells.max()).mean()
            spread = distances[of].min(), np.median(distances[of])
            rows.append((name, complexity, of.sum(), alike.sum(), *means, last, *spread, refused[of].sum()))
    return pd.DataFrame(rows, columns=COLUMNS)


def main(root: Path = Path()) -> None:
    puzzles = artifacts.read_arrays(artifacts.require(root / PUZZLES, "stages.published.make_puzzles"))
    artifacts.write_csv(root / BESIDE, describe_puzzles(puzzles, artifacts.read_csv(root / GIVENS)))


if __name__ == "__main__":
    run(main)
