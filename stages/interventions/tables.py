"""Changes of trained positional tables [R, tables, n, d]: what they are replaced by, and matched controls."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from stages.positions.positions import Positions, lattice_units
from stages.positions.sinusoids import sinusoid_nd

Tables = NDArray[np.floating]

CONTROLS = {
    "permuted": "unchanged",  # each token gets another's row
    "symmetric": "unchanged",  # the same, rows and columns of a square as wholes
    "scaled": "unchanged",  # times the amount
    "components": "random_components",  # projected on as many directions
    "sinusoid": "random_table",  # of the same norm
    "other_seed": "unchanged",  # so many seeds further on
    "transplant": "unchanged",  # from the configuration of that sigma, same seed
}
SHUFFLES, RANDOM_TABLES = 5, 3
FACTORS = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0)
COMPONENTS = (1, 2, 4, 8)
OTHERS = 2  # seeds whose tables are tried


@dataclass(frozen=True)
class Intervention:
    """Tables to use instead; draws of one name and amount differ by chance alone."""

    name: str
    amount: float
    draw: int
    tables: Tables


def interventions(
    tables: Tables, positions: Positions, donors: Mapping[float, Tables], random: np.random.Generator
) -> Iterator[Intervention]:
    """Every intervention of `CONTROLS` that is possible, and their controls.

    donors: sigma -> tables of the same shape, of other configurations.
    """
    n = positions.n_tokens
    yield Intervention("unchanged", 0, 0, tables)
    for draw in range(SHUFFLES):
        yield Intervention("permuted", 1, draw, tables[:, :, random.permutation(n)])
    for factor in FACTORS:
        yield Intervention("scaled", factor, 0, factor * tables)
    for k in COMPONENTS:
        if k < n:
            yield Intervention("components", k, 0, on_components(tables, k))
            for draw in range(RANDOM_TABLES):
                yield Intervention("random_components", k, draw, on_components(tables, k, random))
    for draw in range(RANDOM_TABLES):
        drawn = random.standard_normal(tables.shape)
        yield Intervention("random_table", 1, draw, norm_matched(drawn, tables))
    if positions.coordinates is not None:
        sinusoids = sinusoid_nd(lattice_units(positions.coordinates), tables.shape[-1])
        yield Intervention("sinusoid", 1, 0, norm_matched(sinusoids, tables))
    for shift in range(1, min(len(tables), 1 + OTHERS)):
        yield Intervention("other_seed", shift, 0, np.roll(tables, -shift, axis=0))
    for sigma, donated in donors.items():
        yield Intervention("transplant", sigma, 0, donated)
    if "same_line" in positions.distances:
        for draw in range(SHUFFLES):
            yield Intervention("symmetric", 1, draw, tables[:, :, symmetry(isqrt(n), random)])


def symmetry(order: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Cells [n] of a square in an order that keeps lines: rows and columns shuffled, perhaps exchanged.

    The last cell, which answers, stays where it is: to a model that reads positions from the table alone the
    puzzle is another one with the same answer.
    """
    last = order - 1
    rows, columns = (np.append(random.permutation(last), last) for _ in range(2))
    cells = rows[:, None] * order + columns
    return np.ravel(cells.T if random.integers(2) else cells)


def norm_matched(replacement: NDArray[np.floating], tables: Tables) -> Tables:
    """`replacement`, [..., n, d], scaled to the Frobenius norm of each of the tables."""
    lengths = np.linalg.norm(replacement, axis=(-2, -1), keepdims=True)
    return np.asarray(replacement / lengths * np.linalg.norm(tables, axis=(-2, -1), keepdims=True))


def on_components(tables: Tables, k: int, random: np.random.Generator | None = None) -> Tables:
    """Tables whose rows differ along k directions alone: their leading principal components.

    With a generator k random directions of the space that the rows span instead. The mean row stays.
    """
    mean = tables.mean(axis=-2, keepdims=True)
    centred = tables - mean
    # of a diverged replica, which stays NaN by its mean, there are none to find
    directions = np.linalg.svd(np.where(np.isfinite(centred), centred, 0), full_matrices=False)[2]
    directions = directions[..., : tables.shape[-2] - 1, :]  # centred rows span one dimension less
    if random is not None:
        mixture = random.standard_normal((*directions.shape[:-2], directions.shape[-2], k))
        directions = np.linalg.qr(mixture)[0].swapaxes(-2, -1) @ directions
    kept = directions[..., :k, :]
    return np.asarray(mean + centred @ kept.swapaxes(-2, -1) @ kept)
