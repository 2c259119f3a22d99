"""What counts as reproduced: every file that a stage made again beside the artifact of the same name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from filecmp import cmp
from pathlib import Path

import numpy as np

from stages.files import artifacts as files
from stages.files.hashing import hash_file, list_files
from stages.reviewing.deviation import NOT_FINITE, Deviation, list_deviations
from stages.reviewing.pipeline import Stage
from stages.reviewing.seeds import FINAL_SCORES, HISTORY, Shift, compare_seeds

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

# where training writes, a folder per cell
CELLS = ("data/models/", "data/transplants/", "data/published/models/")
DRAWN = (".png", ".svg", ".html", ".md")  # made from data to be looked at, and judged by them


class Outcome(IntEnum):
    """How an output came out, from best to worst; inputs of a stage are as good as their worst."""

    IDENTICAL = 0
    WITHIN_ROUNDING = 1
    WITHIN_TOLERANCE = 2
    SAME_CONCLUSIONS = 3  # until conclusions are judged: whatever they decide, as nothing else can
    NOT_MEASURED = 4
    DIFFERENT = 5

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


@dataclass(frozen=True)
class Compared:
    """A file of a stage's outputs; `deviations` has the largest relative one first, `why` names it.

    shifts: of the final scores, with the history of a cell that ended elsewhere.
    """

    stage: str
    path: str
    outcome: Outcome
    why: str = ""
    deviations: list[Deviation] = field(default_factory=list)
    shifts: list[Shift] = field(default_factory=list)

    def as_json(self, artifact: str | None) -> dict[str, str | None]:
        """For a record; `artifact` is the SHA-256 of what it was compared with."""
        return {"path": self.path, "outcome": str(self.outcome), "why": self.why, "artifact": artifact}


def compare(
    stage: Stage, artifacts: Path, replay: Path, outcomes: Mapping[str, Outcome], published: Mapping[str, str]
) -> list[Compared]:
    """All files of the stage's outputs, from the two projects' roots.

    outcomes: of the outputs of stages replayed before, by path. published: SHA-256 by path, for artifacts
    that are not here, as in a fresh clone.
    """
    compared = []
    for out in stage.outs:
        inputs = worst_input(stage, outcomes)
        old, new = ({str(file.relative_to(r)) for file in list_files(r / out)} for r in (artifacts, replay))
        cell: Outcome | None = None
        shifts: list[Shift] = []
        if out.startswith(CELLS):
            # training amplifies its own rounding, also of parameters whose gradient is nothing else
            inputs = max(inputs, Outcome.WITHIN_ROUNDING)
            cell, shifts = judge_cell(artifacts / out, replay / out)
        for path in sorted(old | new | {path for path in published if Path(path).is_relative_to(out)}):
            file = Compared(stage.name, path, Outcome.DIFFERENT)
            if path in old and path in new:
                file = _compare_file(file, artifacts / path, replay / path, inputs, cell)
                if shifts and file.outcome >= Outcome.SAME_CONCLUSIONS:
                    shown = shifts if Path(path).name == HISTORY else []
                    why = "; ".join(map(str, shown)) or file.why
                    file = replace(file, why=f"grown from rounding, {why}", shifts=shown)
            elif path not in new:
                file = replace(file, why="only in the artifact")
            elif old:
                file = replace(file, why="only in the replay")
            elif hash_file(replay / path) == published.get(path):
                file = replace(file, outcome=Outcome.IDENTICAL, why="by reports/SHA256SUMS")
            else:
                why = "other bytes; the artifact is not here" if path in published else "no artifact here"
                file = replace(file, outcome=Outcome.NOT_MEASURED, why=why)
            compared.append(file)
    return compared


def worst_input(stage: Stage, outcomes: Mapping[str, Outcome]) -> Outcome:
    """The worst outcome of what the stage reads; what was not made again is the artifact itself."""
    read = [
        outcome
        for path, outcome in outcomes.items()
        for dep in stage.deps
        if Path(path).is_relative_to(dep) or Path(dep).is_relative_to(path)
    ]
    return max(read, default=Outcome.IDENTICAL)


def _compare_file(
    file: Compared, artifact: Path, replayed: Path, inputs: Outcome, cell: Outcome | None
) -> Compared:
    if cmp(artifact, replayed, shallow=False):
        return replace(file, outcome=Outcome.IDENTICAL)
    deviations = list_deviations(artifact, replayed)
    outcome = judge(artifact, deviations, inputs, cell)
    why = str(deviations[0]) if deviations else ""
    if artifact.suffix in DRAWN and outcome is not Outcome.WITHIN_ROUNDING:
        unchanged = inputs is Outcome.IDENTICAL
        why = "another picture of identical data" if unchanged else f"drawn from data {inputs}"
    return replace(file, outcome=outcome, why=why, deviations=deviations)


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


def judge_cell(artifact: Path, replayed: Path) -> tuple[Outcome | None, list[Shift]]:
    """As what a trained cell is accepted, from its two folders, and the shifts of one that ended elsewhere.

    None if rounding does not explain its history, or if it moved beyond the margin of stages.reviewing.seeds.
    """
    if not grew_from_rounding(artifact, replayed):
        return None, []
    if scores_are_equal(artifact, replayed):
        return Outcome.WITHIN_TOLERANCE, []
    shifts = compare_seeds(artifact, replayed)
    moved = any(shift.verdict == "shifted" for shift in shifts)
    return None if moved else Outcome.SAME_CONCLUSIONS, shifts


def grew_from_rounding(artifact: Path, replayed: Path) -> bool:
    """Whether the histories of two trained cells, folders, deviate, but in the first epoch by rounding alone.

    Then what deviates at the end is rounding that training amplified: other code, data or parameters are
    seen from the first steps on, and weights altered afterwards leave the history as it was.
    """
    old, new = artifact / HISTORY, replayed / HISTORY
    if not (old.is_file() and new.is_file()) or cmp(old, new, shallow=False):
        return False
    labels = [files.read_csv(path).drop(columns="value") for path in (old, new)]
    return labels[0].equals(labels[1]) and _are_close(artifact, replayed, "epoch == 1", relative=ROUNDING)


def scores_are_equal(artifact: Path, replayed: Path) -> bool:
    """Whether two trained cells, folders, have equal scores within AMPLIFIED at the last epoch.

    Compared are every seed's and split's, but the training loss.
    """
    return _are_close(artifact, replayed, FINAL_SCORES, absolute=AMPLIFIED)


def _are_close(artifact: Path, replayed: Path, rows: str, relative: float = 0, absolute: float = 0) -> bool:
    """Of two histories with the same labels."""
    old, new = (files.read_csv(cell / HISTORY).query(rows).value for cell in (artifact, replayed))
    return np.allclose(new, old, relative, absolute, equal_nan=True)
