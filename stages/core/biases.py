"""Measure biases of attention that depend on the offset between two places: a row for each offset.

An offset is key minus query: positive where the key comes later, or stands lower or further right.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata
from torch import Tensor

from .given import refuse_other_rows
from .measure import to_matrix
from .positions.offsets import bucket
from .positions.positions import Matrix
from .settings.errors import InputError

FEWEST_MASKED, FAR_BELOW = 3, 10  # numbers, and times as far below others as these reach
ROUNDING = 1e-12  # of the largest square: no more than what rounding leaves of 0
DECIMALS = 9  # of distances: what rounding alone tells apart is equal
Values = NDArray[np.float64]  # of each head [H], NaN where there is none


@dataclass(frozen=True)
class BiasMeasures:
    """Hold what biases [n, H] say of offsets, head by head."""

    monotone: Values  # Spearman's correlation with distance; -1: it falls with every step
    slope: Values  # change for each step of distance, by least squares
    symmetric: Values  # correlation of b(o) with b(-o) over all pairs, o not 0; 1: equal, -1: opposite
    by_distance: Values  # share of the variance that distance alone explains, 0 to 1
    by_axis: Matrix  # the same of the offset along each axis alone [k, H]; none of a line


def measure_bias(bias: ArrayLike | Tensor, offsets: ArrayLike) -> BiasMeasures:
    """Measure biases [n, H] at offsets [n] or [n, k], of which several rows may have the same.

    `symmetric` is NaN where no offset has its opposite, and `by_distance` where each distance has one offset.
    For what chance gives, measure the biases with their rows permuted. Raises InputError.
    """
    values, places = to_matrix("bias", bias), to_matrix("offsets", offsets)
    refuse_other_rows("offsets", offsets, "bias", bias)
    if len(values) != len(places):
        raise InputError(f"offsets: {len(places)}, expected {len(values)} as biases have rows; give each one")
    if places.shape[1] == 1 and is_toeplitz(values):
        raise InputError(
            f"bias [{len(values)}, {len(values)}] is of queries and keys, expected a row for each offset, a "
            "column for each head; give its first column upside down, then its first row but for its start"
        )
    refuse_mask(values)
    distance = np.round(np.linalg.norm(places, axis=1), DECIMALS)
    centred = distance - distance.mean()
    axes = places.T if places.shape[1] > 1 else places.T[:0]
    return BiasMeasures(
        monotone=correlate(rankdata(distance), rankdata(values, axis=0)),
        slope=(centred @ values) / (centred @ centred or np.nan),
        symmetric=compare_opposites(values, places),
        by_distance=explain(values, distance),
        by_axis=np.array([explain(values, along) for along in axes]).reshape(len(axes), values.shape[1]),
    )


def refuse_mask(values: Matrix) -> None:
    """Raise InputError where several biases [n, H] are one number far below all others, as masks are."""
    lowest = values.min()
    masked = values == lowest
    others = values[~masked]
    if masked.sum() < FEWEST_MASKED or not others.size:
        return
    if others.min() - lowest > FAR_BELOW * max(np.ptp(others), np.abs(others).max()):
        rows = np.flatnonzero(masked.any(axis=1))
        raise InputError(
            f"bias: {lowest:g} stands {masked.sum()} times, first in row {rows[0]}, far below all others, as "
            "a mask of later keys does; leave these rows out, of offsets too"
        )


def is_toeplitz(values: Matrix) -> bool:
    """Tell a square that holds one number along each diagonal, as biases [queries, keys] by offset do."""
    return (
        len(values) > 1 and len(values) == len(values.T) and bool((values[1:, 1:] == values[:-1, :-1]).all())
    )


def correlate(one: Matrix, other: Matrix) -> Values:
    """Correlate columns with one column [n], or with columns of their own, all [n, H]."""
    one = one if one.ndim == 2 else one[:, None]
    first, second = one - one.mean(axis=0), other - other.mean(axis=0)
    sizes = np.linalg.norm(first, axis=0) * np.linalg.norm(second, axis=0)
    return np.asarray((first * second).sum(axis=0) / np.where(sizes == 0, np.nan, sizes))


def compare_opposites(values: Matrix, offsets: Matrix) -> Values:
    """Correlate biases at each offset but 0 with those at its opposite, over all pairs both ways round."""
    distinct, member, rows = np.unique(
        np.round(offsets, DECIMALS) + 0.0, axis=0, return_inverse=True, return_counts=True
    )
    known = {tuple(row): number for number, row in enumerate(distinct.tolist())}
    opposite = np.array([known.get(tuple(-part for part in row), -1) for row in known])
    one = np.flatnonzero((opposite >= 0) & (opposite != np.arange(len(rows))))
    if not one.size:
        return np.full(values.shape[1], np.nan)
    other = opposite[one]
    pairs = rows[one] * rows[other]
    centred = values - values.mean(axis=0)
    means, squares = (
        np.stack([np.bincount(member.ravel(), along) for along in part.T], axis=1) / rows[:, None]
        for part in (centred, centred**2)
    )
    mean = np.average(means[one], axis=0, weights=pairs)
    variance = np.average(squares[one], axis=0, weights=pairs) - mean**2
    shared = np.average(means[one] * means[other], axis=0, weights=pairs) - mean**2
    return np.asarray(shared / np.where(variance > ROUNDING * squares.max(axis=0), variance, np.nan))


def explain(values: Matrix, groups: Matrix) -> Values:
    """Return the share of the variance [H] that is between groups [n]; NaN where each has one row."""
    found, member = np.unique(groups, return_inverse=True)
    if len(found) == len(values):
        return np.full(values.shape[1], np.nan)
    means = np.array([values[member == group].mean(axis=0) for group in range(len(found))])
    variance = values.var(axis=0)
    return np.asarray(means[member].var(axis=0) / np.where(variance == 0, np.nan, variance))


def line_offsets(rows: int) -> Matrix:
    """Return offsets 1 - n..n - 1 [2 n - 1, 1]; rows: 2 n - 1. Raises InputError for an even number."""
    if rows % 2 == 0:
        raise InputError(
            f"rows: {rows}, expected an odd number, 2 n - 1 offsets of n places; give the rows of the biases"
        )
    return np.arange(rows, dtype=np.float64)[:, None] - rows // 2


def window_offsets(height: int, width: int) -> Matrix:
    """Return offsets [(2 h - 1) (2 w - 1), 2] in the order of Swin and BEiT, which store query minus key."""
    stored = np.indices((2 * height - 1, 2 * width - 1)).reshape(2, -1).T
    return np.asarray((height - 1, width - 1) - stored, dtype=np.float64)


def bucket_offsets(buckets: int, both: bool, max_distance: int) -> dict[int, float]:
    """Return the mean offset of each of T5's buckets that has any, up to max_distance.

    both: half of them are for keys behind the query, as in an encoder; else all are for keys before it.
    """
    members: dict[int, list[int]] = {}
    for offset in range(-max_distance, max_distance + 1 if both else 1):
        # of those for keys before the query, twice as many have as many again behind it
        members.setdefault(bucket(offset, buckets if both else 2 * buckets, max_distance), []).append(offset)
    return {number: float(np.mean(held)) for number, held in sorted(members.items())}
