import numpy as np
import pytest
from scipy.stats import chisquare

from stages.tasks.grid.latin_squares import Squares, enumerate_squares, make_pool, sample_squares


def are_latin(squares: Squares) -> bool:
    symbols = np.arange(1, squares.shape[-1] + 1, dtype=np.uint8)
    rows, columns = np.sort(squares, axis=2), np.sort(squares, axis=1)
    return bool((rows == symbols).all() and (columns == symbols[:, None]).all())


@pytest.mark.parametrize(("order", "count"), [(1, 1), (2, 2), (3, 12), (4, 576), (5, 161280)])
def test_enumeration_yields_every_square_once_in_order(order: int, count: int) -> None:
    squares = enumerate_squares(order)
    keys = (squares.reshape(len(squares), -1) - 1) @ order ** np.arange(order**2)[::-1]
    assert len(squares) == count and (np.diff(keys) > 0).all()
    assert are_latin(squares)


def test_chain_is_uniform_over_the_576_squares_of_order_4() -> None:
    squares = sample_squares(4, 12_000, visits=32, rng=np.random.default_rng(0))
    assert are_latin(squares)
    _, counts = np.unique(squares.reshape(len(squares), -1), axis=0, return_counts=True)
    assert len(counts) == 576
    assert chisquare(counts).pvalue > 0.01


@pytest.mark.parametrize("order", [4, 5])
def test_pool_holds_latin_squares_at_random(order: int) -> None:
    pool = make_pool(order, np.random.default_rng(1))
    assert are_latin(pool) and pool.dtype == np.uint8
    assert (pool[:, 0, 0] == 1).mean() == pytest.approx(1 / order, abs=0.03)
