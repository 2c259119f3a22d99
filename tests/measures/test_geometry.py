import numpy as np
import pytest

from stages.measures import geometry

ORTHONORMAL = np.linalg.qr(np.random.default_rng(0).normal(size=(9, 9)))[0][:6]


def test_orthonormal_rows_use_every_dimension() -> None:
    assert geometry.effective_rank(ORTHONORMAL) == pytest.approx(6)
    assert geometry.participation_ratio(ORTHONORMAL) == pytest.approx(5)  # the mean row takes one


def test_ranks_by_hand() -> None:
    # singular values 3, 1: entropy of (3/4, 1/4); variances of the centred columns 9/2 and 1/2 of 2 tokens
    table = np.diag([3.0, 1.0, 0.0])
    assert geometry.effective_rank(table) == pytest.approx(4 / 3**0.75)
    cross = np.array([[3.0, 0], [-3, 0], [0, 1], [0, -1]])
    assert geometry.participation_ratio(cross) == pytest.approx((9 + 1) ** 2 / (81 + 1))


def test_four_measures_of_every_table() -> None:
    """Rows on a line have one dimension at any scale, of which float32 keeps enough."""
    line = np.outer(np.arange(5.0), np.ones(3)).astype(np.float32)
    described = geometry.describe([line, line], [line, 1e-4 * line])
    assert described.table.tolist() == [0, 1] * 4 and list(described.columns) == geometry.COLUMNS
    values = described.pivot(index="table", columns="measure", values="value")
    np.testing.assert_allclose(values[["effective_rank", "participation_ratio"]], 1.0, atol=1e-4)
    np.testing.assert_allclose(values.relative_change, [0, 1 - 1e-4])


def test_change_by_hand() -> None:
    initial = np.array([[3.0, 0], [0, 4]])
    finals = [initial, 3 * initial, np.array([[0.0, 3], [4, 0]]), -initial]
    assert [geometry.relative_change(initial, final) for final in finals] == pytest.approx([0, 2, 2**0.5, 2])
    assert [geometry.angle_deg(initial, final) for final in finals] == pytest.approx([0, 0, 90, 180])


def test_small_angles_are_exact() -> None:
    initial, final = np.array([[1.0, 0]]), np.array([[1.0, 1e-9]])
    assert geometry.angle_deg(initial, final) == pytest.approx(np.degrees(1e-9), rel=1e-6)


def test_tables_of_zeros_have_no_rank_and_no_direction() -> None:
    zeros = np.zeros((4, 2))
    with np.errstate(all="raise"):
        assert geometry.describe([zeros], [zeros]).value.isna().all()
    assert np.isnan(geometry.angle_deg(zeros + 1, zeros)) and geometry.relative_change(zeros + 1, zeros) == 1
