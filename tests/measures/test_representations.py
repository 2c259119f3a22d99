import numpy as np
import pytest
from nulls import check_null, shuffles
from scipy.spatial import procrustes as scipy_procrustes

from stages.measures import representations
from stages.positions.scaling import classical_scaling

N = 12
SITES = np.random.default_rng(0).normal(size=(N, 3))
TABLES = [np.random.default_rng(4).normal(size=(N, width)) for width in (2, 3, 8)]


def planted(width: int, noise: float) -> np.ndarray:
    """The sites, rotated into `width` dimensions, scaled and shifted."""
    rng = np.random.default_rng(2)
    rotation, _ = np.linalg.qr(rng.normal(size=(width, width)))
    return np.asarray(7 * SITES @ rotation[:3] + 1 + noise * rng.normal(size=(N, width)))


def unbiased_hsic(k: np.ndarray, m: np.ndarray) -> float:
    """Song et al. (2012), equation 5, term by term."""
    k, m, n = k - np.diag(np.diag(k)), m - np.diag(np.diag(m)), len(k)
    ones = np.ones(n)
    trace = np.trace(k @ m)
    product = ones @ k @ ones * (ones @ m @ ones) / ((n - 1) * (n - 2))
    return float(trace + product - 2 / (n - 2) * ones @ k @ m @ ones) / (n * (n - 3))


def test_debiased_cka_is_a_ratio_of_unbiased_hsic_also_under_the_null() -> None:
    def ratio(order: np.ndarray, table: np.ndarray) -> float:
        k, m = table @ table.T, SITES[order] @ SITES[order].T
        return unbiased_hsic(k, m) / float(np.sqrt(unbiased_hsic(k, k) * unbiased_hsic(m, m)))

    check_null(representations.cka(TABLES, SITES, shuffles(N, 20)), shuffles(N, 20), ratio, TABLES)


def test_procrustes_is_scipys_also_under_the_null() -> None:
    def shared(order: np.ndarray, table: np.ndarray) -> float:
        reference = np.pad(SITES[order], ((0, 0), (0, 5)))
        return float(1 - scipy_procrustes(reference, np.pad(table, ((0, 0), (0, 8 - table.shape[1]))))[2])

    check_null(representations.procrustes(TABLES, SITES, shuffles(N, 20)), shuffles(N, 20), shared, TABLES)


@pytest.mark.parametrize("measure", ["cka", "procrustes"])
def test_planted_positions_are_found_and_unrelated_ones_are_not(measure: str) -> None:
    noise = np.random.default_rng(5).normal(size=(N, 20))
    tables = [planted(3, 0), planted(20, 0.3), noise]
    rows = representations.align(tables, {"sites": SITES}, shuffles(N), shuffles(N))
    aligned = rows.query("measure == @measure")
    exact, near, unrelated = aligned.value
    assert exact == pytest.approx(1) and near > 0.95 and unrelated < 0.5
    np.testing.assert_allclose(aligned.p_value.iloc[:2], 1 / 200)
    assert aligned.p_value.iloc[2] > 0.05


def test_equal_positions_say_nothing_and_equal_rows_are_undefined() -> None:
    nowhere = classical_scaling(np.zeros((N, N)))
    assert representations.align([SITES], {"nowhere": nowhere}, shuffles(N), shuffles(N)).empty
    aligned = representations.align([np.full((N, 4), 0.1)], {"sites": SITES}, shuffles(N), shuffles(N))
    assert aligned.value.isna().all() and aligned.p_value.isna().all()


def test_two_tokens_are_too_few() -> None:
    with pytest.raises(ValueError, match="table of 2 rows"):
        representations.u_centred_gram(SITES[:2])
    np.testing.assert_allclose(representations.u_centred_gram(SITES[:3]), 0, atol=1e-12)
