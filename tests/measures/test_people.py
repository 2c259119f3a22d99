import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_ind

from stages.measures import people

PEOPLE = pd.DataFrame({"accuracy_mean": [0.9, 0.8, 0.6], "accuracy_sd": 0.2, "n_subjects": 40})


def compared(*seeds: list[float], **changed: float) -> pd.Series:
    models = {"a": np.array(seeds)}
    return people.compare(models, PEOPLE.assign(**changed), np.random.default_rng(0)).iloc[0]


def test_slopes_are_per_level() -> None:
    row = compared([1.0, 0.9, 0.6], [1.0, 0.7, 0.4])
    assert (row.slope, row.slope_people) == (pytest.approx(-0.25), pytest.approx(-0.15))
    assert row.difference == pytest.approx(-0.1)
    assert (row.n, row.n_points, row.n_people) == (2, 3, 40)


def test_order_is_that_of_means_and_of_each_seed() -> None:
    row = compared([0.9, 0.8, 0.7], [0.5, 0.55, 0.1])
    assert row.same_order and row.seeds_same_order == 1
    assert not compared([0.5, 0.5, 0.5]).same_order


def test_correlation_over_levels() -> None:
    assert compared([0.9, 0.8, 0.6]).correlation == pytest.approx(1)
    assert compared([0.6, 0.7, 0.9]).correlation == pytest.approx(-1)
    with np.errstate(all="raise"):
        assert np.isnan(compared([0.25, 0.25, 0.25]).correlation)


def test_people_without_spread_leave_students_interval() -> None:
    row = compared([1.0, 0.9, 0.6], [1.0, 0.7, 0.4], [0.9, 0.9, 0.8], accuracy_sd=0.0)
    assert row.difference_low == pytest.approx(row.low - row.slope_people)
    assert row.difference_high == pytest.approx(row.high - row.slope_people)


def test_seeds_that_agree_leave_the_peoples_error() -> None:
    """Slopes weigh the outer levels by a half: error .2 / sqrt(40) * sqrt(.5), t of 39 degrees 2.0227."""
    row = compared([0.9, 0.8, 0.6], [0.9, 0.8, 0.6])
    half = 0.2 / 40**0.5 * 0.5**0.5
    assert row.difference_high == pytest.approx(2.0227 * half, abs=1e-5)
    assert row.bootstrap_high == pytest.approx(1.96 * half, rel=0.05)


def test_one_seed_has_no_interval() -> None:
    assert compared([0.9, 0.8, 0.6])[["difference_low", "bootstrap_low", "low"]].isna().all()


def test_welch_s_interval_is_scipys() -> None:
    random = np.random.default_rng(1)
    slopes, others = random.normal(0.2, 0.3, 4), random.normal(0, 0.5, 9)
    error = float(others.std(ddof=1)) / 3
    expected = ttest_ind(slopes, others, equal_var=False).confidence_interval(0.95)
    interval = people.welch(slopes, float(slopes.mean() - others.mean()), error, 9)
    assert interval == pytest.approx((expected.low, expected.high))
    assert people.welch(np.full(3, 0.25), 0.1, 0.0, 9) == (0.1, 0.1)  # nothing varies
