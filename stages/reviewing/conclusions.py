"""The same conclusions? Every claim's verdict in the tables of two runs."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from stages.files import artifacts
from stages.reviewing.comparison import Compared, Outcome

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
    return replace(file, outcome=Outcome.DIFFERENT, why="; ".join(filter(None, [file.why, why])))
