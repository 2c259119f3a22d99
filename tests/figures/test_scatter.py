from typing import Any

import pandas as pd
import pytest
from made_studies import list_faint, make_study

from stages.figures import scatter
from stages.studies.claim import Claim, Test
from stages.studies.judging.correlating import list_correlations
from stages.studies.schema import Figure, Study

pytestmark = pytest.mark.usefixtures("house_style")

USUAL: dict[str, Any] = {"task": "network", "a": "learned", "than": 0.0, "expect": "below"}
ONE = Test(metric="validation/new", correlate="alignment", **USUAL)


def study_of(*tests: Test) -> Study:
    claim = Claim(says="They do.", source="ours", stated="before", tests=list(tests))
    cells = {"learned": {"scheme": "learned", "init_std": 0.2}}
    return make_study(Figure("scatter"), tasks=["network"], cells=cells, claims={"one": claim})


def scores(*models: tuple[str, float, float]) -> pd.DataFrame:
    """Make rows of models (value of the axis, error on new pairs, alignment)."""
    rows = [
        ("network", "learned", at, str(seed), *metric.split("/"), value)
        for seed, (at, *values) in enumerate(models)
        for metric, value in zip(("validation/new", "tables/alignment"), values, strict=True)
    ]
    return pd.DataFrame(rows, columns=["task", "cell", "at", "seed", "split", "metric", "value"])


def test_each_model_stands_beside_the_mean_of_its_group() -> None:
    found = scatter.take_models(
        study_of(ONE), ONE, scores(("one", 0.1, 5.0), ("one", 0.3, 7.0), ("two", 9.0, 1.0), ("two", 9.2, 1.0))
    )
    assert found["x"].round(9).tolist() == [-0.1, 0.1, -0.1, 0.1]
    assert found["y"].tolist() == [-1.0, 1.0, 0.0, 0.0]


def test_a_panel_per_tested_pair_says_its_correlation() -> None:
    made = scores(*((at, 0.1 * one, -float(one)) for at in ("one", "two") for one in range(5)))
    figure = scatter.draw(study_of(ONE, ONE), made)
    assert list_faint(figure) == []
    (axes,) = figure.axes
    assert axes.get_title(loc="left") == "Simulated network\nlearned, σ 0.2: ρ = −1.00"
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("alignment", "validation error on new pairs")
    (dots,) = [line for line in axes.lines if line.get_marker() == "o"]
    assert len(dots.get_xdata()) == 10  # type: ignore[arg-type]


def test_what_was_published_has_no_models_to_draw() -> None:
    theirs = Test(metric="score", correlate="published", over="axis", **USUAL)
    assert list_correlations(study_of(ONE, theirs)) == [ONE]


@pytest.mark.parametrize("named", [{"a": "learned@0.2"}, {"at": [0.2]}])
def test_a_panel_holds_the_models_that_its_test_names(named: dict[str, Any]) -> None:
    test = Test(metric="validation/new", correlate="alignment", **USUAL | named)
    models = [("0.2", 0.1, 5.0), ("0.2", 0.3, 7.0), ("0.2", 0.5, 9.0)]
    made = scores(*models, *(("2", -error, aligned) for _, error, aligned in models))
    assert set(scatter.take_models(study_of(test), test, made)["at"]) == {"0.2"}
    assert list_correlations(study_of(ONE, test)) == [ONE, test]
    (title,) = [axes.get_title(loc="left") for axes in scatter.draw(study_of(test), made).axes]
    assert "σ 0.2" in title and title.endswith(": ρ = 1.00")
