"""Measures beside a null of shuffled tokens, checked against what a library gives order by order."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from stages.measures.alignment import permutations


def shuffles(n: int, count: int = 199) -> np.ndarray:
    return permutations(n, count, np.random.default_rng(1))


def check_null(
    rows: pd.DataFrame,
    orders: np.ndarray,
    measure: Callable[[np.ndarray, np.ndarray], object],
    tables: Sequence[np.ndarray],
) -> None:
    """Values are measure(order, table) of tokens in their own order, a row per table; nulls, of `orders`."""
    own = np.arange(orders.shape[1])
    values = np.array([[measure(order, table) for table in tables] for order in [own, *orders]], float)
    p_value = np.mean(values >= values[0] - 1e-12, axis=0)
    expected = np.stack([values[0], values[1:].mean(axis=0), p_value], axis=1)
    numbers = rows[["value", "null_mean", "p_value"]].to_numpy(np.float64)
    np.testing.assert_allclose(numbers, expected, rtol=1e-6, atol=1e-9)
