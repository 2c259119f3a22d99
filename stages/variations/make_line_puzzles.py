"""Stage: puzzles that the target's row decides, its column, or its box, as files of one's own.

A model trained on the first needs to know which cells share a row, and nothing of columns or boxes.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from stages.files.artifacts import write_atomically, write_csv
from stages.parameters import params
from stages.running.command import run
from stages.tasks.grid.facts import Data, Settings
from stages.tasks.grid.generate import read_protocols
from stages.tasks.grid.protocol import Protocol
from stages.tasks.grid.puzzle_files import COLUMNS
from stages.tasks.grid.puzzle_generation import generate
from stages.tasks.grid.puzzles import PuzzleSet
from stages.variations import box_puzzles
from stages.variations.boxes import ORDER

FOLDER = Path("data/line_puzzles")
BY_COLUMNS = {"rows": 0.0, "columns": 1.0}  # share of puzzles that a column decides
LARGER = 2  # times the usual puzzles of one complexity; three times as many are not found at that distance


def tabulate(puzzles: PuzzleSet) -> pd.DataFrame:
    """The table that stages/tasks/grid/puzzle_files.py reads."""
    numbers = np.arange(len(puzzles.puzzles))
    digits = ["".join(map(str, cells)) for cells in puzzles.puzzles]
    columns = (numbers, numbers, "Binary", digits, puzzles.answers)
    return pd.DataFrame(dict(zip(COLUMNS, columns, strict=True)))


def write_sets(folder: Path, line: str, sets: tuple[PuzzleSet, PuzzleSet]) -> None:
    for name, puzzles in zip(("validation", "train"), sets, strict=True):
        write_csv(folder / f"{line}_{name}.csv", tabulate(puzzles))


def main(root: Path = Path()) -> None:
    settings = params.load(root / params.FILE)
    grid, sizes = settings.section("grid", Settings), settings.data("grid", Data)
    n_validation, n_puzzles = (
        LARGER * size for size in (sizes.validation_per_complexity, sizes.puzzles_per_complexity)
    )
    with write_atomically(root / FOLDER) as folder:
        folder.mkdir()
        for line, share in BY_COLUMNS.items():
            of_validation, of_puzzles = (
                Protocol({"binary": usual.givens["binary"]}, by_columns=share)
                for usual in read_protocols(grid, root)
            )
            sets = generate(
                grid.order,
                (of_validation, of_puzzles),
                n_validation,
                n_puzzles,
                grid.min_distance,
                settings.seed,
            )
            write_sets(folder, line, sets)
        if grid.order == ORDER:
            sets = box_puzzles.generate(n_validation, n_puzzles, grid.min_distance, settings.seed)
            write_sets(folder, "boxes", sets)


if __name__ == "__main__":
    run(main)
