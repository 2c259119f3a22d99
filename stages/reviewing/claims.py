"""Hold claims against the committed scores. Needs no data and no network, and writes nothing here.

Differences, verdicts, figures, pages and README's table are made again from the scores of every study, beside
the checkout, and compared with those in git. Exit status 1 if anything differs.
"""

from collections.abc import Iterator
from difflib import ndiff
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
import pandas as pd

from stages.conclude import conclude
from stages.parameters import params
from stages.parameters.errors import InputError
from stages.reporting import readme
from stages.reporting.page import banner_at, read_sections
from stages.reviewing.comparison import RESIDUE, Compared, Outcome, compare
from stages.running.command import run
from stages.running.repository import refuse_absent
from stages.studies.judge import COLUMNS as OF_VERDICTS
from stages.studies.schema import list_studies
from stages.studies.tables import REPORTS, maps_path, read_table, report_path

READ = ("params.yaml", "studies", "data/reference")  # beside the scores
MADE = ("differences.csv", "figure.png", "page.html")  # of each study, beside its verdicts
DIGITS = 1e-7  # relative: tables have nine digits, and of the last ones other libraries may round otherwise


class Checked(NamedTuple):
    """A claim, and what is committed of it that does not follow from the scores."""

    name: str
    says: str
    main: bool
    faults: list[str]

    def __str__(self) -> str:
        first = f"{'DIFFERS' if self.faults else 'same':7}  {self.says} ({self.name})"
        return "\n".join([first, *(f"         {fault}" for fault in self.faults)])


def recompute(root: Path, scratch: Path, name: str) -> None:
    """Make a study's differences, verdicts, figure and page in `scratch`, from its committed scores."""
    (scratch / REPORTS / name).mkdir(parents=True)
    for path in (report_path(name, "scores"), maps_path(name)):
        if (root / path).is_file():
            (scratch / path).symlink_to((root / path).resolve())
    conclude(scratch, name)


def check_claims(root: Path, scratch: Path) -> Iterator[Checked]:
    """Every claim, in its study's order, then what tables have that no claim makes, and README's table."""
    sections = read_sections(scratch)
    for section in sections:
        old, new = (read_verdicts(project, section.name) for project in (root, scratch))
        claims = section.claims if section.ran else []
        for one in claims:
            faults = tell_differences(old[old.claim == one.key], new[new.claim == one.key])
            yield Checked(f"{section.name}, {one.key}", one.claim.says, one.claim.main, faults)
        for claim in [key for key in dict.fromkeys(old.claim) if key not in [one.key for one in claims]]:
            yield Checked(f"{section.name}, {claim}", "", False, ["in the table of verdicts alone"])
    block = readme.write_block(sections, banner_at(params.load(scratch / params.FILE).scale))
    lines = ndiff((readme.read_block(root) or "").splitlines(), block.splitlines())
    yield Checked("README.md", "Its table of claims.", True, [line for line in lines if line[0] in "-+"])


def read_verdicts(project: Path, study: str) -> pd.DataFrame:
    """Verdicts of a study, without rows where it did not run."""
    path = project / report_path(study, "verdicts")
    return read_table(path) if path.is_file() else pd.DataFrame(columns=OF_VERDICTS)


def tell_differences(old: pd.DataFrame, new: pd.DataFrame) -> list[str]:
    """What differs between a claim's rows as committed and as made again: of each column the first value."""
    if len(old) != len(new):
        return [tell("rows of verdicts", len(old), len(new))]
    faults = []
    for name in new.columns:
        ours, theirs = new[name].to_numpy(), old[name].to_numpy()
        if {ours.dtype.kind, theirs.dtype.kind} <= set("iuf"):
            same = np.isclose(ours, theirs, DIGITS, RESIDUE, equal_nan=True)
        else:
            same = ours.astype(str) == theirs.astype(str)
        if not same.all():
            first = np.argmin(same)
            faults.append(tell("sentence" if name == "says" else name, theirs[first], ours[first]))
    return faults


def tell(what: str, committed: object, here: object) -> str:
    return f"{what}: committed {committed}; here {here}"


def check(root: Path, scratch: Path) -> tuple[list[Checked], list[Compared], list[str]]:
    """Claims, files that differ, and studies that did not run, whose claims nothing is said of.

    InputError: scores that git holds are not here, or there are none at all.
    """
    refuse_absent(root, REPORTS.as_posix())
    for path in READ:
        (scratch / path).parent.mkdir(exist_ok=True)
        (scratch / path).symlink_to((root / path).resolve())
    names = list_studies(root)
    ran = [name for name in names if (root / report_path(name, "scores")).is_file()]
    if not ran:
        raise InputError(
            f"no study has scores in {REPORTS}, to hold claims against; clone the project with git"
        )
    for name in ran:
        recompute(root, scratch, name)
    outs = [f"{REPORTS / name}/{made}" for name in ran for made in MADE]
    files = [file for out in outs for file in compare(out, root, scratch, Outcome.IDENTICAL)]
    different = [file for file in files if file.outcome > Outcome.WITHIN_ROUNDING]
    return list(check_claims(root, scratch)), different, [name for name in names if name not in ran]


def main(root: Path = Path()) -> None:
    with TemporaryDirectory() as folder:
        claims, files, not_run = check(root, Path(folder))
    others = [one for one in claims if not one.main]
    same = sum(not one.faults for one in others)
    print(*(one for one in claims if one.main or one.faults), sep="\n")
    print(f"{same} of {len(others)} other claims are the same")
    for file in files:
        print(f"DIFFERS  {file.path}: {file.why}")
    for name in not_run:
        print(f"not run, so none of its claims is held against scores: {name}")
    if differ := [*(one.name for one in claims if one.faults), *(file.path for file in files)]:
        raise InputError(
            f"{len(differ)} do not follow from the committed scores and sentences, as the lines above say"
        )
    print("all claims, differences, figures and pages follow from the committed scores")


if __name__ == "__main__":
    run(main)
