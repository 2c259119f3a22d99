"""What counts as reproduced: the tolerances of a replay, in one place, with their reasons."""

from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path

import numpy as np

from stages.files import artifacts
from stages.reviewing.deviation import Deviation, same_bytes

# Of an array's, column's or quantity's largest magnitude. One float32 rounding is 6e-8 of a number; other
# vector instructions, or another order of summation, add up to some tens of those in a sum of hundreds.
ROUNDING = 1e-5
# Absolute: what is left between numbers of order one that ought to be equal is rounding to its first digit
RESIDUE = 1e-12
# Of results once training has amplified rounding, step after step: absolute for numbers of order one
# (accuracies, errors, correlations, p-values), relative for larger ones; of labels and text the share that
# differs. A validation set of scale small has 108 puzzles: this is two of them.
AMPLIFIED = 0.02
# Of a pixel's colours, which are 0 to 1: three of 256 shades, as an edge drawn by another version may differ
SHADES = 3 / 255

CELLS = (Path("data/models"), Path("data/transplants"))  # where training writes, a folder per cell
DRAWN = (".png", ".svg", ".html")  # drawn from data, and judged by them where pixels cannot


class Outcome(IntEnum):
    """How an output came out, from best to worst; inputs of a stage are as good as their worst."""

    IDENTICAL = 0
    EQUAL = 1
    AMPLIFIED = 2
    UNKNOWN = 3
    DIFFERENT = 4

    def __str__(self) -> str:
        return WORDS[self]


WORDS = ("identical", "within rounding", "within tolerance", "not measured", "different")


def judge(path: Path, deviations: Sequence[Deviation], inputs: Outcome, cell: bool) -> Outcome:
    """The outcome of a file whose bytes differ, from its deviations and how its stage's inputs came out.

    From identical inputs only rounding is allowed to a stage that does not train. `cell`: diverged only by
    amplified rounding, with equal final scores; any weight deviation is accepted.
    """
    if path.suffix in DRAWN:
        largest = max((deviation.absolute for deviation in deviations), default=0.0)
        if path.suffix == ".png" and largest <= SHADES:
            return Outcome.EQUAL
        return Outcome.DIFFERENT if inputs is Outcome.IDENTICAL else inputs
    if all(part.relative <= ROUNDING or 0 < part.absolute <= RESIDUE for part in deviations):
        return Outcome.EQUAL
    if cell:
        comparable = all(part.relative < float("inf") for part in deviations)
        return Outcome.AMPLIFIED if comparable else Outcome.DIFFERENT
    close = all(min(part.relative, part.absolute or 1) <= AMPLIFIED for part in deviations)
    return Outcome.AMPLIFIED if close and inputs is not Outcome.IDENTICAL else Outcome.DIFFERENT


def grew_from_rounding(artifact: Path, replayed: Path) -> bool:
    """Whether the histories of two trained cells, folders, deviate, but in the first epoch by rounding alone.

    Then what deviates at the end is rounding that training amplified: other code, data or parameters are
    seen from the first steps on, and weights altered afterwards leave the history as it was.
    """
    paths = [cell / "history.csv" for cell in (artifact, replayed)]
    if not all(path.is_file() for path in paths) or same_bytes(*paths):
        return False
    old, new = (rows[rows["epoch"] == 1] for rows in map(artifacts.read_csv, paths))
    same_rows = old.drop(columns="value").equals(new.drop(columns="value"))
    return same_rows and np.allclose(new["value"], old["value"], rtol=ROUNDING, atol=0)


def scores_are_equal(artifact: Path, replayed: Path) -> bool:
    """Whether two trained cells, folders, have equal scores within AMPLIFIED at the last epoch.

    Compared are every seed's and split's, but the training loss.
    """
    old, new = (artifacts.read_csv(cell / "history.csv") for cell in (artifact, replayed))
    old, new = (
        rows[(rows["epoch"] == rows["epoch"].max()) & (rows["split"] != "train")] for rows in (old, new)
    )
    same_rows = old.drop(columns="value").equals(new.drop(columns="value"))
    return same_rows and np.allclose(old["value"], new["value"], rtol=0, atol=AMPLIFIED, equal_nan=True)
