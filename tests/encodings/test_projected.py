"""Encodings that project features of the true positions, against naive float64 rebuilds."""

from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from stages.encodings.bases.tables import ProjectedTable, standardise
from stages.encodings.interface import Shape, create
from stages.parameters.params import Configuration
from stages.positions import spectral
from stages.positions.positions import Positions
from stages.randomness.streams import Replicates

SCHEMES = ["coordinates", "laplacian", "random_walk", "connectivity_gradients"]
WIDTH = 10


def positions(n: int) -> Positions:
    random = np.random.default_rng(n)
    adjacency = random.exponential(size=(n, n))
    functional = np.corrcoef(random.normal(size=(2 * n + 5, n)), rowvar=False)
    return Positions(n, random.normal(size=(n, 2)), adjacency, np.atleast_2d(functional))


def shape(n: int, n_tables: int) -> Shape:
    return Shape(3, n, WIDTH, 1, WIDTH, WIDTH, tuple(range(n)), n_tables)


def make_encoding(
    scheme: str, n: int = 16, n_tables: int = 3, numbers: list[int] | None = None, **settings: Any
) -> ProjectedTable:
    streams = Replicates(0, "test", numbers or [0, 1]).generators("encoding")
    encoding = create(Configuration("pe", scheme, settings), positions(n), shape(n, n_tables), streams)
    assert isinstance(encoding, ProjectedTable)
    return encoding


def features(scheme: str, n: int, k: int) -> NDArray[np.float64]:
    known = positions(n)
    assert known.coordinates is not None and known.adjacency is not None and known.functional is not None
    match scheme:
        case "coordinates":
            return known.coordinates
        case "laplacian":
            return spectral.laplacian_eigenvectors(known.adjacency, k)
        case "random_walk":
            return spectral.return_probabilities(known.adjacency, k)
        case _:
            return spectral.diffusion_components(known.functional, k)


def naive_table(columns: NDArray[np.float64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
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
@pytest.mark.parametrize("scheme", SCHEMES)
def test_tables_are_standardised_features_times_the_replica_s_and_block_s_weights(
    scheme: str, n: int
) -> None:
    encoding = make_encoding(scheme, n).double()
    weight = encoding.weight.detach().numpy()
    for block in range(3):
        table = encoding.table(block)
        assert table.shape == (2, n, WIDTH) and table.requires_grad
        for replica in range(2):
            expected = naive_table(features(scheme, n, 8), weight[replica, block])
            np.testing.assert_allclose(table[replica].detach(), expected, atol=1e-5)


@pytest.mark.parametrize(("scheme", "setting"), [("laplacian", "components"), ("random_walk", "steps")])
def test_the_number_of_features_is_a_setting(scheme: str, setting: str) -> None:
    encoding = make_encoding(scheme, 16, 3, None, **{setting: 3}).double()
    expected = naive_table(features(scheme, 16, 3), encoding.weight[0, 0].detach().numpy())
    np.testing.assert_allclose(encoding.table(0)[0].detach().numpy(), expected, atol=1e-5)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_weights_start_as_in_a_linear_layer(scheme: str) -> None:
    weight = make_encoding(scheme, numbers=list(range(200))).weight.detach()
    k = weight.shape[2]
    assert weight.abs().max() == pytest.approx(k**-0.5, rel=1e-2)
    assert weight.var() == pytest.approx(1 / (3 * k), rel=0.1)


def test_at_the_input_there_is_one_table() -> None:
    assert make_encoding("laplacian", n_tables=1).weight.shape == (2, 1, 8, WIDTH)


def test_blocks_and_replicas_differ_and_a_replica_does_not_depend_on_the_others() -> None:
    together, alone = make_encoding("coordinates"), make_encoding("coordinates", numbers=[1])
    assert not torch.equal(together.table(0), together.table(1))
    assert not torch.equal(together.table(0)[0], together.table(0)[1])
    torch.testing.assert_close(together.table(2)[1], alone.table(2)[0], rtol=0, atol=0)


def test_standardised_columns() -> None:
    random = np.random.default_rng(0)
    columns = np.column_stack([random.normal(3, 5, 20), np.full(20, 0.1) + 1e-17, np.zeros(20)])
    scaled = standardise(columns)
    np.testing.assert_allclose(scaled.mean(0), 0, atol=1e-12)
    np.testing.assert_allclose(scaled.std(0), [1, 0, 0])
