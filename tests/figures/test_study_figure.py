from pathlib import Path

import pandas as pd
import pytest
from made_maps import make_maps
from made_studies import make_scores, make_study

from stages.figures.study import draw_study, read_beside
from stages.studies.schema import Figure

pytestmark = pytest.mark.usefixtures("house_style")

ROOT = Path(__file__).parents[2]
SCORES = make_scores({("learned", "0.2"): [0.5, 0.6], ("learned", "2"): [0.5, 0.6]})
DIFFERENCES = pd.DataFrame(columns=["task", "metric", "difference"])


@pytest.mark.parametrize(("kind", "panels"), [("lines", 1), ("rows", 1), ("curves", 2), ("maps", 5)])
def test_each_kind_draws_its_tables(kind: str, panels: int) -> None:
    study = make_study(Figure(kind))  # type: ignore[arg-type]
    curves = SCORES.assign(epoch=1)
    page = draw_study(study, SCORES, DIFFERENCES, curves, None, make_maps("grid"))
    assert len(page.axes) == panels


def test_published_numbers_are_read_by_kind() -> None:
    beside = "data/reference/lst_published_accuracy.csv"
    lines, curves = (
        read_beside(ROOT, make_study(Figure(kind), beside=beside)) for kind in ("lines", "curves")
    )
    assert lines is not None and "condition" in lines and curves is not None and "epoch" in curves
    assert read_beside(ROOT, make_study(Figure("lines"))) is None


@pytest.mark.parametrize("kind", ["lines", "rows", "curves", "maps", "tables"])
def test_nothing_to_draw_is_said(kind: str) -> None:
    page = draw_study(make_study(Figure(kind)), SCORES[:0], DIFFERENCES)  # type: ignore[arg-type]
    assert not page.axes and len(page.texts) == 1
