"""Latin-square puzzles, generated or a researcher's own, in training, test and validation sets."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from stages.core.randomness.streams import generator
from stages.core.settings.errors import InputError
from stages.files.artifacts import Arrays, read_csv, write_arrays
from stages.files.own import find_own
from stages.parameters.params import Params
from stages.tasks.grid import box_puzzles
from stages.tasks.grid.facts import OF_GENERATED, PUBLISHED_ORDER, Data, Settings
from stages.tasks.grid.held_out_lines import draw_lines, find_barred
from stages.tasks.grid.protocol import Protocol, even, one_line, published
from stages.tasks.grid.puzzle_files import read_puzzles
from stages.tasks.grid.puzzle_generation import generate, givens_range
from stages.tasks.grid.puzzles import PuzzleSet, name_symbols, split
from stages.tasks.grid.summary import tell

PUBLISHED = Path("data/reference/lst_published_givens.csv")
BY_COLUMNS = {"rows": 0.0, "columns": 1.0, "lines": 0.5}  # share of puzzles that a column decides
# times the usual puzzles of one complexity where all are binary; three times as many lie too close
OF_ONE_COMPLEXITY = 2


def make(settings: Params, root: Path, target: Path) -> None:
    """Write the puzzles of the chosen scale, every split, to the folder `target`; print what they are."""
    grid, sizes = settings.section("grid", Settings), settings.data("grid", Data)
    held_out = hold_out(grid, settings.seed)
    validation, puzzles = read_own(grid, root) or draw(grid, sizes, root, settings.seed)
    if held_out:
        kept = ~find_barred(puzzles.puzzles, held_out["held_out"])
        puzzles = PuzzleSet(*(array[kept] for array in puzzles))
    # of generated ones equal ones are alike: one in a hundred is another but for its symbols' names
    alike = name_symbols(puzzles.puzzles) if grid.puzzles.train else puzzles.puzzles
    train, test = split(puzzles, alike, grid.test_fraction, generator(settings.seed, "grid", "split"))
    splits = {"train": train, "test": test, "validation": validation}
    write_arrays(
        target / "puzzles.npz",
        {f"{name}_{key}": array for name, part in splits.items() for key, array in part._asdict().items()}
        | held_out,
    )
    if grid.puzzles.train:
        print(f"note: grid.puzzles: own files given, so no puzzle depends on {', '.join(OF_GENERATED)}")
    tell(splits, grid)


def draw(grid: Settings, sizes: Data, root: Path, seed: int) -> tuple[PuzzleSet, PuzzleSet]:
    """Draw validation puzzles and the others, as the protocol says.

    Raises InputError if the protocol does not support this order.
    """
    if grid.protocol != "even" and grid.order != PUBLISHED_ORDER:
        raise InputError(
            f"grid.protocol: '{grid.protocol}' given with order {grid.order}, expected order "
            f"{PUBLISHED_ORDER}; set it to even"
        )
    times = 1 if grid.protocol in ("published", "even") else OF_ONE_COMPLEXITY
    n_validation = times * sizes.validation_per_complexity
    # as many are left as without held-out lines
    n_puzzles = round(times * sizes.puzzles_per_complexity / (1 - grid.held_out))
    if grid.protocol == "boxes":
        return box_puzzles.generate(n_validation, n_puzzles, grid.min_distance, seed)
    protocols = read_protocols(grid, root)
    return generate(grid.order, protocols, n_validation, n_puzzles, grid.min_distance, seed)


def hold_out(grid: Settings, seed: int) -> Arrays:
    """Return `held_out` [n*n, 2]: the lines held out from each cell; nothing at share 0."""
    if grid.held_out == 0:
        return {}
    if grid.protocol != "lines":
        raise InputError(
            f"grid.held_out: {grid.held_out:g} given with grid.protocol {grid.protocol}, expected lines: "
            "more than a line decides other puzzles; set protocol to lines, or held_out to 0"
        )
    return {"held_out": draw_lines(grid.order, grid.held_out, generator(seed, "grid", "held_out"))}


def read_protocols(grid: Settings, root: Path) -> tuple[Protocol, Protocol]:
    """Read the protocols of validation and of the other puzzles; boxes have none."""
    givens = givens_range(grid.order, grid.min_givens, grid.max_givens)
    if grid.protocol == "even":
        return even(givens), even(givens)
    table = read_csv(root / PUBLISHED)
    protocols = published(table, "validation", givens), published(table, "generated", givens)
    if grid.protocol == "published":
        return protocols
    validation, others = (one_line(each, BY_COLUMNS[grid.protocol]) for each in protocols)
    return validation, others


def read_own(grid: Settings, root: Path) -> tuple[PuzzleSet, PuzzleSet] | None:
    """Read validation and training puzzles of the researcher's files, at any distance; None without files."""
    files = grid.puzzles
    if not files.train and not files.validation:
        return None
    if not files.train or not files.validation:
        raise InputError(
            f"grid.puzzles: train {files.train} and validation {files.validation} given, expected files for "
            "both or neither; name the others too, or set both to []"
        )
    read = {
        file: read_puzzles(find_own(root, file, "grid.puzzles"), grid.order)
        for file in [*files.validation, *files.train]
    }
    refuse_two_complexities(read)
    validation, train = (
        zip(*(read[file] for file in paths), strict=True) for paths in (files.validation, files.train)
    )
    return PuzzleSet(*map(np.concatenate, validation)), PuzzleSet(*map(np.concatenate, train))


def refuse_two_complexities(read: Mapping[str, PuzzleSet]) -> None:
    """Raise InputError for a puzzle that two files give another complexity each."""
    known: dict[bytes, tuple[str, int]] = {}
    for file, puzzles in read.items():
        for puzzle, complexity in zip(puzzles.puzzles, puzzles.complexity.tolist(), strict=True):
            other, first = known.setdefault(puzzle.tobytes(), (file, complexity))
            if complexity != first:
                raise InputError(
                    f"{file}: puzzle {''.join(map(str, puzzle))} has complexity {complexity}, and {first} in "
                    f"{other}, expected one, since each complexity is scored; correct one, or leave it out"
                )
