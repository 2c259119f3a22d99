"""Latin squares of order n: every one of them for small n, a uniform Markov chain beyond."""

from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

Squares = NDArray[np.uint8]
"""[count, n, n], symbols 1..n."""

POOL_SIZE = 4096


def enumerate_squares(order: int) -> Squares:
    """Enumerate every Latin square of that order, [count, n, n], in lexicographic order.

    12, 576 and 161 280 squares for n = 3, 4, 5 (OEIS A002860), made row by row; n = 6 has too many.
    """
    rows = np.array(list(permutations(range(1, order + 1))), dtype=np.uint8)
    # one bit per (column, symbol): two rows clash where they share a bit
    bits = (1 << (np.arange(order) * order + rows - 1).astype(np.int64)).sum(1)
    chosen, used = np.empty((1, 0), dtype=np.int64), np.zeros(1, dtype=np.int64)
    for _ in range(order):
        partial, row = np.nonzero(used[:, None] & bits == 0)
        chosen = np.column_stack([chosen[partial], row])
        used = used[partial] | bits[row]
    return rows[chosen]


def sample_squares(order: int, count: int, visits: int, rng: np.random.Generator) -> Squares:
    """Sample [count, n, n] squares, each the end of its own Jacobson-Matthews chain from the cyclic square.

    A state is an n x n x n incidence cube (row, column, symbol) whose lines all sum to one; a proper state
    holds zeros and ones, an improper one also a single -1. Watched at its proper states alone, the chain's
    stationary law is uniform; `visits` is the number of proper states after which a chain is read.
    Source: Jacobson & Matthews (1996), J. Combin. Des. 4:405-437.
    """
    line, chains = np.arange(order), np.arange(count)
    cube = np.zeros((count, order, order, order), dtype=np.int8)
    cube[:, line[:, None], line, (line[:, None] + line) % order] = 1
    squares = np.empty((count, order, order), dtype=np.uint8)
    visited = np.zeros(count, dtype=np.int64)
    # of every chain the cell that may be -1, and whether it is
    negative, improper = np.zeros((3, count), dtype=np.int64), np.zeros(count, dtype=np.bool_)
    while visited.min() < visits:
        row, column = rng.integers(order, size=(2, count))
        # in a proper state every symbol but the one that stands there is a zero cell
        symbol = (cube[chains, row, column].argmax(-1) + rng.integers(1, order, size=count)) % order
        row, column, symbol = np.where(improper, negative, [row, column, symbol])
        # a step adds and subtracts one at the corners of a subcube, which spans a zero cell (or the -1) and
        # a 1 on each line through it: line sums stay
        negative = np.stack(
            [
                _choose_one(cube[chains, :, column, symbol], rng),
                _choose_one(cube[chains, row, :, symbol], rng),
                _choose_one(cube[chains, row, column, :], rng),
            ]
        )
        corners = zip((row, column, symbol), negative, strict=True)
        for corner in product(*(((near, 1), (far, -1)) for near, far in corners)):
            (r, r_sign), (c, c_sign), (s, s_sign) = corner
            cube[chains, r, c, s] += r_sign * c_sign * s_sign
        improper = cube[chains, *negative] < 0
        visited += ~improper
        read = ~improper & (visited == visits)
        squares[read] = cube[read].argmax(-1) + 1
    return squares


def make_pool(order: int, rng: np.random.Generator) -> Squares:
    """Make squares to draw from with replacement: all of them up to n = 4, independent samples beyond."""
    if order <= 4:
        return enumerate_squares(order)
    # ASSUME: after n**3 proper states nothing is left of the cyclic start, and 4096 squares are enough,
    # because each is used with many targets and choices of givens
    return sample_squares(order, POOL_SIZE, visits=order**3, rng=rng)


def _choose_one(lines: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
    """Choose the place of a 1 in each line, at random where an improper line has two."""
    places: NDArray[np.int64] = ((lines == 1) * (1 - rng.random(lines.shape))).argmax(-1)
    return places
