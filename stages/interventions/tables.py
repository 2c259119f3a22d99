"""Interventions on trained positional tables [R, n_tables, n, d], and their controls."""

from collections.abc import Iterator, Mapping
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from stages.positions.positions import Positions, lattice_units
from stages.positions.sinusoids import sinusoid_nd

Tables = NDArray[np.floating]

CONTROLS = {
    "permuted": "unchanged",  # each token gets another token's row
    "symmetric": "unchanged",  # tokens permuted by whole rows and columns of the square
    "scaled": "unchanged",  # amount: factor
    "components": "random_components",  # amount: number of directions kept
    "sinusoid": "random_table",  # both with the table's norm
    "other_seed": "unchanged",  # amount: how many seeds further
    "transplant": "unchanged",  # amount: sigma of the donor, same seed
}
"""Intervention -> its control."""
SHUFFLES, RANDOM_TABLES = 5, 3
FACTORS = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0)
COMPONENTS = (1, 2, 4, 8)
OTHER_SEEDS = 2


Intervention = tuple[str, float, int, Tables]
"""Name, amount, draw and replacement tables; draws of one name and amount differ only by chance."""


def interventions(
    tables: Tables, positions: Positions, donors: Mapping[float, Tables], random: np.random.Generator
) -> Iterator[Intervention]:
    """Yield all interventions that are possible for these positions, and their controls.

    donors: sigma -> tables of another configuration, of the same shape.
    """
    n = positions.n_tokens
    yield "unchanged", 0, 0, tables
    for draw in range(SHUFFLES):
        yield "permuted", 1, draw, tables[:, :, random.permutation(n)]
    for factor in FACTORS:
        yield "scaled", factor, 0, factor * tables
    for k in COMPONENTS:
        if k < n:
            yield "components", k, 0, project_onto_components(tables, k)
            for draw in range(RANDOM_TABLES):
                yield "random_components", k, draw, project_onto_components(tables, k, random)
    for draw in range(RANDOM_TABLES):
        noise = random.standard_normal(tables.shape)
        yield "random_table", 1, draw, match_norm(noise, tables)
    if positions.coordinates is not None:
        sinusoids = sinusoid_nd(lattice_units(positions.coordinates), tables.shape[-1])
        yield "sinusoid", 1, 0, match_norm(sinusoids, tables)
    for shift in range(1, min(len(tables), 1 + OTHER_SEEDS)):
        yield "other_seed", shift, 0, np.roll(tables, -shift, axis=0)
    for sigma, donated in donors.items():
        yield "transplant", sigma, 0, donated
    if "same_line" in positions.distances:
        for draw in range(SHUFFLES):
            yield "symmetric", 1, draw, tables[:, :, draw_symmetry(isqrt(n), random)]


def draw_symmetry(order: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Draw an order of a square's cells [n] that keeps lines: shuffle rows and columns, perhaps transpose.

    The last cell, which answers, stays. For a model that reads positions only from the table, this is another
    puzzle with the same answer.
    """
    last = order - 1
    rows, columns = (np.append(random.permutation(last), last) for _ in range(2))
    cells = rows[:, None] * order + columns
    return np.ravel(cells.T if random.integers(2) else cells)


def match_norm(replacement: NDArray[np.floating], tables: Tables) -> Tables:
    """Scale `replacement` [..., n, d] to the Frobenius norm of each table."""
    lengths = np.linalg.norm(replacement, axis=(-2, -1), keepdims=True)
    return np.asarray(replacement / lengths * np.linalg.norm(tables, axis=(-2, -1), keepdims=True))


def project_onto_components(tables: Tables, k: int, random: np.random.Generator | None = None) -> Tables:
    """Project the rows of each table, around their mean, onto k directions.

    These are the k leading principal components, or, with a generator, k random directions of the rows' span.
    """
    mean = tables.mean(axis=-2, keepdims=True)
    centred = tables - mean
    # a diverged replica has no directions; its mean keeps its tables NaN
    directions = np.linalg.svd(np.where(np.isfinite(centred), centred, 0), full_matrices=False)[2]
    directions = directions[..., : tables.shape[-2] - 1, :]  # centred rows span one dimension less
    if random is not None:
        mixture = random.standard_normal((*directions.shape[:-2], directions.shape[-2], k))
        directions = np.linalg.qr(mixture)[0].swapaxes(-2, -1) @ directions
    kept = directions[..., :k, :]
    return np.asarray(mean + centred @ kept.swapaxes(-2, -1) @ kept)
