"""Differences between configurations, seed by seed. Seeds are the unit of every count here.

Replicate k has the same data order and the same initial weights outside the encoding in every configuration,
so configurations are compared on the seeds they share, pair by pair.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import gammaln
from scipy.stats import false_discovery_control, permutation_test, t

Values = NDArray[np.float64]

INTERVALS = ["n", "mean", "low", "high"]
LEVEL = 0.95
EXACT = 2**16  # up to so many sign flips are enumerated, which is 16 seeds; beyond, a random sample
ROUNDING = 1e-12  # a spread below this share of the values counts as none


class Summary(NamedTuple):
    """Mean and standard deviation of n values."""

    mean: float
    sd: float
    n: int


def adjust(tests: pd.DataFrame) -> pd.DataFrame:
    """The tests with `q_value`, the false discovery rate within each family (Benjamini & Hochberg, 1995).

    Tests without a p value do not count and have no q value. The index restarts at 0.
    """
    tests = tests.reset_index(drop=True)
    tested = tests.dropna(subset="p_value")
    q_value = tested.groupby("family")["p_value"].transform(lambda p: false_discovery_control(p, method="bh"))
    return tests.assign(q_value=q_value.reindex(tests.index))


def intervals(rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """One row per group of `by`: those columns, n, mean, low, high; see `interval`.

    rows: columns `by` and value, one row per seed; n counts the finite values, the others are left out. A
    group without any has no row.
    """
    values = rows.replace([np.inf, -np.inf], np.nan).dropna(subset="value")
    means = []
    for names, group in values.groupby(list(by), sort=False):
        numbers = group.value.to_numpy(np.float64)
        means.append([*names, len(numbers), mean(numbers), *interval(numbers)])
    return pd.DataFrame(means, columns=[*by, *INTERVALS])


def compare_paired(a: Values, b: Values) -> dict[str, Any]:
    """All numbers of one comparison of a [n] with b [n], the same seeds in the same order."""
    difference = a - b
    low, high = interval(difference)
    return {
        "n": len(difference),
        "mean_a": mean(a),
        "mean_b": mean(b),
        "difference": mean(difference),
        "low": low,
        "high": high,
        "effect_size": effect_size(difference),
        "p_value": sign_flip_p(difference),
    }


def mean(values: Values) -> float:
    """Mean, NaN of nothing."""
    return float(values.mean()) if len(values) else np.nan


def interval(values: Values, level: float = LEVEL) -> tuple[float, float]:
    """Student's t interval of the mean; NaN for fewer than 2 values.

    Not a bootstrap: for normal draws, percentile and BCa intervals cover the mean in 75 % of cases with n = 3
    and 92 % with n = 15, this one in 95 % at any n. For exponential draws it covers 88 % (n = 3) to 91 %
    (n = 15). Where each seed either succeeds or fails it covers 71 % (n = 3) and 93 % (n = 8).
    """
    n = len(values)
    if n < 2:
        return np.nan, np.nan
    half = t.ppf((1 + level) / 2, n - 1) * values.std(ddof=1) / n**0.5
    return float(values.mean() - half), float(values.mean() + half)


def welch(a: Summary, b: Summary) -> tuple[float, float, float]:
    """Difference of means of independent samples, its standard error and degrees of freedom (Welch, 1947).

    The latter two are NaN where a sample has one value, or neither has any spread.
    """
    difference, (n, m) = a.mean - b.mean, (a.n, b.n)
    parts = a.sd**2 / n, b.sd**2 / m
    error = sum(parts) ** 0.5
    if not error > 0 or min(n, m) < 2:
        return difference, np.nan, np.nan
    return difference, error, sum(parts) ** 2 / (parts[0] ** 2 / (n - 1) + parts[1] ** 2 / (m - 1))


def welch_interval(a: Summary, b: Summary, level: float = LEVEL) -> tuple[float, float, float]:
    """Difference of two means with its interval by Welch's t."""
    difference, error, freedom = welch(a, b)
    half = float(t.ppf((1 + level) / 2, freedom)) * error
    return difference, difference - half, difference + half


def welch_p(a: Summary, b: Summary) -> float:
    """Two-sided p of equal means by Welch's t."""
    difference, error, freedom = welch(a, b)
    return float(2 * t.sf(abs(difference) / error, freedom))


def effect_size(difference: Values) -> float:
    """Mean over standard deviation of paired differences, d_z, by Hedges' (1981) exact factor for few pairs.

    NaN for fewer than 3 pairs and for differences that are all equal.
    """
    n = len(difference)
    if n < 3 or difference.std(ddof=1) <= ROUNDING * np.abs(difference).max():
        return np.nan
    freedom = n - 1
    factor = np.exp(gammaln(freedom / 2) - gammaln((freedom - 1) / 2)) / (freedom / 2) ** 0.5
    return float(factor * difference.mean() / difference.std(ddof=1))


def sign_flip_p(difference: Values) -> float:
    """Two-sided p of a mean of 0 when a and b may be exchanged within every seed: all 2^n flips of signs.

    Beyond 16 pairs a sample of flips from a fixed stream; NaN for fewer than 2 pairs.
    """
    if len(difference) < 2:
        return np.nan
    flips = permutation_test(
        (difference,), np.mean, permutation_type="samples", n_resamples=EXACT, rng=np.random.default_rng(0)
    )
    return float(flips.pvalue)
