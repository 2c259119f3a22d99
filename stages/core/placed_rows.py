"""Measure what a table [n, d] holds of the places of its rows, one number at a time, each under its key."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree
from scipy.spatial.distance import pdist, squareform
from scipy.stats import rankdata

from .measures.alignment import DECIMALS, cosine_similarity, upper_triangle
from .measures.layouts import centre
from .measures.mirroring import measure_distance, measure_shape, stress_of
from .measures.position_probes import Folds, folds, predict
from .positions.positions import Matrix, lattice_units
from .positions.sinusoids import sinusoid_nd

PARTITIONS = 3  # of rows into five folds
LEAST_ROWS = 10  # for folds
NEAR = 1e-3  # of a step: what rounding may add to a place in a lattice
ROUNDING = 1e-12  # of the largest square: no more than what rounding leaves of 0

Places = Mapping[str, Matrix]  # reference -> coordinates [n, k] of the rows
Order = NDArray[np.int64]  # the row that stands at each place
Key = tuple[str, str, int]  # measure, reference, at: a distance in steps, or a row, else 0
Found = Iterator[tuple[Key, float]]


@dataclass(frozen=True)
class Truth:
    """Pairs of places: ranks of distances [n, n] as `rank`, and pairs [2, p] at 1, 2, 4, ... steps."""

    ranks: Matrix
    rings: Mapping[int, Order]


def measure_one(
    table: Matrix, places: Places, truths: Mapping[str, Truth], partitions: Sequence[Folds]
) -> Found:
    """Yield all measures but those of single rows, with each row at its own place."""
    yield from describe(table)
    yield from mirror(table, places)
    yield from compare(table, truths, np.arange(len(table))[None])
    for fold in partitions:
        yield from read_out(table, places, fold)


def compare_places(coordinates: Matrix) -> Truth:
    """Rank distances between places [n, k], and find the pairs at each number of steps."""
    distance = pdist(coordinates)
    # places off a lattice may be nearer than half a step: the nearest neighbours of all
    steps = squareform(np.maximum(np.rint(distance), 1)).astype(np.int64)
    lengths = 2 ** np.arange(int(steps.max()).bit_length())
    rings = {int(length): np.argwhere(np.triu(steps == length)).T for length in lengths}
    # what rounding alone tells apart is a tie, as in `align`
    ranks = rank(np.asarray(np.round(distance / (distance.max() or 1.0), DECIMALS), np.float64))
    return Truth(ranks, {length: pairs for length, pairs in rings.items() if pairs.size})


def rank(distances: Matrix) -> Matrix:
    """Rank n (n - 1) / 2 distances as [n, n], mean 0 and length 1 over pairs; NaN if all are equal."""
    ranks = rankdata(distances)
    centred = ranks - ranks.mean()
    return squareform(centred / (np.linalg.norm(centred) or np.nan))


def compare(table: Matrix, truths: Mapping[str, Truth], orders: Iterable[Order]) -> Found:
    """Compare rows with places in each of the orders [n].

    `alignment` is Spearman's correlation of distances between rows with those of places. `cosine` of two rows
    is the mean over pairs at 1, 2, 4, ... steps.
    """
    ranks, cosines = rank(pdist(table)), cosine_similarity(table)
    for order in orders:
        for name, truth in truths.items():
            yield ("alignment", name, 0), correlate(ranks, truth.ranks, order)
            for length, (one, other) in truth.rings.items():
                yield ("cosine", name, length), float(cosines[order[one], order[other]].mean())


def correlate(ranks: Matrix, true: Matrix, order: Order) -> float:
    """Correlate ranks [n, n] of pairs of rows, placed as the order [n] says, with those of places.

    Row by row, as far as the diagonal: three times as fast as all rows at once, for 4096 of them.
    """
    rows = enumerate(order[:-1].tolist())
    return float(sum(ranks[row].take(order[at + 1 :]) @ true[at, at + 1 :] for at, row in rows))


def describe(table: Matrix) -> Found:
    """Measure the mean `length` of rows and `effective_rank` around the mean row.

    The latter is that of Roy and Vetterli 2007, EUSIPCO.
    """
    rows = centre(table)
    # the smaller of the two has the squares of all singular values, ten times as fast
    squares = np.linalg.eigvalsh(rows.T @ rows if len(rows) > rows.shape[1] else rows @ rows.T)
    values = np.sqrt(squares[squares > ROUNDING * squares.max()])
    shares = values / values.sum()
    yield ("effective_rank", "", 0), float(np.exp(-np.sum(shares * np.log(shares))))
    yield ("length", "", 0), float(np.linalg.norm(table, axis=1).mean())


def mirror(table: Matrix, places: Places) -> Found:
    """Measure how a table mirrors places (stages/core/measures/mirroring.py).

    `procrustes` and `procrustes_equal_size` compare it with the sinusoid of places, if the table is wide
    enough for it. `stress` compares it with their distances.
    """
    for name, coordinates in places.items():
        if table.shape[1] >= 2 * coordinates.shape[1]:
            true = sinusoid_nd(coordinates, table.shape[1])
            yield ("procrustes", name, 0), measure_distance(table, true)
            yield ("procrustes_equal_size", name, 0), measure_shape(table, true)
        yield ("stress", name, 0), stress_of(pdist(table), pdist(coordinates))


def read_out(table: Matrix, places: Places, fold: Folds) -> Found:
    """Read places from the rows of each fold, by ridge regression on the other rows.

    See measures/position_probes.py. `position_error`: mean absolute error in % of the range of coordinates,
    mean over axes. `order_right`: % of pairs of rows that come in their order by the index that is read;
    equal ones count half. `index_read`: the index read for each row. Guessing has an error of 25 % on a line,
    and half of the pairs right.
    """
    for name, coordinates in places.items():
        varying = coordinates[:, np.ptp(coordinates, axis=0) > 0]
        extent = np.ptp(varying, axis=0)
        read = predict(table, varying, fold)
        error = (100 * np.abs(read - varying) / extent).mean(axis=1)
        for number in np.unique(fold):
            yield ("position_error", name, 0), float(error[fold == number].mean())
        if name == "index":
            yield from order_right(read[:, 0], fold)
            for number, value in enumerate(read[:, 0].tolist()):
                yield ("index_read", name, number), value


def order_right(read: Matrix, fold: Folds) -> Found:
    for number in np.unique(fold):
        out = np.flatnonzero(fold == number)
        agree = upper_triangle(np.sign(read[out] - read[out, None]))
        yield ("order_right", "index", 0), float(50 * (1 + agree).mean())


def take_steps(coordinates: Matrix, counted: bool) -> Matrix:
    """Return coordinates [n, k] from 0 in steps between neighbours.

    counted: they are rows and columns, so that whole numbers are steps as they stand. Other places in a
    lattice are as far apart as nearest neighbours are, and those off it as if they filled one.
    """
    shifted = coordinates - coordinates.min(axis=0)
    nearest = np.asarray(KDTree(shifted).query(shifted, k=[2])[0])
    step = 1.0 if counted else float(np.median(nearest))
    if step == 0:  # most places are shared
        return lattice_units(coordinates)
    steps: Matrix = np.rint(shifted / step)
    return steps if np.allclose(steps, shifted / step, rtol=0, atol=NEAR) else lattice_units(coordinates)


def split_rows(n: int, generator: np.random.Generator) -> list[Folds]:
    """Split n rows into folds, several times."""
    return [folds(n, generator) for _ in range(PARTITIONS)]
