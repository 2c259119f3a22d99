"""Stage: Latin-square puzzles, generated or a researcher's own, in training, test and validation sets."""

from dataclasses import asdict
from pathlib import Path

from stages.files.artifacts import write_arrays
from stages.parameters import params
from stages.parameters.sections import Grid
from stages.randomness.streams import generator
from stages.running.command import run
from stages.tasks.grid.puzzle_files import read_puzzles
from stages.tasks.grid.puzzle_generation import generate, givens_range
from stages.tasks.grid.puzzles import PuzzleSet, joined, least_distances, split

PUZZLES = Path("data/grid/puzzles.npz")


def main() -> None:
    given = params.load()
    grid = given.grid
    validation, puzzles = own_puzzles(grid) or generated(given)
    train, test = split(puzzles, grid.test_fraction, generator(given.seed, "grid", "split"))
    splits = {"train": train, "test": test, "validation": validation}
    write_arrays(
        PUZZLES,
        {f"{name}_{key}": array for name, part in splits.items() for key, array in asdict(part).items()},
    )
    sizes = ", ".join(f"{len(part.puzzles)} {name}" for name, part in splits.items())
    least = float(least_distances(puzzles.puzzles, validation.puzzles).min())
    relation = "meets" if least >= grid.min_distance - 1e-6 else "is below"
    print(f"{sizes} puzzles; least distance to validation {least:.3f} {relation} {grid.min_distance}")


def own_puzzles(grid: Grid) -> tuple[PuzzleSet, PuzzleSet] | None:
    """Validation and training puzzles of the researcher's files, however near; None without files."""
    files = grid.puzzles
    if not files.train and not files.validation:
        return None
    if not files.train or not files.validation:
        raise ValueError(
            f"grid.puzzles: train {files.train} and validation {files.validation} given, expected files for "
            "both or neither; name the others too, or set both to []"
        )
    validation, train = (
        joined([read_puzzles(Path(file), grid.order) for file in some])
        for some in (files.validation, files.train)
    )
    return validation, train


def generated(given: params.Params) -> tuple[PuzzleSet, PuzzleSet]:
    """Generated validation puzzles and training puzzles."""
    grid, sizes = given.grid, given.sizes.grid.data
    return generate(
        grid.order,
        givens_range(grid.order, grid.min_givens, grid.max_givens),
        sizes.validation_per_complexity,
        sizes.puzzles_per_complexity,
        grid.min_distance,
        given.seed,
    )


if __name__ == "__main__":
    run(main)
