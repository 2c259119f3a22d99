from itertools import product
from math import gamma

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_1samp, ttest_ind

from stages.measures import statistics


@pytest.mark.parametrize("n", [2, 6])
def test_interval_is_scipys(n: int) -> None:
    values = np.random.default_rng(0).normal(size=n)
    expected = ttest_1samp(values, 0).confidence_interval(0.95)
    assert statistics.interval(values) == pytest.approx((expected.low, expected.high))


def test_p_counts_flips_of_signs() -> None:
    difference = np.array([0.3, -0.1, 0.4, 0.2, 0.25])
    means = [np.mean(difference * signs) for signs in product([1, -1], repeat=5)]
    expected = np.mean(np.abs(means) >= difference.mean() - 1e-12)
    assert statistics.sign_flip_p(difference) == pytest.approx(expected)


def test_many_seeds_draw_their_flips() -> None:
    difference = np.random.default_rng(3).normal(0.6, size=20)
    p_value = statistics.sign_flip_p(difference)
    assert p_value == statistics.sign_flip_p(difference)
    assert p_value == pytest.approx(ttest_1samp(difference, 0).pvalue, abs=0.01)


def test_one_pair_tests_nothing() -> None:
    row = statistics.compare_paired(np.array([0.9]), np.array([0.5]))
    assert row["difference"] == pytest.approx(0.4) and row["n"] == 1
    assert np.isnan([row["low"], row["high"], row["p_value"], row["effect_size"]]).all()


def test_effect_size_by_hand_and_undefined_without_spread() -> None:
    # mean 3, variance 5 / 2, 4 degrees of freedom
    expected = 3 / 2.5**0.5 * gamma(2) / (2**0.5 * gamma(1.5))
    assert statistics.effect_size(np.array([1.0, 2.0, 3.0, 4.0, 5.0])) == pytest.approx(expected)
    assert np.isnan(statistics.effect_size(np.full(3, 0.1)))
    assert np.isnan(statistics.effect_size(np.array([0.1, 0.3])))


def test_intervals_are_of_each_score_over_seeds() -> None:
    scores = pd.DataFrame({"cell": [*"aaaab"], "value": [0.9, 0.8, 0.7, np.inf, 0.5]})
    table = statistics.intervals(scores, ["cell"])
    assert list(table.columns) == ["cell", *statistics.INTERVALS]
    first = table.iloc[0]
    assert (first["cell"], first["n"], first["mean"]) == ("a", 3, pytest.approx(0.8))
    assert (first["low"], first["high"]) == pytest.approx(statistics.interval(np.array([0.9, 0.8, 0.7])))
    assert np.isnan(table.iloc[1]["low"]) and table.iloc[1]["mean"] == 0.5


def test_q_is_benjamini_and_hochbergs_within_each_family() -> None:
    tests = pd.DataFrame({"family": ["x", "x", "y", "x", "x"], "p_value": [0.01, 0.04, 0.04, 0.03, np.nan]})
    # x: 0.01 * 3 / 1, min(0.03 * 3 / 2, 0.04 * 3 / 3), 0.04
    expected = [0.03, 0.04, 0.04, 0.04, np.nan]
    np.testing.assert_allclose(statistics.adjust(tests).q_value, expected)
    np.testing.assert_allclose(statistics.adjust(tests.set_axis([0] * 5)).q_value, expected)


def test_welch_is_scipy_s() -> None:
    a, b = np.array([0.3, 0.5, 0.9]), np.array([0.1, 0.15, 0.2, 0.3])
    of_a, of_b = (statistics.Summary(x.mean(), x.std(ddof=1), len(x)) for x in (a, b))
    expected = ttest_ind(a, b, equal_var=False)
    difference, error, freedom = statistics.welch(of_a, of_b)
    assert (difference / error, freedom) == pytest.approx((expected.statistic, expected.df))
    interval = expected.confidence_interval()
    assert statistics.welch_interval(of_a, of_b)[1:] == pytest.approx((interval.low, interval.high))
    assert statistics.welch_p(of_a, of_b) == pytest.approx(expected.pvalue)
    assert np.isnan(statistics.welch(of_a, of_b._replace(n=1))[1])
