"""The encodings that are added to the tokens, against naive float64 rebuilds of their formulas."""

import math

import numpy as np
import pytest
import torch
from hosts import ALONE, make_encoding, make_host, tables_of
from numpy.typing import NDArray
from torch import Tensor

from stages.core.encodings.lookup.resolve import adds_tables
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


def test_none_adds_nothing_and_has_no_parameters() -> None:
    encoding = make_encoding("none")
    assert encoding.table(0) is None
    assert not list(encoding.parameters())


def test_an_offset_table_has_the_mean_row_of_the_sinusoids_and_a_centred_one_none() -> None:
    sinusoids, centred = (
        tables_of(make_encoding("sinusoidal_nd", {"centred": off})) for off in (False, True)
    )
    mean = np.array([sum(column) / len(column) for column in sinusoids[0, 0].T])
    np.testing.assert_allclose(centred, sinusoids - mean, atol=1e-6)
    random, offset = (
        tables_of(make_encoding("random_fixed", {"init_std": 0.3, "offset": on})) for on in (False, True)
    )
    np.testing.assert_allclose(offset - random, np.broadcast_to(mean, random.shape), atol=1e-6)


def test_random_fixed_is_the_learned_table_frozen() -> None:
    fixed, learned = (make_encoding(name, {"init_std": 0.5}) for name in ("random_fixed", "learned"))
    np.testing.assert_array_equal(tables_of(fixed), tables_of(learned))
    assert not list(fixed.parameters())
    assert all(parameter.requires_grad for parameter in learned.parameters())


def test_sinusoids_are_of_the_index_or_of_row_then_column() -> None:
    lines, cells = (
        sinusoid(np.arange(16.0), WIDTH),
        sinusoid_nd(np.indices((4, 4), float).reshape(2, -1).T, WIDTH),
    )
    np.testing.assert_allclose(tables_of(make_encoding("sinusoidal_1d"))[0, 1], lines, atol=1e-6)
    np.testing.assert_allclose(tables_of(make_encoding("sinusoidal_nd"))[0, 1], cells, atol=1e-6)


@pytest.mark.parametrize("n", [1, 9, 16])
def test_tape_scales_frequencies_by_the_width_over_the_number_of_tokens(n: int) -> None:
    expected = np.zeros((n, WIDTH))
    for p in range(n):
        for t in range(WIDTH // 2):
            angle = p / 10000 ** (2 * t / WIDTH) * WIDTH / n
            expected[p, 2 * t : 2 * t + 2] = math.sin(angle), math.cos(angle)
    for table in tables_of(make_encoding("tape", host=make_host(n)))[0]:
        np.testing.assert_allclose(table, expected, atol=1e-6)


@pytest.mark.parametrize("scheme", ["learned", "coordinates"])
def test_tables_differ_by_block_and_replica_and_a_replica_does_not_depend_on_the_others(scheme: str) -> None:
    together, alone = tables_of(make_encoding(scheme)), tables_of(make_encoding(scheme, numbers=range(1, 2)))
    assert not np.allclose(together[:, 0], together[:, 1]) and not np.allclose(together[0], together[1])
    np.testing.assert_array_equal(together[1], alone[0])


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
