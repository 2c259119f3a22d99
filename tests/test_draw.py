"""Figures of each kind, from a study's files."""

from pathlib import Path

import pytest
from reported_project import make_project, scores

from stages.draw import draw_figure
from stages.files.artifacts import write_csv
from stages.studies.tables import report_path

pytestmark = pytest.mark.usefixtures("house_style")


@pytest.mark.parametrize(("kind", "panels"), [("lines", 1), ("rows", 1), ("curves", 3)])
def test_each_kind_draws_its_tables_and_says_where_there_is_nothing_to_draw(
    kind: str, panels: int, tmp_path: Path
) -> None:
    path = make_project(tmp_path) / "studies/sigma.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("kind: lines", f"kind: {kind}"))
    write_csv(tmp_path / report_path("sigma", "curves"), scores().assign(epoch=1))
    assert len(draw_figure(tmp_path, "sigma").axes) == panels
    for table in ("scores", "differences", "curves"):
        path = tmp_path / report_path("sigma", table)
        path.write_text(path.read_text(encoding="utf-8").splitlines()[0] + "\n")
    page = draw_figure(tmp_path, "sigma")
    assert not page.axes and len(page.texts) == 1
