import numpy as np
import pytest
from nulls import check_null, shuffles
from scipy.spatial.distance import cdist, pdist
from scipy.stats import pearsonr, rankdata, spearmanr

from stages.measures import partial

N = 14
RNG = np.random.default_rng(0)
B = RNG.normal(size=(N, 2))
A = B + 0.7 * RNG.normal(size=(N, 2))  # related to B
REFERENCES = {"a": cdist(A, A), "b": 1e-3 * cdist(B, B)}  # their units do not matter


def residual(of: np.ndarray, on: np.ndarray) -> np.ndarray:
    """What of the ranks of pairs a line in the ranks of others does not explain."""
    slope, intercept = np.polyfit(rankdata(on), rankdata(of), 1)
    return np.asarray(rankdata(of) - slope * rankdata(on) - intercept)


@pytest.mark.parametrize(("name", "sites", "given"), [("a", A, B), ("b", B, A)])
def test_residual_ranks_are_correlated_also_under_the_null(
    name: str, sites: np.ndarray, given: np.ndarray
) -> None:
    def correlate(order: np.ndarray, table: np.ndarray) -> object:
        residuals = [residual(pdist(rows), pdist(given)) for rows in (table, sites[order])]
        return pearsonr(*residuals).statistic

    tables = [np.random.default_rng(2).normal(size=(N, width)).astype(np.float32) for width in (3, 6)]
    rows = partial.align(tables, REFERENCES, shuffles(N, 20))
    check_null(rows[rows.reference == name], shuffles(N, 20), correlate, tables)


def test_the_reference_that_a_table_follows_stays_and_the_other_goes() -> None:
    rng = np.random.default_rng(4)
    near_b = [B + 0.2 * rng.normal(size=(N, 2)) for _ in range(20)]
    mean = partial.align(near_b, REFERENCES, shuffles(N)).groupby("reference")[["value", "p_value"]].mean()
    assert mean.value["b"] > 0.8 and mean.p_value["b"] < 0.01
    assert abs(mean.value["a"]) < 0.15
    assert spearmanr(pdist(near_b[0]), pdist(A)).statistic > 0.5  # although A alone correlates


def test_references_that_cannot_be_told_apart_are_left_out() -> None:
    same = {"a": cdist(A, A), "squared": cdist(A, A) ** 2, "constant": 1 - np.eye(N)}
    assert partial.align([A], same, shuffles(N)).empty


def test_nothing_is_left_where_the_given_explains_all() -> None:
    np.testing.assert_array_equal(partial.partial(np.array([0.5]), np.array([1.0]), np.array([0.5])), [0.0])
