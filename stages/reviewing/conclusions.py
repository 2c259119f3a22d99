"""The conclusions of two runs side by side: every claim of the report, made from the tables of each."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from stages import report
from stages.parameters import params
from stages.parameters.sigmas import learned_sigmas
from stages.reporting.claims import Claim, list_claims
from stages.reporting.evidence import read_tables
from stages.reporting.inputs import Inputs
from stages.reviewing.comparison import Compared, Outcome

PAGES = (str(report.FINDINGS), str(report.REPORT))  # that make the claims
UNSAID = "nothing"  # the verdict of a claim that one run does not make


class Conclusion(NamedTuple):
    """A claim as it was published and as it is here, each with its numbers."""

    about: str
    published: Claim
    replayed: Claim

    @property
    def holds(self) -> bool:
        return self.published.verdict == self.replayed.verdict

    def __str__(self) -> str:
        if self.holds:
            return f"{self.about}: the same conclusion, {self.replayed.verdict}"
        return f"{self.about}: {self.published.verdict} published, {self.replayed.verdict} here"


def read_claims(root: Path) -> list[Claim]:
    """Those that the tables under `root` allow."""
    settings = params.load(root / params.FILE)
    sigmas = {task: learned_sigmas(settings, task) for task in settings.tasks}
    return list_claims(Inputs(settings, sigmas, read_tables(root, report.TABLES)))


def compare_claims(published: Sequence[Claim], replayed: Sequence[Claim]) -> list[Conclusion]:
    """Claim by claim; one that a run does not make has the verdict UNSAID there."""
    old, new = ({claim.about: claim for claim in claims} for claims in (published, replayed))
    return [
        Conclusion(about, old.get(about, Claim(about, UNSAID, "")), new.get(about, Claim(about, UNSAID, "")))
        for about in {**old, **new}
    ]


def judge_conclusions(root: Path, replay: Path, compared: Sequence[Compared]) -> list[Conclusion]:
    """Of the two projects' roots; none if the report was not made again, or has no tables here."""
    made_again = {file.path for file in compared}
    if not made_again.issuperset(PAGES) or not all((root / path).is_file() for path in report.TABLES):
        return []
    return compare_claims(read_claims(root), read_claims(replay))


def conclude(compared: Sequence[Compared], conclusions: Sequence[Conclusion]) -> list[Compared]:
    """What conclusions alone can judge is different unless some were judged and all hold; pages too."""
    changed = sum(not conclusion.holds for conclusion in conclusions)
    if conclusions and not changed:
        return list(compared)
    why = f"{changed} of {len(conclusions)} conclusions changed"
    if not conclusions:
        why = "no conclusion was judged: replay the stage report too"
    judged = {file.path for file in compared if file.outcome is Outcome.SAME_CONCLUSIONS}
    judged |= set(PAGES) if changed else set()
    return [
        replace(file, outcome=Outcome.DIFFERENT, why=f"{file.why}; {why}" if file.why else why)
        if file.path in judged
        else file
        for file in compared
    ]
