import numpy as np
import pandas as pd
import pytest
from scipy.stats import false_discovery_control, ttest_rel
from small_studies import SIGMA, make_scores, make_study

from stages.studies.judging.compare import find_differences
from stages.studies.tables import COLUMNS

RANDOM = np.random.default_rng(0)
LEARNED, LARGE, NONE = RANDOM.normal(size=(3, 6))
SCORES = make_scores({("learned", "0.2"): LEARNED, ("learned", "2"): LARGE, ("none", ""): NONE})
CELLS = {"learned": {"scheme": "learned"}, "none": {"scheme": "none"}, "absent": {"scheme": "alibi"}}


def compared(pairs: list[list[str]], scores: pd.DataFrame = SCORES) -> pd.DataFrame:
    return find_differences(make_study(cells=CELLS, axis=SIGMA, compare={"x": {"pairs": pairs}}), scores)


def test_differences_are_those_of_a_paired_t_test() -> None:
    row = compared([["learned@0.2", "none"]]).iloc[0]
    expected = ttest_rel(LEARNED, NONE).confidence_interval(0.95)
    assert (row.low, row.high) == pytest.approx((expected.low, expected.high))
    assert row.difference == pytest.approx((LEARNED - NONE).mean())
    assert (row.mean_a, row.mean_b) == pytest.approx((LEARNED.mean(), NONE.mean()))
    assert (row.a, row.a_at, row.b, row.b_at, row.n, row.metric) == ("learned", "0.2", "none", "", 6, "score")


def test_a_row_for_each_value_of_the_axis_and_metric_that_both_have() -> None:
    trained = make_scores({("learned", "2"): LARGE, ("none", ""): NONE}, metric="train")
    table = compared([["learned", "none"], ["learned", "absent"]], pd.concat([SCORES, trained]))
    assert list(table.columns) == COLUMNS["differences"]
    found = list(zip(table.metric, table.a_at, strict=True))
    assert found == [("score", "0.2"), ("score", "2"), ("train", "2")]


def test_q_is_of_what_is_compared_and_of_each_metric() -> None:
    pairs = [["learned@0.2", "none"], ["learned@2", "none"], ["learned@0.2", "learned@2"]]
    table = compared(pairs)
    np.testing.assert_allclose(table.q, false_discovery_control(table.p))
    trained = make_scores({("learned", "2"): LEARNED, ("none", ""): NONE}, metric="train")
    both = compared(pairs, pd.concat([SCORES, trained]))
    np.testing.assert_allclose(both[both.metric == "score"].q, table.q)


def test_the_first_is_compared_with_each_other() -> None:
    study = make_study(
        cells=CELLS, axis=SIGMA, compare={"x": {"first": "none", "against": ["learned@2", "learned"]}}
    )
    assert find_differences(study, SCORES).b_at.tolist() == ["2", "0.2", "2"]
    assert find_differences(study, SCORES[:0]).empty


def test_what_the_figure_shows_is_compared_too() -> None:
    shown = {"kind": "rows", "metrics": ["score", "validation/new"]}
    study = make_study(
        cells=CELLS, axis=SIGMA, figure=shown, compare={"x": {"pairs": [["learned@2", "none"]]}}
    )
    new = make_scores({("learned", "2"): LARGE, ("none", ""): NONE}, metric="validation/new")
    assert find_differences(study, pd.concat([SCORES, new])).metric.tolist() == ["score", "validation/new"]
