"""Stage: Latin-square puzzles, generated or a researcher's own, in training, test and validation sets."""

from pathlib import Path

import numpy as np

from stages.files.artifacts import write_arrays
from stages.parameters import params
from stages.randomness.streams import generator
from stages.running.command import run
from stages.tasks.facts import DATA
from stages.tasks.grid.facts import FACTS, Data, Settings
from stages.tasks.grid.puzzle_files import read_puzzles
from stages.tasks.grid.puzzle_generation import generate, givens_range
from stages.tasks.grid.puzzles import PuzzleSet, find_least_distances, split

PUZZLES = DATA / FACTS.name / "puzzles.npz"


def main(root: Path = Path()) -> None:
    settings = params.load(root / params.FILE)
    grid, sizes = settings.section("grid", Settings), settings.data("grid", Data)
    validation, puzzles = read_own(grid, root) or generate(
        grid.order,
        givens_range(grid.order, grid.min_givens, grid.max_givens),
        sizes.validation_per_complexity,
        sizes.puzzles_per_complexity,
        grid.min_distance,
        settings.seed,
    )
    train, test = split(puzzles, grid.test_fraction, generator(settings.seed, "grid", "split"))
    splits = {"train": train, "test": test, "validation": validation}
    write_arrays(
        root / PUZZLES,
        {f"{name}_{key}": array for name, part in splits.items() for key, array in part._asdict().items()},
    )
    counts = ", ".join(f"{len(part.puzzles)} {name}" for name, part in splits.items())
    least = float(find_least_distances(puzzles.puzzles, validation.puzzles).min())
    relation = "meets" if least >= grid.min_distance - 1e-6 else "is below"
    print(f"{counts} puzzles; least distance to validation {least:.3f} {relation} {grid.min_distance}")


def read_own(grid: Settings, root: Path) -> tuple[PuzzleSet, PuzzleSet] | None:
    """Validation and training puzzles of the researcher's files, at any distance; None without files."""
    files = grid.puzzles
    if not files.train and not files.validation:
        return None
    if not files.train or not files.validation:
        raise ValueError(
            f"grid.puzzles: train {files.train} and validation {files.validation} given, expected files for "
            "both or neither; name the others too, or set both to []"
        )
    validation, train = (
        zip(*(read_puzzles(root / file, grid.order) for file in paths), strict=True)
        for paths in (files.validation, files.train)
    )
    return PuzzleSet(*map(np.concatenate, validation)), PuzzleSet(*map(np.concatenate, train))


if __name__ == "__main__":
    run(main)
