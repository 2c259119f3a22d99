import numpy as np
import pytest

from stages.measures.layouts import turn_onto
from stages.reporting import layout

RANDOM = np.random.default_rng(0)


def test_points_in_the_plane_come_back() -> None:
    """Up to turning, mirroring and shifting, and as all of the table."""
    truth = layout.centred(RANDOM.normal(size=(9, 2)))
    moved = truth @ np.array([[0.6, 0.8], [0.8, -0.6]]) + 5
    found, share = layout.to_plane(moved @ moved.T)
    np.testing.assert_allclose(turn_onto(found, truth), truth, atol=1e-9)
    assert share == pytest.approx(1)


def test_share_is_that_of_two_dimensions() -> None:
    """Four orthogonal rows centred span three equal dimensions."""
    assert layout.to_plane(np.eye(4))[1] == pytest.approx(2 / 3)


def test_coinciding_points_are_drawn_in_rings() -> None:
    truth = np.repeat([[0.0, 0.0], [1.0, 0.0]], 2, axis=0)
    beside = layout.aside(truth, ["a", "a", "b", "b"])
    np.testing.assert_allclose(beside, layout.RING * np.array([[1, 0], [-1, 0]] * 2), atol=1e-9)
    assert not layout.aside(np.eye(2), ["a", "b"]).any()
