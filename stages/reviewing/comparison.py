"""Every file that a stage made again beside the artifact of the same name."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from stages.files.hashing import hash_file, list_files
from stages.reviewing import tolerances
from stages.reviewing.deviation import Deviation, list_deviations, same_bytes
from stages.reviewing.pipeline import Stage
from stages.reviewing.tolerances import Outcome


@dataclass(frozen=True)
class Compared:
    """A file of a stage's outputs; `deviations` has the largest relative one first."""

    stage: str
    path: str
    outcome: Outcome
    deviations: list[Deviation] = field(default_factory=list)
    why: str = ""

    def largest(self) -> str:
        """The largest deviation in words."""
        if self.why or not self.deviations:
            return self.why
        worst = self.deviations[0]
        if worst.why:
            return f"{worst.part}: {worst.why}" if worst.part else worst.why
        if not worst.absolute:
            return f"{worst.part}: {worst.relative:.1%} of entries"
        return f"{worst.part}: {worst.absolute:.1e}, relative {worst.relative:.1e}"


def compare(
    stage: Stage, artifacts: Path, replay: Path, outcomes: Mapping[str, Outcome], published: Mapping[str, str]
) -> list[Compared]:
    """All files of the stage's outputs, from the two projects' roots.

    outcomes: of the outputs of stages replayed before, by path. published: SHA-256 by path, for artifacts
    that are not here, as in a fresh clone.
    """
    inputs = worst_input(stage, outcomes)
    compared = []
    for out in stage.outs:
        old, new = (
            {str(file.relative_to(root)) for file in list_files(root / out)} for root in (artifacts, replay)
        )
        of_cell = any(Path(out).is_relative_to(folder) for folder in tolerances.CELLS)
        grew = of_cell and tolerances.grew_from_rounding(artifacts / out, replay / out)
        cell = grew and tolerances.scores_are_equal(artifacts / out, replay / out)
        # training amplifies its own rounding, also of parameters whose gradient is nothing else
        read = max(inputs, Outcome.EQUAL) if of_cell else inputs
        for path in sorted(old | new | {path for path in published if Path(path).is_relative_to(out)}):
            if path in old and path in new:
                file = _compare_file(stage.name, path, artifacts, replay, read, cell)
                if grew and file.outcome is Outcome.DIFFERENT:
                    file = dataclasses.replace(file, why=f"grown from rounding, {file.largest()}")
            elif path not in new:
                file = Compared(stage.name, path, Outcome.DIFFERENT, why="only in the artifact")
            elif old:
                file = Compared(stage.name, path, Outcome.DIFFERENT, why="only in the replay")
            elif hash_file(replay / path) == published.get(path):
                file = Compared(stage.name, path, Outcome.IDENTICAL, why="by reports/SHA256SUMS")
            else:
                why = "other bytes; the artifact is not here" if path in published else "no artifact here"
                file = Compared(stage.name, path, Outcome.UNKNOWN, why=why)
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
    stage: str, path: str, artifacts: Path, replay: Path, inputs: Outcome, cell: bool
) -> Compared:
    if same_bytes(artifacts / path, replay / path):
        return Compared(stage, path, Outcome.IDENTICAL)
    deviations = list_deviations(artifacts / path, replay / path)
    outcome = tolerances.judge(Path(path), deviations, inputs, cell)
    why = ""
    if Path(path).suffix in tolerances.DRAWN and outcome is not Outcome.EQUAL:
        unchanged = inputs is Outcome.IDENTICAL
        why = "another picture of identical data" if unchanged else f"drawn from data {inputs}"
    return Compared(stage, path, outcome, deviations, why)
