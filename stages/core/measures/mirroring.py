"""Measure how near a table [n, d] is to a true one after the best turn, and what its size alone does to that.

Reviews of Ito et al. 2024 (arXiv 2406.08272) describe its measure: a table is turned onto the sinusoid of
true coordinates, by the best rotation or mirroring R, and the Frobenius distance ||P R - Q|| is taken.
ASSUME tables keep their size there: with both at one size nothing below would hold. With P = sigma G, and G
standard normal,

    ||P R - Q||^2 = sigma^2 ||G||^2 + ||Q||^2 - 2 sigma tr(R' G' Q),

whose least over R has the nuclear norm ||G' Q||_*, the sum of singular values, instead of the trace
(Schoenemann 1966, doi 10.1007/BF02289451). Its mean over G is

    ||Q||^2 + n d sigma^2 - 2 sigma E||G' Q||_*,

a parabola of sigma: the distance of a table that nobody trained is known before it is drawn.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import pdist

from ..positions.positions import Matrix
from .alignment import upper_triangle
from .layouts import centre


def measure_distance(table: NDArray[np.floating], true: Matrix) -> float:
    """Measure the Frobenius distance of a table [n, d] to a true one [n, d], once it is turned onto that."""
    rows = table.astype(np.float64)
    square = np.square(rows).sum() + np.square(true).sum() - 2 * find_overlap(rows, true)
    return float(np.sqrt(max(square, 0.0)))


def find_overlap(table: Matrix, true: Matrix) -> float:
    """Find ||P' Q||_*, the trace of P' Q once P [n, d] is turned onto Q [n, d] as well as can be."""
    if len(table) < table.shape[1]:  # the triangles alone have the same singular values
        table, true = (np.asarray(np.linalg.qr(rows.T, mode="r")).T for rows in (table, true))
    return float(np.linalg.svd(table.T @ true, compute_uv=False).sum())


def measure_shape(table: NDArray[np.floating], true: Matrix) -> float:
    """Measure the same with both centred and of one size: 0 for equal shapes, 1 where nothing is shared.

    The squared distance that is left at the best scale, Procrustes' disparity. NaN where rows are all equal.
    """
    rows, places = centre(table), centre(true)
    sizes = np.linalg.norm(rows) * np.linalg.norm(places)
    return float(1 - (find_overlap(rows, places) / sizes) ** 2) if sizes else np.nan


def measure_stress(table: NDArray[np.floating], reference: Matrix) -> float:
    """Measure Kruskal's stress of distances between rows beside a reference's [n, n]."""
    return stress_of(pdist(table), upper_triangle(reference))


def stress_of(distances: Matrix, true: Matrix) -> float:
    """Measure how far distances of pairs are from true ones at their best scale: 0 if proportional.

    NaN where all are 0. Source: Kruskal 1964, doi 10.1007/BF02289565.
    """
    squares = float(distances @ distances)
    if squares == 0:
        return np.nan
    best = (true @ distances) / (true @ true)
    return float(np.linalg.norm(distances - best * true) / np.sqrt(squares))


def expect_distance(true: Matrix, overlap: float) -> Callable[[float], float]:
    """Make the function of sigma that is the root of an untrained table's mean squared distance to `true`.

    overlap: E||G' Q||_*, as `estimate_overlap` draws it.
    """
    size, squares = true.size, float(np.square(true).sum())
    return lambda sigma: float(np.sqrt(squares + size * sigma**2 - 2 * sigma * overlap))


def estimate_overlap(true: Matrix, generator: np.random.Generator, draws: int = 200) -> float:
    """Estimate E||G' Q||_*, the mean overlap of standard normal tables with Q."""
    return float(np.mean([find_overlap(generator.normal(size=true.shape), true) for _ in range(draws)]))
