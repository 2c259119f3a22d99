"""The encodings that are added to the tokens, against naive float64 rebuilds of their formulas."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hosts import ALONE, Settings, make_encoding, make_host
from numpy.typing import NDArray
from scipy.spatial.distance import pdist, squareform
from torch import Tensor

from stages.core.encodings.bases.tables import standardise
from stages.core.encodings.interface import DoesNotFit, PositionalEncoding
from stages.core.encodings.lookup.resolve import adds_tables
from stages.core.positions import spectral
from stages.core.positions.positions import Positions
from stages.core.positions.sinusoids import sinusoid, sinusoid_nd
from stages.core.randomness.streams import Replicates
from stages.core.settings.configuration import Configuration
from stages.core.settings.sizes import Model
from stages.tasks.bases.masked import MaskedRegression
from stages.training.assemble import assemble
from stages.training.forward import Forward

Matrix = NDArray[np.float64]
WIDTH = 12
FEATURES: dict[str, tuple[str, Callable[[Any, int], Matrix]]] = {
    "coordinates": ("coordinates", lambda coordinates, _: coordinates),
    "laplacian": ("adjacency", spectral.laplacian_eigenvectors),
    "random_walk": ("adjacency", spectral.return_probabilities),
    "connectivity_gradients": ("functional", spectral.diffusion_components),
}


def tables(encoding: PositionalEncoding) -> Matrix:
    """Return tables of two blocks [R, 2, n, d]."""
    added = [encoding.table(block) for block in range(2)]
    return np.stack([table.detach().double().numpy() for table in added if table is not None], axis=1)


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


def test_none_adds_nothing_and_has_no_parameters() -> None:
    encoding = make_encoding("none")
    assert encoding.table(0) is None
    assert not list(encoding.parameters())


def test_an_offset_table_has_the_mean_row_of_the_sinusoids_and_a_centred_one_none() -> None:
    sinusoids, centred = (tables(make_encoding("sinusoidal_nd", {"centred": off})) for off in (False, True))
    mean = np.array([sum(column) / len(column) for column in sinusoids[0, 0].T])
    np.testing.assert_allclose(centred, sinusoids - mean, atol=1e-6)
    random, offset = (
        tables(make_encoding("random_fixed", {"init_std": 0.3, "offset": on})) for on in (False, True)
    )
    np.testing.assert_allclose(offset - random, np.broadcast_to(mean, random.shape), atol=1e-6)


@pytest.mark.parametrize("init_std", [0.0, 0.02, 2.0])
def test_learned_tables_have_the_stated_standard_deviation(init_std: float) -> None:
    values = tables(make_encoding("learned", {"init_std": init_std}, numbers=range(40)))
    assert values.std() == pytest.approx(init_std, rel=0.03)
    assert abs(values.mean()) <= 0.03 * init_std
    np.testing.assert_allclose(values[:2], init_std / 0.1 * tables(make_encoding("learned")), rtol=1e-6)


def test_random_fixed_is_the_learned_table_frozen() -> None:
    fixed, learned = (make_encoding(name, {"init_std": 0.5}) for name in ("random_fixed", "learned"))
    np.testing.assert_array_equal(tables(fixed), tables(learned))
    assert not list(fixed.parameters())
    assert all(parameter.requires_grad for parameter in learned.parameters())


def test_sinusoids_are_of_the_index_or_of_row_then_column() -> None:
    lines, cells = (
        sinusoid(np.arange(16.0), WIDTH),
        sinusoid_nd(np.indices((4, 4), float).reshape(2, -1).T, WIDTH),
    )
    np.testing.assert_allclose(tables(make_encoding("sinusoidal_1d"))[0, 1], lines, atol=1e-6)
    np.testing.assert_allclose(tables(make_encoding("sinusoidal_nd"))[0, 1], cells, atol=1e-6)


@pytest.mark.parametrize("n", [1, 9, 16])
def test_tape_scales_frequencies_by_the_width_over_the_number_of_tokens(n: int) -> None:
    expected = np.zeros((n, WIDTH))
    for p in range(n):
        for t in range(WIDTH // 2):
            angle = p / 10000 ** (2 * t / WIDTH) * WIDTH / n
            expected[p, 2 * t : 2 * t + 2] = math.sin(angle), math.cos(angle)
    for table in tables(make_encoding("tape", host=make_host(n)))[0]:
        np.testing.assert_allclose(table, expected, atol=1e-6)


@pytest.mark.parametrize("scheme", ["learned", "coordinates"])
def test_tables_differ_by_block_and_replica_and_a_replica_does_not_depend_on_the_others(scheme: str) -> None:
    together, alone = tables(make_encoding(scheme)), tables(make_encoding(scheme, numbers=range(1, 2)))
    assert not np.allclose(together[:, 0], together[:, 1]) and not np.allclose(together[0], together[1])
    np.testing.assert_array_equal(together[1], alone[0])


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
        np.testing.assert_allclose(tables(encoding)[replica, block], expected, atol=1e-5)


@pytest.mark.parametrize("scheme", FEATURES)
def test_weights_start_as_in_a_linear_layer(scheme: str) -> None:
    weight = make_encoding(scheme, numbers=range(200)).get_parameter("weight").detach()
    k = weight.shape[2]
    assert weight.abs().max() == pytest.approx(k**-0.5, rel=1e-2)
    assert weight.var() == pytest.approx(1 / (3 * k), rel=0.1)


def test_mds_tables_are_as_far_apart_as_the_true_positions_and_of_the_stated_size() -> None:
    host = make_host()
    for name in ("lattice", "index"):
        found = tables(make_encoding("mds", {"init_std": 0.5, "distances": name}, host))
        for table in found.reshape(-1, 16, WIDTH):
            ratio = pdist(table) / squareform(host.positions.distances[name])
            np.testing.assert_allclose(ratio, ratio[0], rtol=1e-5)
            assert table.std() == pytest.approx(0.5) and np.allclose(table.mean(axis=0), 0, atol=1e-6)
        assert not np.allclose(found[0, 0], found[0, 1]) and not np.allclose(found[0, 0], found[1, 0])


def test_narrow_mds_tables_keep_what_varies_most() -> None:
    host = replace(make_host(), width=1)
    (table,) = tables(make_encoding("mds", {"distances": "index"}, host))[0, :1]
    line = np.arange(16) - 7.5
    np.testing.assert_allclose(np.abs(table[:, 0]), 0.1 * np.abs(line) / line.std(), rtol=1e-5)


def test_exchanged_mds_rows_are_the_same_in_another_order_in_every_block() -> None:
    true, exchanged = (tables(make_encoding("mds", {"exchanged": value})) for value in (False, True))
    for replica in range(2):
        order = [int(np.abs(true[replica, 0] - row).sum(axis=1).argmin()) for row in exchanged[replica, 0]]
        assert sorted(order) == list(range(16)) and order != sorted(order)
        np.testing.assert_array_equal(exchanged[replica], true[replica][:, order])


def test_mds_names_the_distances_that_there_are() -> None:
    with pytest.raises(ValueError, match="mds: distances 'mm' given, expected one of lattice, index"):
        make_encoding("mds", {"distances": "mm"})
    with pytest.raises(DoesNotFit, match="mds needs true distances"):
        make_encoding("mds", host=replace(make_host(), positions=Positions(16)))


@pytest.mark.parametrize("n", [1, 16])
def test_fourier_features_are_waves_through_a_small_network(n: int) -> None:
    host = make_host(n)
    encoding = make_encoding("fourier_features", {"frequencies": 5, "hidden": 3}, host).double()
    p = {name: value.detach().numpy() for name, value in encoding.named_parameters()}
    side = round(n**0.5)
    places = np.indices((side, side), float).reshape(2, -1).T
    for replica, block in np.ndindex(2, 2):
        for token, x in enumerate(places):
            phases = [sum(x * p["frequencies"][replica, block, :, f]) for f in range(5)]
            waves = [math.cos(phase) / math.sqrt(5) for phase in phases]
            waves += [math.sin(phase) / math.sqrt(5) for phase in phases]
            row = np.zeros(WIDTH)
            for unit in range(3):
                value = sum(np.array([*waves, 1]) * p["widen"][replica, block, :, unit])
                row += value * (1 + math.erf(value / math.sqrt(2))) / 2 * p["narrow"][replica, block, unit]
            np.testing.assert_allclose(tables(encoding)[replica, block, token], row, atol=1e-12)


def test_fourier_frequencies_have_the_stated_standard_deviation() -> None:
    encoding = make_encoding("fourier_features", {"gamma": 4.0}, numbers=range(40))
    assert encoding.get_parameter("frequencies").std().item() == pytest.approx(0.25, rel=0.03)


@torch.no_grad()
@pytest.mark.parametrize("scheme", [name for name in ALONE if adds_tables(Configuration("pe", name, {}))])
def test_half_the_bits_leave_512_equal_tokens_on_a_line_apart(scheme: str) -> None:
    n, ones = 512, {"train": np.ones((1, 512), np.bool_)}
    line = np.arange(float(n))[:, None]
    far = np.abs(line - line.T)
    edges = np.diag(np.random.default_rng(0).uniform(1, 2, n - 1), 1)  # else both ends look the same
    positions = Positions(n, line, edges, np.exp(-far / 100), {"line": far})
    task = MaskedRegression({"train": torch.zeros(1, n)}, ones, 0.5, positions, np.arange(1))
    one = Replicates(0, "test", [0])
    model = assemble(task, Configuration("pe", scheme, {}), Model(WIDTH, 1, 1, 1), one)
    entered: list[Tensor] = []
    model.blocks[0].register_forward_pre_hook(lambda _, given: entered.append(given[0][0, 0]))
    Forward(model, "bf16")(torch.zeros(1, 1, n, 2))
    with torch.autocast("cpu", torch.bfloat16):
        table = model.encoding.table(0)
    assert table is not None
    for rows in (table[0], *entered):
        assert rows.dtype == torch.float32 and len({*map(tuple, rows.tolist())}) == n


def test_at_the_input_there_is_one_table() -> None:
    assert make_encoding("laplacian", n_tables=1).get_parameter("weight").shape == (2, 1, 8, WIDTH)
    assert make_encoding("learned", n_tables=1).get_parameter("tables").shape == (2, 1, 16, WIDTH)


def test_standardised_columns() -> None:
    random = np.random.default_rng(0)
    columns = np.column_stack([random.normal(3, 5, 20), np.full(20, 0.1) + 1e-17, np.zeros(20)])
    scaled = standardise(columns)
    np.testing.assert_allclose(scaled.mean(0), 0, atol=1e-12)
    np.testing.assert_allclose(scaled.std(0), [1, 0, 0])
