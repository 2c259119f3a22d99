from typing import Any

import numpy as np
import pytest

from stages.core.positions import distances
from stages.core.positions.positions import Positions, lattice_units


def test_lattice_units_keep_the_shape_and_scale_to_lattice_steps() -> None:
    x_mm = np.random.default_rng(0).normal(size=(27, 3)) * [60, 80, 50]
    units = lattice_units(x_mm)
    assert units.min() == 0 and units.max() == pytest.approx(2)
    np.testing.assert_allclose(units - units[0], (x_mm - x_mm[0]) * (2 / np.ptp(x_mm, axis=0).max()))


FAR = np.abs(np.subtract.outer(np.arange(5.0), np.arange(5.0)))
APART = distances.different(np.array([0, 0, 1, 1, 1]))


@pytest.mark.parametrize(
    ("matrix", "said"),
    [
        (1 / (1 + FAR), "not 0 from a token to itself; turn similarities"),
        (np.eye(5), "not 0 from a token to itself"),
        (np.corrcoef(np.random.default_rng(0).normal(size=(5, 9))), "not 0 from a token to itself"),
        (np.tril(FAR), "not the same both ways; fill both triangles"),
        (np.triu(APART), "not the same both ways"),
        (FAR * np.arange(1, 6), "not the same both ways"),
        (np.where(FAR > 2, np.inf, FAR), "not finite"),
        (np.where(FAR > 2, np.nan, FAR), "not finite"),
        (-FAR, "negative"),
        (FAR - 2 * APART, "negative"),
    ],
)
def test_what_are_no_distances_is_refused(matrix: Any, said: str) -> None:
    with pytest.raises(ValueError, match=f"positions: distances 'a' are {said}"):
        Positions(5, distances={"a": matrix})


@pytest.mark.parametrize("shape", [(12, 12), (5, 4), (10,)])
def test_positions_of_other_tokens_are_refused(shape: tuple[int, ...]) -> None:
    for given in ({"distances": {"a": np.zeros(shape)}}, {"adjacency": np.zeros(shape)}):
        values: dict[str, Any] = given
        with pytest.raises(ValueError, match=r"of shape \(.*, expected \(5, 5\)"):
            Positions(5, **values)
    with pytest.raises(ValueError, match="expected 4 rows"):
        Positions(4, coordinates=np.zeros((5, 2)))


def test_rounding_makes_no_other_distances() -> None:
    rounded = FAR + 1e-9 * np.random.default_rng(0).normal(size=(5, 5))
    assert Positions(5, distances={"a": FAR, "b": APART, "c": rounded}).n_tokens == 5
