import numpy as np
import pytest

from stages.core.biases import bucket_offsets, line_offsets, measure_bias, window_offsets
from stages.core.settings.errors import InputError


def test_biases_of_known_shapes() -> None:
    steps = line_offsets(31)
    found = measure_bias(np.hstack([-np.abs(steps), steps, np.zeros((31, 1))]), steps)
    np.testing.assert_allclose(found.monotone, [-1, 0, np.nan], atol=1e-12)
    np.testing.assert_allclose(found.slope, [-1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(found.symmetric, [1, -1, np.nan])
    np.testing.assert_allclose(found.by_distance, [1, 0, np.nan], atol=1e-12)
    assert found.by_axis.shape == (0, 3)
    past = measure_bias(np.arange(-9.0, 1), np.arange(-9.0, 1))
    assert past.monotone == -1 and np.isnan([past.symmetric, past.by_distance]).all()


def test_biases_of_a_window_by_distance_and_by_axis() -> None:
    window = window_offsets(3, 4)
    np.testing.assert_array_equal(window[[0, 1, 7, -1]], [[2, 3], [2, 2], [1, 3], [-2, -3]])
    far = np.linalg.norm(window, axis=1)
    found = measure_bias(np.stack([-far, window[:, 0] ** 2, window[:, 1]], axis=1), window)
    np.testing.assert_allclose(found.symmetric, [1, 1, -1])
    assert found.by_distance[0] == pytest.approx(1) and found.monotone[0] == pytest.approx(-1)
    np.testing.assert_allclose(found.by_axis[:, 1:], [[1, 0], [0, 1]], atol=1e-12)


def test_rows_of_one_offset_all_count() -> None:
    generator = np.random.default_rng(0)
    offsets, values = generator.integers(-3, 4, 60), generator.normal(size=(60, 2))
    pairs = [(a, b) for a in range(60) for b in range(60) if offsets[a] == -offsets[b] != 0]
    one, other = np.array(pairs).T
    expected = [np.corrcoef(head[one], head[other])[0, 1] for head in values.T]
    np.testing.assert_allclose(measure_bias(values, offsets).symmetric, expected)


def test_buckets_of_an_encoder_and_of_a_decoder() -> None:
    """Count buckets as transformers' T5Attention._relative_position_bucket does."""
    both, past = bucket_offsets(32, True, 128), bucket_offsets(32, False, 128)
    assert [both[row] for row in (0, 7, 8, 17, 24)] == [0, -7, -9.5, 1, 9.5] and 16 not in both
    assert [past[row] for row in (0, 15, 16, 17)] == [0, -15, -17, -19.5] and len(past) == 32


def test_a_matrix_of_queries_and_keys_is_no_table_of_offsets() -> None:
    for n in (12, 13):
        matrix = -np.abs(np.arange(n)[:, None] - np.arange(n))
        with pytest.raises(
            InputError, match=rf"bias \[{n}, {n}\] is of queries and keys, expected a row for"
        ):
            measure_bias(matrix, np.arange(n) - n // 2)
        by_offset = np.append(matrix[:0:-1, 0], matrix[0])
        assert measure_bias(by_offset, line_offsets(2 * n - 1)).monotone == pytest.approx(-1)
    with pytest.raises(InputError, match="rows: 12, expected an odd number"):
        line_offsets(12)


@pytest.mark.parametrize("mask", [-1e4, -1e9, float(np.finfo(np.float32).min)])
def test_a_finite_mask_among_biases_is_refused(mask: float) -> None:
    steps = line_offsets(31)
    biases = -np.abs(steps) * [1, 0.5]
    biases[steps[:, 0] > 0] = mask
    with pytest.raises(InputError, match="first in row 16, far below all others, as a mask of later keys"):
        measure_bias(biases, steps)
    past = steps[:, 0] <= 0
    assert measure_bias(biases[past], steps[past]).monotone == pytest.approx([-1, -1])
    steep = measure_bias(np.where(steps > 0, -100, -np.abs(steps)), steps)  # one number, but not far
    assert np.isfinite(steep.monotone).all()
