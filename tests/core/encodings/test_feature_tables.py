"""Tables that are trained linear maps of features of positions, each column standardised."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hosts import Settings, make_encoding, make_host, tables_of
from numpy.typing import NDArray

from stages.core.encodings.bases.tables import standardise
from stages.core.positions import spectral

Matrix = NDArray[np.float64]


WIDTH = 12


FEATURES: dict[str, tuple[str, Callable[[Any, int], Matrix]]] = {
    "coordinates": ("coordinates", lambda coordinates, _: coordinates),
    "laplacian": ("adjacency", spectral.laplacian_eigenvectors),
    "random_walk": ("adjacency", spectral.return_probabilities),
    "connectivity_gradients": ("functional", spectral.diffusion_components),
}


def naive_table(columns: Matrix, weight: Matrix) -> Matrix:
    """Return columns [n, k] of mean 0 and variance 1, or 0 if constant, times weights [k, d]."""
    n, k = columns.shape
    table = np.zeros((n, weight.shape[1]))
    for column in range(k):
        values = columns[:, column]
        mean = sum(values) / n
        deviation = (sum((value - mean) ** 2 for value in values) / n) ** 0.5
        if deviation > 1e-9:
            for row in range(n):
                table[row] += (values[row] - mean) / deviation * weight[column]
    return table


@pytest.mark.parametrize("n", [1, 16])
@pytest.mark.parametrize(
    ("scheme", "settings"),
    [*((scheme, {}) for scheme in FEATURES), ("laplacian", {"components": 3}), ("random_walk", {"steps": 3})],
)
def test_tables_are_standardised_features_times_trained_weights(
    scheme: str, settings: Settings, n: int
) -> None:
    host = make_host(n)
    encoding = make_encoding(scheme, settings, host).double()
    weight = encoding.get_parameter("weight").detach().numpy()
    need, compute = FEATURES[scheme]
    features = compute(getattr(host.positions, need), next(iter(settings.values()), 8))
    for replica, block in np.ndindex(2, 2):
        expected = naive_table(features, weight[replica, block])
        np.testing.assert_allclose(tables_of(encoding)[replica, block], expected, atol=1e-5)


def test_standardised_columns() -> None:
    random = np.random.default_rng(0)
    columns = np.column_stack([random.normal(3, 5, 20), np.full(20, 0.1) + 1e-17, np.zeros(20)])
    scaled = standardise(columns)
    np.testing.assert_allclose(scaled.mean(0), 0, atol=1e-12)
    np.testing.assert_allclose(scaled.std(0), [1, 0, 0])
