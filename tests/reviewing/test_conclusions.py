"""Claims of the committed tables beside those of altered ones, and what they decide."""

import shutil
from pathlib import Path

import pytest

from stages import report
from stages.files import artifacts
from stages.reporting.claims import Claim
from stages.reviewing.comparison import Compared, Outcome
from stages.reviewing.conclusions import PAGES, compare_claims, conclude, judge_conclusions, read_claims

ROOT = Path(__file__).parents[2]
SAME, CHAOS = Outcome.IDENTICAL, Outcome.SAME_CONCLUSIONS
FILES = [
    Compared("train", "data/models/grid/focus/history.csv", CHAOS, "grown from rounding"),
    Compared("findings", PAGES[0], Outcome.WITHIN_TOLERANCE),
    Compared("generate", "data/tasks/grid/puzzles.npz", SAME),
]
HELD = compare_claims([Claim("a", "shown", "1")], [Claim("a", "shown", "2")])
CHANGED = compare_claims([Claim("a", "shown", "1")], [Claim("a", "not shown", "0")])


@pytest.fixture
def altered(tmp_path: Path) -> Path:
    """Every table of the report, the best sigma of the grid without success."""
    for path in (Path("params.yaml"), *report.TABLES):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    runs = artifacts.read_csv(tmp_path / "reports/tables/runs.csv")
    rows = (runs.task == "grid") & (runs.encoding == "learned_s050") & (runs.split == "validation")
    artifacts.write_csv(tmp_path / "reports/tables/runs.csv", runs.assign(value=runs.value.mask(rows, 0.1)))
    return tmp_path


def test_a_claim_changes_where_its_numbers_do_and_nowhere_else(altered: Path) -> None:
    pages = [Compared("report", path, SAME) for path in PAGES]
    conclusions = judge_conclusions(ROOT, altered, pages)
    changed = {conclusion.about: str(conclusion) for conclusion in conclusions if not conclusion.holds}
    about = "grid: score at \u03c3 = 0.5"
    assert changed[about] == f"{about}: among the best published, behind the best here"
    assert all(name.startswith("grid: ") and "mirrors" not in name for name in changed)
    assert not judge_conclusions(ROOT, altered, pages[:1])  # the report was not made again


def test_the_same_tables_give_the_same_claims_and_each_is_about_something_else() -> None:
    claims = read_claims(ROOT)
    assert all(conclusion.holds for conclusion in compare_claims(claims, claims))
    assert len({claim.about for claim in claims}) == len(claims) > 50


def test_a_claim_that_one_run_alone_makes_has_changed() -> None:
    (conclusion,) = compare_claims([Claim("a", "shown", "1")], [])
    assert str(conclusion) == "a: shown published, nothing here"


def test_what_nothing_else_can_judge_is_as_the_conclusions_are() -> None:
    outcomes = [
        [file.outcome for file in conclude(FILES, conclusions)] for conclusions in (HELD, CHANGED, [])
    ]
    tolerated, different = Outcome.WITHIN_TOLERANCE, Outcome.DIFFERENT
    assert outcomes == [[CHAOS, tolerated, SAME], [different, different, SAME], [different, tolerated, SAME]]
    assert conclude(FILES, CHANGED)[0].why == "grown from rounding; 1 of 1 conclusions changed"
    assert conclude(FILES, [])[0].why.endswith("no conclusion was judged: replay the stage report too")
