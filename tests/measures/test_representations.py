import numpy as np
import pytest
from scipy.spatial import procrustes as scipy_procrustes
from scipy.spatial.distance import cdist

from stages.measures import representations
from stages.measures.alignment import permutations

N = 12
SITES = np.random.default_rng(0).normal(size=(N, 3))


def shuffles(count: int = 199) -> np.ndarray:
    return permutations(N, count, np.random.default_rng(1))


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


def test_debiased_cka_is_a_ratio_of_unbiased_hsic() -> None:
    table = np.random.default_rng(3).normal(size=(N, 5)).astype(np.float32)
    k, m = table.astype(float) @ table.T.astype(float), SITES @ SITES.T
    expected = unbiased_hsic(k, m) / np.sqrt(unbiased_hsic(k, k) * unbiased_hsic(m, m))
    assert representations.cka([table], SITES, shuffles()).value[0] == pytest.approx(expected)


def test_procrustes_is_scipys_also_under_the_null() -> None:
    tables = [np.random.default_rng(4).normal(size=(N, width)) for width in (2, 3, 8)]
    wide = [np.pad(table, ((0, 0), (0, 8 - table.shape[1]))) for table in tables]
    reference = np.pad(SITES, ((0, 0), (0, 5)))
    aligned = representations.procrustes(tables, SITES, shuffles(20))
    for index, table in enumerate(wide):
        assert aligned.value[index] == pytest.approx(1 - scipy_procrustes(reference, table)[2])
        null = [1 - scipy_procrustes(reference[order], table)[2] for order in shuffles(20)]
        assert aligned.null_mean[index] == pytest.approx(np.mean(null))


@pytest.mark.parametrize("measure", ["cka", "procrustes"])
def test_planted_positions_are_found_and_unrelated_ones_are_not(measure: str) -> None:
    noise = np.random.default_rng(5).normal(size=(N, 20))
    tables = [planted(3, 0), planted(20, 0.3), noise]
    aligned = representations.align(tables, {"sites": SITES}, shuffles(), shuffles()).query(
        "measure == @measure"
    )
    exact, near, unrelated = aligned.value
    assert exact == pytest.approx(1)
    assert near > 0.95
    assert unrelated < 0.5
    np.testing.assert_allclose(aligned.p_value.iloc[:2], 1 / 200)
    assert aligned.p_value.iloc[2] > 0.05


def test_scaling_gives_back_the_distances_of_vectors() -> None:
    vectors = representations.classical_scaling(cdist(SITES, SITES))
    assert vectors.shape == (N, 3)
    np.testing.assert_allclose(cdist(vectors, vectors), cdist(SITES, SITES))


def test_scaling_of_two_groups_is_one_axis() -> None:
    group = np.repeat([0, 1], [4, 8])
    vectors = representations.classical_scaling((group[:, None] != group).astype(float))
    assert vectors.shape == (N, 1)
    assert abs(vectors[0, 0] - vectors[-1, 0]) == pytest.approx(1)


def test_equal_positions_say_nothing_and_equal_rows_are_undefined() -> None:
    nowhere = representations.classical_scaling(np.zeros((N, N)))
    assert representations.align([SITES], {"nowhere": nowhere}, shuffles(), shuffles()).empty
    aligned = representations.align([np.full((N, 4), 0.1)], {"sites": SITES}, shuffles(), shuffles())
    assert aligned.value.isna().all() and aligned.p_value.isna().all()


def test_two_tokens_are_too_few() -> None:
    with pytest.raises(ValueError, match="table of 2 rows"):
        representations.u_centred_gram(SITES[:2])
    np.testing.assert_allclose(representations.u_centred_gram(SITES[:3]), 0, atol=1e-12)
