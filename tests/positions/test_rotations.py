import cmath

import numpy as np
import torch

from stages.positions.rotations import rotate_pairs, rotation_angles


def test_angles_are_position_times_rate() -> None:
    angles = rotation_angles(np.array([0.0, 1.0, -2.5]), 5)
    np.testing.assert_allclose(angles, [[0, 0], [1, 10000**-0.4], [-2.5, -2.5 * 10000**-0.4]], rtol=1e-15)


def test_a_pair_of_columns_is_a_rotated_complex_number() -> None:
    rotated = rotate_pairs(torch.tensor([[3.0, 4.0, 7.0]]).double(), torch.tensor([[0.3]]).double())
    expected = (3 + 4j) * cmath.exp(0.3j)
    torch.testing.assert_close(rotated, torch.tensor([[expected.real, expected.imag, 7.0]]).double())
