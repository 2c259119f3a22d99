import math

import numpy as np
import pytest

from stages.core.positions.sinusoids import sinusoid, sinusoid_nd


def naive(position: float, column: int, width: int) -> float:
    angle = position / 10000 ** (2 * (column // 2) / width)
    return math.sin(angle) if column % 2 == 0 else math.cos(angle)


@pytest.mark.parametrize("width", [2, 6, 7])
def test_sinusoid_is_the_formula_at_real_positions(width: int) -> None:
    positions = np.array([0.0, 1.0, 2.5, -3.25])
    expected = [[naive(p, column, width) for column in range(width)] for p in positions.tolist()]
    np.testing.assert_allclose(sinusoid(positions, width), expected, atol=1e-14)


def test_sinusoid_nd_gives_each_axis_an_even_share_and_leaves_the_rest_zero() -> None:
    coordinates = np.array([[0.0, 3.0, -1.0], [2.0, 0.5, 4.0]])
    vectors = sinusoid_nd(coordinates, 16)  # 3 axes of 4 columns, 4 left over
    for axis in range(3):
        np.testing.assert_array_equal(vectors[:, 4 * axis : 4 * axis + 4], sinusoid(coordinates[:, axis], 4))
    np.testing.assert_array_equal(vectors[:, 12:], 0.0)


def test_too_narrow_for_the_axes_is_refused() -> None:
    with pytest.raises(ValueError, match="width 5 given, expected at least 6"):
        sinusoid_nd(np.zeros((2, 3)), 5)
