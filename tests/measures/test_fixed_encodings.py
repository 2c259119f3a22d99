import math

import numpy as np
import pytest
from nulls import shuffles

from stages.measures import fixed_encodings as fixed
from stages.positions.sinusoids import sinusoid

N, WIDTH = 94, 64
TABLE = sinusoid(np.arange(N, dtype=np.float64), WIDTH)


def test_the_shift_is_what_least_squares_finds() -> None:
    long = sinusoid(np.arange(3000, dtype=np.float64), 6)
    fitted = np.linalg.lstsq(long[:-7], long[7:])[0].T
    np.testing.assert_allclose(fitted, fixed.shift(7, 6), atol=1e-9)


def test_no_rotation_shifts_a_random_table() -> None:
    assert fixed.shift_residuals(np.random.default_rng(0).normal(size=(9, 6))).measured.min() > 0.1


def test_wavelengths_are_geometric_from_2_pi() -> None:
    measured = fixed.wavelengths(TABLE)
    np.testing.assert_allclose(measured.measured, measured.formula, rtol=1e-9)
    assert measured.measured[0] == pytest.approx(2 * math.pi)
    ratios = measured.measured[1:].to_numpy() / measured.measured[:-1].to_numpy()
    np.testing.assert_allclose(ratios, 10000 ** (2 / WIDTH))
    assert measured.measured.iloc[-1] * ratios[0] == pytest.approx(10000 * 2 * math.pi)


def test_a_wavelength_is_where_the_columns_come_back() -> None:
    wavelengths = fixed.wavelengths(TABLE).measured
    for pair in (0, 9, 31):
        later = sinusoid(np.array([5.0, 5.0 + wavelengths[pair]]), WIDTH)
        np.testing.assert_allclose(later[0, 2 * pair : 2 * pair + 2], later[1, 2 * pair : 2 * pair + 2])


def test_a_rotated_sinusoid_resembles_itself_and_noise_does_not() -> None:
    random = np.random.default_rng(1)
    rotation, _ = np.linalg.qr(random.normal(size=(WIDTH, WIDTH)))
    tables = [2 * TABLE @ rotation, np.hstack([TABLE, TABLE]), random.normal(size=(N, WIDTH))]
    rows = fixed.resemblance(tables, WIDTH, shuffles(N, 99))
    np.testing.assert_allclose(rows.value[:2], 1, atol=1e-6)
    assert abs(rows.value[2]) < 0.1
    np.testing.assert_allclose(rows.p_value[:2], 0.01)
    assert set(rows.reference) == {"sinusoid_1d"} and set(rows.measure) == {"spearman_cosine"}
