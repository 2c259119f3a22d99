"""The encodings that are added to the tokens, against naive float64 rebuilds of their formulas."""

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from stages.encodings.interface import PositionalEncoding, Shape, create, schemes
from stages.parameters.params import Configuration
from stages.positions.positions import Positions
from stages.randomness.streams import Replicates

CELLS = Positions(
    16,
    coordinates=np.indices((4, 4)).reshape(2, -1).T.astype(float),
    adjacency=1 - np.eye(16),
    functional=np.eye(16),
)
SHAPE = Shape(
    2, n_tokens=16, width=8, heads=2, head_width=4, value_width=4, indices=tuple(range(16)), n_tables=2
)


def make_encoding(scheme: str, replicas: int = 3, **settings: Any) -> PositionalEncoding:
    streams = Replicates(0, "test", range(replicas)).generators("encoding")
    return create(Configuration("pe", scheme, settings), CELLS, SHAPE, streams)


def table(encoding: PositionalEncoding, block: int = 0) -> NDArray[np.float64]:
    added = encoding.table(block)
    assert added is not None
    return added.detach().double().numpy()


def naive_sinusoid(position: float, width: int) -> list[float]:
    angles = [position / 10000 ** (2 * i / width) for i in range(width // 2)]
    return [f(angle) for angle in angles for f in (math.sin, math.cos)]


def test_none_adds_nothing_and_has_no_parameters() -> None:
    encoding = make_encoding("none")
    assert encoding.table(0) is None
    assert not list(encoding.parameters())


@pytest.mark.parametrize("init_std", [0.0, 0.02, 2.0])
def test_learned_tables_have_the_stated_standard_deviation(init_std: float) -> None:
    encoding = make_encoding("learned", replicas=40, init_std=init_std)
    values = np.stack([table(encoding, block) for block in range(2)])
    assert values.std() == pytest.approx(init_std, rel=0.03)
    assert abs(values.mean()) <= 0.03 * init_std


def test_learned_draws_scale_with_sigma_and_differ_by_block_and_replica() -> None:
    small, large = make_encoding("learned", init_std=0.1), make_encoding("learned", init_std=2.0)
    np.testing.assert_allclose(20 * table(small), table(large), rtol=1e-6)
    assert not np.allclose(table(small, 0), table(small, 1))
    assert not np.allclose(table(small)[0], table(small)[1])


def test_random_fixed_is_the_learned_table_frozen() -> None:
    fixed, learned = make_encoding("random_fixed", init_std=0.5), make_encoding("learned", init_std=0.5)
    np.testing.assert_array_equal(table(fixed), table(learned))
    assert not list(fixed.parameters())
    assert all(parameter.requires_grad for parameter in learned.parameters())


def test_sinusoidal_1d_is_the_formula() -> None:
    expected = [naive_sinusoid(p, 8) for p in range(16)]
    np.testing.assert_allclose(table(make_encoding("sinusoidal_1d"))[0], expected, atol=1e-6)


def test_sinusoidal_2d_is_row_then_column() -> None:
    expected = [naive_sinusoid(row, 4) + naive_sinusoid(column, 4) for row in range(4) for column in range(4)]
    np.testing.assert_allclose(table(make_encoding("sinusoidal_nd"))[0], expected, atol=1e-6)


def test_a_replica_s_table_does_not_depend_on_the_others() -> None:
    alone = create(
        Configuration("pe", "learned", {}), CELLS, SHAPE, Replicates(0, "test", [2]).generators("encoding")
    )
    np.testing.assert_array_equal(table(make_encoding("learned"))[2], table(alone)[0])


def test_every_file_is_a_scheme() -> None:
    assert {"none", "learned", "rope"} <= set(schemes())
    assert all(isinstance(make_encoding(scheme), PositionalEncoding) for scheme in schemes())
