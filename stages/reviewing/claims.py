"""Hold claims against the committed scores, without data or a network; nothing is written in the project."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
import pandas as pd

from stages.core.settings.errors import InputError
from stages.reviewing.comparison import RESIDUE
from stages.reviewing.pages import hold_pages
from stages.reviewing.stated import find_late, has_history
from stages.running.git import refuse_absent
from stages.studies.judging.beside import read_beside
from stages.studies.judging.compare import find_differences
from stages.studies.judging.hold_scores import find_strays
from stages.studies.judging.judge import judge
from stages.studies.planning.load import load_study
from stages.studies.schema import list_studies
from stages.studies.tables import COLUMNS, REPORTS, Tables, read_tables, report_path, write_tables

DIGITS = 1e-7  # relative: tables have nine digits, and of the last ones other libraries may round otherwise


class Checked(NamedTuple):
    """A claim or a table, and what is committed of it that does not follow from the scores."""

    name: str
    says: str
    main: bool
    faults: list[str]

    def __str__(self) -> str:
        first = f"{'DIFFERS' if self.faults else 'same':7}  {self.says} ({self.name})"
        return "\n".join([first, *(f"         {fault}" for fault in self.faults)])


def claims(root: Path) -> None:
    """Say which claims and tables of all studies follow from their scores. InputError where one does not."""
    refuse_absent(root, REPORTS.as_posix())
    if not has_history(root):
        print("git's history is missing, so nobody can check which claims were stated before their scores")
    names = list_studies(root)
    there = {name: [one for one in COLUMNS if (root / report_path(name, one)).is_file()] for name in names}
    ran = [name for name in names if there[name]]
    if not ran:
        raise InputError(f"no study has scores in {REPORTS}; clone the project with git")
    checked = [one for name in ran for one in hold_study(root, name, there[name])]
    checked += [Checked(*one) for one in hold_pages(root)]
    differ, others = [one for one in checked if one.faults], [one for one in checked if not one.main]
    print(*(one for one in checked if one.main or one.faults), sep="\n")
    same = sum(not one.faults for one in others)
    print(f"{same} of {len(others)} other claims, tables and pages are the same")
    for name in [name for name in names if name not in ran]:
        print(f"not run, so its claims cannot be checked: {name}")
    if differ:
        raise InputError(f"{len(differ)} do not follow from the committed scores, as the lines above say")
    print("all claims and differences follow from the committed scores")


def hold_study(root: Path, name: str, there: list[str]) -> Iterator[Checked]:
    """Check each claim of a study in its order, then those in its verdicts alone, then its differences."""
    if len(there) < len(COLUMNS):
        told = f"{', '.join(there)} alone, expected {', '.join(COLUMNS)}"
        yield Checked(name, "Its tables.", False, [told])
        return
    study, late = load_study(root, name), find_late(root, name) if has_history(root) else {}
    old = read_tables(root, name)
    new = conclude_again(root, name, old["scores"])
    for key in dict.fromkeys([*study.claims, *old["verdicts"].claim]):
        says, main = (claim.says, claim.main) if (claim := study.claims.get(key)) else ("In no study.", False)
        rows = [table[table.claim == key] for table in (old["verdicts"], new["verdicts"])]
        faults = tell_differences(*rows)
        if key in late:
            faults.append(
                f"stated: before; but scores came with {late[key][:12]}, before which it did not stand"
            )
        yield Checked(f"{name}, {key}", says, main, faults)
    strays = find_strays(root, name, study, old["scores"])
    yield Checked(f"{name}, scores.csv", "Its scores are of its cells as they are declared.", False, strays)
    faults = tell_differences(old["differences"], new["differences"])
    yield Checked(f"{name}, differences.csv", "Its differences.", False, faults)


def conclude_again(root: Path, name: str, scores: pd.DataFrame) -> Tables:
    """Make what a study's scores say from them, written and read as what is committed was."""
    study = load_study(root, name)
    made = {
        "differences": find_differences(study, scores),
        "verdicts": judge(study, scores, read_beside(root, study)),
    }
    with TemporaryDirectory() as folder:
        return write_tables(Path(folder), name, made)


def tell_differences(committed: pd.DataFrame, here: pd.DataFrame) -> list[str]:
    """Say what differs between rows as committed and as made again: of each column the first value."""
    if len(committed) != len(here):
        return [f"rows: committed {len(committed)}; here {len(here)}"]
    faults = []
    for name in here.columns:
        ours, theirs = here[name].to_numpy(), committed[name].to_numpy()
        if {ours.dtype.kind, theirs.dtype.kind} <= set("iuf"):
            same = np.isclose(ours, theirs, DIGITS, RESIDUE, equal_nan=True)
        else:
            same = ours.astype(str) == theirs.astype(str)
        if not same.all():
            faults.append(f"{name}: committed {theirs[same.argmin()]}; here {ours[same.argmin()]}")
    return faults
