"""What counts as reproduced: every file that a stage made again beside the artifact of the same name."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from filecmp import cmp
from pathlib import Path

import numpy as np

from stages.files import artifacts as files
from stages.files import cells
from stages.files.hashing import list_files
from stages.reviewing.deviation import NOT_FINITE, Deviation, list_deviations

# Of an array's, column's or quantity's largest magnitude. One float32 rounding is 6e-8 of a number; other
# vector instructions, or another order of summation, add up to some tens of those in a sum of hundreds.
ROUNDING = 1e-5
# Absolute: what is left between numbers of order one that ought to be equal is rounding to its first digit
RESIDUE = 1e-12
# Of results once training has amplified rounding, step after step: absolute for numbers of order one
# (accuracies, errors, correlations, p-values), relative for larger ones; of labels and text the share that
# differs. A validation set of scale small has 108 puzzles: this is two of them.
AMPLIFIED = 0.02
# Of a first epoch's losses and scores in bfloat16 beside float32, relative: four times the largest difference
# of 35 cells of the study sigma, .0022
OTHER_PRECISION = 0.01
# Of a pixel's colours, which are 0 to 1: three of 256 shades, as an edge drawn by another version may differ
SHADES = 3 / 255

HISTORY = "history.csv"  # of a trained cell, in its folder
DRAWN = (".png", ".html", ".md")  # made from data to be looked at, and judged by them


class Outcome(IntEnum):
    """How an output came out, from best to worst; inputs of a stage are as good as their worst."""

    IDENTICAL = 0
    WITHIN_ROUNDING = 1
    WITHIN_TOLERANCE = 2
    SAME_CONCLUSIONS = 3  # until claims are compared: whatever they decide, as nothing else can
    NOT_MEASURED = 4
    DIFFERENT = 5

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


@dataclass(frozen=True)
class Compared:
    """A file of a stage's outputs; `deviations` has the largest relative one first, `why` names it."""

    path: str
    outcome: Outcome
    why: str = ""
    deviations: list[Deviation] = field(default_factory=list)


def compare(
    out: str, artifacts: Path, replay: Path, inputs: Outcome, recorded: bool = False
) -> list[Compared]:
    """All files of an output, from the two projects' roots.

    inputs: the worst outcome of what its stage read. recorded: whether dvc.lock has the same sum of it, which
    counts where the artifact is not here, as in a fresh clone.
    """
    old, new = ({file.relative_to(r).as_posix() for file in list_files(r / out)} for r in (artifacts, replay))
    cell: Outcome | None = None
    if f"{out}/{HISTORY}" in new:
        # training amplifies its own rounding, also of parameters whose gradient is nothing else
        inputs, cell = max(inputs, Outcome.WITHIN_ROUNDING), judge_cell(artifacts / out, replay / out)
    compared = []
    for path in sorted(old | new):
        if path in old and path in new:
            compared.append(_compare_file(path, artifacts / path, replay / path, inputs, cell))
        elif path not in new:
            compared.append(Compared(path, Outcome.DIFFERENT, "only in the artifact"))
        elif old:
            compared.append(Compared(path, Outcome.DIFFERENT, "only in the replay"))
        elif recorded:
            compared.append(Compared(path, Outcome.IDENTICAL, "by dvc.lock"))
        else:
            compared.append(Compared(path, Outcome.NOT_MEASURED, "not as dvc.lock says; no artifact here"))
    return compared


def _compare_file(
    path: str, artifact: Path, replayed: Path, inputs: Outcome, cell: Outcome | None
) -> Compared:
    if cmp(artifact, replayed, shallow=False):
        return Compared(path, Outcome.IDENTICAL)
    deviations = list_deviations(artifact, replayed)
    outcome = judge(artifact, deviations, inputs, cell)
    why = str(deviations[0]) if deviations else ""
    if artifact.suffix in DRAWN and outcome is not Outcome.WITHIN_ROUNDING:
        why = f"other bytes; the data it is drawn from: {inputs}"
    return Compared(path, outcome, why, deviations)


def judge(
    path: Path, deviations: Sequence[Deviation], inputs: Outcome, cell: Outcome | None = None
) -> Outcome:
    """The outcome of a file whose bytes differ, from its deviations and how its stage's inputs came out.

    From identical inputs only rounding is allowed to a stage that does not train. cell: as what `judge_cell`
    accepts the file's cell; then any number may deviate.
    """
    if path.suffix in DRAWN:
        largest = max((deviation.absolute for deviation in deviations), default=0.0)
        if path.suffix == ".png" and largest <= SHADES:
            return Outcome.WITHIN_ROUNDING
        return Outcome.DIFFERENT if inputs is Outcome.IDENTICAL else inputs
    if all(part.relative <= ROUNDING or 0 < part.absolute <= RESIDUE for part in deviations):
        return Outcome.WITHIN_ROUNDING
    close = all(min(part.relative, part.absolute or 1) <= AMPLIFIED for part in deviations)
    if cell is None and close and inputs is not Outcome.IDENTICAL:
        return Outcome.WITHIN_TOLERANCE
    accepted = inputs if cell is None and inputs is Outcome.SAME_CONCLUSIONS else cell
    comparable = all(part.relative < np.inf or part.why == NOT_FINITE for part in deviations)
    return accepted if accepted and comparable else Outcome.DIFFERENT


def judge_cell(artifact: Path, replayed: Path) -> Outcome | None:
    """As what a trained cell is accepted, from its two folders.

    None unless the histories deviate, but in the first epoch by rounding alone: other code, data or settings
    are seen from the first steps on, and weights altered afterwards leave the history as it was. Then what
    deviates is rounding that training amplified: within tolerance if every seed's final scores are equal
    within AMPLIFIED, else claims decide. Products in another precision round more from the first step on.
    """
    paths = artifact / HISTORY, replayed / HISTORY
    if not all(path.is_file() for path in paths) or cmp(*paths, shallow=False):
        return None
    old, new = map(files.read_csv, paths)
    if not old.drop(columns="value").equals(new.drop(columns="value")):
        return None
    first, last = old.epoch == 1, (old.epoch == old.epoch.max()) & (old.split != "train")
    rounding = ROUNDING if read_precision(artifact) == read_precision(replayed) else OTHER_PRECISION
    if not np.allclose(new.value[first], old.value[first], rounding, 0, equal_nan=True):
        return None
    equal = np.allclose(new.value[last], old.value[last], 0, AMPLIFIED, equal_nan=True)
    return Outcome.WITHIN_TOLERANCE if equal else Outcome.SAME_CONCLUSIONS


def read_precision(cell: Path) -> str | None:
    """Read the precision that a cell was trained in; None where its folder does not say."""
    path = cell / cells.MADE_BY
    return str(files.read_json(path)["precision"]) if path.is_file() else None
