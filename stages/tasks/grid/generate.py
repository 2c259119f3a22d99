"""Stage: Latin-square puzzles, generated or a researcher's own, in training, test and validation sets."""

from pathlib import Path

import numpy as np

from stages.files.artifacts import read_csv, write_arrays
from stages.parameters import params
from stages.parameters.params import Params
from stages.randomness.streams import generator
from stages.running.command import run
from stages.tasks.facts import DATA
from stages.tasks.grid.facts import FACTS, PUBLISHED_ORDER, Data, Settings
from stages.tasks.grid.protocol import Protocol, even, published
from stages.tasks.grid.puzzle_files import read_puzzles
from stages.tasks.grid.puzzle_generation import generate, givens_range
from stages.tasks.grid.puzzles import PuzzleSet, find_least_distances, is_beyond, split

PUZZLES = DATA / FACTS.name / "puzzles.npz"
PUBLISHED = Path("data/reference/lst_published_givens.csv")


def main(root: Path = Path()) -> None:
    write_puzzles(params.load(root / params.FILE), root, root / PUZZLES)


def write_puzzles(settings: Params, root: Path, path: Path) -> None:
    """Write the puzzles of the chosen scale, every split; print what they are."""
    grid, sizes = settings.section("grid", Settings), settings.data("grid", Data)
    validation, puzzles = read_own(grid, root) or generate(
        grid.order,
        read_protocols(grid, root),
        sizes.validation_per_complexity,
        sizes.puzzles_per_complexity,
        grid.min_distance,
        settings.seed,
    )
    train, test = split(puzzles, grid.test_fraction, generator(settings.seed, "grid", "split"))
    splits = {"train": train, "test": test, "validation": validation}
    write_arrays(
        path,
        {f"{name}_{key}": array for name, part in splits.items() for key, array in part._asdict().items()},
    )
    counts = ", ".join(f"{len(part.puzzles)} {name}" for name, part in splits.items())
    distances = find_least_distances(puzzles.puzzles, validation.puzzles)
    relation = "above" if is_beyond(distances, grid.min_distance).all() else "not above"
    least = f"least distance to validation {distances.min():.3f}"
    print(f"{counts} puzzles; {least}, {relation} {grid.min_distance}")


def read_protocols(grid: Settings, root: Path) -> tuple[Protocol, Protocol]:
    """Of validation and of the other puzzles."""
    givens = givens_range(grid.order, grid.min_givens, grid.max_givens)
    if grid.protocol == "even":
        return even(givens), even(givens)
    if grid.order != PUBLISHED_ORDER:
        raise ValueError(
            f"grid.protocol: 'published' given with order {grid.order}, expected order {PUBLISHED_ORDER}; "
            "set it to even"
        )
    table = read_csv(root / PUBLISHED)
    return published(table, "validation", givens), published(table, "generated", givens)


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
