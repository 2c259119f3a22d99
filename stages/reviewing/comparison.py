"""Every file that a stage made again beside the artifact of the same name."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from stages.reviewing import tolerances
from stages.reviewing.deviation import Deviation, deviations, same_bytes
from stages.reviewing.hashing import digest
from stages.reviewing.pipeline import Stage
from stages.reviewing.scratch import files
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
    inputs = came_in(stage, outcomes)
    found = []
    for out in stage.outs:
        there, here = (
            {str(file.relative_to(root)) for file in files(root / out)} for root in (artifacts, replay)
        )
        of_a_cell = any(Path(out).is_relative_to(folder) for folder in tolerances.CELLS)
        grew = of_a_cell and tolerances.grew_from_rounding(artifacts / out, replay / out)
        cell = grew and tolerances.scores_equal(artifacts / out, replay / out)
        # training amplifies its own rounding, also of parameters whose gradient is nothing else
        read = max(inputs, Outcome.EQUAL) if of_a_cell else inputs
        for path in sorted(there | here | {path for path in published if Path(path).is_relative_to(out)}):
            if path not in here:
                found.append(Compared(stage.name, path, Outcome.DIFFERENT, why="only in the artifact"))
            elif path in there:
                one = _beside(stage.name, path, artifacts, replay, read, cell)
                if grew and one.outcome is Outcome.DIFFERENT:
                    one = dataclasses.replace(one, why=f"grown from rounding, {one.largest()}")
                found.append(one)
            elif there:
                found.append(Compared(stage.name, path, Outcome.DIFFERENT, why="only in the replay"))
            elif digest(replay / path, "sha256") == published.get(path):
                found.append(Compared(stage.name, path, Outcome.IDENTICAL, why="by reports/SHA256SUMS"))
            else:
                why = "other bytes; the artifact is not here" if path in published else "no artifact here"
                found.append(Compared(stage.name, path, Outcome.UNKNOWN, why=why))
    return found


def came_in(stage: Stage, outcomes: Mapping[str, Outcome]) -> Outcome:
    """The worst of what the stage reads; what was not made again is the artifact itself."""
    read = [
        outcome
        for path, outcome in outcomes.items()
        for dep in stage.deps
        if Path(path).is_relative_to(dep) or Path(dep).is_relative_to(path)
    ]
    return max(read, default=Outcome.IDENTICAL)


def _beside(stage: str, path: str, artifacts: Path, replay: Path, inputs: Outcome, cell: bool) -> Compared:
    if same_bytes(artifacts / path, replay / path):
        return Compared(stage, path, Outcome.IDENTICAL)
    found = deviations(artifacts / path, replay / path)
    outcome = tolerances.judged(Path(path), found, inputs, cell)
    why = ""
    if Path(path).suffix in tolerances.DRAWN and outcome is not Outcome.EQUAL:
        why = (
            "another picture of identical data"
            if inputs is Outcome.IDENTICAL
            else f"drawn from data {inputs}"
        )
    return Compared(stage, path, outcome, found, why)
