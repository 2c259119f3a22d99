import numpy as np
import pytest

from stages.reporting import layout

RANDOM = np.random.default_rng(0)


def test_points_in_the_plane_come_back() -> None:
    """Up to turning, mirroring and shifting, and as all of the table."""
    truth = layout.centred(RANDOM.normal(size=(9, 2)))
    moved = truth @ np.array([[0.6, 0.8], [0.8, -0.6]]) + 5
    found, share = layout.classical_scaling(moved @ moved.T)
    np.testing.assert_allclose(layout.onto(found, truth), truth, atol=1e-9)
    assert share == pytest.approx(1)


def test_share_is_that_of_two_dimensions() -> None:
    """Four orthogonal rows centred span three equal dimensions."""
    assert layout.classical_scaling(np.eye(4))[1] == pytest.approx(2 / 3)


def test_size_is_the_truths_even_where_nothing_fits() -> None:
    truth = layout.centred(RANDOM.normal(size=(30, 2)))
    noise = RANDOM.normal(size=(30, 2))
    size = np.linalg.norm(layout.onto(noise - noise.mean(axis=0), truth))
    assert size == pytest.approx(np.linalg.norm(truth))


def test_coinciding_points_are_drawn_in_rings() -> None:
    truth = np.repeat([[0.0, 0.0], [1.0, 0.0]], 2, axis=0)
    beside = layout.aside(truth, ["a", "a", "b", "b"])
    np.testing.assert_allclose(beside, layout.RING * np.array([[1, 0], [-1, 0]] * 2), atol=1e-9)
    assert not layout.aside(np.eye(2), ["a", "b"]).any()
