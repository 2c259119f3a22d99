from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from commands import ROOT, own_studies
from reported_project import make_project

from stages.reporting.behind import write_query
from stages.studies.tables import read_tables, report_path

ROW = {"task": "grid", "metric": "score", "a": "learned", "a_at": "0.2", "b": "learned", "b_at": "2"}


def ask(path: Path, query: str) -> pd.DataFrame:
    """Paste the query as the page says."""
    scores = pd.read_csv(path, dtype={"task": str, "at": str}).fillna({"task": "", "at": ""})
    found: pd.DataFrame = eval(query, {"scores": scores})
    return found


@pytest.mark.parametrize(
    ("changed", "rows"),
    [
        ({}, 6),
        ({"b": "0.95", "b_at": ""}, 3),
        ({"b": "published"}, 3),
        ({"metric": "alignment", "b": "focus", "b_at": ""}, 6),
        ({"metric": "score ~ alignment", "b": "0", "b_at": ""}, 6),
        ({"metric": "alignment ~ published", "a_at": "", "b": "-0.5", "b_at": ""}, 6),
    ],
)
def test_a_query_finds_the_rows_of_both_sides(changed: dict[str, Any], rows: int, tmp_path: Path) -> None:
    path = make_project(tmp_path) / report_path("sigma", "scores")
    assert len(ask(path, write_query(ROW | changed))) == rows


def test_a_gain_is_made_of_two_alignments() -> None:
    query = write_query(ROW | {"metric": "gain"})
    assert "metric == 'alignment'" in query and "metric == 'alignment_initial'" in query


@pytest.mark.parametrize("study", own_studies())
def test_every_number_in_git_has_its_rows(study: str) -> None:
    tables = read_tables(ROOT, study)
    if "verdicts" not in tables:
        pytest.skip("did not run")
    path = ROOT / report_path(study, "scores")
    scores = pd.read_csv(path, dtype={"task": str, "at": str}).fillna({"task": "", "at": ""})
    records: Any = tables["verdicts"].query("n > 0").to_dict("records")
    for row in records:
        found = eval(write_query(row), {"scores": scores})
        assert len(found) >= row["n"], row
        if " ~ " not in row["metric"] and row["a_at"]:
            a = found[(found.cell == row["a"]) & (found["at"] == row["a_at"])]
            assert not a.empty, row
