"""Conclusions are made of a study's scores, with a figure of each kind."""

from pathlib import Path

import pandas as pd
import pytest
from matplotlib.figure import Figure
from reported_project import make_project, scores

from stages.conclude import conclude
from stages.figures.study import draw_study
from stages.studies.judging.compare import find_differences
from stages.studies.judging.judge import judge
from stages.studies.planning.load import load_study
from stages.studies.tables import read_table, read_tables, report_path

pytestmark = pytest.mark.usefixtures("house_style")


def draw(root: Path) -> Figure:
    return draw_study(load_study(root, "sigma"), read_tables(root, "sigma"), None, {})


@pytest.mark.parametrize(("kind", "panels"), [("lines", 1), ("rows", 1)])
def test_each_kind_draws_its_tables_and_says_where_there_is_nothing_to_draw(
    kind: str, panels: int, tmp_path: Path
) -> None:
    path = make_project(tmp_path) / "studies/sigma.yaml"
    text = path.read_text(encoding="utf-8").replace("kind: lines", f"kind: {kind}")
    path.write_text(text, encoding="utf-8")
    assert len(draw(tmp_path).axes) == panels
    for table in ("scores", "differences"):
        path = tmp_path / report_path("sigma", table)
        path.write_text(path.read_text(encoding="utf-8").splitlines()[0] + "\n")
    page = draw(tmp_path)
    assert not page.axes and len(page.texts) == 1


def test_scores_are_compared_judged_and_drawn(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    study, folder = load_study(root, "sigma"), (root / report_path("sigma", "scores")).parent
    for path in set(folder.iterdir()) - {folder / "scores.csv", folder / "declared.csv"}:
        path.unlink()
    conclude(root, "sigma")
    made = {path.name for path in folder.iterdir()}
    assert made == {
        "scores.csv",
        "declared.csv",
        "differences.csv",
        "verdicts.csv",
        "figure.png",
        "page.html",
    }
    pd.testing.assert_frame_equal(read_table(folder / "differences.csv"), find_differences(study, scores()))
    assert (
        read_table(folder / "verdicts.csv").verdict.tolist() == judge(study, scores(), None).verdict.tolist()
    )
    (folder / "scores.csv").unlink()
    with pytest.raises(ValueError, match="scores.csv"):
        conclude(root, "sigma")
