"""Measure what a table [n, d] holds of the places of its rows, next to permuted rows and a random table.

Permuted rows are the table's own, each at the place of another. A random table is drawn from a normal
distribution of mean 0 with the mean square of the table.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import TypeVar

import numpy as np
import pandas as pd
from tqdm import tqdm

from stages.core.placed_rows import (
    Found,
    Key,
    Places,
    compare,
    compare_places,
    measure_one,
    read_out,
    split_rows,
)
from stages.core.positions.positions import Matrix

KEYS = ["measure", "reference", "at"]
COLUMNS = [*KEYS, "of", "value", "low", "high"]
PERMUTATIONS, DRAWS = 99, 5  # of rows; random tables
MIDDLE = (2.5, 97.5)  # per cent

Step = TypeVar("Step")


def measure(table: Matrix, places: Places, generator: np.random.Generator) -> pd.DataFrame:
    """Measure a table at its places, in rows with columns `COLUMNS`.

    at: a distance in steps, or a row, else 0; of: table, random, permuted.

    value: the mean over permutations, random tables and folds of rows held out, where there are several. low
    and high hold the middle 95 % of them, or are NaN.
    """
    n = len(table)
    truths = {name: compare_places(coordinates) for name, coordinates in places.items()}
    partitions = split_rows(n, generator)
    orders = generator.permuted(np.tile(np.arange(n), (PERMUTATIONS, 1)), axis=1)
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


def list_lengths(table: Matrix) -> Found:
    """Measure the `row_length` of each row."""
    for number, length in enumerate(np.linalg.norm(table, axis=1).tolist()):
        yield ("row_length", "index", number), length
