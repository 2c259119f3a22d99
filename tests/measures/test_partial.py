import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist
from scipy.stats import rankdata, spearmanr

from stages.measures import partial
from stages.measures.alignment import permutations

N = 14
RNG = np.random.default_rng(0)
B = RNG.normal(size=(N, 2))
A = B + 0.7 * RNG.normal(size=(N, 2))  # related to B
REFERENCES = {"a": cdist(A, A), "b": 1e-3 * cdist(B, B)}  # their units do not matter


def shuffles(count: int = 199) -> np.ndarray:
    return permutations(N, count, np.random.default_rng(1))


def residual(of: np.ndarray, on: np.ndarray) -> np.ndarray:
    """What of ranks a line in `on` does not explain."""
    slope, intercept = np.polyfit(on, of, 1)
    return np.asarray(of - slope * on - intercept)


def test_value_is_the_correlation_of_residual_ranks() -> None:
    tables = [np.random.default_rng(2).normal(size=(N, width)).astype(np.float32) for width in (3, 6)]
    aligned = partial.align(tables, REFERENCES, shuffles()).set_index(["table", "reference", "given"])
    ranks = {"a": rankdata(pdist(A)), "b": rankdata(pdist(B))}
    for index, table in enumerate(tables):
        distances = rankdata(pdist(table))
        for name, given in (("a", "b"), ("b", "a")):
            expected = np.corrcoef(residual(distances, ranks[given]), residual(ranks[name], ranks[given]))[
                0, 1
            ]
            assert aligned.loc[(index, name, given), "value"] == pytest.approx(expected)


def test_null_is_a_loop_over_shuffled_references() -> None:
    table = np.random.default_rng(3).normal(size=(N, 3))
    aligned = partial.align([table], REFERENCES, shuffles(20)).query("reference == 'a'").iloc[0]
    distances, given, null = pdist(table), pdist(B), []
    for order in shuffles(20):
        shuffled = pdist(A[order])
        xy, xz, yz = (
            spearmanr(*two).statistic
            for two in ((distances, shuffled), (distances, given), (shuffled, given))
        )
        null.append((xy - xz * yz) / np.sqrt((1 - xz**2) * (1 - yz**2)))
    assert aligned.null_mean == pytest.approx(np.mean(null))
    assert aligned.p_value == pytest.approx((1 + np.sum(null >= aligned.value)) / 21)


def test_the_reference_that_a_table_follows_stays_and_the_other_goes() -> None:
    rng = np.random.default_rng(4)
    near_b = [B + 0.2 * rng.normal(size=(N, 2)) for _ in range(20)]
    mean = partial.align(near_b, REFERENCES, shuffles()).groupby("reference")[["value", "p_value"]].mean()
    assert mean.value["b"] > 0.8 and mean.p_value["b"] < 0.01
    assert abs(mean.value["a"]) < 0.15
    assert spearmanr(pdist(near_b[0]), pdist(A)).statistic > 0.5  # although A alone correlates


def test_references_that_cannot_be_told_apart_are_left_out() -> None:
    same = {"a": cdist(A, A), "squared": cdist(A, A) ** 2, "constant": 1 - np.eye(N)}
    assert partial.align([A], same, shuffles()).empty


def test_nothing_is_left_where_the_given_explains_all() -> None:
    np.testing.assert_array_equal(partial.partial(np.array([0.5]), np.array([1.0]), np.array([0.5])), [0.0])
