"""Reproducible on this machine? Run stages again in a clone and compare what comes out with the artifacts.

Writes reports/replay.json; exit status 1 if something differs beyond the tolerances of
stages/reviewing/comparison.py, or if a claim's verdict changes where they do not decide.
"""

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace as change
from pathlib import Path
from typing import Any, NamedTuple

from stages.files import artifacts
from stages.parameters.errors import InputError
from stages.reviewing import objects, provenance, records
from stages.reviewing.again import (
    Stage,
    add_makers,
    is_touched,
    list_runnable,
    list_stages,
    run_again,
    select,
)
from stages.reviewing.comparison import Compared, Outcome, compare
from stages.reviewing.publish import refuse_uncommitted
from stages.running.command import exclusive, run
from stages.running.repository import EVERY_STUDY, open_repo

LAST = Path("reports/replay.json")
SCRATCH = Path(".dvc/tmp/replay")
MARKS = "\u2713\u2248\u2248~?\u2717"  # by outcome
VERDICTS = "verdicts.csv"  # of a study, in its folder of reports/studies


class Conclusion(NamedTuple):
    """A claim of a study, with its verdicts."""

    study: str
    claim: str
    published: str
    replayed: str

    @property
    def holds(self) -> bool:
        return self.published == self.replayed

    def __str__(self) -> str:
        return f"{self.study}, {self.claim}: {self.published} published, {self.replayed} here"


Replayed = tuple[list[Compared], list[Conclusion]]


def replay(root: Path, targets: Sequence[str]) -> Replayed:
    """Run those stages again, the whole pipeline if none is named, and compare every file of theirs."""
    refuse_uncommitted(root)
    here = provenance.collect(root)
    with open_repo(root, EVERY_STUDY) as repo:
        everything, asked = list_stages(repo), select(repo, targets)
    asked = add_makers(root, everything, asked)
    chosen = list_runnable(root, asked)
    if without := [stage.name for stage in asked if stage not in chosen]:
        targets = [stage.name for stage in chosen]  # not always: dvc takes .2 s to find one
        print(f"left out, as what they read is not here: {len(without)} of {len(asked)} stages:", *without)
    if not chosen:
        raise InputError("nothing can be replayed; `make pull` fetches what was published, if anything was")
    others = [stage for stage in everything if stage not in chosen]
    run_again(root, root / SCRATCH, chosen, others, targets, here)
    files, conclusions = compare_projects(root, root / SCRATCH, chosen)
    told = [
        {"path": f.path, "outcome": str(f.outcome), "why": f.why, "deviations": list(map(str, f.deviations))}
        for f in files
    ]
    verdict, claims = state_verdict(files, conclusions), [one._asdict() for one in conclusions]
    record = {"verdict": verdict, "files": told, "claims": claims, "environment": here}
    artifacts.write_json(root / LAST, record)
    for line in [*format_lines(files, conclusions), *tell_machines(root, here)]:
        print(line)
    return files, conclusions


def compare_projects(root: Path, scratch: Path, stages: Sequence[Stage]) -> Replayed:
    """Every file of the stages' outputs, which stand in order, and every claim's verdict."""
    old, new = (objects.read_md5s(project) for project in (root, scratch))
    files: list[Compared] = []
    for stage in stages:
        read = [file.outcome for file in files if is_touched(file.path, stage.deps)]
        inputs = max(read, default=Outcome.IDENTICAL)  # what was not made again is the artifact itself
        files += [
            file
            for out in stage.outs
            for file in compare(out, root, scratch, inputs, old.get(out) == new.get(out))
        ]
    conclusions = list_conclusions(root, scratch, files)
    return [conclude(file, conclusions) for file in files], conclusions


def list_conclusions(root: Path, replayed: Path, compared: Sequence[Compared]) -> list[Conclusion]:
    """Of each table of verdicts that was made again and is in both projects."""
    conclusions = []
    for path in [Path(file.path) for file in compared if Path(file.path).name == VERDICTS]:
        if (root / path).is_file() and (replayed / path).is_file():
            old, new = (read_verdicts(project / path) for project in (root, replayed))
            for claim in {**old, **new}:
                verdicts = old.get(claim, "absent"), new.get(claim, "absent")
                conclusions.append(Conclusion(path.parent.name, claim, *verdicts))
    return conclusions


def read_verdicts(path: Path) -> dict[str, str]:
    """Verdict by claim; of a claim with several tests each row has the same."""
    table = artifacts.read_csv(path, "claim", "verdict")
    return dict(zip(table.claim, table.verdict, strict=True))


def conclude(file: Compared, conclusions: Sequence[Conclusion]) -> Compared:
    """A file that claims alone can judge is different unless all hold, those of its study where it has one.

    So is a table of verdicts in which one changed.
    """
    folder, *names = Path(file.path).parts[1:]
    about = [one for one in conclusions if folder not in ("studies", "scores") or one.study == names[0]]
    changed = sum(not conclusion.holds for conclusion in about)
    undecided = file.outcome is Outcome.SAME_CONCLUSIONS
    if undecided and not about:
        why = "no claim was judged again"
    elif changed and (undecided or names[-1:] == [VERDICTS]):
        why = f"{changed} of {len(about)} verdicts changed"
    else:
        return file
    return change(file, outcome=Outcome.DIFFERENT, why="; ".join(filter(None, [file.why, why])))


def tell_machines(root: Path, here: Mapping[str, Any]) -> list[str]:
    """What was recorded of the artifacts' machine and versions, where it is otherwise here."""
    record = root / records.PROVENANCE
    differences = provenance.list_differences(artifacts.read_json(record), here) if record.is_file() else []
    return [f"{what}: {old} published, {new} here" for what, old, new in differences]


def format_lines(compared: Sequence[Compared], conclusions: Sequence[Conclusion]) -> list[str]:
    """A line for each file that is not identical, the worst last, and for each claim with another verdict."""
    told = sorted((file for file in compared if file.outcome), key=lambda file: file.outcome)
    width = max((len(file.path) for file in told), default=0)
    lines = [f"{MARKS[f.outcome]} {f.path:{width}}  {f.outcome!s:16}  {f.why}".rstrip() for f in told]
    return lines + [f"{MARKS[-1]} {conclusion}" for conclusion in conclusions if not conclusion.holds]


def state_verdict(compared: Sequence[Compared], conclusions: Sequence[Conclusion]) -> str:
    """One line: reproduced, or what is not and by how much; and how many files came out how."""
    outcomes = Counter(file.outcome for file in compared)
    counts = ", ".join(f"{outcomes[outcome]} {outcome}" for outcome in sorted(outcomes))
    different = [file for file in compared if file.outcome is Outcome.DIFFERENT]
    if outcomes.keys() <= {Outcome.NOT_MEASURED}:
        return f"nothing to compare with: {counts}; `make pull` fetches artifacts"
    held = sum(conclusion.holds for conclusion in conclusions)
    claims = f"; {held} of {len(conclusions)} claims have the same verdict" if conclusions else ""
    if different:
        more = f", and {len(different) - 1} more" if len(different) > 1 else ""
        return f"not reproduced: {different[0].path} ({different[0].why}){more}; {counts}{claims}"
    level = "the same conclusions" if Outcome.SAME_CONCLUSIONS in outcomes else "reproduced"
    in_part = " in part" if Outcome.NOT_MEASURED in outcomes else ""
    return f"{level}{in_part}: {counts}{claims}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", help="dvc.yaml files or stages, as dvc names them; none: all")
    targets = parser.parse_args().targets
    with exclusive("replay"):
        compared, conclusions = replay(Path(), targets)
    verdict = state_verdict(compared, conclusions)
    if any(file.outcome is Outcome.DIFFERENT for file in compared):
        raise InputError(verdict)
    print(verdict)


if __name__ == "__main__":
    run(main)
