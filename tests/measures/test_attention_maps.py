import numpy as np
import pytest
from scipy.stats import kstest
from sklearn.metrics import roc_auc_score

from stages.measures import attention_maps
from stages.measures.alignment import permutations

N = 12
RING = np.abs(np.subtract.outer(np.arange(N), np.arange(N))) % (N - 2) == 1
OFF = ~np.eye(N, dtype=bool)


def shuffles(count: int = 199) -> np.ndarray:
    return permutations(N, count, np.random.default_rng(1))


def attention(count: int) -> np.ndarray:
    return np.random.default_rng(2).dirichlet(np.ones(N), size=(count, N)).astype(np.float32)


def test_auc_is_scikit_learns_also_under_the_null() -> None:
    directed = np.random.default_rng(3).random((N, N)) < 0.3
    weights = np.round(attention(3), 2)  # with ties
    aligned = attention_maps.edge_auc(weights, directed, shuffles(20))
    for index, of_map in enumerate(weights):
        assert aligned.value[index] == pytest.approx(roc_auc_score(directed[OFF], of_map[OFF]))
        null = [roc_auc_score(directed[np.ix_(order, order)][OFF], of_map[OFF]) for order in shuffles(20)]
        assert aligned.null_mean[index] == pytest.approx(np.mean(null))


def test_attention_along_edges_is_found_whatever_tokens_give_themselves() -> None:
    weights = 0.05 * attention(2) + RING[None] + 50 * np.eye(N)
    aligned = attention_maps.compare_with_edges(weights, {"ring": RING}, shuffles())
    np.testing.assert_allclose(aligned.value, 1)
    np.testing.assert_allclose(aligned.p_value, 1 / 200)


def test_unrelated_attention_has_uniform_p() -> None:
    aligned = attention_maps.compare_with_edges(attention(400), {"ring": RING}, shuffles(1999))
    assert aligned.value.mean() == pytest.approx(0.5, abs=0.01)
    assert kstest(aligned.p_value, "uniform").pvalue > 0.01


def test_graphs_without_edges_or_without_gaps_say_nothing() -> None:
    edge = np.outer(np.arange(N) == 0, np.arange(N) == 1)
    graphs = {"none": np.eye(N, dtype=bool), "all": np.ones((N, N), bool), "one": edge, "but one": ~edge}
    rows = attention_maps.compare_with_edges(attention(1), graphs, shuffles())
    assert rows.reference.tolist() == ["one", "but one"]


def test_target_line_excess_by_hand() -> None:
    weights = np.zeros((2, 9))
    weights[0, [0, 4, 8]] = 0.2, 0.3, 0.5  # target 1: cells 0, 2 of its row, 4, 7 of its column
    weights[1, 8] = 1.0  # the target itself
    excess = attention_maps.target_line_excess(weights, np.array([1, 8]))
    np.testing.assert_allclose(excess, [0.5 - 4 / 9, -4 / 9])


def test_uniform_attention_has_no_excess() -> None:
    uniform = np.full((3, 2, 16, 16), 1 / 16)  # replicas, blocks, puzzles
    np.testing.assert_allclose(attention_maps.target_line_excess(uniform, np.arange(16)), 0, atol=1e-12)


def test_markers_must_be_left_out() -> None:
    with pytest.raises(ValueError, match="over 17 tokens"):
        attention_maps.target_line_excess(np.ones((1, 17)), np.array([0]))
