import numpy as np
import pytest
from scipy.stats import norm, spearmanr

from stages.studies.judging.correlation import Correlation, correlate

RANDOM = np.random.default_rng(0)
ALONE = np.zeros(20, int)


def test_the_interval_is_fishers() -> None:
    found = Correlation(0.6, 0.0, 30)
    low, high = found.interval()
    middle, half = np.arctanh(0.6), norm.ppf(0.975) * np.sqrt((1 + 0.36 / 2) / 27)
    assert (low, high) == pytest.approx((np.tanh(middle - half), np.tanh(middle + half)))
    assert found.p("greater") == pytest.approx(norm.sf(middle / np.sqrt((1 + 0.36 / 2) / 27)))
    assert found.p("less") == pytest.approx(1 - found.p("greater"))


def test_the_constant_is_taken_off() -> None:
    beside = Correlation(0.6, -0.5, 30)
    assert beside.value == pytest.approx(1.1)
    assert np.subtract(Correlation(0.6, 0.0, 30).interval(), beside.interval()) == pytest.approx(-0.5)


def test_of_one_group_it_is_spearmans() -> None:
    x, y = RANDOM.normal(size=(2, 20))
    found = correlate(x, x + y, ALONE, 0.0)
    assert found is not None and found.rank == pytest.approx(spearmanr(x, x + y).statistic)


def test_means_of_groups_do_not_count() -> None:
    group = np.repeat(np.arange(4), 5)
    x, y = RANDOM.normal(size=(2, 20))
    near = correlate(x, y, group, 0.0)
    assert near is not None and correlate(x + 100 * group, y - 100 * group, group, 0.0) == near
    assert near.groups == 4 and near.error > Correlation(near.rank, 0.0, 20).error


def test_what_is_the_same_for_all_correlates_with_nothing() -> None:
    assert correlate(np.ones(20), RANDOM.normal(size=20), ALONE, 0.0) is None


def test_rounding_of_means_breaks_no_tie() -> None:
    group = np.repeat(np.arange(8), 3)
    for _ in range(50):
        same = np.repeat(RANDOM.integers(1, 108, 8) / 108, 3)  # accuracies that all models of a group share
        assert correlate(same, RANDOM.normal(size=24), group, 0.0) is None
    x = np.tile([0.1, 0.2, 0.2], 8) + 0.7 * group
    found = correlate(x, np.tile([1.0, 2.0, 2.0], 8), group, 0.0)
    assert found is not None and found.rank == pytest.approx(1)


def test_a_perfect_one_keeps_a_width_and_too_few_have_none() -> None:
    low, high = Correlation(1.0, 0.0, 20).interval()
    assert 0.9 < low < high < 1
    assert np.isnan(Correlation(0.5, 0.0, 3).interval()).all()


@pytest.mark.parametrize("rank", [0.0, 0.8])
def test_it_covers_the_true_correlation_of_normal_pairs(rank: float) -> None:
    pearson = 2 * np.sin(np.pi * rank / 6)
    draws = RANDOM.multivariate_normal([0, 0], [[1, pearson], [pearson, 1]], size=(2000, 24))
    intervals = [Correlation(float(spearmanr(draw).statistic), 0.0, 24).interval() for draw in draws]
    covered = np.mean([low < rank < high for low, high in intervals])
    assert 0.93 < covered < 0.975
