from itertools import permutations as all_orders

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.stats import pearsonr, spearmanr

from stages.measures import alignment

N = 7
UPPER = np.triu_indices(N, k=1)


def reference(n: int = N) -> np.ndarray:
    sites = np.random.default_rng(5).normal(size=(n, 2))
    return cdist(sites, sites)


def tables(count: int = 3, n: int = N) -> list[np.ndarray]:
    rng = np.random.default_rng(6)
    return [rng.normal(size=(n, width)).astype(np.float32) for width in range(4, 4 + count)]


def shuffles(n: int = N, count: int = 50) -> np.ndarray:
    return alignment.permutations(n, count, np.random.default_rng(7))


def test_permutations_shuffle_every_token() -> None:
    drawn = shuffles(count=200)
    np.testing.assert_array_equal(np.sort(drawn, axis=1), np.tile(np.arange(N), (200, 1)))
    assert len(np.unique(drawn, axis=0)) > 150


def test_values_are_scipys_correlations() -> None:
    aligned = alignment.align(tables(), {"sites": reference()}, shuffles())
    values = aligned.pivot(index="table", columns="measure", values="value")
    for index, table in enumerate(tables()):
        distances, true = cdist(table, table)[UPPER], reference()[UPPER]
        cosines = (1 - cdist(table, table, "cosine"))[UPPER]
        assert values.spearman[index] == pytest.approx(spearmanr(distances, true).statistic)
        assert values.pearson_cosine[index] == pytest.approx(pearsonr(cosines, -true).statistic)


def test_null_is_a_loop_over_shuffled_references() -> None:
    aligned = alignment.align(tables(1), {"sites": reference()}, shuffles())
    distances = cdist(tables(1)[0], tables(1)[0])[UPPER]
    null = [spearmanr(distances, reference()[np.ix_(order, order)][UPPER]).statistic for order in shuffles()]
    assert aligned.null_mean[0] == pytest.approx(np.mean(null))
    assert aligned.p_value[0] == pytest.approx((1 + np.sum(null >= aligned.value[0])) / 51)


def test_p_counts_a_tables_own_symmetries() -> None:
    # a square's distances look the same after 8 of the 24 orders of its corners
    square = np.array([[0.0, 0], [0, 1], [1, 1], [1, 0]])
    orders = np.array(list(all_orders(range(4))))
    aligned = alignment.align([square], {"square": cdist(square, square)}, orders)
    assert aligned.query("measure == 'spearman'").p_value.item() == pytest.approx((1 + 8) / (1 + 24))


def test_tables_without_structure_are_undefined_not_significant() -> None:
    flat = alignment.align([np.full((N, 3), 0.1)], {"sites": reference()}, shuffles())
    assert flat.value.isna().all() and flat.p_value.isna().all()


def test_a_constant_reference_is_left_out() -> None:
    aligned = alignment.align(tables(), {"all": 1 - np.eye(N), "sites": reference()}, shuffles())
    assert set(aligned.reference) == {"sites"}


def test_mean_cosine_of_a_table_with_itself_is_one_and_most_shuffles_fall_short() -> None:
    table = tables(1)[0]
    itself = alignment.mean_cosine([table, table], [2 * table, -table], shuffles())
    null = [np.mean(np.diag(1 - cdist(table, table[order], "cosine"))) for order in shuffles()]
    np.testing.assert_allclose(itself.value, [1, -1])
    assert itself.null_mean[0] == pytest.approx(np.mean(null))
    np.testing.assert_allclose(itself.p_value, [1 / 51, 1])


def test_cosine_similarity_of_a_zero_row_is_zero() -> None:
    np.testing.assert_array_equal(
        alignment.cosine_similarity(np.array([[0.0, 0], [3, 0], [0, 2]])), np.diag([0.0, 1, 1])
    )
