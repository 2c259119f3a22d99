"""Tell how many puzzles were made, how far apart, and how often they and their answers repeat."""

from collections.abc import Mapping
from math import isqrt

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from stages.tasks.grid.facts import Settings
from stages.tasks.grid.puzzle_generation import turn
from stages.tasks.grid.puzzle_solver import Cells
from stages.tasks.grid.puzzles import PuzzleSet, find_first, find_least_distances, is_beyond, name_symbols

FAR = 1.5  # times the share of an answer by chance
QUARTERS = 4  # turns of a square
UNLIKELY = 0.01  # by chance, of so many equal answers


def tell(splits: Mapping[str, PuzzleSet], grid: Settings) -> None:
    """Print what the puzzles of the splits train, test and validation are."""
    validation = splits["validation"].puzzles
    puzzles = np.concatenate([splits["train"].puzzles, splits["test"].puzzles])
    counts = ", ".join(f"{len(part.puzzles)} {name}" for name, part in splits.items())
    distances = find_least_distances(puzzles, validation)
    relation = "above" if is_beyond(distances, grid.min_distance).all() else "not above"
    least = f"least distance to validation {distances.min():.3f}"
    print(f"{counts} puzzles; {least}, {relation} {grid.min_distance}")
    if (different := len(np.unique(find_first(puzzles)))) < len(puzzles):
        print(
            f"{different} of the {len(puzzles)} train and test puzzles differ; equal ones are all in "
            "one of the two"
        )
    if (different := len(np.unique(find_first(validation)))) < len(validation):
        print(
            f"{different} of the {len(validation)} validation puzzles differ; each counts as often as it "
            "stands"
        )
    if repeated := np.count_nonzero(distances == 0):
        print(f"{repeated} train and test puzzles are in validation too")
    tests = splits["test"].puzzles
    if renamed := count_renamed(splits["train"].puzzles, tests):
        print(f"{renamed} of the {len(tests)} test puzzles are train puzzles but for their symbols' names")
    if renamed := count_renamed(puzzles, validation):
        print(
            f"{renamed} of the {len(validation)} validation puzzles are train or test puzzles but for their "
            "symbols' names"
        )
    if turned := count_turned(puzzles, validation):
        print(
            f"{turned} of the {len(validation)} validation puzzles are train or test puzzles turned or "
            "mirrored, but for their symbols' names"
        )
    for name, part in splits.items():
        tell_answers(name, part.answers, grid.order)


def count_renamed(puzzles: Cells, validation: Cells) -> int:
    """Count puzzles of validation that others are with their symbols renamed, and none is as it stands."""
    equal, renamed = ({puzzle.tobytes() for puzzle in each} for each in (puzzles, name_symbols(puzzles)))
    return sum(
        named.tobytes() in renamed and puzzle.tobytes() not in equal
        for puzzle, named in zip(validation, name_symbols(validation), strict=True)
    )


def count_turned(puzzles: Cells, validation: Cells) -> int:
    """Count puzzles of validation that others are, turned or mirrored and their symbols renamed, alone."""
    side = isqrt(puzzles.shape[1])
    mirrored = puzzles.reshape(-1, side, side).swapaxes(1, 2).reshape(puzzles.shape)
    equal, turned = (
        {puzzle.tobytes() for puzzle in name_symbols(each)}
        for each in (puzzles, np.concatenate([turn(puzzles, QUARTERS), turn(mirrored, QUARTERS)]))
    )
    other = turned - equal
    return sum(puzzle.tobytes() in other for puzzle in name_symbols(validation))


def tell_answers(split: str, answers: NDArray[np.uint8], order: int) -> None:
    """Print how often the commonest answer is right, where that is far above chance."""
    often = np.bincount(answers)
    commonest, share = int(often.argmax()), often.max() / len(answers)
    chance = min(1.0, order * binomtest(often.max(), len(answers), 1 / order, alternative="greater").pvalue)
    if share > FAR / order and chance < UNLIKELY:
        print(
            f"note: grid.puzzles: {commonest} is the answer of {share:.0%} of the {split} puzzles, "
            f"{1 / order:.0%} by chance; a model that answers it always solves as many"
        )
