"""Claims of two runs, and what they decide."""

from pathlib import Path

import pytest

from stages.reviewing.comparison import Compared, Outcome
from stages.reviewing.replay import Conclusion, conclude, list_conclusions

CHAOS, SAME, FAR = Outcome.SAME_CONCLUSIONS, Outcome.IDENTICAL, Outcome.DIFFERENT
HOLDS = Conclusion("sigma", "small", "holds", "holds")
CHANGED = Conclusion("probe", "theory", "holds", "opposed")
VERDICTS = "reports/studies/{}/verdicts.csv"
CELL = "data/studies/{}/cells/grid-focus/history.csv"


def write(root: Path, study: str, rows: str) -> None:
    path = root / VERDICTS.format(study)
    path.parent.mkdir(parents=True)
    path.write_text(f"claim,says,verdict,test\n{rows}")


def test_claims_by_their_verdicts(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    write(old, "sigma", "small,A,holds,1\nsmall,A,holds,2\nonce,B,opposed,1\n")
    write(new, "sigma", "small,A,open,1\nsmall,A,open,2\nlater,C,not run,1\n")
    write(old, "probe", "theory,A,holds,1\n")  # not made again
    made = [Compared(VERDICTS.format("sigma"), SAME), Compared("reports/report.html", SAME)]
    assert [str(conclusion) for conclusion in list_conclusions(old, new, made)] == [
        "sigma, small: holds published, open here",
        "sigma, once: opposed published, absent here",
        "sigma, later: absent published, not run here",
    ]


@pytest.mark.parametrize(
    ("path", "outcome", "conclusions", "expected", "why"),
    [
        # claims of its own study decide, and those of all studies where it has none
        (CELL.format("sigma"), CHAOS, [HOLDS, CHANGED], CHAOS, ""),
        (CELL.format("probe"), CHAOS, [HOLDS, CHANGED], FAR, "1 of 1 verdicts changed"),
        (CELL.format("probe"), CHAOS, [HOLDS], FAR, "no claim was judged again"),
        ("data/scores/probe/a.csv", CHAOS, [HOLDS, CHANGED], FAR, "1 of 1 verdicts changed"),
        ("reports/report.html", CHAOS, [HOLDS, CHANGED], FAR, "1 of 2 verdicts changed"),
        ("reports/report.html", CHAOS, [HOLDS], CHAOS, ""),
        # elsewhere they decide nothing
        (CELL.format("probe"), SAME, [CHANGED], SAME, ""),
        (VERDICTS.format("probe"), Outcome.WITHIN_TOLERANCE, [CHANGED], FAR, "1 of 1 verdicts changed"),
        (VERDICTS.format("sigma"), Outcome.WITHIN_TOLERANCE, [HOLDS], Outcome.WITHIN_TOLERANCE, ""),
    ],
)
def test_what_claims_decide(
    path: str, outcome: Outcome, conclusions: list[Conclusion], expected: Outcome, why: str
) -> None:
    assert conclude(Compared(path, outcome), conclusions) == Compared(path, expected, why)
