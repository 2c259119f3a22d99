import numpy as np
import pytest

from stages.positions.positions import lattice_units


def test_lattice_units_keep_the_shape_and_scale_to_lattice_steps() -> None:
    x_mm = np.random.default_rng(0).normal(size=(27, 3)) * [60, 80, 50]
    units = lattice_units(x_mm)
    assert units.min() == 0 and units.max() == pytest.approx(2)
    np.testing.assert_allclose(units - units[0], (x_mm - x_mm[0]) * (2 / np.ptp(x_mm, axis=0).max()))
