from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from commands import ROOT, own_studies
from reported_project import make_project

from stages.reporting.behind import write_query
from stages.studies.judging.results import Difference, read_row
from stages.studies.tables import read_tables, report_path

FOUND = Difference("grid", "score", ("learned", "0.2"), ("learned", "2"))


def ask(path: Path, query: str) -> pd.DataFrame:
    """Paste the query as the page says."""
    scores = pd.read_csv(path, dtype={"task": str, "at": str}).fillna({"task": "", "at": ""})
    found: pd.DataFrame = eval(query, {"scores": scores})
    return found


@pytest.mark.parametrize(
    ("changed", "rows"),
    [
        ({}, 6),
        ({"b": ("0.95", "")}, 3),
        ({"b": ("published", "2")}, 3),
        ({"metric": "alignment", "b": ("focus", "")}, 6),
        ({"metric": "score ~ alignment", "b": ("0", "")}, 6),
        ({"metric": "alignment ~ published", "a": ("learned", ""), "b": ("-0.5", "")}, 6),
    ],
)
def test_a_query_finds_the_rows_of_both_sides(changed: dict[str, Any], rows: int, tmp_path: Path) -> None:
    path = make_project(tmp_path) / report_path("sigma", "scores")
    assert len(ask(path, write_query(FOUND._replace(**changed)))) == rows


def test_a_gain_is_made_of_two_alignments() -> None:
    query = write_query(FOUND._replace(metric="gain"))
    assert "metric == 'alignment'" in query and "metric == 'alignment_initial'" in query


@pytest.mark.parametrize("study", own_studies())
def test_every_number_in_git_has_its_rows(study: str) -> None:
    tables = read_tables(ROOT, study)
    if "verdicts" not in tables:
        pytest.skip("did not run")
    path = ROOT / report_path(study, "scores")
    scores = pd.read_csv(path, dtype={"task": str, "at": str}).fillna({"task": "", "at": ""})
    for row in map(read_row, tables["verdicts"].query("n > 0").itertuples()):
        found = eval(write_query(row), {"scores": scores})
        assert len(found) >= row.numbers.n, row
        if " ~ " not in row.metric and row.a[1]:
            assert not found[(found.cell == row.a[0]) & (found["at"] == row.a[1])].empty, row
