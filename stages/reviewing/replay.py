"""Reproducible on this machine? Run the pipeline again in a clone and compare what its studies say."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from stages.cells.made_by import FILE as MADE_BY
from stages.cells.store import link_file
from stages.core.settings.errors import InputError
from stages.files.artifacts import read_csv
from stages.reviewing.claims import conclude_again
from stages.reviewing.comparison import Outcome, compare_scores
from stages.reviewing.publish import refuse_uncommitted
from stages.running.git import ask_git
from stages.scale import OWN
from stages.studies.tables import REPORTS, read_tables, require_scores

CLONE = Path(".dvc/tmp/replay")
FINISHED = Path(".dvc/tmp/finished")  # in the clone: all has run
SCORED = ("data/scores/*/", "data/studies/*/tables/")  # in the clone: of each study that was scored there
# where a cell has the same, its numbers are up to rounding
MACHINE = ("processor", "device", "instructions", "precision", "torch")


class Replayed(NamedTuple):
    """A study made again beside what is committed of it."""

    study: str
    scores: Outcome
    why: str
    machines: list[str]  # by what else it was made
    verdicts: list[str]  # that changed

    @property
    def is_reproduced(self) -> bool:
        most = Outcome.OF_SEEDS_THAT_END_ELSEWHERE if self.machines else Outcome.WITHIN_ROUNDING
        return self.scores <= most and not self.verdicts

    def __str__(self) -> str:
        mark = ("\u2248" if self.scores else "\u2713") if self.is_reproduced else "\u2717"
        said = [f"scores {self.scores}", self.why, *self.machines, *(self.verdicts or ["same verdicts"])]
        return f"{mark} {self.study}: {'; '.join(filter(None, said))}"


def replay(root: Path, *targets: str) -> None:
    """Run `dvc repro`, of the targets if any, in a clone of the last commit; print a line for each study.

    InputError where one says something else. What was interrupted goes on with its finished cells.
    """
    refuse_uncommitted(root)
    clone = root / CLONE
    make_clone(root, clone)
    run_again(clone, *targets)
    names = sorted({path.relative_to(clone).parts[2] for one in SCORED for path in clone.glob(one)})
    replayed = [compare_study(root, clone, name) for name in names]
    print(*replayed, sep="\n")
    changed = (ask_git(clone, "diff", "--name-only", "--", "reports") or "").split()
    print(f"other bytes in {len(changed)} files of reports/; `git -C {clone} diff` shows them")
    others = [one.study for one in replayed if not one.is_reproduced]
    if others or not names:
        raise InputError(f"not reproduced: {', '.join(others) or 'no study was scored'}")
    print(f"reproduced: {', '.join(names)}")


def make_clone(root: Path, clone: Path) -> None:
    """Clone the last commit with a cache of its own, unless a replay of it was interrupted there."""
    config = clone / ".dvc/config.local"  # ends the cloning
    heads = {ask_git(one, "rev-parse", "HEAD") for one in (root, clone) if config.is_file()}
    if len(heads) != 1 or (clone / FINISHED).exists():
        shutil.rmtree(clone, ignore_errors=True)
        ask_git(root, "clone", "--quiet", str(root.resolve()), str(clone.resolve()))
        if (root / OWN).is_dir():
            shutil.copytree(root / OWN, clone / OWN, copy_function=link_file, dirs_exist_ok=True)
        config.write_text("[cache]\n    dir = cache\n", encoding="utf-8")


def run_again(clone: Path, *targets: str) -> None:
    """Run stages in the clone by this Python, whatever its locks say. InputError where one fails."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environment = os.environ | {"PATH": path, "PYTHONPATH": str(clone.resolve())}
    command = [sys.executable, "-m", "dvc", "repro", "--force", *targets]
    if subprocess.run(command, cwd=clone, env=environment).returncode:
        raise InputError("some stages failed (see the lines above); run the same command again to continue")
    (clone / FINISHED).touch()


def compare_study(root: Path, clone: Path, name: str) -> Replayed:
    """Compare a study's scores, and the verdicts that follow from them."""
    tables, scores = read_tables(root, name), require_scores(clone, name)
    old, new = (
        dict(zip(table.claim, table.verdict, strict=True))  # of several tests each has the claim's
        for table in (tables["verdicts"], conclude_again(clone, name, scores)["verdicts"])
    )
    changed = [claim for claim in {**old, **new} if old.get(claim) != new.get(claim)]
    verdicts = [f"{claim}: {tell(old.get(claim), new.get(claim))}" for claim in changed]
    return Replayed(
        name, *compare_scores(tables["scores"], scores), tell_machines(root, clone, name), verdicts
    )


def tell_machines(root: Path, clone: Path, study: str) -> list[str]:
    """Say by what else cells were made here than those of the committed scores."""
    paths = [project / REPORTS / study / MADE_BY for project in (root, clone)]
    there = [path.is_file() for path in paths]
    if not all(there):
        return ["made by something unknown"] if any(there) else []
    old, new = (read_csv(path, *MACHINE) for path in paths)
    both = old.merge(new, on="cell", suffixes=("", "_here"))
    pairs = {name: both[[name, f"{name}_here"]].drop_duplicates().to_numpy() for name in MACHINE}
    return [f"{name} {tell(*pair)}" for name in MACHINE for pair in pairs[name] if pair[0] != pair[1]]


def tell(committed: str | None, here: str | None) -> str:
    return f"{committed or 'none'} committed, {here or 'none'} here"
