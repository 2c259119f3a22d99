from pathlib import Path

from stages.reporting.claims_list import write_claims
from stages.reporting.sections import read_section
from stages.studies.tables import VERDICTS

ROOT = Path(__file__).parents[2]


def test_every_claim_is_listed_once_below_its_verdict() -> None:
    section = read_section(ROOT, "ratio")
    page = write_claims([section])
    parts = dict(part.split("\n\n", 1) for part in page.split("\n## ")[1:])
    assert list(parts)[:2] == ["Opposed", "Open"] and set(map(str.lower, parts)) <= set(VERDICTS)
    for one in section.claims:
        lines = [line for line in parts[one.verdict.capitalize()].splitlines() if one.claim.told in line]
        assert len(lines) == 1 and lines[0].endswith("([ratio](../studies/ratio.yaml), before)") == (
            one.claim.stated == "before"
        )
    assert page.count("\n- ") == len(section.claims)


def test_of_tables_that_others_trained_groups_of_rows_are_counted_and_no_task_is_named() -> None:
    (line,) = [
        one for one in write_claims([read_section(ROOT, "pretrained")]).splitlines() if "more local" in one
    ]
    assert "steps. steps to half: " in line and "(10 groups of rows)" in line
