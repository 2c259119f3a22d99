from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from scipy.stats import ttest_1samp, ttest_ind

from stages.studies.judging import statistics
from stages.studies.judging.statistics import Sample


@pytest.mark.parametrize("n", [2, 6])
def test_interval_is_scipys(n: int) -> None:
    values = np.random.default_rng(0).normal(size=n)
    expected = ttest_1samp(values, 0).confidence_interval(0.95)
    assert statistics.interval(values) == pytest.approx((expected.low, expected.high))


@given(arrays(np.float64, st.integers(2, 10), elements=st.integers(-4, 4).map(lambda count: count / 10)))
def test_p_counts_flips_of_signs(difference: Sample) -> None:
    sums = [abs(np.dot(difference, signs)) for signs in product([1, -1], repeat=len(difference))]
    p = statistics.sign_flip_p(difference)
    assert p == np.mean(np.array(sums) >= abs(difference.sum()) - 1e-12)
    assert statistics.sign_flip_p(-difference) == p


@pytest.mark.parametrize(
    ("difference", "greater", "less"),
    [
        ([0.1, 0.2, 0.3], 1 / 8, 1.0),  # the least that three seeds can give
        ([-0.1, -0.2, -0.3], 1.0, 1 / 8),
        ([0.1, 0.2, -0.3], 5 / 8, 5 / 8),  # a sum of 0: 0.6, 0.4, 0.2, 0 and the other 0 lie at or above it
        ([0.1, -0.2, 0.3], 3 / 8, 6 / 8),  # of 0.2, at or above 0.6, 0.4 and 0.2
        ([0.0, 0.0, 0.0], 1.0, 1.0),
        ([1.0] * 8, 1 / 2**8, 1.0),
        ([1.0] * 20, 1 / (1 + 2**16), 1.0),  # flips that are drawn
    ],
)
def test_p_of_one_side_counts_flips_at_or_beyond_the_sum(
    difference: list[float], greater: float, less: float
) -> None:
    values = np.array(difference)
    assert statistics.sign_flip_p(values, "greater") == pytest.approx(greater)
    assert statistics.sign_flip_p(values, "less") == pytest.approx(less)
    assert statistics.sign_flip_p(-values, "less") == pytest.approx(greater)


@pytest.mark.parametrize(
    ("a", "b", "of"),
    [
        ([42, 98, 37, 74, 41, 57, 70, 66], [65, 38, 36, 44, 36, 84, 73, 82], 108),
        ([6, 11, 12], [10, 4, 8], 13),  # 1/2 without ties, 3/4 with them
        ([4, 4, 4, 6], [2, 6, 5, 6], 7),
    ],
)
def test_ties_of_shares_count_though_tables_have_nine_digits(a: list[int], b: list[int], of: int) -> None:
    counts = np.subtract(a, b)
    ours, others = (np.array([float(f"{one / of:.9g}") for one in ones]) for ones in (a, b))
    assert statistics.compare_paired(ours, others).p == flip_exactly(counts)
    sums = np.array([np.dot(counts, signs) for signs in product([1, -1], repeat=len(counts))])
    assert statistics.compare_paired(ours, others, "greater").p == np.mean(sums >= counts.sum())


def flip_exactly(counts: NDArray[np.int64]) -> float:
    """Compute p of whole numbers by convolution: in how many ways their signs give each sum."""
    ways = np.ones(1)
    for count in np.abs(counts):
        one = np.zeros(2 * count + 1)
        one[0] += 1
        one[-1] += 1
        ways = np.convolve(ways, one)
    sums = np.arange(len(ways)) - len(ways) // 2
    return float(ways[np.abs(sums) >= abs(counts.sum())].sum() / ways.sum())


@pytest.mark.parametrize(("n", "rounding"), [(15, 1e-12), (16, 1e-12), (17, 0.005), (40, 0.005)])
def test_beyond_16_pairs_flips_are_drawn(n: int, rounding: float) -> None:
    counts = np.random.default_rng(n).integers(-5, 8, n)
    p = statistics.sign_flip_p(counts / 3)
    assert p == pytest.approx(flip_exactly(counts), abs=rounding)
    assert p == pytest.approx(statistics.sign_flip_p(-counts / 3), abs=1e-12)
    assert 0.02 < p < 0.9


@pytest.mark.parametrize(("n", "least"), [(3, 2 / 2**3), (16, 2 / 2**16), (30, 1 / (1 + 2**16))])
def test_p_is_never_0(n: int, least: float) -> None:
    assert statistics.sign_flip_p(np.linspace(1, 2, n)) == least


def test_one_pair_tests_nothing() -> None:
    row = statistics.compare_paired(np.array([0.9]), np.array([0.5]))
    assert row.difference == pytest.approx(0.4) and row.n == 1
    assert np.isnan([row.low, row.high, row.p]).all()


def test_intervals_are_of_each_score_over_seeds() -> None:
    scores = pd.DataFrame({"cell": [*"aaaab"], "value": [0.9, 0.8, 0.7, np.inf, 0.5]})
    table = statistics.intervals(scores, ["cell"])
    assert list(table.columns) == ["cell", *statistics.INTERVALS]
    first = table.iloc[0]
    assert (first["cell"], first["n"], first["mean"]) == ("a", 3, pytest.approx(0.8))
    assert (first["low"], first["high"]) == pytest.approx(statistics.interval(np.array([0.9, 0.8, 0.7])))
    assert np.isnan(table.iloc[1]["low"]) and table.iloc[1]["mean"] == 0.5


def test_q_is_benjamini_and_hochbergs() -> None:
    p = pd.Series([0.01, 0.04, np.nan, 0.03], index=[*"abcd"])
    # 0.01 * 3 / 1, 0.04 * 3 / 3, none, min(0.03 * 3 / 2, 0.04 * 3 / 3)
    q = statistics.false_discovery_rate(p)
    np.testing.assert_allclose(q, [0.03, 0.04, np.nan, 0.04])
    assert list(q.index) == [*"abcd"]
    assert statistics.false_discovery_rate(p[p.isna()]).isna().all()


def test_welch_is_scipy_s() -> None:
    a, b = np.array([0.3, 0.5, 0.9]), np.array([0.1, 0.15, 0.2, 0.3])
    of_a, of_b = (statistics.Summary(x.mean(), x.std(ddof=1), len(x)) for x in (a, b))
    expected = ttest_ind(a, b, equal_var=False)
    difference = statistics.welch(of_a, of_b)
    assert (difference.value / difference.error, difference.freedom) == pytest.approx(
        (expected.statistic, expected.df)
    )
    interval = expected.confidence_interval()
    row = statistics.compare_published(a, of_b)
    assert (row.low, row.high, row.p) == pytest.approx((interval.low, interval.high, expected.pvalue))
    for side in ("two-sided", "greater", "less"):
        one = ttest_ind(a, b, equal_var=False, alternative=side).pvalue
        assert statistics.compare_published(a, of_b, side).p == pytest.approx(one)
    assert np.isnan(statistics.welch(of_a, of_b._replace(n=1)).error)
    assert statistics.welch(of_a, of_b._replace(n=2)).error > 0
    assert np.isnan(statistics.compare_published(a[:1], of_b).p)
