"""Which validation puzzles one trained seed solves: in git, for what another draw would change."""

from pathlib import Path

import numpy as np
import pandas as pd

from stages.files import artifacts
from stages.files.artifacts import Arrays
from stages.published.settings import MODELS, PUZZLES, load_published, read_command
from stages.running.command import run
from stages.tasks.grid.facts import COMPLEXITIES
from stages.tasks.grid.protocol import TURNS

FOLDER = Path("reports/published/solved")


def count_solved(predictions: Arrays, puzzles: Arrays) -> pd.DataFrame:
    """A row per puzzle drawn, in order: complexity, turns it was shown in, how many of them were solved.

    predictions: `validation_logits` [1, N, n]; puzzles: `validation_answers`, `validation_complexity` [N].
    """
    turns = TURNS["validation"]
    solved = predictions["validation_logits"][0].argmax(-1) + 1 == puzzles["validation_answers"]
    names = {code: name for name, code in COMPLEXITIES.items()}
    of = [names[int(code)] for code in puzzles["validation_complexity"]]
    shown = pd.DataFrame({"puzzle": np.arange(len(solved)) // turns, "complexity": of, "solved": solved})
    counted = shown.groupby(["puzzle", "complexity"]).solved.agg(turns="size", solved="sum")
    return counted.astype(int).reset_index()


def list_solved(root: Path, name: str, seed: int) -> None:
    """Write it for one seed; ValueError unless the run is known and the seed trained."""
    load_published(root).find(name)
    folder = artifacts.require(root / MODELS / name / str(seed), "stages.published.train")
    puzzles = artifacts.read_arrays(artifacts.require(root / PUZZLES, "stages.published.make_puzzles"))
    rows = count_solved(artifacts.read_arrays(folder / "predictions.npz"), puzzles)
    rows = rows.assign(run=name, seed=seed)[["run", "seed", *rows.columns]]
    artifacts.write_csv(root / FOLDER / f"{name}-{seed}.csv", rows)


def main() -> None:
    list_solved(*read_command(__doc__))


if __name__ == "__main__":
    run(main)
