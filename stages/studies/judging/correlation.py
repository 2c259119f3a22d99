"""Rank correlation of two numbers over models, and its interval."""

from math import nan
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri
from scipy.stats import spearmanr

from stages.studies.judging.statistics import LEVEL, Alternative, Sample

DECIMALS = 6  # of the largest value, that tell two apart: scores have nine digits, and means of them fewer


class Correlation(NamedTuple):
    """Spearman's correlation beside a constant, over so many models of so many groups."""

    rank: float
    than: float
    n: int
    groups: int = 1

    @property
    def value(self) -> float:
        """Return the correlation less the constant."""
        return self.rank - self.than

    @property
    def error(self) -> float:
        """Return the standard error of Fisher's z of ranks (Bonett & Wright 2000, doi 10.1007/BF02294183).

        Each group beyond the first costs a degree of freedom, as its mean does. NaN for too few models.
        """
        freedom = self.n - 2 - self.groups
        return float(np.sqrt((1 + self.rank**2 / 2) / freedom)) if freedom > 0 else nan

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Return Fisher's interval of the correlation, less the constant."""
        half = float(ndtri((1 + level) / 2)) * self.error
        low, high = np.tanh(np.arctanh(self._inner()) + np.array([-half, half])) - self.than
        return float(low), float(high)

    def p(self, side: Alternative) -> float:
        """Return the probability of such a correlation on that side, if the true one is the constant."""
        z = (np.arctanh(self._inner()) - np.arctanh(self.than)) / self.error
        p = {"greater": float(ndtr(-z)), "less": float(ndtr(z))}
        return p[side] if side in p else 2 * min(p.values())

    def _inner(self) -> float:
        """Return the correlation; ±1 as if two neighbours were in the other order, else it had no error."""
        most = max(0.0, 1 - 12 / (self.n**3 - self.n))
        return min(max(self.rank, -most), most)


def correlate(x: Sample, y: Sample, group: NDArray[np.integer], than: float) -> Correlation | None:
    """Correlate x [n] with y [n] over models, each less the mean of its group [n].

    None where either is the same for all models.
    """
    groups = len(np.unique(group))
    x, y = (take_means_off(values, group) for values in (x, y))
    if min(np.ptp(x), np.ptp(y)) == 0:
        return None
    return Correlation(float(spearmanr(x, y).statistic), than, len(x), groups)


def take_means_off(values: Sample, group: NDArray[np.integer]) -> Sample:
    """Take the mean of its group off each value; what is then no more than rounding is a tie."""
    _, numbers = np.unique(group, return_inverse=True)
    inner = values - (np.bincount(numbers, values) / np.bincount(numbers))[numbers]
    return np.asarray(np.round(inner / (np.abs(values).max() or 1.0), DECIMALS))
