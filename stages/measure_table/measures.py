"""Measure what a table [n, d] holds of the places of its rows, next to permuted rows and a random table.

Permuted rows are the table's own, each at the place of another. A random table is drawn from a normal
distribution of mean 0 with the mean square of the table.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.spatial.distance import pdist, squareform
from scipy.stats import rankdata
from tqdm import tqdm

from stages.core.measures.alignment import cosine_similarity, upper_triangle
from stages.core.measures.layouts import centre
from stages.core.measures.mirroring import measure_distance, measure_shape, stress_of
from stages.core.measures.position_probes import Folds, folds, predict
from stages.core.positions.positions import Matrix
from stages.core.positions.sinusoids import sinusoid_nd

KEYS = ["measure", "reference", "at"]
COLUMNS = [*KEYS, "of", "value", "low", "high"]
PERMUTATIONS, DRAWS, PARTITIONS = 99, 5, 3  # of rows; random tables; each of them into five folds
MIDDLE = (2.5, 97.5)  # per cent
ROUNDING = 1e-12  # of the largest square: no more than what rounding leaves of 0

Places = Mapping[str, Matrix]  # reference -> coordinates [n, k] of the rows
Order = NDArray[np.int64]  # the row that stands at each place
Key = tuple[str, str, int]  # measure, reference, at
Step = TypeVar("Step")
Found = Iterator[tuple[Key, float]]


@dataclass(frozen=True)
class Truth:
    """Pairs of places: ranks of distances [n, n] as `rank`, and pairs [2, p] at 1, 2, 4, ... steps."""

    ranks: Matrix
    rings: Mapping[int, Order]


def measure(table: Matrix, places: Places, generator: np.random.Generator) -> pd.DataFrame:
    """Measure a table at its places, in rows with columns `COLUMNS`.

    at: a distance in steps, or a row, else 0; of: table, random, permuted.

    value: the mean over permutations, random tables and folds of rows held out, where there are several. low
    and high hold the middle 95 % of them, or are NaN.
    """
    n = len(table)
    truths = {name: compare_places(coordinates) for name, coordinates in places.items()}
    orders = generator.permuted(np.tile(np.arange(n), (PERMUTATIONS, 1)), axis=1)
    partitions = [folds(n, generator) for _ in range(PARTITIONS)]
    scale = np.sqrt(np.square(table).mean())
    draws = (generator.normal(scale=scale, size=table.shape) for _ in show(range(DRAWS), "random tables"))
    found = {
        "table": [*list_lengths(table), *measure_one(table, places, truths, partitions)],
        "random": [one for draw in draws for one in measure_one(draw, places, truths, partitions[:1])],
        "permuted": [*compare(table, truths, show(orders, "permutations"))],
    }
    for fold, order in zip(partitions, orders, strict=False):
        found["permuted"] += read_out(table[order], places, fold)
    return pd.concat([tabulate(values).assign(of=of) for of, values in found.items()])[COLUMNS]


def show(steps: Collection[Step], name: str) -> Iterable[Step]:
    """Show a bar on a terminal where the steps take long."""
    return tqdm(steps, name, disable=None, delay=3)


def measure_one(
    table: Matrix, places: Places, truths: Mapping[str, Truth], partitions: Sequence[Folds]
) -> Found:
    """Yield all measures but those of single rows, with each row at its own place."""
    yield from describe(table)
    yield from mirror(table, places)
    yield from compare(table, truths, np.arange(len(table))[None])
    for fold in partitions:
        yield from read_out(table, places, fold)


def tabulate(found: Iterable[tuple[Key, float]]) -> pd.DataFrame:
    """Make a row for each key, `COLUMNS` without `of`."""
    values: dict[Key, list[float]] = defaultdict(list)
    for key, value in found:
        values[key].append(value)
    rows = [
        (*key, np.mean(several), *(np.percentile(several, MIDDLE) if len(several) > 1 else (np.nan, np.nan)))
        for key, several in values.items()
    ]
    return pd.DataFrame(rows, columns=[*KEYS, "value", "low", "high"])


def compare_places(coordinates: Matrix) -> Truth:
    distance = pdist(coordinates)
    # places off a lattice may be nearer than half a step: the nearest neighbours of all
    steps = squareform(np.maximum(np.rint(distance), 1)).astype(np.int64)
    lengths = 2 ** np.arange(int(steps.max()).bit_length())
    rings = {int(length): np.argwhere(np.triu(steps == length)).T for length in lengths}
    return Truth(rank(distance), {length: pairs for length, pairs in rings.items() if pairs.size})


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


def list_lengths(table: Matrix) -> Found:
    """Measure the `row_length` of each row."""
    for number, length in enumerate(np.linalg.norm(table, axis=1).tolist()):
        yield ("row_length", "index", number), length


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
