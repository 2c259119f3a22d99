import numpy as np
import pytest

from stages.measures import geometry

ORTHONORMAL = np.linalg.qr(np.random.default_rng(0).normal(size=(9, 9)))[0][:6]


def test_orthonormal_rows_use_every_dimension() -> None:
    assert geometry.effective_rank(ORTHONORMAL) == pytest.approx(6)
    assert geometry.participation_ratio(ORTHONORMAL) == pytest.approx(5)  # the mean row takes one


def test_ranks_by_hand() -> None:
    # singular values 3, 1: entropy of (3/4, 1/4); variances of the centred columns 9/2 and 1/2 of 2 tokens
    table = np.diag([3.0, 1.0])
    assert geometry.effective_rank(table) == pytest.approx(4 / 3**0.75)
    cross = np.array([[3.0, 0], [-3, 0], [0, 1], [0, -1]])
    assert geometry.participation_ratio(cross) == pytest.approx((9 + 1) ** 2 / (81 + 1))


def test_rank_is_that_of_the_directions_not_of_the_scale() -> None:
    line = np.outer(np.arange(5.0), np.ones(3)).astype(np.float32)
    described = geometry.describe([line, 1e-4 * line])
    np.testing.assert_allclose(described.value, 1.0, atol=1e-4)
    assert list(described.table) == [0, 1, 0, 1]


def test_travel_by_hand() -> None:
    initial = np.array([[3.0, 0], [0, 4]])
    turned = np.array([[0.0, 3], [4, 0]])
    travelled = geometry.travel([initial] * 4, [initial, 3 * initial, turned, -initial])
    values = travelled.pivot(index="table", columns="measure", values="value")
    np.testing.assert_allclose(values.relative_change, [0, 2, 2**0.5, 2])
    np.testing.assert_allclose(values.angle_deg, [0, 0, 90, 180], atol=1e-6)


def test_small_angles_are_exact() -> None:
    initial, final = np.array([[1.0, 0]]), np.array([[1.0, 1e-9]])
    assert geometry.angle_deg(initial, final) == pytest.approx(np.degrees(1e-9), rel=1e-6)


def test_tables_of_zeros_have_no_rank_and_no_direction() -> None:
    zeros = np.zeros((4, 2))
    assert geometry.describe([zeros]).value.isna().all()
    assert geometry.travel([zeros], [zeros + 1]).value.isna().all()
